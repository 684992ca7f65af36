// SPDX-License-Identifier: GPL-2.0-only
/*
 * saved.c - a set of counters in a file.
 */
#include <string.h>

#include "period.h"
#include "saved.h"

static int take_period(struct saved *s, const char *text, unsigned int number,
		       struct why *why)
{
	while (*text == ' ' || *text == '\t')
		text++;
	if (s->period_ns)
		return because(why, "the period stands in line %u already", s->period_line);
	if (!period_parse(text, &s->period_ns))
		return because(why, "period \"%.40s\" is no time, such as 100us, 1ms or 2s", text);
	s->period_line = number;
	return 0;
}

static int check_name(const struct saved *s, const char *event, struct why *why)
{
	size_t len = strcspn(event, "=");
	unsigned int i;

	for (i = 0; event[len] && i < s->count; i++)
		if (!strncmp(s->event[i], event, len + 1))
			return because(why, "\"%.*s\" stands in line %u already", (int)len,
				       event, s->line[i]);
	return 0;
}

static int take_event(struct saved *s, const char *word, unsigned int number,
		      const struct names *names, struct why *why)
{
	char event[RCR_EVENT_LEN];

	if (s->count == RCR_MAX_COUNTERS)
		return because(why, "a set has at most %d counters", RCR_MAX_COUNTERS);
	if (names_resolve(names, word, event, why) || check_name(s, event, why))
		return -1;
	strcpy(s->event[s->count], event);
	s->line[s->count++] = number;
	return 0;
}

static int take_line(struct saved *s, const char *text, size_t length,
		     unsigned int number, const struct names *names, struct why *why)
{
	char copy[1024];
	char *line;

	if (memchr(text, 0, length))
		return because(why, "this is not a text");
	if (length >= sizeof(copy))
		return because(why, "the line is too long");
	memcpy(copy, text, length);
	copy[length] = 0;
	line = line_trim(copy);
	if (!*line)
		return 0;
	if (!strncmp(line, "period", 6) && (line[6] == ' ' || line[6] == '\t'))
		return take_period(s, line + 6, number, why);
	return take_event(s, line, number, names, why);
}

int saved_read(struct saved *s, const char *text, size_t size,
	       const struct names *names, ldms_wrong wrong, void *to)
{
	const char *end = text + size;
	unsigned int number = 0;
	struct why why;
	int bad = 0;

	memset(s, 0, sizeof(*s));
	while (text < end) {
		const char *stop = memchr(text, '\n', end - text);

		if (!stop)
			stop = end;
		if (take_line(s, text, stop - text, ++number, names, &why)) {
			wrong(to, number, why.text);
			bad++;
		}
		text = stop + 1;
	}
	return bad;
}

void saved_remove(struct saved *s, unsigned int i)
{
	s->count--;
	memmove(s->event[i], s->event[i + 1], (s->count - i) * sizeof(s->event[0]));
	memmove(&s->line[i], &s->line[i + 1], (s->count - i) * sizeof(s->line[0]));
}

void saved_write(FILE *out, const struct rcr_state *state)
{
	char period[PERIOD_LEN];
	unsigned int i;

	period_text(period, state->period_ns);
	fprintf(out, "# a set of counters of %s: rcrctl initialize FILE\n",
		*state->family ? state->family : "an unknown processor");
	fprintf(out, "period %s\n", period);
	for (i = 0; i < state->ncounters; i++)
		if (state->counter[i].staged)
			fprintf(out, "%s=%s\n", state->counter[i].name,
				state->counter[i].event);
}
