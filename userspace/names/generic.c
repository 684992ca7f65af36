// SPDX-License-Identifier: GPL-2.0-or-later
/* generic.c - translates perf's generic names of events, and sets by topic, to rcrtool's names. */
#include <string.h>
#include <strings.h>

#include "generic.h"
#include "events.h"

#define CANDIDATES 3

/**
 * struct generic_name - a generic name
 * @word: the name
 * @own: rcrtool's own names; the first one that the family has is used
 */
struct generic_name {
	const char *word;
	const char *own[CANDIDATES];
};

static const struct generic_name generic_names[] = {
	{ "cycles", { "TOT_CYC" } },
	{ "cpu-cycles", { "TOT_CYC" } },
	{ "instructions", { "TOT_INS" } },
	{ "branches", { "PAPI_BR_INS" } },
	{ "branch-instructions", { "PAPI_BR_INS" } },
	{ "branch-misses", { "PAPI_BR_MSP" } },
	{ "cache-references", { "PAPI_L3_TCA", "PAPI_L2_DCA", "L1_DCM" } },
	{ "cache-misses", { "PAPI_L3_TCM", "PAPI_L2_TCM" } },
};

/* Members of a set are generic names that are only known within the set. */
static const struct generic_group {
	const char *word;
	struct generic_name member[GENERIC_SET_MAX - 1];
} generic_groups[] = {
	{ "@flops", {
		{ "cycles", { "TOT_CYC" } }, { "instructions", { "TOT_INS" } },
		{ "flops", { "RETIRED_FLOPS", "FP_INS", "FP_OPS" } },
		{ "vector", { "VEC_INS" } },
	} },
	{ "@mem", {
		{ "cycles", { "TOT_CYC" } }, { "instructions", { "TOT_INS" } },
		{ "l1", { "L1_DCM" } }, { "last", { "PAPI_L3_TCM", "PAPI_L2_TCM" } },
		{ "tlb", { "TLB_DM" } },
	} },
};

#define NAMES (sizeof(generic_names) / sizeof(generic_names[0]))
#define GROUPS (sizeof(generic_groups) / sizeof(generic_groups[0]))

static const char *choose_own(const char *family, const char *pmu, const struct generic_name *g)
{
	unsigned int i;

	for (i = 0; i < CANDIDATES && g->own[i]; i++)
		if (own_find(family, pmu, g->own[i]))
			return g->own[i];
	return NULL;
}

const char *generic_find(const char *family, const char *pmu, const char *word)
{
	const struct own_name *own;
	size_t count, i;

	for (i = 0; i < NAMES; i++)
		if (!strcasecmp(generic_names[i].word, word))
			return choose_own(family, pmu, &generic_names[i]);
	own = own_names(family, pmu, &count);
	for (i = 0; own && i < count; i++)
		if (!strcasecmp(own[i].name, word))
			return own[i].name;
	return NULL;
}

void generic_each(const char *family, const char *pmu,
		  void (*each)(void *to, const char *word), void *to)
{
	size_t i;

	for (i = 0; i < NAMES; i++)
		if (choose_own(family, pmu, &generic_names[i]))
			each(to, generic_names[i].word);
}

size_t generic_set(const char *family, const char *pmu, const char *word,
		   const char *names[GENERIC_SET_MAX])
{
	const struct generic_name *each;
	size_t i, count = 0;

	for (i = 0; i < GROUPS && strcmp(generic_groups[i].word, word); i++)
		;
	for (each = i < GROUPS ? generic_groups[i].member : NULL; each && each->word; each++) {
		names[count] = choose_own(family, pmu, each);
		count += !!names[count];
	}
	names[count] = NULL;
	return count;
}
