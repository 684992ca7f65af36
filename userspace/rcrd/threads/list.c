// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * list.c - list the slots of clients. An answer covers a limited part of the list, so that it does
 * not delay other work of rcrd. Members of the group see all clients, other users only their own.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "clients.h"
#include "list.h"
#include "slots.h"

/* Slots read per answer, in use or not. */
#define SLOTS_AN_ANSWER	16384

/* Clients visited per answer. */
#define CLIENTS_AN_ANSWER 1024

/* Longest line. */
#define LINE_MAX_LEN 192

/**
 * struct listing - an answer that is being written
 * @answer: the answer
 * @used: bytes used in its text
 * @read: number of slots read
 * @verdicts: used to convert the TSC of a slot to its age
 */
struct listing {
	struct answer *answer;
	size_t used;
	unsigned int read;
	const struct verdicts *verdicts;
};

static bool has_room(const struct listing *l)
{
	return l->read < SLOTS_AN_ANSWER &&
	       l->used + 2 * LINE_MAX_LEN < sizeof(l->answer->text);
}

static void print_slot(struct listing *l, const struct client *c, const struct rcr_thread *t)
{
	l->used += snprintf(l->answer->text + l->used, LINE_MAX_LEN,
			    "%u %d %u %" PRIu64 " %" PRIu64 " %u %" PRIu64 " %" PRIu64
			    " %" PRIu64 "\n", c->peer.uid, c->peer.pid, t->tid, t->id, t->pc,
			    t->state, t->wish, verdicts_age_ns(l->verdicts, t->since),
			    t->updates);
}

/* Lists slots from @slot on; returns the slot to continue with, or -1 after the last one. */
static int64_t list_client(struct listing *l, const struct client *c, unsigned int slot)
{
	static struct slots_reader reader;
	struct slots_form form;
	struct rcr_thread t;
	unsigned int got, i;

	if (!slots_read_form(c->slots, &form))
		return -1;
	while ((got = slots_read(&reader, c->slots, &form, slot))) {
		l->read += got;
		for (i = 0; i < got; i++, slot++) {
			slots_get(&reader, &form, i, &t);
			if (t.state == RCR_THREAD_FREE)
				continue;
			if (!has_room(l))
				return slot;
			print_slot(l, c, &t);
		}
		if (!has_room(l))
			return slot;
	}
	return -1;
}

static bool may_see(const struct caller *caller, const struct client *c)
{
	return caller->reads || c->peer.uid == caller->uid;
}

int list_take(void *arg, const struct caller *caller, const struct request *q,
	      struct answer *answer, struct why *why)
{
	struct listing l = { .answer = answer, .verdicts = arg };
	struct client *c = clients_find(q->number);
	unsigned int visited = 0;
	int64_t slot;

	(void)why;
	for (; c && has_room(&l) && visited < CLIENTS_AN_ANSWER; c = c->newer) {
		if (!may_see(caller, c) || (q->pid && c->peer.pid != (pid_t)q->pid))
			continue;
		visited++;
		/* The process has exited, but a child still holds its socket. */
		if (c->peer.pid && !peer_is_process(&c->peer))
			c->peer.pid = 0;
		slot = list_client(&l, c, c->number == q->number ? q->slot : 0);
		if (slot < 0)
			continue;
		snprintf(answer->text + l.used, LINE_MAX_LEN, "next %" PRIu64 " %" PRId64 "\n",
			 c->number, slot);
		return 0;
	}
	if (c)
		snprintf(answer->text + l.used, LINE_MAX_LEN, "next %" PRIu64 " 0\n", c->number);
	return 0;
}
