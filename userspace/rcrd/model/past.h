/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past.h - what each process did while nothing was contended: by that alone it is judged whether
 * it suffers now. Counters do not predict which one suffers (Tang, Mars, Soffa).
 */
#ifndef RCRD_PAST_H
#define RCRD_PAST_H

#include <stdbool.h>
#include <stdint.h>

#include "model/fact.h"
#include "model/windows.h"

#define PAST_PROCESSES	2048
#define PAST_WINDOWS	64	/* newest windows of a process, for correlations */
#define PAST_LEAST	30	/* quiet windows that a judgement needs */

/**
 * struct moments - mean and variance of a quantity
 * @n: values
 * @mean: their mean
 * @squares: sum of the squares of their distances from it
 */
struct moments {
	double n, mean, squares;
};

void moments_add(struct moments *m, double value);

/* 0 for fewer than two values */
double moments_variance(const struct moments *m);

/**
 * struct past - a process on a node
 * @tgid: its id; 0: the entry is free
 * @node: the node
 * @seen: number of the window that it was seen in last
 * @quiet: cycles for each instruction, while nothing was contended on its node
 * @quiet_own: requests to the L3 for 1,000 instructions then, without lines from other cores
 * @now: cycles for each instruction since something is contended
 * @now_own: the requests since then
 * @quiet_share: its part of the requests on its node, while nothing was contended
 * @now_share: likewise, since something is
 * @now_modified: part of its requests that found a line modified, since something is contended
 * @count: entries of @cpi and @rate that are filled
 * @next: entry of the next window
 * @cpi: cycles for each instruction in the newest windows
 * @rate: requests in a second, likewise
 * @number: numbers of these windows
 */
struct past {
	uint32_t tgid;
	unsigned int node;
	uint64_t seen;
	struct moments quiet, quiet_own, now, now_own, quiet_share, now_share,
		now_modified;
	unsigned int count, next;
	double cpi[PAST_WINDOWS], rate[PAST_WINDOWS];
	uint64_t number[PAST_WINDOWS];
};

/**
 * struct pasts - the processes that were seen
 * @number: of the newest window
 * @contended: by node: a process may have counts of contended windows
 * @given: quiet windows that begin before are in lines that were taken, ns
 * @process: by a hash of process and node; those not seen for longest are forgotten
 */
struct pasts {
	uint64_t number;
	bool contended[MACHINE_NODES];
	uint64_t given;
	struct past process[PAST_PROCESSES];
};

/* How a window counts for a node. */
enum past_kind {
	PAST_QUIET,	/* nothing is contended */
	PAST_UNSURE,	/* something may be */
	PAST_CONTENDED,
};

/**
 * pasts_take() - remember a window
 * @p: the processes
 * @w: the window
 * @requests: of each node, to the L3
 * @kind: of each node
 */
void pasts_take(struct pasts *p, const struct window *w, const double *requests,
		const enum past_kind *kind);

/* Forgets what processes of @node did since something is contended there. */
void pasts_end(struct pasts *p, unsigned int node);

/**
 * past_write() - write the quiet time of a process
 * @p: the process
 * @time: end of the newest window, ns
 * @line: "past.NODE.TGID=TIME", and number, mean and sum of squares of @quiet, @quiet_own and
 *	@quiet_share
 */
void past_write(const struct past *p, uint64_t time, char line[FACT_LINE]);

/*
 * Takes such a line, of a machine with @nodes nodes. False: it is another one, or invalid. What a
 * recording shows of quiet time before @time is in the lines already.
 */
bool pasts_parse(struct pasts *p, unsigned int nodes, const char *line);

/* The process on the node, or NULL. */
struct past *pasts_find(struct pasts *p, uint32_t tgid, unsigned int node);

/**
 * past_suffers() - is a window of a process worse than its quiet ones?
 * @p: the process; may be NULL
 * @w: its counts in the window
 * @deviations: by so many standard deviations
 */
bool past_suffers(const struct past *p, const struct window_process *w, double deviations);

/**
 * struct slowdown - how much longer an instruction takes
 * @value: cycles for each instruction now, by those of quiet windows
 * @low: lower bound of its interval of 95 %
 * @high: upper bound
 */
struct slowdown {
	double value, low, high;
};

/**
 * past_slowdown() - compare the time since something is contended with quiet time
 * @p: the process
 * @s: filled in
 *
 * Return: false without enough quiet windows ("no history"), or if the process itself does
 * something else now, which its requests for each instruction show.
 */
bool past_slowdown(const struct past *p, struct slowdown *s);

/*
 * Correlation of the requests of @cause with the cycles per instruction of @victim, over the newest
 * windows.
 */
double past_correlation(const struct past *cause, const struct past *victim);

#endif
