// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check_meters.c - checks meters, their limits and crossings in the configuration file.
 *
 * Another program may add a meter that is unknown here, so units of unknown meters are not checked.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"
#include "configure/checking.h"
#include "daemon.h"
#include "message.h"
#include "meter/formula.h"
#include "meter/meter.h"
#include "native.h"
#include "parse/condition.h"

/* Stands in for the maximum of a meter when a percentage is checked. */
#define SOME_MAXIMUM 1000000

/* Digits of meters that are added without --digits. */
#define ADDED_DIGITS 6

/* Finds a meter in the catalogue of this family or, if that is unknown, of any family. */
static const struct catalogue_row *find_meter_row(struct session *s, const char *meter)
{
	const char *known = session_names(s)->family;
	const struct catalogue_row *row = NULL;
	char family[96];

	snprintf(family, sizeof(family), "%s %s", known, native_pmu());
	while ((row = catalogue_next(row, *known ? family : NULL)))
		if (!strcmp(row->name, meter))
			break;
	return row;
}

/* The value of an option in the line of a meter, or NULL. */
static const char *find_meter_option(const struct config_words *w, const char *option)
{
	unsigned int i;

	for (i = 1; i + 1 < w->count; i++)
		if (!strcmp(w->word[i], option))
			return w->word[i + 1];
	return NULL;
}

/* True if the file adds that meter before line @number; @w: the words of the line. */
static bool is_added(const struct config *config, const char *meter, unsigned int number,
		     struct config_words *w)
{
	unsigned int i;
	struct why why;

	for (i = 0; i < config->count && config->line[i].number < number; i++)
		if (config->line[i].key == CONFIG_METER &&
		    !config_split(config->line[i].value, w, &why) && !strcmp(w->word[0], meter))
			return true;
	return false;
}

/* True if the module is loaded, and has a counter or a meter of that name. */
static bool is_in_module(struct session *s, const char *name)
{
	static struct rcr_meters meters;

	if (!session_has_module(s) || rcr_control_look(s->control, &s->state))
		return false;
	return meter_counter(s, name) ||
	       (!rcr_control_meters(s->control, &meters) && rcr_meters_find(&meters, name));
}

/* True if the set of the file has a counter of that name. */
static bool is_in_set(struct checking *k, const char *name)
{
	const struct config_line *line = config_find(k->config, CONFIG_SET);
	char event[RCR_EVENT_LEN];
	struct config_words w;
	struct why why;
	unsigned int i;

	if (!line || config_split(line->value, &w, &why))
		return false;
	for (i = 0; i < w.count; i++)
		if (!names_resolve(session_names(k->session), w.word[i], event, &why) &&
		    meter_event_is_named(event, name))
			return true;
	return false;
}

/* Checks a name in a formula; any name is accepted if the family is unknown. */
static int check_formula_name(struct checking *k, const struct config_line *line,
			      const char *name, struct why *why)
{
	char event[RCR_EVENT_LEN];
	struct config_words w;

	if (!*session_names(k->session)->family || !strcmp(name, "sampler_cycles") ||
	    is_in_set(k, name) || is_added(k->config, name, line->number, &w) ||
	    find_meter_row(k->session, name))
		return 0;
	if (!names_resolve(session_names(k->session), name, event, why))
		return 0;
	return is_in_module(k->session, name) ? 0 : -1;
}

/* Accepts any name as a counter, to check the grammar alone. */
static int any_counter(void *context, const char *name, char canonical[RCR_NAME_LEN],
		       bool *gauge)
{
	(void)context;
	snprintf(canonical, RCR_NAME_LEN, "%s", name);
	*gauge = false;
	return 0;
}

static int check_grammar(const char *formula, struct why *why)
{
	struct rcr_formula_names names = { .counter = any_counter, .tsc_hz = 1000000000 };
	char reason[RCR_SENTENCE_LEN];
	struct rcr_form form;

	if (rcr_formula_compile(formula, ADDED_DIGITS, &names, &form, reason, sizeof(reason)) &&
	    errno == EINVAL)
		return because(why, "%s", reason);
	return 0;
}

static int check_formula(struct checking *k, const struct config_line *line, const char *formula,
			 struct why *why)
{
	static struct formula_names names;
	unsigned int i;

	if (check_grammar(formula, why) || formula_find_names(formula, &names, why))
		return -1;
	for (i = 0; i < names.count; i++)
		if (check_formula_name(k, line, names.name[i].text, why))
			return -1;
	return 0;
}

/* Checks the name of a meter by the rules of the module. */
static int check_meter_name(const char *name, struct why *why)
{
	const char *at;

	if (strlen(name) >= RCR_METER_NAME_LEN)
		return because(why, "invalid meter name '%s': the maximum is %d characters", name,
			       RCR_METER_NAME_LEN - 1);
	for (at = name; isalnum((unsigned char)*at) || *at == '_' || *at == '.'; at++)
		;
	if (!*at && (isalpha((unsigned char)*name) || *name == '_'))
		return 0;
	return because(why, "invalid meter name '%s': begin with a letter; use letters, digits, _ and dots",
		       name);
}

/* A line without a formula adds the counters that a meter of the family needs. */
static int check_waiting(struct checking *k, const struct config_line *line, const char *name,
			 struct why *why)
{
	struct config_words w;

	if (!*session_names(k->session)->family || find_meter_row(k->session, name) ||
	    is_added(k->config, name, line->number, &w) || is_in_module(k->session, name))
		return 0;
	return because(why, "no meter '%s' waits for its counters: add a formula, or --posted",
		       name);
}

void check_meter_line(struct checking *k, const struct config_line *line)
{
	const char *name, *formula;
	struct config_words w;
	struct call c = { .session = k->session, .args = w.word };
	bool posted;
	struct why why;
	int status;

	config_split(line->value, &w, &why);
	c.count = w.count;
	message_at(k->path, line->number);
	status = check_meter_words(&c, &name, &formula, &posted);
	message_at(NULL, 0);
	if (status) {
		k->wrong++;
		return;
	}
	status = check_meter_name(name, &why);
	if (!status && formula)
		status = check_formula(k, line, formula, &why);
	else if (!status && !posted)
		status = check_waiting(k, line, name, &why);
	if (status)
		count_wrong_line(k, line->number, why.text);
}

/* Finds unit and digits of a meter; false if it is not known. */
static bool find_meter_scale(struct checking *k, const char *meter, struct config_words *w,
			     struct quantity_scale *scale)
{
	const struct catalogue_row *row = find_meter_row(k->session, meter);
	bool added = is_added(k->config, meter, UINT32_MAX, w);
	const char *digits;

	/* A line with nothing but the name refers to the meter of the family. */
	if (added && (w->count > 1 || !row)) {
		scale->unit = find_meter_option(w, "--unit");
		if (!scale->unit)
			scale->unit = "";
		digits = find_meter_option(w, "--digits");
		scale->digits = digits ? *digits - '0' : ADDED_DIGITS;
	} else if (row) {
		scale->unit = row->unit;
		scale->digits = row->digits;
	}
	return scale->unit;
}

static bool has_maximum(const struct config *config, const char *meter)
{
	unsigned int i;

	for (i = 0; i < config->count; i++)
		if (config->line[i].key == CONFIG_CALIBRATION ||
		    (config->line[i].key == CONFIG_MAXIMUM &&
		     !strcmp(config->line[i].name, meter)))
			return true;
	return false;
}

static int check_percent(const struct checking *k, const char *meter, const struct quantity *q,
			 struct why *why)
{
	if (strcmp(q->suffix, "%") || has_maximum(k->config, meter))
		return 0;
	return because(why, "a percentage needs the maximum of the meter: add a line 'maximum.%s = ...' or a calibration",
		       meter);
}

static int check_limit(struct checking *k, const struct config_line *line, struct why *why)
{
	struct quantity_scale scale = { .maximum = SOME_MAXIMUM };
	struct config_words w;
	struct quantity q;
	int64_t value;

	if (check_meter_name(line->name, why) || quantity_parse(line->value, &q, why))
		return -1;
	if (line->key == CONFIG_MAXIMUM && !strcmp(q.suffix, "%"))
		return because(why, "a maximum cannot be a percentage: write it in the unit of the meter");
	if (q.number < 0)
		return because(why, "a limit cannot be negative");
	if (check_percent(k, line->name, &q, why))
		return -1;
	return find_meter_scale(k, line->name, &w, &scale) ?
	       quantity_value(&q, &scale, &value, why) : 0;
}

void check_limit_line(struct checking *k, const struct config_line *line)
{
	struct why why;

	if (check_limit(k, line, &why))
		count_wrong_line(k, line->number, why.text);
}

/* Checks a condition, including its units if the meter is known. */
static int check_condition(struct checking *k, const char *text, struct why *why)
{
	struct quantity_scale scale = { .maximum = SOME_MAXIMUM };
	struct condition condition;
	struct config_words w;
	struct rcr_watch watch;

	if (condition_parse(text, &condition, why) || check_meter_name(condition.meter, why) ||
	    check_percent(k, condition.meter, &condition.bound, why) ||
	    (condition.has_back && check_percent(k, condition.meter, &condition.back, why)))
		return -1;
	if (condition.window_ns > RCR_SCALE_MAX_NS)
		return because(why, "the time after 'over' is too long: the maximum is a day, 1440min");
	return find_meter_scale(k, condition.meter, &w, &scale) ?
	       condition_watch(&condition, &scale, &watch, why) : 0;
}

/* Checks a crossing with the parser of 'rcrctl record'; reports and counts an invalid one. */
static bool is_bound_valid(struct checking *k, const struct config_line *line, char *condition,
			   const char *place)
{
	char *words[4] = { "--crossing", condition, "--place", (char *)place };
	struct call c = { .session = k->session, .count = 4, .args = words };
	int status;

	message_at(k->path, line->number);
	status = check_record(&c);
	message_at(NULL, 0);
	if (status)
		k->wrong++;
	return !status;
}

void check_crossing_line(struct checking *k, const struct config_line *line)
{
	const char *place;
	char copy[1024];
	struct why why;

	snprintf(copy, sizeof(copy), "%s", line->value);
	config_split_place(copy, &place);
	if (!config_find(k->config, CONFIG_RECORDER)) {
		count_wrong_line(k, line->number, "crossing needs a line 'recorder = TIME'");
	} else if (k->crossings == DAEMON_BOUNDS) {
		because(&why, "too many crossings: the recorder watches at most %d", DAEMON_BOUNDS);
		count_wrong_line(k, line->number, why.text);
	} else if (is_bound_valid(k, line, copy, place)) {
		k->crossings++;
		if (check_condition(k, copy, &why))
			count_wrong_line(k, line->number, why.text);
	}
}
