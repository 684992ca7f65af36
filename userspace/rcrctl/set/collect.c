// SPDX-License-Identifier: GPL-2.0-or-later
/* collect.c - collects the names of countable events from all sources. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generic.h"
#include "kernel.h"
#include "list.h"
#include "message.h"
#include "native.h"
#include "events.h"
#include "sysfs/pmu.h"

#define NOWHERE "none"
#define UNKNOWN "?"

static bool is_wanted_event(const struct list *l, const char *name)
{
	return !l->glob || !fnmatch(l->glob, name, FNM_CASEFOLD);
}

/* Reports the reason once: the list is useful without registers. */
static void report_unknown(struct list *l)
{
	if (!l->asked)
		note("cannot list the registers that can count an event: %s",
		     rcr_control_reason(l->session->control));
	l->asked = true;
}

/* Queries the module for the counters that can count @event, "X=...". */
static void find_registers(struct list *l, const char *event, char *text, size_t size)
{
	uint64_t counters;
	struct code c;

	if (!l->session->control) {
		report_unknown(l);
		snprintf(text, size, UNKNOWN);
	} else if (!rcr_control_where(l->session->control, event, &counters)) {
		code_parse(event + 2, &c);
		registers_text(text, size, c.unit, counters);
	} else if (errno == EINVAL || errno == ENOSPC) {
		snprintf(text, size, NOWHERE);
	} else {
		report_unknown(l);
		snprintf(text, size, UNKNOWN);
	}
}

/* Copies a text and replaces control characters with blanks. */
static char *one_line(const char *text)
{
	char *copy = strdup(text ? text : "");
	char *at;

	for (at = copy; at && *at; at++)
		if (iscntrl((unsigned char)*at))
			*at = ' ';
	return copy;
}

static struct listed *next_listed(struct list *l)
{
	struct listed *more;

	if (l->count == l->space) {
		l->space = l->space ? 2 * l->space : 256;
		more = realloc(l->listed, l->space * sizeof(*more));
		if (!more)
			exit(fail("%s", strerror(errno)));
		l->listed = more;
	}
	memset(&l->listed[l->count], 0, sizeof(l->listed[0]));
	return &l->listed[l->count++];
}

static void add_listed(struct list *l, const char *source, const char *name,
		       const char *registers, const char *description, const char *deficiency)
{
	struct listed *each;

	if (!l->all && !strcmp(registers, NOWHERE))
		return;
	each = next_listed(l);
	each->source = source;
	each->name = strdup(name);
	each->description = one_line(description);
	each->deficiency = deficiency;
	snprintf(each->registers, sizeof(each->registers), "%s", registers);
	if (!each->name || !each->description)
		exit(fail("%s", strerror(ENOMEM)));
}

/* Adds a name with the registers that can count it. */
static void add_name_with_registers(struct list *l, const char *source, const char *name,
				    const char *description)
{
	const struct names *n = session_names(l->session);
	char word[RCR_EVENT_LEN], event[RCR_EVENT_LEN] = "", registers[64];
	struct why why;

	if (!is_wanted_event(l, name))
		return;
	/* List a name that is too long for a counter, too: NAME=EVENT gives it a shorter one. */
	snprintf(word, sizeof(word), "X=%.200s", name);
	if (names_resolve(n, word, event, &why))
		snprintf(registers, sizeof(registers), NOWHERE);
	else
		find_registers(l, event, registers, sizeof(registers));
	add_listed(l, source, name, registers, description,
		   names_deficiency(n->family, event));
}

static int by_name(const void *a, const void *b)
{
	return strcasecmp(((const struct listed *)a)->name,
			  ((const struct listed *)b)->name);
}

/* Sorts the names from index @first on. */
static void sort_from(struct list *l, unsigned int first)
{
	if (l->count > first)
		qsort(l->listed + first, l->count - first, sizeof(l->listed[0]),
		      by_name);
}

/* Adds a generic name of perf, which is an alias of a name of rcrtool. */
static void each_generic(void *to, const char *word)
{
	struct list *l = to;
	const struct names *n = session_names(l->session);
	char description[RCR_NAME_LEN + 16];

	snprintf(description, sizeof(description), "perf's name for %s", names_canonical(n, word));
	add_name_with_registers(l, "rcrtool", word, description);
}

static void collect_own(struct list *l)
{
	const struct own_name *names;
	unsigned int first = l->count;
	size_t count, i;

	generic_each(session_names(l->session)->family, native_pmu(), each_generic, l);
	names = own_names(session_names(l->session)->family, native_pmu(), &count);
	for (i = 0; i < count; i++)
		add_name_with_registers(l, "rcrtool", names[i].name, names[i].description);
	/* Uncore names of other processors, which this one cannot count. */
	for (i = 0; own_uncore[i].name; i++)
		if (is_wanted_event(l, own_uncore[i].name) &&
		    !own_find(session_names(l->session)->family, native_pmu(),
			      own_uncore[i].name))
			add_listed(l, "rcrtool", own_uncore[i].name, NOWHERE,
				   own_uncore[i].description, NULL);
	sort_from(l, first);
}

static void collect_imported(struct list *l)
{
	const struct names *n = session_names(l->session);
	unsigned int first = l->count, i;
	const struct ldms_row *row;

	for (i = 0; i < n->imported.rows; i++) {
		row = &n->imported.row[i];
		if (own_find(n->family, native_pmu(), row->name) ||
		    own_is_uncore(row->name))
			continue;
		add_name_with_registers(l, "imported", row->name, *row->code.unit ?
					"from the imported dictionary, of a shared unit" :
					"from the imported dictionary");
	}
	sort_from(l, first);
}

/* Adds a name of libpfm4 unless rcrtool has the same name. */
static void each_native(void *to, const char *name, const char *description)
{
	struct list *l = to;

	if (!own_find(session_names(l->session)->family, native_pmu(), name))
		add_name_with_registers(l, "libpfm4", name, description);
}

/* Kernel events need no register, but cannot be counted with source=msr. */
static const char *kernel_registers(const struct list *l)
{
	return strcmp(l->session->state.policy, "msr") ? "-" : NOWHERE;
}

static void each_tracepoint(void *to, const char *name)
{
	struct list *l = to;

	if (is_wanted_event(l, name))
		add_listed(l, "kernel", name, kernel_registers(l), "tracepoint", NULL);
}

static void each_pmu_event(void *to, const char *name, const char *description)
{
	struct list *l = to;

	if (is_wanted_event(l, name))
		add_listed(l, "kernel", name, kernel_registers(l), description, NULL);
}

static void collect_kernel(struct list *l)
{
	unsigned int first = l->count, i;

	for (i = 0; software_names[i].name; i++)
		if (is_wanted_event(l, software_names[i].name))
			add_listed(l, "kernel", software_names[i].name, kernel_registers(l),
				   software_names[i].description, NULL);
	sort_from(l, first);
	first = l->count;
	if (l->glob)
		pmu_each(each_pmu_event, l);
	sort_from(l, first);
	first = l->count;
	/* There are thousands of tracepoints: list them only on request. */
	if (l->glob && strchr(l->glob, ':'))
		tracepoint_each(each_tracepoint, l);
	sort_from(l, first);
}

void list_collect(struct list *l)
{
	unsigned int first;

	collect_own(l);
	collect_imported(l);
	first = l->count;
	/* All boxes of a kind count the same events: list the first box only. */
	native_each(session_names(l->session)->family, l->glob && strstr(l->glob, "::"),
		    each_native, l);
	sort_from(l, first);
	collect_kernel(l);
}

void list_free(struct list *l)
{
	unsigned int i;

	for (i = 0; i < l->count; i++) {
		free(l->listed[i].name);
		free(l->listed[i].description);
	}
	free(l->listed);
}
