// SPDX-License-Identifier: LGPL-2.1-or-later
/* board_find.c - finds a meter at a place on a blackboard that may change meanwhile. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"

/* Number of retries if the board changes; each change takes another process a system call. */
#define TRIES 1000

/* Number of retries if a meter changes between finding and subscribing it. */
#define SUBSCRIBE_TRIES 8

static const char *const kinds[] = {
	[RCR_PLACE_MACHINE] = "machine",
	[RCR_PLACE_NODE] = "node",
	[RCR_PLACE_PACKAGE] = "package",
	[RCR_PLACE_DIE] = "die",
	[RCR_PLACE_LLC] = "llc",
	[RCR_PLACE_CORE] = "core",
	[RCR_PLACE_CPU] = "cpu",
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

const char *rcr_place_kind_name(enum rcr_place_kind kind)
{
	return (unsigned int)kind < KINDS ? kinds[kind] : "unknown";
}

int rcr_place_kind_parse(const char *name, enum rcr_place_kind *kind)
{
	unsigned int i;

	if (!name || !kind)
		return rcr_board_fail(EINVAL);
	for (i = 0; i < KINDS; i++)
		if (!strcmp(name, kinds[i])) {
			*kind = i;
			return 0;
		}
	return rcr_board_fail(EINVAL);
}

void rcr_board_copy32(void *to, const void *from, size_t size)
{
	const uint32_t *source = from;
	uint32_t *copy = to;
	size_t i;

	for (i = 0; i < size / sizeof(*copy); i++)
		copy[i] = __atomic_load_n(&source[i], __ATOMIC_RELAXED);
}

/* Copies meter @n; false if the slot is free. */
static bool copy_meter(const struct rcr_blackboard *b, unsigned int n,
		       struct rcr_board_meter *m)
{
	rcr_board_copy32(m, rcr_array_at(&b->meters, n), sizeof(*m));
	return m->serial && memchr(m->name, 0, sizeof(m->name)) &&
	       memchr(m->unit, 0, sizeof(m->unit));
}

/* Converts @name from decimal; -1 if it is not a number. */
static long as_number(const char *name)
{
	char *end;
	long n = strtol(name, &end, 10);

	return *name >= '0' && *name <= '9' && !*end ? n : -1;
}

static bool find_board_meter(const struct rcr_blackboard *b, const char *name,
			     struct rcr_board_meter *m)
{
	long number = as_number(name);
	unsigned int i;

	for (i = 0; i < b->meters.count; i++)
		if (copy_meter(b, i, m) && !strcmp(m->name, name))
			return true;
	for (i = 0; number >= 0 && i < b->meters.count; i++)
		if (copy_meter(b, i, m) && m->number == number)
			return true;
	return false;
}

static bool is_at(const struct rcr_blackboard *b, unsigned int entry, uint32_t serial,
		  enum rcr_place_kind kind, unsigned int number)
{
	const struct rcr_board_entry *e = rcr_array_at(&b->entries, entry);
	const struct rcr_board_place *p;

	if (__atomic_load_n(&e->serial, __ATOMIC_ACQUIRE) != serial)
		return false;
	p = rcr_place_at(b, __atomic_load_n(&e->place, __ATOMIC_RELAXED));
	return p && p->kind == (uint32_t)kind &&
	       (p->number == number || kind == RCR_PLACE_MACHINE);
}

/* Returns 0 with @meter filled in, or a negative errno. */
static int find_board_entry(const struct rcr_blackboard *b, const char *name,
			    enum rcr_place_kind kind, unsigned int number, struct rcr_meter *meter)
{
	struct rcr_board_meter m;
	uint32_t i;

	if (!find_board_meter(b, name, &m))
		return -ENOENT;
	if (!m.entries)
		return -ENODATA;
	if (m.first > b->entries.count || m.entries > b->entries.count - m.first)
		return -EPROTO;
	for (i = m.first; i < m.first + m.entries; i++)
		if (is_at(b, i, m.serial, kind, number)) {
			meter->entry = i;
			meter->serial = m.serial;
			meter->digits = m.digits;
			meter->type = m.type;
			meter->scale_ns = m.scale_ns;
			return 0;
		}
	return -ENXIO;
}

/* A query of the board, and its result. */
struct query {
	const struct rcr_blackboard *b;
	const char *name;
	enum rcr_place_kind kind;
	unsigned int number;
	struct rcr_meter *meter;
	struct rcr_board_meter *meters;
	unsigned int most;
	int count;
};

static int query_entry(struct query *q)
{
	return find_board_entry(q->b, q->name, q->kind, q->number, q->meter);
}

static int query_meters(struct query *q)
{
	struct rcr_board_meter m;
	unsigned int i;

	q->count = 0;
	for (i = 0; i < q->b->meters.count && (unsigned int)q->count < q->most; i++)
		if (copy_meter(q->b, i, &m))
			q->meters[q->count++] = m;
	return 0;
}

/* Repeats a query until the board does not change during it; returns 0, or -1 with errno. */
static int query_consistently(struct query *q, int (*run)(struct query *q))
{
	const struct rcr_board *head = q->b->head;
	uint32_t before;
	int tries, error;

	for (tries = 0; tries < TRIES; tries++) {
		before = __atomic_load_n(&head->changes, __ATOMIC_ACQUIRE);
		if (!(before & 1)) {
			error = run(q);
			__atomic_thread_fence(__ATOMIC_ACQUIRE);
			if (before == __atomic_load_n(&head->changes, __ATOMIC_RELAXED))
				return error ? rcr_board_fail(-error) : 0;
		}
		sched_yield();
	}
	return rcr_board_fail(EAGAIN);
}

int rcr_board_find(const struct rcr_blackboard *b, const char *name,
		   enum rcr_place_kind kind, unsigned int number,
		   struct rcr_meter *meter)
{
	struct query q = {
		.b = b, .name = name, .kind = kind, .number = number, .meter = meter,
	};

	int tries;

	if (!b || !name || !meter)
		return rcr_board_fail(EINVAL);
	for (tries = 0; tries < SUBSCRIBE_TRIES; tries++) {
		if (query_consistently(&q, query_entry))
			return -1;
		if (!rcr_board_subscribe_again(b, meter))
			return 0;
		if (errno != ENOENT && errno != ESTALE)
			return -1;
	}
	return rcr_board_fail(EAGAIN);
}

int rcr_board_meters(const struct rcr_blackboard *b, struct rcr_board_meter *meters,
		     unsigned int most)
{
	struct query q = { .b = b, .meters = meters, .most = most };

	if (!b || (most && !meters))
		return rcr_board_fail(EINVAL);
	return query_consistently(&q, query_meters) ? -1 : q.count;
}
