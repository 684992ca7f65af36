// SPDX-License-Identifier: GPL-2.0-or-later
/* config_keys.c - checks the values of the configuration file. */
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "parse/condition.h"
#include "parse/number.h"
#include "parse/period.h"
#include "parse/trigger.h"
#include "parse/utf8.h"

#define SECOND 1000000000ull
#define NETWORK_LEAST (SECOND / 10)
#define NETWORK_MOST (3600 * SECOND)
#define EVIDENCE_LEAST 1000000
#define PERIOD_LEAST 20000ull
#define PERIOD_MOST (3600 * SECOND)

static int take_network(const char *value, struct config *c, struct why *why)
{
	if (!strcmp(value, "off")) {
		c->network_ns = 0;
		return 0;
	}
	if (period_parse(value, &c->network_ns) && c->network_ns >= NETWORK_LEAST &&
	    c->network_ns <= NETWORK_MOST)
		return 0;
	return because(why, "invalid interval '%s': use off, or 100ms to 60min", value);
}

static int take_public(const char *value, struct config *c, struct why *why)
{
	c->is_public = !strcmp(value, "on");
	return c->is_public || !strcmp(value, "off") ? 0 :
	       because(why, "invalid value '%s': use on or off", value);
}

static int take_evidence(const char *value, struct config *c, struct why *why)
{
	const struct quantity_scale scale = { .unit = "B" };
	struct why none;
	struct quantity q;
	int64_t bytes;

	c->evidence = 0;
	if (!strcmp(value, "off"))
		return 0;
	if (quantity_parse(value, &q, &none) || quantity_value(&q, &scale, &bytes, &none) ||
	    bytes < EVIDENCE_LEAST)
		return because(why, "invalid size '%s': use off, or 1M and more", value);
	c->evidence = bytes;
	return 0;
}

/* Checks the name of the model only: the events depend on the machine. */
static int check_group(const struct config_line *line, struct why *why)
{
	if (strcmp(line->name, "memory") && strcmp(line->name, "cache"))
		return because(why, "unknown model '%s': there are memory and cache", line->name);
	return *line->value ? 0 : because(why, "the value is missing");
}

static int check_config_period(const char *value, struct why *why)
{
	uint64_t ns;

	if (period_parse(value, &ns) && ns >= PERIOD_LEAST && ns <= PERIOD_MOST)
		return 0;
	return because(why, "invalid period '%s': use 20us to 60min, for example 10ms", value);
}

static int check_words(const char *value, struct why *why)
{
	struct config_words w;

	return config_split(value, &w, why);
}

static int check_quantity(const char *value, struct why *why)
{
	struct quantity q;

	return quantity_parse(value, &q, why);
}

static int check_recorder(const char *value, struct why *why)
{
	struct config_recorder r;

	return config_parse_recorder(value, &r, why);
}

static int check_crossing(const char *value, struct why *why)
{
	struct condition condition;
	const char *place;
	char copy[1024];

	strncpy(copy, value, sizeof(copy) - 1);
	copy[sizeof(copy) - 1] = 0;
	config_split_place(copy, &place);
	return condition_parse(copy, &condition, why);
}

static int check_number(const char *value, struct why *why)
{
	uint64_t number;

	return number_parse(value, &number) ? 0 : because(why, "invalid number '%s'", value);
}

static int check_text(const char *value, struct why *why)
{
	return *value ? 0 : because(why, "the value is missing");
}

/* Refuses characters that cannot be escaped in all output formats. */
static int check_identity(const char *value, struct why *why)
{
	const char *at;

	for (at = value; *at; at += utf8_length(at))
		if (strchr("\"\\,", *at) || !utf8_length(at))
			return because(why, "invalid text '%s': use UTF-8 without quotes, commas, backslashes and control characters",
				       value);
	return check_text(value, why);
}

static int check_tag(const struct config_line *line, struct why *why)
{
	const char *at;

	for (at = line->name; *at; at++)
		if (!strchr("_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", *at))
			return because(why, "invalid name of a tag '%s': use letters, digits and _",
				       line->name);
	return check_identity(line->value, why);
}

int config_take_value(struct config *c, const struct config_line *line, struct why *why)
{
	switch (line->key) {
	case CONFIG_NETWORK:
		return take_network(line->value, c, why);
	case CONFIG_PUBLIC:
		return take_public(line->value, c, why);
	case CONFIG_SET:
	case CONFIG_METER:
		return check_words(line->value, why);
	case CONFIG_PERIOD:
		return check_config_period(line->value, why);
	case CONFIG_MAXIMUM:
	case CONFIG_CONTENTION:
		return check_quantity(line->value, why);
	case CONFIG_RECORDER:
		return check_recorder(line->value, why);
	case CONFIG_CROSSING:
		return check_crossing(line->value, why);
	case CONFIG_COMPONENT_ID:
		return check_number(line->value, why);
	case CONFIG_CALIBRATION:
		return check_text(line->value, why);
	case CONFIG_PRODUCER:
	case CONFIG_CLUSTER:
		return check_identity(line->value, why);
	case CONFIG_TAG:
		return check_tag(line, why);
	case CONFIG_GROUP:
		return check_group(line, why);
	case CONFIG_EVIDENCE:
		return take_evidence(line->value, c, why);
	}
	return because(why, "invalid key");
}
