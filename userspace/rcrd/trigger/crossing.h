/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crossing.h - watches bounds of meters on blackboard 1: those given, or else the contention levels
 * of all meters that have one.
 */
#ifndef RCRD_CROSSING_H
#define RCRD_CROSSING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/rcrtool.h>

#include "loop.h"
#include "rcr_board.h"
#include "rule.h"
#include "why.h"

/* Maximum number of watched places. */
#define CROSSING_WATCHES 64

struct watch;

/**
 * struct crossings - the watched bounds
 * @loop: event loop of all watches
 * @model: template of each watch's source
 * @board: mapped while bounds are given or watched; else NULL
 * @changes: count of changes of the board at the last update; odd: update again
 * @rule: the bounds given
 * @rules: entries of @rule; 0: contention levels
 * @watch: one for each watched place
 * @count: entries of @watch
 * @of_models: watches of the models: posted meters are left out, and nothing is logged
 * @amiss: reason why a bound is not watched, at the latest update
 */
struct crossings {
	struct loop *loop;
	struct loop_source model;
	struct rcr_blackboard *board;
	uint32_t changes;
	struct rule rule[RULES_MAX];
	unsigned int rules;
	struct watch *watch[CROSSING_WATCHES];
	unsigned int count;
	bool of_models;
	struct why amiss;
};

/**
 * struct crossing - a bound was crossed
 * @time: CLOCK_MONOTONIC of the newest sample of the value, ns
 * @lost: crossings before it that were not read in time
 * @text: description for people
 */
struct crossing {
	uint64_t time;
	uint64_t lost;
	char text[RCR_MARK_LEN];
};

/* Initialises @c without watches. @ready and @arg as in struct loop_source. */
void crossings_begin(struct crossings *c, struct loop *loop,
		     void (*ready)(void *arg, uint32_t events), void *arg);

/* Updates the watches after a change of the board. To be called each second. */
void crossings_renew(struct crossings *c);

/**
 * crossings_watch() - replace the watched bounds
 * @c: the watches
 * @lines: the bounds; none: the contention levels of all meters, present and future
 * @strict: fail unless every bound can be watched now; otherwise wait for meters
 * @why: filled in on failure
 *
 * Returns 0, or -1 with @why filled in: then the previous bounds are still watched.
 */
int crossings_watch(struct crossings *c, const struct rule_lines *lines, bool strict,
		    struct why *why);

/* Removes all watches. */
void crossings_end(struct crossings *c);

/* Fetches the next crossing without waiting; returns false if there is none. */
bool crossings_next(struct crossings *c, struct crossing *crossing);

#endif
