/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crossing.h - watch meters on blackboard 1 cross configured bounds or, without any, their
 * contention levels.
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
 * @loop: event loop
 * @model: template of the event source of each watch
 * @board: blackboard 1; NULL while nothing is to be watched
 * @changes: count of changes of the board at the last update; odd: update again
 * @rule: configured bounds
 * @rules: number of entries in @rule; 0: watch contention levels
 * @watch: the watches, one for each place
 * @count: number of entries in @watch
 * @of_models: skip posted meters and log nothing; set for the watches of the models
 * @amiss: why a bound could not be watched at the last update, or empty
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
 * struct crossing - crossing of a bound
 * @time: time of the newest sample in the value, CLOCK_MONOTONIC, ns
 * @lost: number of earlier crossings that were not read in time
 * @text: text for the log and the mark
 */
struct crossing {
	uint64_t time;
	uint64_t lost;
	char text[RCR_MARK_LEN];
};

/* Initialises @c without watches. @ready and @arg as in struct loop_source. */
void crossings_begin(struct crossings *c, struct loop *loop,
		     void (*ready)(void *arg, uint32_t events), void *arg);

/* Updates the watches if the board has changed. Must be called each second. */
void crossings_renew(struct crossings *c);

/**
 * crossings_watch() - replace the watched bounds
 * @c: the watches
 * @lines: the bounds; if there are none, the contention levels of all present and future meters
 * @strict: fail if a bound cannot be watched yet; otherwise, wait for its meter
 * @why: filled in on failure
 *
 * Return: 0, or -1 on failure; the previous bounds are still watched then.
 */
int crossings_watch(struct crossings *c, const struct rule_lines *lines, bool strict,
		    struct why *why);

/* Removes all watches. */
void crossings_end(struct crossings *c);

/* Reads the next crossing without blocking. Returns false if there is none. */
bool crossings_next(struct crossings *c, struct crossing *crossing);

#endif
