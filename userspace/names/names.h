/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - what a user calls an event, made into what the module reads.
 *
 * A word is looked up, in this order, as
 *
 *	NAME=event:..., NAME=nb:event:..., NAME=register:... and the like
 *					passed on as it is
 *	PMU/EVENT/, PMU/term=value,.../	an event of a PMU that the kernel drives,
 *					as perf spells it; pmu.h
 *	NAME=WORD			WORD under that name, where NAME has no colon
 *	a name of rcrtool's own		own.h
 *	a name of the imported dictionary of LDMS; where it means the same event
 *					as rcrtool's own its register holds, too
 *	a software event, a tracepoint	kernel.h
 *	a name that libpfm4 knows	native.h
 *
 * Where the kernel may count what is not the core's (the policy is perf or auto) and
 * has a PMU for the unit, it is asked: under the same names.
 *
 * The counter is called like the word, with a "-" for each character that may
 * not stand in a name: DATA_CACHE_MISSES:c=2 is counted as DATA_CACHE_MISSES:c-2.
 */
#ifndef NAMES_NAMES_H
#define NAMES_NAMES_H

#include <linux/rcrtool.h>

#include "ldms.h"
#include "why.h"

/* As many units as the counters of a set can be of. */
#define NAMES_MAX_KEPT RCR_MAX_COUNTERS

/**
 * struct names - what names mean on this machine
 * @family: kind of PMU, as the module calls it; libpfm4's guess without one
 * @policy: who shall count, as the module was told: auto, perf or msr; empty: not known
 * @kept: units whose registers the module counts with: the kernel must not, too
 * @nkept: how many
 * @imported: LDMS's dictionary, if one was imported
 */
struct names {
	char family[32];
	char policy[16];
	char kept[NAMES_MAX_KEPT][CODE_UNIT_LEN];
	unsigned int nkept;
	struct ldms imported;
};

/* Where the imported dictionary lies; RCR_DICTIONARY names another place. */
const char *names_dictionary(void);

/*
 * @family is what the module says, or empty. What is wrong in the imported
 * dictionary is told to @wrong.
 */
void names_init(struct names *n, const char *family, line_wrong wrong, void *to);
void names_free(struct names *n);

/* The module counts by that policy. */
void names_set_policy(struct names *n, const char *policy);

/*
 * The module counts @event (with or without "NAME=") with registers of its own: with
 * policy auto those of that unit are the module's from now on. Neither side knows of
 * the other's registers. Returns whether that is news.
 */
bool names_keep(struct names *n, const char *event);

/* The name of rcrtool's own that @word stands for ("cycles", "tot_cyc"), else @word. */
const char *names_canonical(const struct names *n, const char *word);

/* Writes the event that @word means; -1 with the reason. */
int names_resolve(const struct names *n, const char *word,
		  char event[RCR_EVENT_LEN], struct why *why);

/*
 * The names of the events of a named set, NULL after the last. @word is @flops, @mem or @ldms:
 * Table I of the LDMS MSR sampler paper, or the closest events. Return: NULL, with the reason.
 */
const char *const *names_set(const struct names *n, const char *word, struct why *why);

/* What @family counts amiss of @event (with or without "NAME="), or NULL. */
const char *names_deficiency(const char *family, const char *event);

/* @row is called like a name of rcrtool's own and means another event. */
bool names_differ(const struct names *n, const struct ldms_row *row);

#endif
