/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slope.h - regression of the L3 miss ratio on the number of busy CPUs, while the L3 overflows. If
 * a recording begins during an overflow, one of its lines has the sums from before.
 */
#ifndef RCRD_SLOPE_H
#define RCRD_SLOPE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/fact.h"
#include "model/windows.h"

#define SLOPE_LEAST	200	/* slices that a result needs */
#define SLOPE_STAYS	12	/* stays that a result needs */
#define SLOPE_OLD	128	/* snapshots of the sums, taken every 100 ms */

/**
 * struct stay - consecutive slices with the same number of busy CPUs
 * @w: sum of the requests
 * @x: sum of busy CPUs times requests
 * @y: sum of the misses
 */
struct stay {
	double w, x, y;
};

/**
 * struct slope - regression of the miss ratio on the number of busy CPUs, weighted by requests
 * @n: number of slices
 * @stays: number of complete stays
 * @w: sum of their weights, the requests
 * @ww: sum of the squares of the weights
 * @x: weighted sum of the busy CPUs
 * @y: weighted sum of the miss ratios
 * @xx: weighted sum of the squares of the busy CPUs
 * @xy: weighted sum of the products of busy CPUs and miss ratio
 * @yy: weighted sum of the squares of the miss ratios
 * @now: the incomplete stay
 *
 * The slices of a stay are not independent of each other, so a whole stay is one observation.
 */
struct slope {
	double n, stays, w, ww, x, y, xx, xy, yy;
	struct stay now;
};

/* Adds the slices of a window. */
void slope_take(struct slope *s, const struct window *w, const struct window_node *n);

/* How misses depend on the number of busy CPUs. */
enum slope_kind {
	SLOPE_WAIT,		/* not significant yet */
	SLOPE_UNKNOWN,		/* the number of busy CPUs varied too little */
	SLOPE_DOWN,
	SLOPE_FLAT,
	SLOPE_UP,
};

/* Classifies the slope; up and down must differ from zero by at least @errors standard errors. */
enum slope_kind slope_kind(const struct slope *s, double errors);

/**
 * struct overflow - an overflow of an L3; there is none if the slope has no slices
 * @time: begin of the first window that is not in @slope, ns; 0: the entry is not used
 * @begin: begin of the first window of the overflow, ns
 * @newest: begin of its newest window with many misses, ns. When misses are known again, it moves
 *	on by the time in which they were unknown.
 * @judged: end of the newest window in which they were known, ns
 * @slope: slope over its windows
 */
struct overflow {
	uint64_t time, begin, newest, judged;
	struct slope slope;
};

/**
 * struct overflows - overflows of a node's L3
 * @now: the current overflow
 * @given: overflow read from a line; replaces @now in the first window from its @time on
 * @old: snapshots of @now
 * @next: entry of @old to write next
 */
struct overflows {
	struct overflow now, given, old[SLOPE_OLD];
	unsigned int next;
};

/* Takes over @given, ends a stale overflow and takes snapshots; call it before each window. */
void overflows_prepare(struct overflows *o, const struct window *w);

/* Adds a window whose misses are known; @many: they are high enough for an overflow. */
void overflows_take(struct overflows *o, const struct window *w, unsigned int node, bool many);

/**
 * overflows_write() - write the part of the slope that is older than a recording
 * @o: overflows of the node
 * @node: number of the node
 * @time: begin of the recording, ns
 * @line: filled in from the first snapshot in the recording: "slope.NODE=TIME BEGIN NEWEST JUDGED N
 *	STAYS W WW X Y XX XY YY", then W X Y of the incomplete stay
 *
 * Return: false if there is nothing to write.
 */
bool overflows_write(const struct overflows *o, unsigned int node, uint64_t time,
		     char line[FACT_LINE]);

/* Parses a line of overflows_write(); @o has @nodes entries. Returns false if it is not one. */
bool overflows_parse(struct overflows *o, unsigned int nodes, const char *line);

#endif
