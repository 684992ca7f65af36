// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * focus.c - send requests to rcrd-set. It answers each with the reason why it failed, or with an
 * empty text on success. rcrd never waits for the answer.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "live/focus.h"
#include "message.h"

static void lose_helper(struct focus *f)
{
	note("rcrd-set has ended: cannot add events for suspected models");
	loop_remove(f->loop, &f->source);
	close(f->source.fd);
	f->source.fd = -1;
	f->state = FOCUS_NONE;
}

/* The set was not changed, so the group of another model may be requested at once. */
static void take_refusal(struct focus *f, const char *text)
{
	char *refusal = f->refusal[f->model];

	if (strcmp(text, refusal))
		note("cannot count the events of the %s model: %s", model_name(f->model), text);
	snprintf(refusal, sizeof(f->refusal[0]), "%s", text);
	f->state = FOCUS_NONE;
	f->again_ns[f->model] = now_ns() + FOCUS_AGAIN_NS;
}

static void receive_helper_answer(void *arg, uint32_t events)
{
	struct focus *f = arg;
	char text[sizeof(f->refusal[0])];
	ssize_t got = recv(f->source.fd, text, sizeof(text) - 1, MSG_DONTWAIT);

	(void)events;
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got <= 0) {
		lose_helper(f);
		return;
	}
	text[got] = 0;
	if (f->state == FOCUS_ASKED && *text) {
		take_refusal(f, text);
		return;
	}
	f->next_ns = now_ns() + FOCUS_NS;
	if (f->state == FOCUS_ASKED)
		*f->refusal[f->model] = 0;
	f->state = f->state == FOCUS_ASKED ? FOCUS_HELD : FOCUS_NONE;
}

int focus_begin(struct focus *f, struct loop *loop, int fd)
{
	*f = (struct focus){ .source = { fd, receive_helper_answer, f }, .loop = loop };
	return fd < 0 ? 0 : loop_add(loop, &f->source, EPOLLIN);
}

static void ask_helper(struct focus *f, const char *request, enum focus_state state)
{
	if (send(f->source.fd, request, strlen(request), MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		lose_helper(f);
	else
		f->state = state;
}

void focus_want(struct focus *f, enum model model)
{
	uint64_t now = now_ns();
	char request[32];

	if (f->state != FOCUS_NONE && f->model == model)
		f->wanted_ns = now;
	if (f->source.fd < 0 || f->state != FOCUS_NONE || now < f->next_ns ||
	    now < f->again_ns[model])
		return;
	f->model = model;
	f->wanted_ns = now;
	snprintf(request, sizeof(request), "hold %s", model_name(model));
	ask_helper(f, request, FOCUS_ASKED);
}

void focus_step(struct focus *f)
{
	uint64_t now = now_ns();

	if (f->state == FOCUS_HELD && now >= f->next_ns && now - f->wanted_ns >= FOCUS_NS)
		ask_helper(f, "release", FOCUS_RELEASED);
}
