/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - converts names of events, as users write them, to events in the raw form.
 *
 * A word is looked up in this order:
 *
 *	NAME=event:..., NAME=nb:event:..., NAME=register:... and the like
 *					the raw form: passed on unchanged
 *	PMU/EVENT/, PMU/term=value,.../	an event of a kernel PMU, as perf spells it;
 *					sysfs/pmu.h
 *	NAME=WORD			WORD under that name, where NAME has no colon
 *	one of rcrtool's own names	events/events.h
 *	a name of the imported LDMS dictionary; if rcrtool's own name means the same
 *					event, it is counted on the dictionary's register
 *	a software event, a tracepoint	kernel.h
 *	a name that libpfm4 knows	native.h
 *
 * If the policy is perf or auto, and the kernel has a PMU for the unit of an event other than the
 * core's, the event of that PMU is used, under the same name.
 *
 * The counter gets the name of the word, with "-" for each character that is not allowed in a
 * name: DATA_CACHE_MISSES:c=2 becomes DATA_CACHE_MISSES:c-2.
 */
#ifndef NAMES_NAMES_H
#define NAMES_NAMES_H

#include <linux/rcrtool.h>

#include "ldms.h"
#include "why.h"

/* Maximum number of units in a set: one per counter. */
#define NAMES_MAX_KEPT RCR_MAX_COUNTERS

/**
 * struct names - the dictionary of this machine
 * @family: kind of PMU as the module reports it; without a module, as libpfm4 detects it
 * @policy: parameter source= of the module: auto, perf or msr; empty: not known
 * @kept: units whose registers the module programs, so that the kernel must not
 * @nkept: number of entries in @kept
 * @imported: the LDMS dictionary, if one was imported
 */
struct names {
	char family[32];
	char policy[16];
	char kept[NAMES_MAX_KEPT][CODE_UNIT_LEN];
	unsigned int nkept;
	struct ldms imported;
};

/* Path of the imported dictionary; the environment variable RCR_DICTIONARY overrides it. */
const char *names_dictionary(void);

/*
 * Initializes a dictionary. @family is that of the module, or empty. @wrong is called for each
 * invalid row of the imported dictionary.
 */
void names_init(struct names *n, const char *family, line_wrong wrong, void *to);
void names_free(struct names *n);

/* Sets the policy of the module. */
void names_set_policy(struct names *n, const char *policy);

/*
 * Records that the module programs registers for @event (with or without "NAME="). With policy
 * auto the kernel is then not asked to count events of that unit, as neither side knows which
 * registers the other one uses. Returns true if the unit was not recorded before.
 */
bool names_keep(struct names *n, const char *event);

/* Returns rcrtool's own name for a generic name or another spelling, or @word itself. */
const char *names_canonical(const struct names *n, const char *word);

/* Converts @word to an event in the raw form; returns -1 with the reason in @why. */
int names_resolve(const struct names *n, const char *word,
		  char event[RCR_EVENT_LEN], struct why *why);

/*
 * Returns the names of the events of a named set, terminated by NULL; or NULL with the reason in
 * @why. @word is @flops, @mem, or @ldms: Table I of the LDMS MSR sampler paper, or the closest
 * events.
 */
const char *const *names_set(const struct names *n, const char *word, struct why *why);

/*
 * True if event @i of the named set @word may be left out where it does not fit: of @flops and @mem
 * all but cycles, instructions, and the event after which the set is named.
 */
bool names_can_spare(const char *word, unsigned int i);

/* Returns the known defect of @event (with or without "NAME=") on @family, or NULL. */
const char *names_deficiency(const char *family, const char *event);

/* True if @row has one of rcrtool's own names but means another event. */
bool names_differ(const struct names *n, const struct ldms_row *row);

#endif
