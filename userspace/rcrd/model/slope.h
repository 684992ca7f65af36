/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slope.h - how the misses of an L3 depend on the CPUs that are busy, since it overflows. Where a
 * recording begins later than that, a line of it has the sums until then.
 */
#ifndef RCRD_SLOPE_H
#define RCRD_SLOPE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/fact.h"
#include "model/windows.h"

#define SLOPE_LEAST	200	/* slices that an answer needs */
#define SLOPE_STAYS	12	/* and stays */
#define SLOPE_OLD	128	/* older sums, each of a tenth of a second later */

/**
 * struct stay - slices that follow each other, in which as many CPUs are busy
 * @w: sum of their requests
 * @x: of the busy CPUs, times the requests
 * @y: of the misses
 */
struct stay {
	double w, x, y;
};

/**
 * struct slope - regression of the miss ratio on the number of busy CPUs, by requests. Slices of a
 * program that stays for long are alike: what counts is how often CPUs come and go.
 * @n: slices
 * @stays: that have ended
 * @w: sum of their requests; @ww: of the squares of these
 * @x: of the busy CPUs; @y: of miss ratios; and of their products; each times the requests
 * @now: the one under way
 */
struct slope {
	double n, stays, w, ww, x, y, xx, xy, yy;
	struct stay now;
};

/* Takes the slices of a window. */
void slope_take(struct slope *s, const struct window *w, const struct window_node *n);

/* How misses depend on the CPUs that are busy. */
enum slope_kind {
	SLOPE_WAIT,		/* it is not certain yet */
	SLOPE_UNKNOWN,		/* CPUs did not come and go, or too seldom */
	SLOPE_DOWN,
	SLOPE_FLAT,
	SLOPE_UP,
};

/* The slope of the slices; up and down are @errors standard errors from none, at least. */
enum slope_kind slope_kind(const struct slope *s, double errors);

/**
 * struct overflow - the windows since a cache overflows; none: the slope has no slices
 * @time: begin of the first window that is not among them, ns; 0: of none
 * @begin: begin of the first of them, ns
 * @newest: begin of the newest one with many misses, ns
 * @slope: of all
 */
struct overflow {
	uint64_t time, begin, newest;
	struct slope slope;
};

/**
 * struct overflows - a node's L3
 * @now: the overflow under way
 * @given: that of a line, until the first window at its time
 * @old: as it was before, ten times a second
 * @next: where the next one goes
 */
struct overflows {
	struct overflow now, given, old[SLOPE_OLD];
	unsigned int next;
};

/* To be called before each window. */
void overflows_look(struct overflows *o, const struct window *w);

/* Takes a window; @many: it has so many misses that there may be an overflow. */
void overflows_take(struct overflows *o, const struct window *w, unsigned int node, bool many);

/**
 * overflows_write() - write what a recording from @time on does not show of the slope
 * @o: the node's L3
 * @node: its number
 * @time: begin of the recording, ns
 * @line: "slope.NODE=TIME BEGIN NEWEST N STAYS W WW X Y XX XY YY", and W X Y of the stay under
 *	way, of the first one of @old in the recording
 *
 * Return: false if there is nothing to write.
 */
bool overflows_write(const struct overflows *o, unsigned int node, uint64_t time,
		     char line[FACT_LINE]);

/* Takes such a line; @o has @nodes entries. False: it is another one, or invalid. */
bool overflows_parse(struct overflows *o, unsigned int nodes, const char *line);

#endif
