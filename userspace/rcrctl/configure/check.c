// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check.c - checks the configuration file without the module: events by the dictionary of this
 * machine, units by the meters of its family and of the file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"
#include "configure/configure.h"
#include "file.h"
#include "message.h"
#include "meter/meter.h"
#include "native.h"
#include "parse/condition.h"

/**
 * struct checking - a file being checked
 * @session: the session
 * @path: path of the file
 * @config: its lines
 * @wrong: number of invalid lines
 */
struct checking {
	struct session *session;
	const char *path;
	struct config *config;
	int wrong;
};

static void count_wrong_line(void *to, unsigned int number, const char *sentence)
{
	struct checking *k = to;

	note_line(k->path, number, "%s", sentence);
	k->wrong++;
}

static void check_event(struct checking *k, const struct config_line *line, const char *word)
{
	const struct names *names = session_names(k->session);
	char event[RCR_EVENT_LEN];
	struct why why;

	if (*word == '@' ? !names_set(names, word, &why) :
	    names_resolve(names, word, event, &why))
		count_wrong_line(k, line->number, why.text);
}

static void check_set_line(struct checking *k, const struct config_line *line)
{
	struct config_words w;
	struct why why;
	unsigned int i;

	config_split(line->value, &w, &why);
	if (w.count == 1 && !strcmp(w.word[0], "default"))
		return;
	if (w.count > RCR_MAX_COUNTERS) {
		because(&why, "a set has at most %d counters", RCR_MAX_COUNTERS);
		count_wrong_line(k, line->number, why.text);
		return;
	}
	for (i = 0; i < w.count && *session_names(k->session)->family; i++)
		check_event(k, line, w.word[i]);
}

static void check_meter_line(struct checking *k, const struct config_line *line)
{
	struct config_words w;
	struct call c = { .session = k->session, .args = w.word };
	struct why why;

	config_split(line->value, &w, &why);
	c.count = w.count;
	message_at(k->path, line->number);
	if (check_meter_add(&c))
		k->wrong++;
	message_at(NULL, 0);
}

/*
 * Copies the unit of a meter that the file adds; false if the file does not add it, or leaves its
 * unit to the family.
 */
static bool unit_of_file(const struct config *config, const char *meter,
			 char unit[RCR_METER_UNIT_LEN])
{
	struct config_words w;
	unsigned int i, at;
	struct why why;

	for (i = 0; i < config->count; i++) {
		if (config->line[i].key != CONFIG_METER ||
		    config_split(config->line[i].value, &w, &why) || strcmp(w.word[0], meter))
			continue;
		for (at = 1; at + 1 < w.count; at++)
			if (!strcmp(w.word[at], "--unit")) {
				snprintf(unit, RCR_METER_UNIT_LEN, "%s", w.word[at + 1]);
				return true;
			}
		/* A meter without a formula is one of the family, and has the unit from there. */
		if (w.count > 1) {
			strcpy(unit, "");
			return true;
		}
	}
	return false;
}

static bool unit_of_family(struct session *s, const char *meter, char unit[RCR_METER_UNIT_LEN])
{
	const struct catalogue_row *row = NULL;
	char family[96];

	snprintf(family, sizeof(family), "%s %s", session_names(s)->family, native_pmu());
	while ((row = catalogue_next(row, *session_names(s)->family ? family : NULL)))
		if (!strcmp(row->name, meter)) {
			snprintf(unit, RCR_METER_UNIT_LEN, "%s", row->unit);
			return true;
		}
	return false;
}

/* A quantity with the unit of another meter. That of a meter which is not known is not checked. */
static void check_unit(struct checking *k, const struct config_line *line, const char *meter,
		       const struct quantity *q)
{
	struct quantity_scale scale = { .maximum = 1000000 };
	char unit[RCR_METER_UNIT_LEN];
	struct why why;
	int64_t value;

	if (!unit_of_file(k->config, meter, unit) && !unit_of_family(k->session, meter, unit))
		return;
	scale.unit = unit;
	if (quantity_value(q, &scale, &value, &why))
		count_wrong_line(k, line->number, why.text);
}

static void check_limit(struct checking *k, const struct config_line *line)
{
	struct quantity q;
	struct why why;

	if (!quantity_parse(line->value, &q, &why))
		check_unit(k, line, line->name, &q);
}

static void check_bound(struct checking *k, const struct config_line *line)
{
	char copy[1024];
	struct condition condition;
	const char *place;
	struct why why;

	if (!config_find(k->config, CONFIG_RECORDER)) {
		count_wrong_line(k, line->number, "crossing needs a line 'recorder = TIME'");
		return;
	}
	snprintf(copy, sizeof(copy), "%s", line->value);
	config_split_place(copy, &place);
	if (!condition_parse(copy, &condition, &why))
		check_unit(k, line, condition.meter, &condition.bound);
}

static void check_line(struct checking *k, const struct config_line *line)
{
	switch (line->key) {
	case CONFIG_SET:
		check_set_line(k, line);
		break;
	case CONFIG_METER:
		check_meter_line(k, line);
		break;
	case CONFIG_MAXIMUM:
	case CONFIG_CONTENTION:
		check_limit(k, line);
		break;
	case CONFIG_CROSSING:
		check_bound(k, line);
		break;
	default:
		break;
	}
}

int configure_read(struct session *s, const char *path, struct config *config)
{
	struct checking k = { .session = s, .path = path, .config = config };
	struct why why;
	unsigned int i;
	size_t size;
	char *text;

	memset(config, 0, sizeof(*config));
	text = file_read(path, &size, &why);
	if (!text)
		return fail("%s", why.text);
	config_check(text, size, config, count_wrong_line, &k);
	free(text);
	for (i = 0; i < config->count; i++)
		check_line(&k, &config->line[i]);
	if (!k.wrong)
		return EXIT_SUCCESS;
	return fail("%s: %d invalid line%s", path, k.wrong, k.wrong == 1 ? "" : "s");
}
