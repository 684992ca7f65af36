// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmu.c - converts events of the kernel's PMUs from and to perf's spelling.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu.h"
#include "pmu_sysfs.h"

#define LINE_LEN 256

/*
 * PMUs of Intel's shared units that the kernel's driver reads with rdmsr. All others are in PCI
 * configuration or memory space, where a read takes a microsecond or more: too long for a tick.
 */
static const char *const near[] = {
	"uncore_arb", "uncore_cbox", "uncore_cha", "uncore_clock", "uncore_pcu",
	"uncore_ubox",
};

static bool is_slow(const char *pmu)
{
	size_t i;

	for (i = 0; i < sizeof(near) / sizeof(near[0]); i++)
		if (!strncmp(pmu, near[i], strlen(near[i])))
			return false;
	return !strncmp(pmu, "uncore_", 7);
}

bool pmu_exists(const char *pmu)
{
	return pmu_type(pmu) >= 0;
}

bool pmu_has_term(const char *pmu, const char *term)
{
	struct pmu_term t;

	return pmu_term(pmu, term, &t);
}

bool pmu_is_spelling(const char *word)
{
	size_t len = strcspn(word, "/");
	char pmu[PMU_NAME_LEN];

	if (!word[len])
		return false;
	snprintf(pmu, sizeof(pmu), "%.*s", (int)len, word);
	return word[strlen(word) - 1] == '/' || pmu_exists(pmu);
}

static int take_terms(struct pmu_event *e, char *terms, bool of_event, struct why *why);

/* Replaces the kernel's name of an event by its terms. Returns 1; 0 if unknown; -1 if refused. */
static int take_named(struct pmu_event *e, const char *name, struct why *why)
{
	char file[PMU_NAME_LEN + 8], line[LINE_LEN];

	if (strlen(name) >= PMU_NAME_LEN || strchr(name, '/'))
		return 0;
	snprintf(file, sizeof(file), "events/%s", name);
	if (!pmu_line(e->pmu, file, line, sizeof(line)))
		return 0;
	return take_terms(e, line, true, why) ? -1 : 1;
}

static void list_name(void *to, const char *name)
{
	char *text = to;
	size_t len = strlen(text);

	snprintf(text + len, LINE_LEN - len, "%s%s", len ? ", " : "", name);
}

static int report_term(const struct pmu_event *e, const char *name, struct why *why)
{
	char terms[LINE_LEN] = "";

	pmu_files(e->pmu, "format", list_name, terms);
	return because(why, "'%.40s' is neither an event nor a term of the kernel's PMU %s, whose terms are %s: see 'rcrctl list \"%s/*\"'",
		       name, e->pmu, *terms ? terms : "config", e->pmu);
}

static int take_pmu_value(struct pmu_event *e, const struct pmu_term *t, const char *text,
			  struct why *why)
{
	unsigned long long value;
	uint64_t bits;
	char *end;

	errno = 0;
	value = text ? strtoull(text, &end, 0) : 1;
	if (text && (!isdigit((unsigned char)*text) || *end || errno))
		return because(why, "%s: invalid number '%.40s': use for example 0x76", t->name,
			       text);
	if (!pmu_scatter(t->mask, value, &bits))
		return because(why, "%s: %s is too large for the kernel's PMU %s: the maximum is 0x%llx",
			       t->name, text, e->pmu,
			       (unsigned long long)pmu_gather(t->mask, t->mask));
	e->config[t->config] = (e->config[t->config] & ~t->mask) | bits;
	return 0;
}

static int take_pmu_term(struct pmu_event *e, char *name, bool of_event, struct why *why)
{
	char *value = strchr(name, '=');
	struct pmu_term t;
	int named;

	if (value)
		*value++ = 0;
	named = value || of_event ? 0 : take_named(e, name, why);
	if (named)
		return named < 0 ? -1 : 0;
	if (!pmu_term(e->pmu, name, &t))
		return report_term(e, name, why);
	return take_pmu_value(e, &t, value, why);
}

/* Parses "event=0x04,umask=0xff"; the terms of a named event (@of_event) contain no names. */
static int take_terms(struct pmu_event *e, char *terms, bool of_event, struct why *why)
{
	char *save, *name;

	for (name = strtok_r(terms, ",", &save); name; name = strtok_r(NULL, ",", &save))
		if (take_pmu_term(e, name, of_event, why))
			return -1;
	return 0;
}

/**
 * struct search - search for the kernel's name of an event
 * @e: the event
 * @name: the name; empty: not found
 */
struct search {
	const struct pmu_event *e;
	char name[PMU_NAME_LEN];
};

/* True for the file of an event itself, false for its .scale, .unit and the like. */
static bool is_event_file(const char *name)
{
	static const char *const others[] = { ".scale", ".unit", ".snapshot", ".per-pkg" };
	const char *dot = strchr(name, '.');
	size_t i;

	for (i = 0; dot && i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(dot, others[i]))
			return false;
	return true;
}

static void compare_event(void *to, const char *name)
{
	struct search *s = to;
	struct pmu_event other = { 0 };
	struct why why;

	memcpy(other.pmu, s->e->pmu, sizeof(other.pmu));
	if (!*s->name && is_event_file(name) && take_named(&other, name, &why) > 0 &&
	    !memcmp(other.config, s->e->config, sizeof(other.config)))
		snprintf(s->name, sizeof(s->name), "%s", name);
}

/* Searches for the kernel's name of an event. */
static struct search find_kernel_name(const struct pmu_event *e)
{
	struct search s = { .e = e };

	pmu_files(e->pmu, "events", compare_event, &s);
	return s;
}

/* Scale of the events of the PMU "power". */
#define JOULES_SCALE (1.0 / (1ull << 32))

static bool counts_joules(const struct pmu_event *e)
{
	struct search s = find_kernel_name(e);
	char file[PMU_NAME_LEN + 16], line[64];

	if (!*s.name)
		return false;
	snprintf(file, sizeof(file), "events/%s.unit", s.name);
	if (!pmu_line(e->pmu, file, line, sizeof(line)) || strcmp(line, "Joules"))
		return false;
	snprintf(file, sizeof(file), "events/%s.scale", s.name);
	return pmu_line(e->pmu, file, line, sizeof(line)) &&
	       strtod(line, NULL) == JOULES_SCALE;
}

/* PMU of the rcrtool module: its events are meters. */
#define METERS_PMU "rcrtool"

/* True if perf prints the value of the event instead of the difference of two values. */
static bool is_snapshot(const char *pmu, const char *event)
{
	char file[PMU_NAME_LEN + 20], line[64];

	snprintf(file, sizeof(file), "events/%s.snapshot", event);
	return pmu_line(pmu, file, line, sizeof(line));
}

int pmu_check_count(const struct pmu_event *e, const char *word, struct why *why)
{
	struct search s;

	if (!strcmp(e->pmu, METERS_PMU))
		return because(why, "'%.80s' is a meter of rcrtool, not an event: read a meter with 'rcrctl meter'",
			       word);
	s = find_kernel_name(e);
	if (*s.name && is_snapshot(e->pmu, s.name))
		return because(why, "'%.80s' is a value, not a count: read it with 'perf stat -a -e %s/%s/'",
			       word, e->pmu, s.name);
	return 0;
}

static int split_pmu_word(const char *word, struct pmu_event *e, char terms[RCR_EVENT_LEN],
			  struct why *why)
{
	size_t len = strcspn(word, "/"), rest = strlen(word + len);

	if (rest < 3 || word[len + rest - 1] != '/' || !len || len >= PMU_NAME_LEN ||
	    rest >= RCR_EVENT_LEN)
		return because(why, "unknown event '%.80s' of a kernel PMU: write PMU/EVENT/ or PMU/event=0x04,umask=0xff/",
			       word);
	memcpy(e->pmu, word, len);
	snprintf(terms, RCR_EVENT_LEN, "%.*s", (int)rest - 2, word + len + 1);
	return 0;
}

int pmu_resolve(const char *word, struct pmu_event *e, struct why *why)
{
	char terms[RCR_EVENT_LEN];
	int type;

	memset(e, 0, sizeof(*e));
	if (split_pmu_word(word, e, terms, why))
		return -1;
	type = pmu_type(e->pmu);
	if (type < 0)
		return because(why, "the kernel has no PMU '%s': see /sys/bus/event_source/devices, or load its driver",
			       e->pmu);
	e->type = type;
	if (take_terms(e, terms, false, why) || pmu_check_count(e, word, why))
		return -1;
	e->scope = pmu_scope(e->pmu);
	e->joules = counts_joules(e);
	e->slow = is_slow(e->pmu);
	return 0;
}

/**
 * struct spelling - state of writing an event as terms
 * @e: the event, without the bits that have been written
 * @text: text written so far
 * @widest: maximum number of bits of a term
 */
struct spelling {
	struct pmu_event e;
	char *text;
	int widest;
};

__attribute__((format(printf, 2, 3)))
static void append_spelling(struct spelling *s, const char *format, ...)
{
	size_t len = strlen(s->text);
	va_list args;

	va_start(args, format);
	vsnprintf(s->text + len, RCR_EVENT_LEN - len, format, args);
	va_end(args);
}

static void append_term(void *to, const char *name)
{
	struct spelling *s = to;
	struct pmu_term t;
	uint64_t bits;

	if (!pmu_term(s->e.pmu, name, &t) || __builtin_popcountll(t.mask) > s->widest)
		return;
	bits = s->e.config[t.config] & t.mask;
	if (!bits)
		return;
	append_spelling(s, "%s=0x%02llx,", name, (unsigned long long)pmu_gather(t.mask, bits));
	s->e.config[t.config] &= ~t.mask;
}

/* True if @text, resolved again, is the event @e. */
static bool resolves_to_event(const struct pmu_event *e, const char *text)
{
	struct pmu_event again;
	struct why why;

	return !pmu_resolve(text, &again, &why) && !strcmp(again.pmu, e->pmu) &&
	       !memcmp(again.config, e->config, sizeof(again.config)) &&
	       again.type == e->type && again.scope == e->scope &&
	       again.joules == e->joules && again.slow == e->slow;
}

/*
 * Terms may overlap: in Linux 6.1, occ_edge of uncore_pcu has bits 51:14, of which occ_sel has
 * two. Narrow terms are written first.
 */
#define NARROW 16

/* Writes the kernel's name, or terms, or the configs if terms are not sufficient. */
bool pmu_spell(const struct pmu_event *e, char text[RCR_EVENT_LEN])
{
	static const char *const first[] = { "event", "umask" };
	static const char *const last[] = { "config", "config1", "config2" };
	struct spelling s = { *e, text, 64 };
	struct search known = find_kernel_name(e);
	size_t i;

	*text = 0;
	append_spelling(&s, "%s/", e->pmu);
	if (*known.name) {
		append_spelling(&s, "%s/", known.name);
		return resolves_to_event(e, text);
	}
	for (i = 0; i < sizeof(first) / sizeof(first[0]); i++)
		append_term(&s, first[i]);
	s.widest = NARROW;
	pmu_files(e->pmu, "format", append_term, &s);
	s.widest = 64;
	pmu_files(e->pmu, "format", append_term, &s);
	for (i = 0; i < sizeof(last) / sizeof(last[0]); i++)
		append_term(&s, last[i]);
	if (text[strlen(text) - 1] == '/')
		append_spelling(&s, "config=0,");
	text[strlen(text) - 1] = '/';
	return resolves_to_event(e, text);
}

/**
 * struct listing - state of listing the events of PMUs
 * @each: called for each name
 * @to: first argument of @each
 * @pmu: the current PMU
 */
struct listing {
	void (*each)(void *to, const char *name, const char *description);
	void *to;
	const char *pmu;
};

static void list_event(void *to, const char *name)
{
	char file[PMU_NAME_LEN + 16], line[LINE_LEN], unit[32], full[2 * PMU_NAME_LEN];
	char description[LINE_LEN + 64];
	struct listing *l = to;

	snprintf(file, sizeof(file), "events/%s", name);
	if (!is_event_file(name) || !pmu_line(l->pmu, file, line, sizeof(line)) ||
	    is_snapshot(l->pmu, name))
		return;
	snprintf(file, sizeof(file), "events/%s.unit", name);
	if (!pmu_line(l->pmu, file, unit, sizeof(unit)))
		*unit = 0;
	snprintf(full, sizeof(full), "%s/%s/", l->pmu, name);
	snprintf(description, sizeof(description), "kernel event %s%s%s", line,
		 *unit ? ", in " : "", unit);
	l->each(l->to, full, description);
}

/*
 * Core events are listed by libpfm4's names, which have descriptions. Events that are left out
 * here are also refused by pmu_check_count().
 */
static void list_pmu(void *to, const char *pmu)
{
	struct listing *l = to;

	if (pmu_type(pmu) == PMU_TYPE_CORE || !strcmp(pmu, METERS_PMU))
		return;
	l->pmu = pmu;
	pmu_files(pmu, "events", list_event, l);
}

void pmu_each(void (*each)(void *to, const char *name, const char *description),
	      void *to)
{
	struct listing l = { each, to, NULL };

	pmu_files("", "", list_pmu, &l);
}

/**
 * struct type_search - search for a PMU by its number
 * @type: the number
 * @pmu: set to its name
 */
struct type_search {
	int type;
	char *pmu;
};

static void compare_type(void *to, const char *pmu)
{
	struct type_search *s = to;

	if (pmu_type(pmu) == s->type)
		snprintf(s->pmu, PMU_NAME_LEN, "%s", pmu);
}

bool pmu_of_type(unsigned int type, char pmu[PMU_NAME_LEN])
{
	struct type_search s = { type, pmu };

	*pmu = 0;
	pmu_files("", "", compare_type, &s);
	return *pmu;
}
