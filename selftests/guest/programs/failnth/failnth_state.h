/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * failnth_state.h - the state that must be the same after a failure, and still be sampled: the
 * set, the meters, the registers of AMD Fam15h, the samples of every CPU.
 */
#ifndef RCR_GUEST_FAILNTH_STATE_H
#define RCR_GUEST_FAILNTH_STATE_H

#include <linux/rcrboard.h>

#include "ksft.h"
#include "rcr_control.h"
#include "rcr_meters.h"
#include "stream.h"

#define CPUS		4
#define CONTROLS	6
#define CONTROL(n)	(0xc0010200 + 2 * (n))
#define ENABLE		0x400000ull
#define BOARD		"/dev/rcrboard"
#define PATIENCE_NS	10000000000ull

/* State that a failed request must not change. */
struct state {
	struct rcr_state set;
	struct rcr_meters meters;
	uint64_t control[CPUS][CONTROLS];
};

static struct rcr_control *control;
static char buffer[1 << 20] __attribute__((aligned(8)));
static int msr[CPUS], reader, board;
static struct rcr_set set;		/* latest set in the stream */
static struct state before, now;

static void must(int ret, const char *what)
{
	if (!ret)
		return;
	ksft_exit_fail_msg("%s: %s (%s)\n", what, rcr_control_reason(control), strerror(errno));
}

static void look(struct state *s)
{
	unsigned int cpu, i;

	memset(s, 0, sizeof(*s));
	must(rcr_control_look(control, &s->set), "look");
	must(rcr_control_meters(control, &s->meters), "meters");
	for (i = 0; i < s->set.ncounters; i++) {
		/* Ignore statuses: a counter that was stopped and restarted has status gap once. */
		s->set.counter[i].status = 0;
		memset(s->set.counter[i].cpus, 0, sizeof(s->set.counter[i].cpus));
	}
	for (cpu = 0; cpu < CPUS; cpu++)
		for (i = 0; i < CONTROLS; i++) {
			if (pread(msr[cpu], &s->control[cpu][i], 8, CONTROL(i)) != 8)
				ksft_exit_fail_msg("register %#x cannot be read\n", CONTROL(i));
			/* perf leaves events in disabled controls. */
			if (!strcmp(s->set.source, "perf") && !(s->control[cpu][i] & ENABLE))
				s->control[cpu][i] = 0;
		}
}

/*
 * Retry for a while: the worker later binds a meter that could not be bound for lack of memory.
 */
static bool is_as_before(void)
{
	uint64_t end = monotonic_ns() + PATIENCE_NS;

	for (;;) {
		look(&now);
		if (!memcmp(&before, &now, sizeof(now)))
			return true;
		if (monotonic_ns() > end)
			return false;
		usleep(10000);
	}
}

/* Return a mask of the CPUs that have a sample in the data read in which all counters are ok. */
static unsigned int well_sampled(ssize_t got)
{
	unsigned int cpus = 0, i;
	ssize_t at;

	for (at = 0; at < got; at += ((struct rcr_item *)(buffer + at))->size) {
		struct rcr_record *r = (struct rcr_record *)(buffer + at);

		if (r->item.type != RCR_ITEM_SAMPLE ||
		    r->item.generation != set.item.generation || r->item.cpu >= CPUS)
			continue;
		for (i = 0; i < set.ncounters; i++)
			if (statuses_of(&set, r)[i] != RCR_STATUS_OK)
				break;
		cpus |= (i == set.ncounters) << r->item.cpu;
	}
	return cpus;
}

static const struct rcr_set *find_set(ssize_t got)
{
	ssize_t at;

	for (at = 0; at < got; at += ((struct rcr_item *)(buffer + at))->size)
		if (((struct rcr_item *)(buffer + at))->type == RCR_ITEM_SET)
			return (void *)(buffer + at);
	return NULL;
}

/* Return whether every CPU is sampled. After a reset there is no set to sample. */
static bool goes_on(void)
{
	uint64_t end = monotonic_ns() + PATIENCE_NS;
	unsigned int cpus = 0;
	ssize_t got;

	lseek(reader, 0, SEEK_END);
	while (cpus != (1 << CPUS) - 1 && monotonic_ns() < end) {
		struct pollfd p = { .fd = reader, .events = POLLIN };

		if (now.set.error)
			return true;
		if (poll(&p, 1, 1000) < 1)
			continue;
		got = read(reader, buffer, sizeof(buffer));
		if (got > 0 && find_set(got)) {
			set = *find_set(got);
			cpus = 0;
		}
		if (got > 0)
			cpus |= well_sampled(got);
	}
	return cpus == (1 << CPUS) - 1;
}

static void open_all(void)
{
	char path[32];
	unsigned int cpu;

	control = rcr_control_open();
	must(!control, "control");
	for (cpu = 0; cpu < CPUS; cpu++) {
		snprintf(path, sizeof(path), "/dev/cpu/%u/msr", cpu);
		msr[cpu] = open(path, O_RDONLY);
		must(msr[cpu] < 0, path);
	}
	reader = open(DEVICE, O_RDONLY | O_NONBLOCK);
	must(reader < 0, DEVICE);
	board = open(BOARD, O_RDWR);
	must(board < 0, BOARD);
	must(read(reader, buffer, sizeof(buffer)) < (ssize_t)sizeof(struct rcr_set), DEVICE);
	set = *(struct rcr_set *)buffer;
}

#endif
