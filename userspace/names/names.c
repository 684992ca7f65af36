// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * names.c - converts names of events, as users write them, to events in the raw form.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "file.h"
#include "generic.h"
#include "kernel.h"
#include "names.h"
#include "native.h"
#include "parse/similar.h"
#include "sysfs/pmu_raw.h"

const char *names_dictionary(void)
{
	const char *path = getenv("RCR_DICTIONARY");

	return path && *path ? path : "/run/rcrtool/dictionary";
}

void names_init(struct names *n, const char *family, line_wrong wrong, void *to)
{
	struct why why;
	size_t size;
	char *text;

	memset(n, 0, sizeof(*n));
	snprintf(n->family, sizeof(n->family), "%s", *family ? family : native_family());
	text = file_read(names_dictionary(), &size, &why);
	if (text && ldms_read(&n->imported, text, size, wrong, to) < 0)
		ldms_free(&n->imported);
}

void names_set_policy(struct names *n, const char *policy)
{
	snprintf(n->policy, sizeof(n->policy), "%s", policy);
}

void names_free(struct names *n)
{
	ldms_free(&n->imported);
}

/* True for an event in the raw form. */
static bool is_raw_event(const char *word)
{
	static const char *const kinds[] = {
		"register:", "software:", "tracepoint:", "pmu:",
	};
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strncmp(word, kinds[i], strlen(kinds[i])))
			return true;
	return code_begin(word);
}

static const struct own_name *find_own_name(const struct names *n, const char *word)
{
	return own_find(n->family, native_pmu(), word);
}

bool names_differ(const struct names *n, const struct ldms_row *row)
{
	const struct own_name *o = find_own_name(n, row->name);

	return o && (strcmp(o->code.unit, row->code.unit) ||
		     o->code.event != row->code.event ||
		     o->code.umask != row->code.umask ||
		     o->code.per_node != row->code.per_node);
}

/* Event that a word means, without the name of its counter. */
struct meaning {
	const char *word;
	struct code code;
	bool is_pmu;			/* @pmu is valid, not @code */
	struct pmu_event pmu;
	char kernel[RCR_NAME_LEN + 16];	/* a software event or tracepoint; else empty */
};

static int refuse_shared_event(const char *word, struct why *why)
{
	return because(why, "'%s' is an event of a shared unit that is unknown on this processor",
		       word);
}

/* Returns 1 if the word was found, 0 if it is unknown, -1 if the event is refused. */
static int find_in_dictionaries(const struct names *n, struct meaning *m,
				struct why *why)
{
	const struct ldms_row *row = ldms_find(&n->imported, m->word);
	const struct own_name *o = find_own_name(n, m->word);

	if (!row && !o && own_is_uncore(m->word))
		return refuse_shared_event(m->word, why);
	if (row && !names_differ(n, row))
		m->code = row->code;
	else if (o)
		m->code = o->code;
	return row || o;
}

static int find_in_kernel(struct meaning *m)
{
	long id;

	if (software_is(m->word)) {
		snprintf(m->kernel, sizeof(m->kernel), "software:%s", m->word);
		return 1;
	}
	id = tracepoint_id(m->word);
	if (id >= 0)
		snprintf(m->kernel, sizeof(m->kernel), "tracepoint:%ld", id);
	return id >= 0;
}

/* Finds "PMU/EVENT/"; an event of the core becomes a code, whose raw form has more fields. */
static int find_in_pmus(const struct names *n, struct meaning *m, struct why *why)
{
	bool amd = !strncmp(n->family, "AMD", 3);
	struct why inner;

	if (!pmu_is_spelling(m->word))
		return 0;
	if (pmu_resolve(m->word, &m->pmu, why))
		return -1;
	m->is_pmu = m->pmu.type != PMU_TYPE_CORE;
	if (m->is_pmu)
		return 1;
	if (m->pmu.config[1] || m->pmu.config[2])
		return because(why, "'%s' needs a second register, which rcrtool does not program: choose another event",
			       m->word);
	if (code_from_select(m->pmu.config[0], amd, &m->code, &inner))
		return because(why, "'%s' cannot be counted: %s", m->word, inner.text);
	return 1;
}

static void try_generic(void *to, const char *word)
{
	similar_try(to, word);
}

static void try_native(void *to, const char *name, const char *description)
{
	(void)description;
	similar_try(to, name);
}

/* Reports an unknown event, and suggests the most similar name; of several the first one found. */
static int refuse_unknown(const struct names *n, const char *word, struct why *why)
{
	struct similar similar;
	const struct own_name *o;
	size_t count, i;

	similar_begin(&similar, word);
	generic_each(n->family, native_pmu(), try_generic, &similar);
	o = own_names(n->family, native_pmu(), &count);
	for (i = 0; o && i < count; i++)
		similar_try(&similar, o[i].name);
	for (i = 0; i < n->imported.rows; i++)
		similar_try(&similar, n->imported.row[i].name);
	for (i = 0; software_names[i].name; i++)
		similar_try(&similar, software_names[i].name);
	native_each(n->family, strstr(word, "::"), try_native, &similar);
	if (similar_found(&similar))
		return because(why, "unknown event '%s': did you mean '%s'?", word,
			       similar_found(&similar));
	return because(why, "unknown event '%.80s': see 'rcrctl events', or write NAME=event:0x76,umask:0x00",
		       word);
}

static int find_native(const struct names *n, struct meaning *m, struct why *why)
{
	switch (native_find(n->family, m->word, &m->code, why)) {
	case NATIVE_FOUND:
		return 1;
	case NATIVE_REFUSED:
		return -1;
	case NATIVE_UNKNOWN:
		break;
	}
	return refuse_unknown(n, m->word, why);
}

static int find_meaning(const struct names *n, struct meaning *m, struct why *why)
{
	int found = find_in_pmus(n, m, why);

	if (!found)
		found = find_in_dictionaries(n, m, why);
	if (!found)
		found = find_in_kernel(m);
	if (!found)
		found = find_native(n, m, why);
	return found < 0 ? -1 : 0;
}

static int refuse_long_word(const char *word, struct why *why)
{
	return because(why, "'%.40s...' is too long for a name, which has at most %d characters: write SHORT=%.40s...",
		       word, RCR_NAME_LEN - 1, word);
}

/* Copies the first @len bytes of @from as a counter's name. */
static int copy_counter_name(const char *from, size_t len, char name[RCR_NAME_LEN],
			     struct why *why)
{
	if (len >= RCR_NAME_LEN)
		return refuse_long_word(from, why);
	snprintf(name, RCR_NAME_LEN, "%.*s", (int)len, from);
	return 0;
}

/* Finds the "=" after a name, or NULL. After a "/" it belongs to a term of a PMU. */
static const char *find_equals(const char *word)
{
	size_t len = strcspn(word, "=/");

	return word[len] == '=' ? word + len : NULL;
}

/* Finds the end of "NAME=". A NAME may contain a colon only if the word has no other meaning. */
static const char *end_of_name(const char *word)
{
	const char *equals = find_equals(word);

	if (!equals || is_raw_event(equals + 1) || pmu_is_spelling(equals + 1))
		return equals;
	return memchr(word, ':', equals - word) ? NULL : equals;
}

/* Splits @word into the NAME and the rest; without "NAME=" the word itself is the name. */
static int split_name(const char *word, char name[RCR_NAME_LEN], const char **rest,
		      struct why *why)
{
	const char *equals = end_of_name(word);

	*rest = word;
	if (!equals) {
		if (copy_counter_name(word, strlen(word), name, why))
			return -1;
		name_clean(name);
		return 0;
	}
	*rest = equals + 1;
	if (copy_counter_name(word, equals - word, name, why))
		return -1;
	if (!name_is_valid(name))
		return because(why, "invalid name '%s': use letters, digits and _.:-+, at most %d",
			       name, RCR_NAME_LEN - 1);
	return 0;
}

static int write_event(const char *name, const struct meaning *m,
		       char event[RCR_EVENT_LEN], struct why *why)
{
	bool fits;

	if (m->is_pmu)
		fits = pmu_raw_text(event, RCR_EVENT_LEN, name, &m->pmu);
	else if (*m->kernel)
		fits = snprintf(event, RCR_EVENT_LEN, "%s=%s", name, m->kernel) < RCR_EVENT_LEN;
	else
		fits = code_text(event, RCR_EVENT_LEN, name, &m->code);
	return fits ? 0 : because(why, "'%s' is too long for an event", m->word);
}

/* Returns the length of a unit's name without the number of the box: cbo for cbo0. */
static size_t kind_length(const char *unit)
{
	size_t len = strcspn(unit, ":");

	while (len > 2 && isdigit((unsigned char)unit[len - 1]))
		len--;
	return len;
}

static bool is_unit_kept(const struct names *n, const char *raw)
{
	size_t len = kind_length(raw);
	unsigned int i;

	for (i = 0; i < n->nkept; i++)
		if (kind_length(n->kept[i]) == len && !strncmp(n->kept[i], raw, len))
			return true;
	return false;
}

bool names_keep(struct names *n, const char *event)
{
	const char *equals = find_equals(event);
	const char *raw = equals ? equals + 1 : event;
	struct code c;

	if (!code_parse(raw, &c) || !*c.unit || is_unit_kept(n, raw) ||
	    n->nkept == NAMES_MAX_KEPT)
		return false;
	strcpy(n->kept[n->nkept++], c.unit);
	return true;
}

/*
 * Replaces an event by that of a kernel PMU, if the policy allows it and there is one. If that PMU
 * cannot count the event, the module programs registers, unless the policy is perf.
 */
static int ask_kernel(const struct names *n, char event[RCR_EVENT_LEN], struct why *why)
{
	bool only = !strcmp(n->policy, "perf");
	const char *equals = find_equals(event);
	struct pmu_event e;
	char name[RCR_EVENT_LEN];
	int found;

	if (!only && strcmp(n->policy, "auto"))
		return 0;
	if (!only && is_unit_kept(n, equals ? equals + 1 : event))
		return 0;
	found = pmu_instead(equals ? equals + 1 : event, &e, why);
	if (found <= 0)
		return only ? found : 0;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(event, "="), event);
	name_clean(name);
	return pmu_raw_text(event, RCR_EVENT_LEN, name, &e) ? 0 :
	       because(why, "'%s' is too long for an event", name);
}

const char *names_canonical(const struct names *n, const char *word)
{
	const char *found = NULL;

	/* Exact names of the imported dictionary and of rcrtool precede other spellings. */
	if (!ldms_find(&n->imported, word) && !find_own_name(n, word))
		found = generic_find(n->family, native_pmu(), word);
	return found ? found : word;
}

int names_resolve(const struct names *n, const char *word,
		  char event[RCR_EVENT_LEN], struct why *why)
{
	const char *equals;
	struct meaning m = { 0 };
	char name[RCR_NAME_LEN];

	if (strlen(word) >= RCR_EVENT_LEN)
		return because(why, "'%.40s...' is too long for an event", word);
	word = names_canonical(n, word);
	equals = end_of_name(word);
	if (*word == '@')
		return because(why, "'%s' is a set of events: give it to 'set' or 'add'", word);
	if (is_raw_event(word) || (equals && is_raw_event(equals + 1))) {
		if (pmu_raw_check(equals ? equals + 1 : word, why))
			return -1;
		strcpy(event, word);
	} else {
		if (split_name(word, name, &m.word, why))
			return -1;
		m.word = names_canonical(n, m.word);
		if (find_meaning(n, &m, why) || write_event(name, &m, event, why))
			return -1;
	}
	return ask_kernel(n, event, why);
}

const char *const *names_set(const struct names *n, const char *word, struct why *why)
{
	static const char *names[GENERIC_SET_MAX];
	const char *const *set;

	if (!strcmp(word, "@ldms")) {
		set = own_ldms(n->family, native_pmu());
	} else if (!strcmp(word, "@flops") || !strcmp(word, "@mem")) {
		set = generic_set(n->family, native_pmu(), word, names) ? names : NULL;
	} else {
		because(why, "unknown set '%s': use @flops, @ldms or @mem", word);
		return NULL;
	}
	if (!set)
		because(why, "%s has no events on this processor (%s): name the events", word,
			*n->family ? n->family : "unknown family");
	return set;
}

bool names_can_spare(const char *word, unsigned int i)
{
	return i >= GENERIC_SET_MIN && strcmp(word, "@ldms");
}

const char *names_deficiency(const char *family, const char *event)
{
	const char *equals = strchr(event, '=');
	struct code c;

	if (!code_parse(equals ? equals + 1 : event, &c) || *c.unit)
		return NULL;
	return rcr_deficiency(family, code_select(&c));
}
