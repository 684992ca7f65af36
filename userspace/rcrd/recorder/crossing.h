/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * crossing.h - watches bounds of meters on blackboard 1: those that it was given, or else
 * the contention levels of all meters that have one.
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

/* Places that are watched at a time. */
#define CROSSING_WATCHES 64

struct watch;

/**
 * struct crossings - the bounds that are watched
 * @loop: it waits for all watches
 * @model: source of each watch, but for its descriptor
 * @look: timer: compares what is watched with what there is
 * @board: mapped while anything is watched or may be; else NULL
 * @changes: of the board when the watches were made; odd: make them again
 * @rule: that were given
 * @rules: how many; 0: contention levels
 * @watch: of each place that is watched
 * @count: how many
 * @amiss: what was wrong with the rules at the latest look
 */
struct crossings {
	struct loop *loop;
	struct loop_source model;
	struct loop_source look;
	struct rcr_blackboard *board;
	uint32_t changes;
	struct rule rule[RULES_MAX];
	unsigned int rules;
	struct watch *watch[CROSSING_WATCHES];
	unsigned int count;
	struct why amiss;
};

/**
 * struct crossing - a bound was crossed
 * @time: CLOCK_MONOTONIC of the newest sample of the value, ns
 * @lost: crossings before it that were not read in time
 * @text: for people
 */
struct crossing {
	uint64_t time;
	uint64_t lost;
	char text[RCR_MARK_LEN];
};

/* Watches nothing yet. @ready and @arg as in struct loop_source. Returns 0, or -1. */
int crossings_begin(struct crossings *c, struct loop *loop,
		    void (*ready)(void *arg, uint32_t events), void *arg);

/**
 * crossings_watch() - watches other bounds from now on
 * @c: the watches
 * @lines: the bounds; none: the contention levels that there are, also those that come
 * @strict: every bound must be there now; else it is waited for
 * @why: filled in on failure
 *
 * Returns 0, or -1 with the reason: then what was watched still is.
 */
int crossings_watch(struct crossings *c, const struct rule_lines *lines, bool strict,
		    struct why *why);

/* Watches nothing any more. */
void crossings_end(struct crossings *c);

/* The next crossing there is, without waiting: true and @crossing, or false. */
bool crossings_next(struct crossings *c, struct crossing *crossing);

#endif
