// SPDX-License-Identifier: GPL-2.0-or-later
/* session.c - state shared by the verbs of a command line or a batch. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "message.h"
#include "session.h"

int done(const struct session *s, int ret)
{
	if (!ret)
		return EXIT_SUCCESS;
	return fail("%s", rcr_control_reason(s->control));
}

bool session_has_module(struct session *s)
{
	if (!s->control)
		s->control = rcr_control_open();
	return s->control;
}

int session_open(struct session *s)
{
	if (session_has_module(s))
		return EXIT_SUCCESS;
	return fail("%s", rcr_control_open_error(errno));
}

int session_look(struct session *s)
{
	int status = session_open(s);

	return status ? status : done(s, rcr_control_look(s->control, &s->state));
}

void session_restage(struct session *s)
{
	static char event[2 * RCR_MAX_COUNTERS][RCR_EVENT_LEN];
	const char *events[2 * RCR_MAX_COUNTERS];
	const struct rcr_counter_state *c;
	unsigned int i, count = 0;

	for (i = 0; i < s->state.ncounters; i++) {
		c = &s->state.counter[i];
		if (!c->staged || snprintf(event[count], RCR_EVENT_LEN, "%s=%s", c->name,
					   c->event) >= RCR_EVENT_LEN)
			continue;
		events[count] = event[count];
		count++;
	}
	rcr_control_remove(s->control, 0, NULL);
	if (count)
		rcr_control_add(s->control, 0, events, count);
}

/* Warns of an invalid row, which is not expected: each row was valid when it was imported. */
static void wrong_row(void *path, unsigned int line, const char *sentence)
{
	note_line(path, line, "%s", sentence);
}

static void know_module(struct names *n, const struct rcr_state *state)
{
	unsigned int i;

	names_set_policy(n, state->policy);
	for (i = 0; i < state->ncounters; i++)
		names_keep(n, state->counter[i].event);
}

struct names *session_names(struct session *s)
{
	bool known;

	if (s->has_names)
		return &s->names;
	known = session_has_module(s) && !rcr_control_look(s->control, &s->state);
	names_init(&s->names, known ? s->state.family : "", wrong_row,
		   (void *)names_dictionary());
	if (known)
		know_module(&s->names, &s->state);
	s->has_names = true;
	return &s->names;
}

void session_forget_names(struct session *s)
{
	if (s->has_names)
		names_free(&s->names);
	s->has_names = false;
}

void session_close(struct session *s)
{
	session_forget_names(s);
	rcr_control_close(s->control);
	s->control = NULL;
}
