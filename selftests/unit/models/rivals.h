/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rivals.h - three published rules that judge the same windows as the models. The models must
 * be right more often.
 */
#ifndef RCR_RIVALS_H
#define RCR_RIVALS_H

#include <stdbool.h>

#include "model/machine.h"
#include "model/past.h"
#include "model/windows.h"

/* What a rule can report, as bits. */
#define RIVAL_CONTENTION	1	/* of something */
#define RIVAL_CACHE		2
#define RIVAL_MEMORY		4

enum rival_rule {
	/*
	 * Google's CPI2 (EuroSys'13): the cycles per instruction of a task exceed its specification
	 * by two standard deviations three times in a row, and the task uses at least a quarter of
	 * a CPU. Here the specification is learned from the task's own first third.
	 */
	RIVAL_CPI2,
	/*
	 * Intel's Platform Resource Manager (2018): a task contends for the cache if its cycles and
	 * its L3 misses per instruction both exceed mean + 3 sigma; for bandwidth if its cycles and
	 * its memory stalls per instruction do. Here misses and stalls of a task are estimated from
	 * its L3 requests, and the miss ratio and latency of its node.
	 */
	RIVAL_PRM,
	/* Caladan (OSDI'20): memory moves 25,000 MB/s or more in two samples. */
	RIVAL_CALADAN,
	RIVALS
};

/**
 * struct rivals - the rules and their state
 * @machine: the machine
 * @learn_until: end of the learning phase of the specifications, ns
 * @streak: consecutive windows in which the condition of each rule held
 * @said: answers of each rule since @learn_until
 */
struct rivals {
	const struct machine *machine;
	uint64_t learn_until;
	unsigned int streak[RIVALS][2];
	unsigned int said[RIVALS];
	struct rival_task *task;
};

int rivals_open(struct rivals *r, const struct machine *machine, uint64_t learn_until);
void rivals_close(struct rivals *r);

/* A window_take of windows.h. */
void rivals_window(void *to, const struct window *w);

#endif
