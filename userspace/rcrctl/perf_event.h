/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf_event.h - hardware events of perf, which counts next to the module. */
#ifndef RCRCTL_PERF_EVENT_H
#define RCRCTL_PERF_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct perf_count - what a read of an event returns
 * @value: the count
 * @enabled: time since it was enabled, ns
 * @running: time that it was on a counter, ns
 */
struct perf_count {
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

/* The @cpu of perf_event_start() that means user mode of this process, on any CPU. */
#define THIS_PROCESS (-1)

/* Opens and enables PERF_COUNT_HW_... on a CPU or for this process; returns -1 with errno. */
int perf_event_start(uint64_t event, int cpu);

/*
 * Tests whether this process can count in user mode all the time, as librcrregion does. Returns 0,
 * or an errno: EAGAIN if no counter is free.
 */
int perf_event_try(void);

/* Reads an event; false if it has not been on a counter. */
bool perf_event_read(int fd, struct perf_count *count);

/*
 * False if perf counts 0 cycles for this process: next to a set, a kernel without constraints for
 * Family 15h may choose a counter that cannot count cycles. True if perf cannot be tested.
 */
bool perf_counts_cycles(void);

#endif
