// SPDX-License-Identifier: GPL-2.0-only
/*
 * event_text.c - reads the raw form of events, for the module's own meters: those of users
 * are numbers when they come (librcr has its own reader).
 *
 *	events = event { separator event }
 *	event  = [ NAME "=" ] ( [ UNIT ":" ] "event:" NUMBER { "," field } |
 *				"register:" WORD | "software:" WORD |
 *				"tracepoint:" NUMBER | "pmu:" NUMBER { "," field } )
 *	field  = "umask:" NUMBER | "cmask:" NUMBER |
 *		 "filter:" NUMBER | "filter1:" NUMBER | "inv" | "edge" | "os" |
 *		 "user" | "host" | "guest" | "pernode" | "slow" | "en" |
 *		 "counter:" NUMBER | of a "pmu:" "config:" NUMBER |
 *		 "config1:" NUMBER | "config2:" NUMBER | "scope:" WORD | "joules" |
 *		 "slow"
 *
 * Events are separated by white space or ";"; a "," separates them too where
 * what follows begins another event. Numbers are in C's notation. Without "os"
 * and "user" both are counted; with one of them only that one is. "en" is what
 * the manuals call the bit that enables a counter: it is always set. The one bit
 * that has no name here is the interrupt's.
 *
 * Pure: no kernel state, compiled into the unit tests as well.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/perf_event.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "event_field.h"
#include "event_text.h"
#include "error.h"

#define WORD_LEN	(RCR_NAME_LEN + 32)

/* The text being read, and where to say what is wrong with it. */
struct parser {
	const char *at;
	struct rcr_event *events;
	unsigned int max;
	unsigned int count;
	struct rcr_failure *failure;
};

static bool is_separator(char c)
{
	return c == ';' || c == ',' || isspace(c);
}

/* The next word, up to a separator, or 0 at the end of the text. */
static int next_word(struct parser *p, char *word)
{
	size_t len = 0;

	while (*p->at && is_separator(*p->at))
		p->at++;
	while (p->at[len] && !is_separator(p->at[len]))
		len++;
	if (len >= WORD_LEN)
		return rcr_failf(p->failure, -EINVAL, "\"%.20s...\" is too long for an event",
				 p->at);
	memcpy(word, p->at, len);
	word[len] = 0;
	p->at += len;
	return len;
}

static int parse_number(struct parser *p, const char *word, const char *digits,
			unsigned int max, unsigned int *val)
{
	if (kstrtouint(digits, 0, val))
		return rcr_failf(p->failure, -EINVAL, "\"%s\": \"%s\" is not a number", word,
				 digits);
	if (*val > max)
		return rcr_failf(p->failure, -EINVAL, "\"%s\": the largest is 0x%x", word, max);
	return 0;
}

static struct rcr_event *current_event(struct parser *p)
{
	return p->count ? &p->events[p->count - 1] : NULL;
}

/* A name is what may stand in a CSV header and in a file's name. */
static bool name_is_valid(const char *name, size_t len)
{
	size_t i;

	if (!len || len >= RCR_NAME_LEN || name[0] == '.')
		return false;
	for (i = 0; i < len; i++)
		if (!isascii(name[i]) || (!isalnum(name[i]) && !strchr("_.:-+", name[i])))
			return false;
	return true;
}

/* Both modes are counted unless one is asked for. */
static void close_event(struct rcr_event *e)
{
	if (e && rcr_event_is_hardware(e) && !e->os && !e->user) {
		e->os = true;
		e->user = true;
	}
}

static int set_name(struct parser *p, struct rcr_event *e, const char *name,
		    size_t len)
{
	unsigned int i;

	if (!name_is_valid(name, len))
		return rcr_failf(p->failure, -EINVAL,
				 "\"%.*s\" is not a name (letters, digits and _.:-+, at most %d)",
				 (int)len, name, RCR_NAME_LEN - 1);
	memcpy(e->name, name, len);
	e->name[len] = 0;
	for (i = 0; &p->events[i] != e; i++)
		if (!strcmp(p->events[i].name, e->name))
			return rcr_failf(p->failure, -EEXIST, "\"%s\" is named twice", e->name);
	return 0;
}

/* Begins the next event; @name stands before the "=", if there was one. */
static int add_event(struct parser *p, enum rcr_event_type kind, unsigned int code,
		     const char *name, size_t name_len)
{
	struct rcr_event *e;
	int err;

	close_event(current_event(p));
	if (p->count == p->max)
		return rcr_failf(p->failure, -ENOSPC, "more than %u events", p->max);
	e = &p->events[p->count];
	memset(e, 0, sizeof(*e));
	e->kind = kind;
	e->event = code;
	err = set_name(p, e, name, name_len);
	if (!err)
		p->count++;
	return err;
}

/* Where the "event:" of a word is, behind a unit or none; or NULL. */
static const char *find_code(const char *rest)
{
	const char *code = strstr(rest, "event:");

	return code && (code == rest || code[-1] == ':') ? code : NULL;
}

static int set_unit(struct parser *p, struct rcr_event *e, const char *unit,
		    size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (len >= sizeof(e->unit) || !(isalnum(unit[i]) || unit[i] == '-'))
			return rcr_failf(p->failure, -EINVAL,
					 "\"%.*s\" is no unit of a processor",
					 (int)len, unit);
	memcpy(e->unit, unit, len);
	return 0;
}

static int open_hardware(struct parser *p, const char *word, const char *name,
			 size_t name_len, const char *rest)
{
	const char *code = find_code(rest);
	char own_name[16];
	unsigned int val;
	int err;

	err = parse_number(p, word, code + 6, U16_MAX, &val);
	if (err)
		return err;
	if (!name) {
		name = own_name;
		name_len = snprintf(own_name, sizeof(own_name), "EVENT_%03X", val);
	}
	err = add_event(p, RCR_EVENT_HARDWARE, val, name, name_len);
	if (err || code == rest)
		return err;
	return set_unit(p, current_event(p), rest, code - rest - 1);
}

static int open_register(struct parser *p, const char *name, size_t name_len,
			 const char *unit)
{
	int err;

	err = add_event(p, RCR_EVENT_HARDWARE, 0, name ?: unit,
			name ? name_len : strlen(unit));
	if (err)
		return err;
	current_event(p)->is_register = true;
	return set_unit(p, current_event(p), unit, strlen(unit));
}

/* As perf spells them. */
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

static int open_software(struct parser *p, const char *name, size_t name_len,
			 const char *software)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(software_events); i++) {
		if (strcmp(software_events[i].name, software))
			continue;
		if (!name) {
			name = software;
			name_len = strlen(software);
		}
		return add_event(p, RCR_EVENT_SOFTWARE, software_events[i].id,
				 name, name_len);
	}
	return rcr_failf(p->failure, -EINVAL,
			 "\"%.32s\" is no software event: cpu-clock, page-faults, minor-faults, major-faults, context-switches, cpu-migrations are",
			 software);
}

/*
 * The id of ftrace:function, of each kernel (enum trace_type, kernel/trace/trace.h): every
 * function of the kernel, those of a tick among them.
 */
#define EACH_FUNCTION	1

static int open_tracepoint(struct parser *p, const char *word, const char *name,
			   size_t name_len, const char *id)
{
	char own_name[24];
	unsigned int val;
	int err;

	err = parse_number(p, word, id, U16_MAX, &val);
	if (err)
		return err;
	if (val == EACH_FUNCTION)
		return rcr_failf(p->failure, -EINVAL,
				 "\"tracepoint:%u\" is every function of the kernel, the sampler's too: count a probe (perf probe) at the one that is meant",
				 val);
	if (!name) {
		name = own_name;
		name_len = snprintf(own_name, sizeof(own_name), "TRACEPOINT_%u", val);
	}
	return add_event(p, RCR_EVENT_TRACEPOINT, val, name, name_len);
}

/* A PMU of the kernel by its type, as sysfs has it: what follows is for perf. */
static int open_pmu(struct parser *p, const char *word, const char *name,
		    size_t name_len, const char *type)
{
	unsigned int val;
	int err;

	if (!name)
		return rcr_failf(p->failure, -EINVAL,
				 "\"%s\" has no name: write NAME=%s", word, word);
	err = parse_number(p, word, type, U16_MAX, &val);
	if (err)
		return err;
	if (val == PERF_TYPE_TRACEPOINT)
		return rcr_failf(p->failure, -EINVAL,
				 "\"%s\" is the kernel's tracepoints: write NAME=tracepoint:ID",
				 word);
	if (val == PERF_TYPE_HARDWARE || val == PERF_TYPE_HW_CACHE || val == PERF_TYPE_RAW)
		return rcr_failf(p->failure, -EINVAL,
				 "\"%s\" counts on a core: write NAME=event:0x76,umask:0x00",
				 word);
	return add_event(p, RCR_EVENT_PMU, val, name, name_len);
}

static int parse_word(struct parser *p, const char *word)
{
	const char *equals = strchr(word, '=');
	const char *rest = equals ? equals + 1 : word;
	const char *name = equals ? word : NULL;
	size_t name_len = equals ? equals - word : 0;

	if (find_code(rest))
		return open_hardware(p, word, name, name_len, rest);
	if (!strncmp(rest, "register:", 9))
		return open_register(p, name, name_len, rest + 9);
	if (!strncmp(rest, "software:", 9))
		return open_software(p, name, name_len, rest + 9);
	if (!strncmp(rest, "tracepoint:", 11))
		return open_tracepoint(p, word, name, name_len, rest + 11);
	if (!strncmp(rest, "pmu:", 4))
		return open_pmu(p, word, name, name_len, rest + 4);
	if (equals || !p->count)
		return rcr_failf(p->failure, -EINVAL,
				 "\"%s\" is not an event: write NAME=event:0x76,umask:0x00",
				 word);
	return rcr_event_set_field(current_event(p), word, p->failure);
}

/**
 * rcr_events_parse() - reads events in the raw form
 * @text: the events
 * @events: where they go
 * @max: how many fit there
 * @failure: gets the reason when the answer is an error
 *
 * Context: any.
 * Return: how many events; -EINVAL for a text that is none, -EEXIST for a name
 * given twice, -ENOSPC for more than @max events.
 */
int rcr_events_parse(const char *text, struct rcr_event *events,
		     unsigned int max, struct rcr_failure *failure)
{
	struct parser p = { text, events, max, 0, failure };
	char word[WORD_LEN];
	int ret;

	for (;;) {
		ret = next_word(&p, word);
		if (ret > 0)
			ret = parse_word(&p, word);
		else if (!ret)
			break;
		if (ret < 0)
			return ret;
	}
	close_event(current_event(&p));
	if (!p.count)
		return rcr_failf(p.failure, -EINVAL, "no event in \"%s\"", text);
	return p.count;
}
