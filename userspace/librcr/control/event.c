// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * event.c - parses events in the raw form, the only text that is converted to numbers for the
 * module.
 *
 *	events = event { separator event }
 *	event  = [ NAME "=" ] ( [ UNIT ":" ] "event:" NUMBER { "," field } |
 *				"register:" WORD | "software:" WORD |
 *				"tracepoint:" NUMBER | "pmu:" NUMBER { "," field } )
 *
 * Events are separated by white space or ";", or by "," if the following word begins another event.
 * Numbers are in C's notation. Fields are in the table below. Without "os" and "user", both are
 * counted. "en" is the name of the enable bit in manuals.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>

#include "event.h"

#define WORD_LEN (RCR_NAME_LEN + 32)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/**
 * struct parser - state of parsing a text
 * @at: next character
 * @event: output
 * @max: maximum number of events
 * @count: number of events so far
 * @why: filled in on failure
 * @size: size of @why, bytes
 */
struct parser {
	const char *at;
	struct rcr_event_spec *event;
	unsigned int max;
	unsigned int count;
	char *why;
	size_t size;
};

__attribute__((format(printf, 3, 4)))
static int refuse_event(struct parser *p, int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(p->why, p->size, format, args);
	va_end(args);
	return error;
}

#define HARDWARE	(1u << RCR_EVENT_HARDWARE)
#define PMU		(1u << RCR_EVENT_PMU)

/**
 * struct field - a field of an event
 * @word: its prefix, or the whole word of a flag
 * @types: types of events that have it, bit n for type n
 * @flag: RCR_EVENT_..., or 0 for a number
 * @max: maximum of its number
 * @size: size of the member that stores it, bytes
 * @offset: offset of that member
 */
struct field {
	const char *word;
	uint32_t types;
	uint32_t flag;
	uint64_t max;
	size_t size;
	size_t offset;
};

#define NUMBER(word, types, max, member)						\
	{ word, types, 0, max, sizeof(((struct rcr_event_spec *)0)->member),		\
	  offsetof(struct rcr_event_spec, member) }
#define FLAG(word, types, flag) { word, types, flag, 0, 0, 0 }

static const struct field fields[] = {
	NUMBER("umask:", HARDWARE, UINT32_MAX, umask),
	NUMBER("cmask:", HARDWARE, UINT8_MAX, cmask),
	NUMBER("filter:", HARDWARE, UINT32_MAX, filter[0]),
	NUMBER("filter1:", HARDWARE, UINT32_MAX, filter[1]),
	FLAG("inv", HARDWARE, RCR_EVENT_INV),
	FLAG("edge", HARDWARE, RCR_EVENT_EDGE),
	FLAG("os", HARDWARE, RCR_EVENT_OS),
	FLAG("user", HARDWARE, RCR_EVENT_USER),
	FLAG("pernode", HARDWARE, RCR_EVENT_PERNODE),
	FLAG("host", HARDWARE, RCR_EVENT_HOST),
	FLAG("guest", HARDWARE, RCR_EVENT_GUEST),
	NUMBER("counter:", HARDWARE, UINT8_MAX, counter),
	NUMBER("config:", PMU, UINT64_MAX, config),
	NUMBER("config1:", PMU, UINT64_MAX, config1),
	NUMBER("config2:", PMU, UINT64_MAX, config2),
	NUMBER("scope:", PMU, UINT8_MAX, scope),
	FLAG("joules", PMU, RCR_EVENT_JOULES),
	FLAG("slow", HARDWARE | PMU, RCR_EVENT_SLOW),
};

static const char *const scopes[] = {
	[RCR_SCOPE_CPU] = "cpu", [RCR_SCOPE_DIE] = "die", [RCR_SCOPE_PACKAGE] = "package",
	[RCR_SCOPE_LLC] = "llc", [RCR_SCOPE_CORE] = "core",
};

static const struct field *find_field(const char *word, uint32_t type)
{
	const struct field *f;

	for (f = fields; f != fields + ARRAY_SIZE(fields); f++)
		if (f->types & 1u << type &&
		    (f->flag ? !strcmp(word, f->word) :
			       !strncmp(word, f->word, strlen(f->word))))
			return f;
	return NULL;
}

static uint64_t get_number(const struct field *f, const struct rcr_event_spec *e)
{
	uint32_t small;
	uint64_t large;

	if (f->size == sizeof(small)) {
		memcpy(&small, (const char *)e + f->offset, sizeof(small));
		return small;
	}
	memcpy(&large, (const char *)e + f->offset, sizeof(large));
	return large;
}

static void set_number(const struct field *f, struct rcr_event_spec *e, uint64_t val)
{
	uint32_t small = val;

	memcpy((char *)e + f->offset, f->size == sizeof(small) ? (void *)&small : (void *)&val,
	       f->size);
}

static bool is_scope(const struct field *f)
{
	return f->offset == offsetof(struct rcr_event_spec, scope) && !f->flag;
}

static int parse_event_number(struct parser *p, const char *word, const char *digits, uint64_t max,
			      uint64_t *val)
{
	char *end;

	errno = 0;
	*val = strtoull(digits, &end, 0);
	if (!isdigit((unsigned char)*digits) || *end || errno)
		return refuse_event(p, -EINVAL, "invalid number '%s' in '%s'", digits, word);
	if (*val > max)
		return refuse_event(p, -EINVAL, "'%s' is too large: the maximum is 0x%" PRIx64,
				    word, max);
	return 0;
}

static int read_scope(struct parser *p, const char *word, const char *name, uint64_t *val)
{
	for (*val = 0; *val < ARRAY_SIZE(scopes); ++*val)
		if (!strcmp(scopes[*val], name))
			return 0;
	return refuse_event(p, -EINVAL, "unknown scope in '%s': use cpu, core, llc, die or package",
			    word);
}

static int unknown_field(struct parser *p, const struct rcr_event_spec *e, const char *word)
{
	if (e->type == RCR_EVENT_PMU)
		return refuse_event(p, -EINVAL,
			"unknown field '%s': events of a kernel PMU have config:N, config1:N, config2:N, scope:WORD, joules and slow",
			word);
	return refuse_event(p, -EINVAL,
		"unknown field '%s': use umask:N, cmask:N, filter:N, filter1:N, inv, edge, os, user, host, guest, pernode, slow or counter:N",
		word);
}

static int set_field(struct parser *p, struct rcr_event_spec *e, const char *word)
{
	const struct field *f = find_field(word, e->type);
	uint64_t val;
	int err;

	if (!(1u << e->type & (HARDWARE | PMU)))
		return refuse_event(p, -EINVAL,
			"unknown event '%s': write NAME=event:0x76,umask:0x00", word);
	if (!strcmp(word, "en") && e->type == RCR_EVENT_HARDWARE)
		return 0;
	if (!f)
		return unknown_field(p, e, word);
	if (f->flag) {
		e->flags |= f->flag;
		return 0;
	}
	err = is_scope(f) ? read_scope(p, word, word + strlen(f->word), &val) :
			    parse_event_number(p, word, word + strlen(f->word), f->max, &val);
	if (!err)
		set_number(f, e, val);
	return err;
}

static bool is_separator(char c)
{
	return c == ';' || c == ',' || isspace((unsigned char)c);
}

/* Reads the next word, up to a separator; returns its length, 0 at the end of the text. */
static int next_word(struct parser *p, char *word)
{
	size_t len = 0;

	while (*p->at && is_separator(*p->at))
		p->at++;
	while (p->at[len] && !is_separator(p->at[len]))
		len++;
	if (len >= WORD_LEN)
		return refuse_event(p, -EINVAL, "'%.20s...' is too long for an event", p->at);
	memcpy(word, p->at, len);
	word[len] = 0;
	p->at += len;
	return len;
}

/* Names consist of characters that are valid in a CSV header and a file name. */
static bool name_is_valid(const char *name, size_t len)
{
	size_t i;

	if (!len || len >= RCR_NAME_LEN || name[0] == '.')
		return false;
	for (i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("_.:-+", name[i]))
			return false;
	return true;
}

/* Starts a new event; @name is not terminated. */
static int add_event(struct parser *p, uint32_t type, uint64_t config, const char *name,
		     size_t len)
{
	struct rcr_event_spec *e = &p->event[p->count];
	unsigned int i;

	if (p->count == p->max)
		return refuse_event(p, -ENOSPC, "too many events: the maximum is %u", p->max);
	if (!name_is_valid(name, len))
		return refuse_event(p, -EINVAL,
			"invalid name '%.*s': use letters, digits and _.:-+, at most %d",
			(int)len, name, RCR_NAME_LEN - 1);
	memset(e, 0, sizeof(*e));
	e->type = type;
	e->config = config;
	e->counter = -1;
	memcpy(e->name, name, len);
	for (i = 0; i < p->count; i++)
		if (!strcmp(p->event[i].name, e->name))
			return refuse_event(p, -EEXIST, "the name '%s' is used twice", e->name);
	p->count++;
	return 0;
}

/* Finds "event:" at the beginning or after a unit; NULL if there is none. */
static const char *find_code(const char *rest)
{
	const char *code = strstr(rest, "event:");

	return code && (code == rest || code[-1] == ':') ? code : NULL;
}

static int set_unit(struct parser *p, const char *unit, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (len >= RCR_UNIT_LEN || !(isalnum((unsigned char)unit[i]) || unit[i] == '-'))
			return refuse_event(p, -EINVAL, "unknown processor unit '%.*s'",
					    (int)len, unit);
	memcpy(p->event[p->count - 1].unit, unit, len);
	return 0;
}

static int open_hardware(struct parser *p, const char *word, const char *name, size_t len,
			 const char *rest)
{
	const char *code = find_code(rest);
	char own_name[16];
	uint64_t val;
	int err;

	err = parse_event_number(p, word, code + strlen("event:"), UINT16_MAX, &val);
	if (err)
		return err;
	if (!name) {
		name = own_name;
		len = snprintf(own_name, sizeof(own_name), "EVENT_%03X", (unsigned int)val);
	}
	err = add_event(p, RCR_EVENT_HARDWARE, val, name, len);
	return err || code == rest ? err : set_unit(p, rest, code - rest - 1);
}

static int open_register(struct parser *p, const char *name, size_t len, const char *unit)
{
	int err = add_event(p, RCR_EVENT_REGISTER, 0, name ? name : unit,
			    name ? len : strlen(unit));

	return err ? err : set_unit(p, unit, strlen(unit));
}

/* Names as in perf. */
static const struct {
	const char *name;
	unsigned int id;
} software_events[] = {
	{ "cpu-clock", PERF_COUNT_SW_CPU_CLOCK },
	{ "page-faults", PERF_COUNT_SW_PAGE_FAULTS },
	{ "minor-faults", PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "major-faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ "context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "alignment-faults", PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ "emulation-faults", PERF_COUNT_SW_EMULATION_FAULTS },
};

static int open_software(struct parser *p, const char *name, size_t len, const char *software)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(software_events); i++)
		if (!strcmp(software_events[i].name, software))
			return add_event(p, RCR_EVENT_SOFTWARE, software_events[i].id,
					 name ? name : software,
					 name ? len : strlen(software));
	return refuse_event(p, -EINVAL,
		"unknown software event '%.32s': use cpu-clock, page-faults, minor-faults, major-faults, context-switches or cpu-migrations",
		software);
}

/* Id of ftrace:function in every kernel (enum trace_type, kernel/trace/trace.h). */
#define EACH_FUNCTION 1

static int open_tracepoint(struct parser *p, const char *word, const char *name, size_t len,
			   const char *id)
{
	char own_name[24];
	uint64_t val;
	int err;

	err = parse_event_number(p, word, id, UINT16_MAX, &val);
	if (err)
		return err;
	if (val == EACH_FUNCTION)
		return refuse_event(p, -EINVAL,
			"'tracepoint:%u' fires in every kernel function, including the sampler's own: count a probe of one function (perf probe)",
			EACH_FUNCTION);
	if (!name) {
		name = own_name;
		len = snprintf(own_name, sizeof(own_name), "TRACEPOINT_%u", (unsigned int)val);
	}
	return add_event(p, RCR_EVENT_TRACEPOINT, val, name, len);
}

static int open_pmu(struct parser *p, const char *word, const char *name, size_t len,
		    const char *type)
{
	uint64_t val;
	int err;

	if (!name)
		return refuse_event(p, -EINVAL, "'%s' has no name: write NAME=%s", word, word);
	err = parse_event_number(p, word, type, UINT16_MAX, &val);
	if (!err && val == PERF_TYPE_TRACEPOINT)
		return refuse_event(p, -EINVAL,
			"'%s' is a tracepoint: write NAME=tracepoint:ID", word);
	if (!err && (val == PERF_TYPE_HARDWARE || val == PERF_TYPE_HW_CACHE ||
		     val == PERF_TYPE_RAW))
		return refuse_event(p, -EINVAL,
			"'%s' is an event of the core: write NAME=event:0x76,umask:0x00", word);
	if (!err)
		err = add_event(p, RCR_EVENT_PMU, 0, name, len);
	if (!err)
		p->event[p->count - 1].pmu = val;
	return err;
}

static int read_word(struct parser *p, const char *word)
{
	const char *equals = strchr(word, '=');
	const char *rest = equals ? equals + 1 : word;
	const char *name = equals ? word : NULL;
	size_t len = equals ? equals - word : 0;

	if (find_code(rest))
		return open_hardware(p, word, name, len, rest);
	if (!strncmp(rest, "register:", 9))
		return open_register(p, name, len, rest + 9);
	if (!strncmp(rest, "software:", 9))
		return open_software(p, name, len, rest + 9);
	if (!strncmp(rest, "tracepoint:", 11))
		return open_tracepoint(p, word, name, len, rest + 11);
	if (!strncmp(rest, "pmu:", 4))
		return open_pmu(p, word, name, len, rest + 4);
	if (equals || !p->count)
		return refuse_event(p, -EINVAL,
			"unknown event '%s': write NAME=event:0x76,umask:0x00", word);
	return set_field(p, &p->event[p->count - 1], word);
}

int rcr_event_parse(const char *text, struct rcr_event_spec *event, unsigned int max,
		    char *why, size_t size)
{
	struct parser p = { text, event, max, 0, why, size };
	char word[WORD_LEN];
	int ret;

	while ((ret = next_word(&p, word)) > 0) {
		ret = read_word(&p, word);
		if (ret)
			return ret;
	}
	if (ret < 0)
		return ret;
	if (!p.count)
		return refuse_event(&p, -EINVAL, "no event in '%s'", text);
	return p.count;
}

static const char *software_name(uint64_t id)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(software_events); i++)
		if (software_events[i].id == id)
			return software_events[i].name;
	return "";
}

/* True if the field has the value that the parser assumes without it. */
static bool is_implied(const struct field *f, const struct rcr_event_spec *e)
{
	const uint32_t modes = RCR_EVENT_OS | RCR_EVENT_USER;

	if (f->flag & modes && (e->flags & modes) == modes)
		return true;
	if (f->flag)
		return !(e->flags & f->flag);
	if (f->offset == offsetof(struct rcr_event_spec, counter))
		return e->counter < 0;
	return !get_number(f, e);
}

void rcr_event_print(const struct rcr_event_spec *e, char *text)
{
	const struct field *f;
	size_t len;

	switch (e->type) {
	case RCR_EVENT_SOFTWARE:
		len = snprintf(text, RCR_EVENT_LEN, "software:%s", software_name(e->config));
		break;
	case RCR_EVENT_TRACEPOINT:
		len = snprintf(text, RCR_EVENT_LEN, "tracepoint:%" PRIu64, e->config);
		break;
	case RCR_EVENT_PMU:
		len = snprintf(text, RCR_EVENT_LEN, "pmu:%u", e->pmu);
		break;
	case RCR_EVENT_REGISTER:
		len = snprintf(text, RCR_EVENT_LEN, "register:%s", e->unit);
		break;
	default:
		len = snprintf(text, RCR_EVENT_LEN, "%s%sevent:0x%03" PRIx64, e->unit,
			       e->unit[0] ? ":" : "", e->config);
	}
	for (f = fields; f != fields + ARRAY_SIZE(fields) && len < RCR_EVENT_LEN; f++) {
		if (e->type >= 32 || !(f->types & 1u << e->type) || is_implied(f, e))
			continue;
		len += snprintf(text + len, RCR_EVENT_LEN - len, ",%s", f->word);
		if (len >= RCR_EVENT_LEN || f->flag)
			continue;
		if (is_scope(f) && e->scope < ARRAY_SIZE(scopes))
			len += snprintf(text + len, RCR_EVENT_LEN - len, "%s", scopes[e->scope]);
		else
			len += snprintf(text + len, RCR_EVENT_LEN - len, "0x%02" PRIx64,
					get_number(f, e));
	}
}
