// SPDX-License-Identifier: GPL-2.0-or-later
/* saved.c - reads and writes a set of counters in a file. */
#include <string.h>

#include "parse/period.h"
#include "sysfs/pmu_raw.h"
#include "saved.h"

static int take_period(struct saved *s, const char *text, unsigned int number,
		       struct why *why)
{
	while (*text == ' ' || *text == '\t')
		text++;
	if (s->period_ns)
		return because(why, "the period is already in line %u", s->period_line);
	if (!period_parse(text, &s->period_ns))
		return because(why, "invalid period '%.40s': add a unit, for example 100us, 1ms or 2s",
			       text);
	s->period_line = number;
	return 0;
}

static int check_saved_name(const struct saved *s, const char *event, struct why *why)
{
	size_t len = strcspn(event, "=");
	unsigned int i;

	for (i = 0; event[len] && i < s->count; i++)
		if (!strncmp(s->event[i], event, len + 1))
			return because(why, "'%.*s' is already in line %u", (int)len,
				       event, s->line[i]);
	return 0;
}

static int take_event(struct saved *s, const char *word, unsigned int number,
		      const struct names *names, struct why *why)
{
	char event[RCR_EVENT_LEN];

	if (s->count == RCR_MAX_COUNTERS)
		return because(why, "a set has at most %d counters", RCR_MAX_COUNTERS);
	if (names_resolve(names, word, event, why) || check_saved_name(s, event, why))
		return -1;
	strcpy(s->event[s->count], event);
	s->line[s->count++] = number;
	return 0;
}

/**
 * struct reading - state of reading a set
 * @s: the set
 * @names: dictionary
 */
struct reading {
	struct saved *s;
	const struct names *names;
};

static int take_saved_line(void *to, const struct text_line *line, struct why *why)
{
	const struct reading *r = to;
	const char *words = line->words;

	if (!strncmp(words, "period", 6) && (words[6] == ' ' || words[6] == '\t'))
		return take_period(r->s, words + 6, line->number, why);
	return take_event(r->s, words, line->number, r->names, why);
}

int saved_read(struct saved *s, const char *text, size_t size,
	       const struct names *names, line_wrong wrong, void *to)
{
	struct reading reading = { s, names };
	const struct line_reader reader = { take_saved_line, &reading, wrong, to };

	memset(s, 0, sizeof(*s));
	return lines_read(&reader, text, size);
}

void saved_remove(struct saved *s, unsigned int i)
{
	s->count--;
	memmove(s->event[i], s->event[i + 1], (s->count - i) * sizeof(s->event[0]));
	memmove(&s->line[i], &s->line[i + 1], (s->count - i) * sizeof(s->line[0]));
}

/* Kernel PMUs are written by name, because their numbers change from boot to boot. */
void saved_write(FILE *out, const struct rcr_state *state)
{
	char period[PERIOD_LEN], text[RCR_EVENT_LEN];
	unsigned int i;

	period_text(period, state->period_ns);
	fprintf(out, "# a set of counters of %s: rcrctl initialize FILE\n",
		*state->family ? state->family : "an unknown processor");
	fprintf(out, "period %s\n", period);
	for (i = 0; i < state->ncounters; i++)
		if (state->counter[i].staged)
			fprintf(out, "%s=%s\n", state->counter[i].name,
				pmu_readable(state->counter[i].event, text));
}
