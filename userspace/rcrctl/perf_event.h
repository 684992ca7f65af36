/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf_event.h - hardware events of perf, which count next to the module. */
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

/* As @cpu of perf_event_start(): user mode of this process, on any CPU. */
#define THIS_PROCESS (-1)

/* Opens and enables PERF_COUNT_HW_... of a CPU or of this process; -1 with errno. */
int perf_event_start(uint64_t event, int cpu);

/*
 * Tries whether this process can count in user mode all the time, as librcrregion does: 0, or an
 * errno, EAGAIN if no counter is free.
 */
int perf_event_try(void);

/* Reads an event; false if it has not been on a counter. */
bool perf_event_read(int fd, struct perf_count *count);

/*
 * False if perf's cycles of this process would be 0: a kernel without constraints for Family 15h
 * may give them, next to a set, a counter that cannot count cycles. True if it cannot be seen.
 */
bool perf_counts_cycles(void);

#endif
