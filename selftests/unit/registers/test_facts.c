// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_facts.c - compares the tables of registers and events with selftests/facts, in which
 * record.py has recorded the numbers of Linux, with file and version. Intended differences are in
 * reasons.tsv; entries that no fact covers are listed.
 */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/kernel.h>
#include "control/event.h"
#include "ksft.h"
#include "events.h"
#include "pmu/pmu.h"
#include "catalogue.h"

#define FACTS_MAX	4000
#define REASONS_MAX	100
#define COVERED_MAX	20000
#define VALUE_LEN	1024
#define CATALOGUED_BOXES 0x81	/* boxes for which rows are expanded */
#define EVENTS		0x200	/* core event selects that have constraints */

/**
 * struct fact - a row of selftests/facts
 * @family: family of the module; for some followed by a space and libpfm4's name of the core
 * @unit: the module's name of a PMU
 * @key: property of that unit, see record.py
 * @value: as record.py writes it
 * @file: of the kernel
 * @version: of the kernel
 */
struct fact {
	char *family;
	char *unit;
	char *key;
	char *value;
	char *file;
	char *version;
};

/* An intended difference: patterns for fnmatch(), and the reason. */
struct reason {
	char *family;
	char *unit;
	char *key;
	char *why;
	unsigned int used;
};

static struct fact facts[FACTS_MAX];
static unsigned int nfacts;
static struct reason reasons[REASONS_MAX];
static unsigned int nreasons;
static char *covered[COVERED_MAX];
static unsigned int ncovered;
static unsigned int compared, equal, differs, unexplained, absent;

/* Split a line at its tabs; return whether it has @count columns. */
static bool split_line(char *line, char **column, unsigned int count)
{
	unsigned int i;

	line[strcspn(line, "\n")] = 0;
	for (i = 0; i < count; i++)
		column[i] = strsep(&line, "\t");
	return column[count - 1] && !line;
}

static void read_rows(const char *name, unsigned int columns, void (*take)(char **column))
{
	char path[512], *column[6], *line = NULL;
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", FACTS, name);
	f = fopen(path, "r");
	if (!f)
		ksft_exit_fail_msg("%s: no such file\n", path);
	while (getline(&line, &size, f) > 0) {
		if (*line == '#')
			continue;
		if (!split_line(strdup(line), column, columns))
			ksft_exit_fail_msg("%s: not %u columns: %s", path, columns, line);
		take(column);
	}
	free(line);
	fclose(f);
}

static void take_fact(char **column)
{
	if (nfacts == FACTS_MAX)
		ksft_exit_fail_msg("too many facts\n");
	facts[nfacts++] = (struct fact){ column[0], column[1], column[2], column[3], column[4],
					 column[5] };
}

static void take_reason(char **column)
{
	if (nreasons == REASONS_MAX)
		ksft_exit_fail_msg("too many reasons\n");
	reasons[nreasons++] = (struct reason){ column[0], column[1], column[2], column[3], 0 };
}

/* Find the family's table, whose name is a prefix of @name. */
static const struct rcr_family *family_table(const char *name)
{
	unsigned int i;

	for (i = 0; rcr_families[i]; i++)
		if (!strncmp(rcr_families[i]->name, name, strlen(rcr_families[i]->name)))
			return rcr_families[i];
	return NULL;
}

static const struct rcr_pmu *unit_table(const struct rcr_family *f, const char *name)
{
	const struct rcr_pmu *p;
	unsigned int i;

	for (i = 0; f && (p = rcr_family_pmu(f, i)); i++)
		if (!strcmp(p->name, name))
			return p;
	return NULL;
}

static unsigned int box_count(const struct rcr_pmu *p)
{
	return max(p->boxes, 1u);
}

/* Print the addresses of the same register in the first @count boxes. */
static void print_boxes(char *value, const struct rcr_pmu *p, u32 first, unsigned int count)
{
	unsigned int i;

	*value = 0;
	for (i = 0; i < min(count, box_count(p)); i++)
		snprintf(value + strlen(value), VALUE_LEN - strlen(value), "%s%#x", i ? " " : "",
			 rcr_box_address(&(struct rcr_box){ .pmu = p, .number = i }, first));
}

static void print_devices(char *value, const struct rcr_pmu *p)
{
	unsigned int i;

	*value = 0;
	for (i = 0; p->pci && p->pci[i]; i++)
		snprintf(value + strlen(value), VALUE_LEN - strlen(value), "%s%#x", i ? " " : "",
			 p->pci[i]);
}

static void print_models(char *value, const struct rcr_family *f)
{
	unsigned int i;

	*value = 0;
	for (i = 0; i < RCR_MODELS && f->models[i]; i++)
		snprintf(value + strlen(value), VALUE_LEN - strlen(value), "%s%#x", i ? " " : "",
			 f->models[i]);
}

static u64 field_bits(const struct rcr_pmu *p, const char *name)
{
	const struct rcr_layout *l = rcr_pmu_layout(p);
	u64 bits = !strcmp(name, "event") ? l->event : !strcmp(name, "umask") ? l->umask :
		   !strcmp(name, "cmask") ? l->cmask : !strcmp(name, "edge") ? l->edge :
		   !strcmp(name, "inv") ? l->inv : !strcmp(name, "enable") ? l->enable : 0;

	return bits & ~p->reserved;
}

/* Return the bits of a control that an event may choose. */
static u64 settable_bits(const struct rcr_pmu *p)
{
	return field_bits(p, "event") | field_bits(p, "umask") | field_bits(p, "cmask") |
	       field_bits(p, "edge") | field_bits(p, "inv");
}

/* Return the value of a key that has a single number in our tables. */
static bool plain_number(const struct rcr_family *f, const struct rcr_pmu *p, const char *key,
			 u64 *number)
{
	const struct { const char *key; u64 number; } numbers[] = {
		{ "counters", p->counters }, { "width", p->width }, { "boxes", box_count(p) },
		{ "ubox", p->pci ? f->ubox : 0 }, { "always", p->always },
		{ "scale", p->scale }, { "unit-register", p->unit_register },
		{ "valid", p->gauge_valid }, { "margin", p->gauge },
		{ "global-clear", p->global_clear }, { "fixed-control", p->fixed_control },
		{ "fixed-count", p->fixed_counter0 },
		{ "filter0", p->filter[0].address }, { "filter0-bits", p->filter[0].bits },
		{ "filter1", p->filter[1].address }, { "filter1-bits", p->filter[1].bits },
		{ "settable", settable_bits(p) },
		{ "field event", field_bits(p, "event") },
		{ "field umask", field_bits(p, "umask") },
		{ "field cmask", field_bits(p, "cmask") },
		{ "field edge", field_bits(p, "edge") },
		{ "field inv", field_bits(p, "inv") },
		{ "field enable", field_bits(p, "enable") },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		if (strcmp(numbers[i].key, key))
			continue;
		*number = numbers[i].number;
		return true;
	}
	return false;
}

static void print_fixed(char *value, const struct rcr_pmu *p, unsigned int n)
{
	if (n < p->nfixed)
		snprintf(value, VALUE_LEN, "0x%02x:0x%02x", p->fixed[n].event, p->fixed[n].umask);
}

/* Print what our tables have for @key of a unit; "-" if they have nothing of that kind. */
static void our_value(char *value, const struct rcr_family *f, const struct rcr_pmu *p,
		      const char *key, unsigned int boxes)
{
	u64 number;

	strcpy(value, "-");
	if (!p || (p->is_register && !strncmp(key, "field ", 6)))
		return;
	if (plain_number(f, p, key, &number))
		snprintf(value, VALUE_LEN, "%#llx", (unsigned long long)number);
	else if (!strcmp(key, "models"))
		print_models(value, f);
	else if (!strcmp(key, "control"))
		print_boxes(value, p, p->control0, boxes);
	else if (!strcmp(key, "count"))
		print_boxes(value, p, p->counter0, boxes);
	else if (!strcmp(key, "global"))
		print_boxes(value, p, p->global_control, boxes);
	else if (!strcmp(key, "device"))
		print_devices(value, p);
	else if (!strcmp(key, "stride"))
		snprintf(value, VALUE_LEN, "%#x %#x", p->stride, rcr_pmu_count_stride(p));
	else if (!strncmp(key, "fixed ", 6))
		print_fixed(value, p, atoi(key + 6));
	/* printf("%#x") prints 0 without a prefix. */
	if (!strcmp(value, "0"))
		strcpy(value, "0x0");
}

static bool has_select(const struct rcr_pmu *p, unsigned int event)
{
	const struct rcr_event e = { .event = event };

	return rcr_pmu_has_event(p, &e);
}

/* Return the general counters that can count an event. */
static u32 counters_for(const struct rcr_pmu *p, unsigned int event, unsigned int umask)
{
	const struct rcr_box box = { .pmu = p, .counters = p->counters };
	const struct rcr_event e = { .event = event, .umask = umask, .os = true, .user = true };
	struct rcr_demand d;

	rcr_pmu_demand(&box, &e, &d);
	return d.allowed & GENMASK(p->counters - 1, 0);
}

static bool is_core(const struct rcr_pmu *p)
{
	return !strcmp(p->name, "core");
}

static void note_covered(const struct fact *f, const char *item)
{
	if (ncovered == COVERED_MAX)
		ksft_exit_fail_msg("too many entries\n");
	if (asprintf(&covered[ncovered++], "%s\t%s\t%s", f->family, f->unit, item) < 0)
		exit(KSFT_FAIL);
}

static bool is_covered(const char *family, const char *unit, const char *item)
{
	char text[VALUE_LEN];
	unsigned int i;

	snprintf(text, sizeof(text), "%s\t%s\t%s", family, unit, item);
	for (i = 0; i < ncovered; i++)
		if (!strcmp(covered[i], text))
			return true;
	return false;
}

static struct reason *find_reason(const struct fact *f, const char *item)
{
	unsigned int i;

	for (i = 0; i < nreasons; i++)
		if (!fnmatch(reasons[i].family, f->family, 0) &&
		    !fnmatch(reasons[i].unit, f->unit, 0) && !fnmatch(reasons[i].key, item, 0))
			return &reasons[i];
	return NULL;
}

/* Compare an entry of our tables with a fact. */
static void compare_entry(const struct fact *f, const char *item, const char *ours,
			  const char *theirs, bool common)
{
	struct reason *reason;

	note_covered(f, item);
	compared++;
	if (!strcmp(ours, theirs)) {
		equal++;
		return;
	}
	differs++;
	if (common)
		return;
	reason = find_reason(f, item);
	if (reason) {
		reason->used++;
		return;
	}
	unexplained++;
	ksft_print_msg("%s, %s, %s: %s here, %s in %s of %s\n", f->family, f->unit, item, ours,
		       theirs, f->file, f->version);
}

/* Calls @each with the items of a list, split at @separators. */
static void each_item(const char *list, const char *separators,
		      void (*each)(void *to, const char *item), void *to)
{
	char *copy = strdup(list), *at = copy, *item;

	while ((item = strsep(&at, separators)))
		each(to, item);
	free(copy);
}

/* The counters that all facts of a unit allow for an event with a unit mask. */
struct allowance {
	unsigned int event;
	unsigned int umask;
	u32 counters;
	u32 value;
};

static void restrict_by(void *to, const char *item)
{
	struct allowance *a = to;
	char *end;
	unsigned long event = strtoul(item, &end, 16);

	if (*end == '/') {
		if ((a->event & strtoul(end + 1, NULL, 16)) == event && a->umask != ~0u)
			a->counters &= a->value;
		return;
	}
	if (event != a->event)
		return;
	while (*end) {
		if (strtoul(end + 1, &end, 16) == a->umask)
			break;
		if (!*end)
			return;
	}
	a->counters &= a->value;
}

static u32 common_counters(const struct fact *f, unsigned int event, unsigned int umask)
{
	struct allowance a = { event, umask, ~0u, 0 };
	unsigned int i;

	for (i = 0; i < nfacts; i++) {
		if (strcmp(facts[i].family, f->family) || strcmp(facts[i].unit, f->unit) ||
		    strncmp(facts[i].key, "counters ", 9))
			continue;
		a.value = strtoul(facts[i].value, NULL, 16);
		each_item(facts[i].key + 9, " ", restrict_by, &a);
	}
	return a.counters;
}

/* An item of a "counters" fact, with the unit and the fact. */
struct counting {
	const struct fact *fact;
	const struct rcr_pmu *pmu;
};

static void compare_counters(const struct counting *c, const char *item, unsigned int event,
			     unsigned int umask, u32 ours)
{
	char text[32];

	snprintf(text, sizeof(text), "%#x", ours);
	if (!ours)
		strcpy(text, "0x0");
	compare_entry(c->fact, item, text, c->fact->value,
		      ours && strcmp(text, c->fact->value) &&
		      ours == common_counters(c->fact, event, umask));
}

static bool has_own_fact(const struct fact *f, unsigned int event)
{
	struct allowance a = { event, ~0u, ~0u, 0 };
	unsigned int i;

	for (i = 0; i < nfacts; i++)
		if (!strcmp(facts[i].family, f->family) && !strcmp(facts[i].unit, f->unit) &&
		    !strncmp(facts[i].key, "counters ", 9))
			each_item(facts[i].key + 9, " ", restrict_by, &a);
	return a.counters != ~0u;
}

/* The unit masks of an event that have their own facts in a file. */
struct apart {
	unsigned int event;
	bool umask[0x100];
};

static void note_apart(void *to, const char *item)
{
	struct apart *a = to;
	char *end;

	if (strtoul(item, &end, 16) != a->event)
		return;
	while (*end && *end != '/')
		a->umask[strtoul(end + 1, &end, 16) & 0xff] = true;
}

/*
 * Return the counters that count the event with any unit mask without its own fact in the file
 * of @f.
 */
static u32 widest_counters(const struct rcr_pmu *p, unsigned int event, const struct fact *f)
{
	struct apart a = { .event = event };
	unsigned int i, umask;
	u32 all = 0;

	for (i = 0; i < nfacts; i++)
		if (!strcmp(facts[i].family, f->family) && !strcmp(facts[i].unit, f->unit) &&
		    !strcmp(facts[i].file, f->file) && !strncmp(facts[i].key, "counters ", 9))
			each_item(facts[i].key + 9, " ", note_apart, &a);
	for (umask = 0; umask < 0x100; umask++)
		if (!a.umask[umask])
			all |= counters_for(p, event, umask);
	return all;
}

/*
 * Check EVENT/BITS: all events whose select has these bits, except those with their own facts.
 */
static void compare_group(const struct counting *c, const char *item, unsigned int event,
			  unsigned int bits)
{
	u32 ours = ~0u, some;
	unsigned int e;

	for (e = 0; e < EVENTS; e++) {
		if ((e & bits) != event || has_own_fact(c->fact, e) || !has_select(c->pmu, e) ||
		    ((e == 0x000 || e == 0x004 || e == 0x031) && is_core(c->pmu)))
			continue;
		some = widest_counters(c->pmu, e, c->fact);
		ours = ours == ~0u || ours == some ? some : 0xdead;
	}
	compare_counters(c, item, event, 0, ours);
}

static void compare_event_counters(void *to, const char *item)
{
	const struct counting *c = to;
	char *end, one[32];
	unsigned long event = strtoul(item, &end, 16), umask;

	if (!c->pmu) {
		compare_entry(c->fact, item, "-", c->fact->value, false);
	} else if (*end == '/') {
		compare_group(c, item, event, strtoul(end + 1, NULL, 16));
	} else if (!*end) {
		snprintf(one, sizeof(one), "0x%02lx", event);
		compare_counters(c, one, event, 0, widest_counters(c->pmu, event, c->fact));
	} else {
		while (*end) {
			umask = strtoul(end + 1, &end, 16);
			snprintf(one, sizeof(one), "0x%02lx:%02lx", event, umask);
			compare_counters(c, one, event, umask, counters_for(c->pmu, event, umask));
		}
	}
}

/* Names of events: those of the default set, rcrtool's own ones, and those of the meters. */

/**
 * struct named - a search for entries of our tables by name
 * @fact: fact to compare the entries with
 * @name: name to find; NULL: find all, and list those that no fact covers
 * @family: family of the entries
 */
struct named {
	const struct fact *fact;
	const char *name;
	const char *family;
};

static void take_named(const struct named *n, const char *name, const char *unit,
		       unsigned int event, unsigned int umask)
{
	char item[64], value[64], kind[RCR_UNIT_LEN];

	snprintf(kind, sizeof(kind), "%s", *unit ? unit : "core");
	/* Strip the number of a box; the name l3 has none. */
	if (strcmp(kind, "l3"))
		kind[strcspn(kind, "0123456789")] = 0;
	snprintf(item, sizeof(item), "event %s", name);
	if (!n->name) {
		if (!is_covered(n->family, kind, item)) {
			ksft_print_msg("not in the kernel: %s, %s, %s\n", n->family, kind, item);
			absent++;
		}
		return;
	}
	if (strcmp(n->name, name) || strcmp(n->fact->unit, kind))
		return;
	snprintf(value, sizeof(value), "0x%02x:0x%02x", event, umask);
	compare_entry(n->fact, item, value, n->fact->value, false);
}

static void take_row_events(const struct named *n, const struct catalogue_row *row)
{
	static struct rcr_event_spec spec[RCR_MAX_COUNTERS];
	struct catalogue_way way;
	char sentence[512];
	int count, i;

	catalogue_expand(row, CATALOGUED_BOXES, &way);
	count = *way.events ? rcr_event_parse(way.events, spec, RCR_MAX_COUNTERS, sentence,
					      sizeof(sentence)) : 0;
	for (i = 0; i < count; i++)
		if (spec[i].type == RCR_EVENT_HARDWARE)
			take_named(n, spec[i].name, spec[i].unit, spec[i].config, spec[i].umask);
}

static void each_named(const struct named *n)
{
	const struct rcr_family *table = family_table(n->family);
	const char *pmu = strchr(n->family + strlen(table->name), ' ');
	const struct catalogue_row *row = NULL;
	const struct own_name *own;
	size_t count, i;

	for (i = 0; i < rcr_family_defaults(table); i++)
		take_named(n, table->default_event[i].name, table->default_event[i].unit,
			   table->default_event[i].event, table->default_event[i].umask);
	own = own_names(table->name, pmu ? pmu + 1 : "", &count);
	for (i = 0; i < count; i++)
		take_named(n, own[i].name, own[i].code.unit, own[i].code.event, own[i].code.umask);
	while ((row = catalogue_next(row, n->family)))
		take_row_events(n, row);
}

static void compare_name(void *to, const char *name)
{
	const struct counting *c = to;
	const struct named n = { c->fact, name, c->fact->family };

	each_named(&n);
}

static unsigned int count_words(const char *text)
{
	unsigned int count = 1;

	while ((text = strchr(text, ' '))) {
		count++;
		text++;
	}
	return count;
}

static void compare_fact(const struct fact *f)
{
	const struct rcr_family *family = family_table(f->family);
	struct counting c = { f, unit_table(family, f->unit) };
	char value[VALUE_LEN];

	if (!family)
		ksft_exit_fail_msg("unknown family %s\n", f->family);
	if (!strncmp(f->key, "counters ", 9)) {
		each_item(f->key + 9, " ", compare_event_counters, &c);
	} else if (!strncmp(f->key, "event ", 6)) {
		each_item(f->key + 6, " ", compare_name, &c);
	} else {
		our_value(value, family, c.pmu, f->key, count_words(f->value));
		compare_entry(f, f->key, value, f->value, false);
	}
}

/* List the entries of our tables that no fact covers. */

static void list_key(const char *family, const struct rcr_family *f, const struct rcr_pmu *p,
		     const char *key, unsigned int boxes)
{
	char value[VALUE_LEN];

	our_value(value, f, p, key, boxes);
	if (!strcmp(value, "0x0") || !strcmp(value, "-") || !*value ||
	    is_covered(family, p->name, key))
		return;
	ksft_print_msg("not in the kernel: %s, %s, %s\n", family, p->name, key);
	absent++;
}

static bool is_event_covered(const char *family, const struct rcr_pmu *p, unsigned int event)
{
	char prefix[VALUE_LEN], *end;
	unsigned int i, bits;
	size_t len;

	len = snprintf(prefix, sizeof(prefix), "%s\t%s\t0x", family, p->name);
	for (i = 0; i < ncovered; i++) {
		if (strncmp(covered[i], prefix, len))
			continue;
		bits = strtoul(covered[i] + len, &end, 16);
		if (*end == '/' ? (event & strtoul(end + 1, NULL, 16)) == bits : bits == event)
			return true;
	}
	return false;
}

static bool is_constrained(const struct rcr_pmu *p, unsigned int event)
{
	u32 all = GENMASK(p->counters - 1, 0);
	unsigned int umask;

	if (!has_select(p, event))
		return false;
	for (umask = 0; umask < 0x100; umask++)
		if (counters_for(p, event, umask) != all)
			return true;
	return false;
}

/* List ranges of events that only some counters count. */
static void list_constraints(const char *family, const struct rcr_pmu *p)
{
	unsigned int event, first;

	for (event = 0; event < EVENTS; event++) {
		if (!is_constrained(p, event) || is_event_covered(family, p, event))
			continue;
		for (first = event; event + 1 < EVENTS && is_constrained(p, event + 1) &&
		     !is_event_covered(family, p, event + 1); event++)
			;
		ksft_print_msg("not in the kernel: %s, %s, counters 0x%02x to 0x%02x\n", family,
			       p->name, first, event);
		absent++;
	}
}

static void list_unit(const char *family, const struct rcr_family *f, const struct rcr_pmu *p)
{
	static const char *const keys[] = {
		"control", "count", "global", "width", "device", "ubox", "filter0", "filter0-bits",
		"filter1", "filter1-bits", "global-clear", "fixed-control", "fixed-count", "always",
		"scale", "unit-register", "valid", "margin", "fixed 0", "fixed 1", "fixed 2",
		"fixed 3", "field event", "field umask", "field cmask", "field edge", "field inv",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		list_key(family, f, p, keys[i], 1);
	if (box_count(p) > 1)
		list_key(family, f, p, "boxes", 1);
	if (p->counters > 1) {
		list_key(family, f, p, "counters", 1);
		list_key(family, f, p, "stride", 1);
	}
	if (!p->is_register)
		list_constraints(family, p);
}

static void list_family(const char *name)
{
	const struct rcr_family *f = family_table(name);
	const struct named n = { NULL, NULL, name };
	const struct rcr_pmu *p;
	unsigned int i;

	for (i = 0; (p = rcr_family_pmu(f, i)); i++)
		list_unit(name, f, p);
	each_named(&n);
}

static void list_absent(void)
{
	static const char *const names[] = {
		"AMD Fam10h", "AMD Fam15h", "AMD Fam17h amd64_fam17h_zen1",
		"AMD Fam17h amd64_fam17h_zen2", "AMD Fam19h", "AMD PerfMonV2", "Intel Nehalem",
		"Intel Sandy Bridge", "Intel Ivy Bridge", "Intel Haswell", "Intel Broadwell",
		"Intel Skylake-SP", "Intel Ice Lake-SP", "Intel Sapphire Rapids",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		list_family(names[i]);
}

static unsigned int count_stale(void)
{
	unsigned int i, stale = 0;

	for (i = 0; i < nreasons; i++) {
		ksft_print_msg("on purpose, %u times: %s, %s, %s: %s\n", reasons[i].used,
			       reasons[i].family, reasons[i].unit, reasons[i].key, reasons[i].why);
		stale += !reasons[i].used;
	}
	return stale;
}

int main(void)
{
	unsigned int i, stale;

	ksft_print_header();
	ksft_set_plan(2);
	read_rows("core.tsv", 6, take_fact);
	read_rows("uncore.tsv", 6, take_fact);
	read_rows("events.tsv", 6, take_fact);
	read_rows("reasons.tsv", 4, take_reason);
	for (i = 0; i < nfacts; i++)
		compare_fact(&facts[i]);
	list_absent();
	stale = count_stale();
	ksft_print_msg("%u compared, %u equal, %u different on purpose, %u not in the kernel\n",
		       compared, equal, differs - unexplained, absent);
	ksft_test_result(compared > 0 && !unexplained,
			 "entries agree with Linux, or differ for a recorded reason\n");
	ksft_test_result(!stale, "each recorded reason is used by a difference\n");
	ksft_finished();
}
