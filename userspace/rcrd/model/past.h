/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past.h - history of each process. Whether a process suffers is judged only against its own
 * quiet windows, those without contention: counters alone do not predict it (Tang, Mars, Soffa).
 */
#ifndef RCRD_PAST_H
#define RCRD_PAST_H

#include <stdbool.h>
#include <stdint.h>

#include "model/fact.h"
#include "model/windows.h"

#define PAST_PROCESSES	2048
#define PAST_WINDOWS	64	/* windows kept per process, for correlations */
#define PAST_LEAST	30	/* quiet windows needed for a comparison */

/**
 * struct moments - running mean and variance of a quantity
 * @n: number of values
 * @mean: mean of the values
 * @squares: sum of the squared deviations from the mean
 */
struct moments {
	double n, mean, squares;
};

void moments_add(struct moments *m, double value);

/* Sample variance; 0 for fewer than two values. */
double moments_variance(const struct moments *m);

/**
 * struct past - history of a process on a node
 * @tgid: process id; 0: the entry is free
 * @node: the node
 * @seen: number of the newest window with the process
 * @quiet: cycles per instruction (CPI) in quiet windows
 * @quiet_own: L3 requests per 1,000 instructions in quiet windows, except for lines that another
 *	core had modified
 * @now: CPI in the windows of the current contention
 * @now_own: as @quiet_own, in the windows of the current contention
 * @quiet_share: fraction of the node's L3 requests, in quiet windows
 * @now_share: as @quiet_share, in the windows of the current contention
 * @now_modified: fraction of the requests that found a modified line, in the same windows
 * @count: number of valid entries in @cpi, @rate and @number
 * @next: entry to write next
 * @cpi: CPI in the newest windows
 * @rate: L3 requests per second in the newest windows
 * @number: number of each of these windows
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
 * struct pasts - histories of all processes
 * @number: number of the newest window
 * @contended: by node: processes may have values from the current contention
 * @given: quiet windows that begin before this time are included in parsed lines, ns
 * @process: hash table of process and node; the entry that was not seen for longest is replaced
 */
struct pasts {
	uint64_t number;
	bool contended[MACHINE_NODES];
	uint64_t given;
	struct past process[PAST_PROCESSES];
};

/* Which moments a window is added to. */
enum past_kind {
	PAST_QUIET,	/* no contention: the quiet ones */
	PAST_UNSURE,	/* perhaps contention: none */
	PAST_CONTENDED,	/* those of the current contention */
};

/**
 * pasts_take() - add a window to the histories
 * @p: the histories
 * @w: the window
 * @requests: L3 requests of each node
 * @kind: kind of the window on each node
 */
void pasts_take(struct pasts *p, const struct window *w, const double *requests,
		const enum past_kind *kind);

/* Resets the values from the contention on @node, which has ended. */
void pasts_end(struct pasts *p, unsigned int node);

/**
 * past_write() - write the quiet windows of a process as a line
 * @p: the process
 * @time: end of the newest window, ns
 * @line: filled in: "past.NODE.TGID=TIME", then @n, @mean and @squares of @quiet, @quiet_own and
 *	@quiet_share
 */
void past_write(const struct past *p, uint64_t time, char line[FACT_LINE]);

/*
 * Parses a line of past_write() for a machine with @nodes nodes; quiet windows before its TIME will
 * not be added again. Returns false if it is not a valid line.
 */
bool pasts_parse(struct pasts *p, unsigned int nodes, const char *line);

/* The history of a process on a node, or NULL. */
struct past *pasts_find(struct pasts *p, uint32_t tgid, unsigned int node);

/**
 * past_suffers() - check whether the CPI in a window is higher than in quiet windows
 * @p: history of the process; may be NULL
 * @w: counts of the process in the window
 * @deviations: standard deviations above the quiet mean from which it suffers
 *
 * Return: true if it suffers; false if not, or with too few quiet windows.
 */
bool past_suffers(const struct past *p, const struct window_process *w, double deviations);

/**
 * struct slowdown - slowdown of a process, with its 95 % confidence interval
 * @value: CPI now, divided by the CPI in quiet windows
 * @low: lower limit of the interval
 * @high: upper limit of the interval
 */
struct slowdown {
	double value, low, high;
};

/**
 * past_slowdown() - compare the windows of the current contention with quiet windows
 * @p: history of the process
 * @s: filled in
 *
 * Return: false with too few windows, or if the requests per instruction show that the process now
 * does other work than in its quiet windows.
 */
bool past_slowdown(const struct past *p, struct slowdown *s);

/*
 * Correlation of the request rate of @cause with the CPI of @victim, over the newest windows that
 * have both; 0 with too few of them.
 */
double past_correlation(const struct past *cause, const struct past *victim);

#endif
