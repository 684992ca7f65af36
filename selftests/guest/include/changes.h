/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * changes.h - reads the virtual PMU's register log (vpmu/register_log.h): when a register was
 * enabled for an event, and what it must have counted.
 */
#ifndef RCR_GUEST_CHANGES_H
#define RCR_GUEST_CHANGES_H

#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rate.h"
#include "register_log.h"

/* A change of a counter; @counts: the counter can count the event that it is set to. */
struct change {
	uint64_t tsc;
	unsigned int counter;
	uint32_t event, umask;
	bool enabled, counts;
};

/* The log of a CPU; @lost changes after the last entry did not fit. */
struct changes {
	struct change *all;
	size_t n;
	uint64_t lost;
};

static inline int log_open(unsigned int cpu)
{
	char path[32];

	snprintf(path, sizeof(path), "/dev/cpu/%u/msr", cpu);
	return open(path, O_RDWR);
}

/* Empty and start the log of a CPU, or stop it if not @on. Return false if there is no log. */
static inline bool log_switch(unsigned int cpu, bool on)
{
	uint64_t val = on;
	int fd = log_open(cpu);
	bool done = fd >= 0 && pwrite(fd, &val, sizeof(val), VPMU_LOG_MSR) == sizeof(val);

	close(fd);
	return done;
}

static inline struct change change_of(uint64_t tsc, uint64_t word)
{
	return (struct change){
		.tsc = tsc,
		.counter = word & VPMU_CHANGE_COUNTER,
		.event = word >> VPMU_CHANGE_EVENT_SHIFT,
		.umask = word >> VPMU_CHANGE_UMASK_SHIFT & 0xffff,
		.enabled = word & VPMU_CHANGE_ENABLED,
		.counts = word & VPMU_CHANGE_COUNTS,
	};
}

/*
 * Read the log of a CPU from that CPU, so that reading many words takes one system call and no
 * IPI. The caller frees .all, which is NULL on failure.
 */
static inline struct changes log_take(unsigned int cpu)
{
	static uint64_t word[512];
	struct changes c = { .all = malloc(VPMU_LOG_CHANGES * sizeof(*c.all)) };
	int fd = log_open(cpu);
	cpu_set_t here;
	unsigned int i;
	bool more = true;

	CPU_ZERO(&here);
	CPU_SET(cpu, &here);
	sched_setaffinity(0, sizeof(here), &here);
	while (c.all && more && pread(fd, word, sizeof(word), VPMU_LOG_MSR) == sizeof(word))
		for (i = 0; i < 512 && more; i += 2) {
			more = word[i] && c.n < VPMU_LOG_CHANGES;
			if (more)
				c.all[c.n++] = change_of(word[i], word[i + 1]);
		}
	if (more || pread(fd, &c.lost, sizeof(c.lost), VPMU_LOG_LOST_MSR) != sizeof(c.lost)) {
		free(c.all);
		c.all = NULL;
	}
	close(fd);
	return c;
}

/*
 * A time span (TSC) in which some register counts an event; @off is UINT64_MAX while it lasts.
 * @before: counts in all earlier spans, by the formula.
 */
struct span {
	uint64_t on, off, before;
};

struct spans {
	struct span *all;
	size_t n;
	uint32_t rate;
	unsigned int twice;	/* how often two registers counted the event at once */
};

/* Return the spans in which an event was counted, at @rate. The caller frees .all. */
static inline struct spans spans_of(const struct changes *c, uint32_t event, uint32_t umask,
				    uint32_t rate)
{
	struct spans s = { .all = calloc(c->n + 1, sizeof(*s.all)), .rate = rate };
	bool enabled[VPMU_COUNTERS] = { };
	uint64_t counted = 0;
	unsigned int now = 0;
	size_t i;

	for (i = 0; s.all && i < c->n; i++) {
		const struct change *at = &c->all[i];
		bool is = at->enabled && at->event == event && at->umask == umask;

		if (at->counter >= VPMU_COUNTERS || is == enabled[at->counter])
			continue;
		enabled[at->counter] = is;
		now += is ? 1 : -1;
		s.twice += is && now == 2;
		if (is && now == 1) {
			s.all[s.n++] = (struct span){ at->tsc, UINT64_MAX, counted };
		} else if (!is && !now) {
			s.all[s.n - 1].off = at->tsc;
			counted += vpmu_count(rate, at->tsc) - vpmu_count(rate, s.all[s.n - 1].on);
		}
	}
	return s;
}

/* Return the last span that begins at @tsc or earlier, or -1. */
static inline ssize_t span_at(const struct spans *s, uint64_t tsc)
{
	size_t low = 0, high = s->n, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (s->all[middle].on <= tsc)
			low = middle + 1;
		else
			high = middle;
	}
	return (ssize_t)low - 1;
}

/* Return the count of the event from the start of the log to @tsc. */
static inline uint64_t counted_to(const struct spans *s, uint64_t tsc)
{
	ssize_t i = span_at(s, tsc);

	if (i < 0)
		return 0;
	if (tsc > s->all[i].off)
		tsc = s->all[i].off;
	return s->all[i].before + vpmu_count(s->rate, tsc) - vpmu_count(s->rate, s->all[i].on);
}

/* Return the TSC ticks from @begin to @end in which no register was enabled for the event. */
static inline uint64_t disabled_for(const struct spans *s, uint64_t begin, uint64_t end)
{
	uint64_t ticks = end - begin, from, to;
	ssize_t i = span_at(s, begin);

	for (i = i < 0 ? 0 : i; (size_t)i < s->n && s->all[i].on < end; i++) {
		from = s->all[i].on > begin ? s->all[i].on : begin;
		to = s->all[i].off < end ? s->all[i].off : end;
		ticks -= to > from ? to - from : 0;
	}
	return ticks;
}

#endif
