/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rivals.h - three rules of others, which judge the same windows as the models: a
 * must be worth more than these.
 */
#ifndef RCR_RIVALS_H
#define RCR_RIVALS_H

#include <stdbool.h>

#include "model/machine.h"
#include "model/past.h"
#include "model/windows.h"

/* Answers of a rule, as bits. */
#define RIVAL_CONTENTION	1	/* of something */
#define RIVAL_CACHE		2
#define RIVAL_MEMORY		4

enum rival_rule {
	/*
	 * Google's CPI2 (EuroSys'13): a task whose cycles for each instruction are more than two
	 * standard deviations above its specification, three times in a row, and whose usage is at
	 * least a quarter of a CPU. The specification is that of the task's own first third here.
	 */
	RIVAL_CPI2,
	/*
	 * Intel's Platform Resource Manager (2018): cycles and L3 misses for each instruction of a
	 * task beyond mean + 3 sigma is contention for the cache; cycles and stalls on memory for
	 * each instruction, that for bandwidth. Misses and stalls of a task are its requests to
	 * the L3 here, by the ratio and the latency of its node.
	 */
	RIVAL_PRM,
	/* Caladan (OSDI'20): memory moves 25,000 MB/s or more in two samples. */
	RIVAL_CALADAN,
	RIVALS
};

/**
 * struct rivals - the rules and their state
 * @machine: the machine
 * @learn_until: end of the time that specifications are learned in, ns
 * @streak: of each rule: windows in a row in which it would answer
 * @said: answers of each since @learn_until
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
