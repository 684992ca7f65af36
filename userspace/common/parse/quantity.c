// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * quantity.c - converts quantities between text and values of meters.
 *
 * Pure: also compiled into the unit tests.
 */
#include <stdio.h>
#include <string.h>

#include "parse/number.h"
#include "parse/quantity.h"

static const struct {
	const char *name;
	double factor;
	double divisor;
} prefixes[] = {
	{ "Ki", 1ull << 10, 1 }, { "Mi", 1ull << 20, 1 }, { "Gi", 1ull << 30, 1 },
	{ "Ti", 1ull << 40, 1 }, { "k", 1e3, 1 }, { "K", 1e3, 1 }, { "M", 1e6, 1 },
	{ "G", 1e9, 1 }, { "T", 1e12, 1 }, { "P", 1e15, 1 }, { "m", 1, 1e3 }, { "u", 1, 1e6 },
};

int quantity_parse(const char *text, struct quantity *q, struct why *why)
{
	const char *end = number_begin(text, &q->number);

	if (!end)
		return because(why, "invalid number '%.40s': use for example 2.5, 10G, 1.5e9 or 80%%",
			       text);
	if (strlen(end) >= sizeof(q->suffix))
		return because(why, "unknown unit '%.40s'", end);
	strcpy(q->suffix, end);
	return 0;
}

/* Factor of a prefix that is followed by @unit or by nothing; 0 if invalid. */
static long double find_factor(const char *suffix, const char *unit)
{
	size_t i, len;

	if (!*suffix || !strcmp(suffix, unit))
		return 1;
	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		len = strlen(prefixes[i].name);
		if (!strncmp(suffix, prefixes[i].name, len) &&
		    (!suffix[len] || !strcmp(suffix + len, unit)))
			return prefixes[i].factor / (long double)prefixes[i].divisor;
	}
	return 0;
}

/* Rounds to the nearest integer. */
static int64_t round_to_nearest(long double number)
{
	return number < 0 ? -(int64_t)(0.5 - number) : (int64_t)(number + 0.5);
}

int quantity_value(const struct quantity *q, const struct quantity_scale *scale,
		   int64_t *value, struct why *why)
{
	long double number = q->number, factor = find_factor(q->suffix, scale->unit);
	unsigned int i;

	if (!factor && !strcmp(q->suffix, "%")) {
		if (!scale->maximum)
			return because(why, "a percentage needs the maximum of the meter: set it with 'rcrctl meter max'");
		factor = scale->maximum / (long double)100;
	} else if (!factor) {
		return because(why, "'%s' is not the unit of the meter, which is '%s'; k, M, G, T and others may precede it",
			       q->suffix, scale->unit);
	} else {
		for (i = 0; i < scale->digits; i++)
			number *= 10;
	}
	number *= factor;
	if (!(number < 9e18 && number > -9e18))
		return because(why, "%Lg%s is too large for the meter", q->number, q->suffix);
	*value = round_to_nearest(number);
	return 0;
}

char *quantity_text(char text[QUANTITY_LEN], int64_t value, unsigned int digits)
{
	uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value, one = 1;
	unsigned int i;

	if (digits > 18)
		digits = 18;
	for (i = 0; i < digits; i++)
		one *= 10;
	if (digits)
		snprintf(text, QUANTITY_LEN, "%s%llu.%0*llu", value < 0 ? "-" : "",
			 (unsigned long long)(size / one), (int)digits,
			 (unsigned long long)(size % one));
	else
		snprintf(text, QUANTITY_LEN, "%s%llu", value < 0 ? "-" : "",
			 (unsigned long long)size);
	return text;
}

char *quantity_short(char text[QUANTITY_LEN], int64_t value, unsigned int digits)
{
	static const char units[] = " kMGTPE";
	double number = value;
	unsigned int power = 0;

	for (; digits; digits--)
		number /= 10;
	/* 999.95 rounds to a thousand in four digits. */
	while ((number >= 999.95 || number <= -999.95) && power < sizeof(units) - 2) {
		number /= 1000;
		power++;
	}
	if (power)
		snprintf(text, QUANTITY_LEN, "%#.4g%c", number, units[power]);
	else
		snprintf(text, QUANTITY_LEN, "%.4g", number);
	return text;
}
