// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * si.c - formats numbers for people: 12.3, 4.567k, 89.01M.
 *
 * Pure: no input, no output, no clock. Also compiled into the unit tests.
 */
#include <inttypes.h>
#include <stdio.h>

#include "print/si.h"

/* Value divided by step, rounded half up. */
static uint64_t divide_rounded(uint64_t value, uint64_t step)
{
	return value / step + (value % step >= (step + 1) / 2 && step > 1);
}

/* Formats four digits with @digits (1 to 3) of them after the decimal point. */
static void put_point(char text[SI_SIZE], unsigned int four, unsigned int digits,
		      char suffix)
{
	unsigned int i;

	text[6] = 0;
	text[5] = suffix;
	for (i = 5; i-- > 0; four /= 10) {
		if (i == 4 - digits)
			text[i--] = '.';
		text[i] = '0' + four % 10;
	}
}

/**
 * si_format() - format a number with four significant digits and an SI suffix
 * @text: output buffer
 * @tenths: the number times ten; all digits are printed below a thousand
 *
 * Returns @text.
 */
char *si_format(char text[SI_SIZE], uint64_t tenths)
{
	uint64_t step = 1;
	unsigned int power = 2;		/* power of ten of the first of the four digits */

	while (divide_rounded(tenths, step) > 9999) {
		step *= 10;
		power++;
	}
	if (step == 1)
		snprintf(text, SI_SIZE, "%u.%u", (unsigned int)(tenths / 10 % 1000),
			 (unsigned int)(tenths % 10));
	else
		put_point(text, divide_rounded(tenths, step), 3 - power % 3,
			  " kMGTPE"[power / 3]);
	return text;
}

/* Formats a number of at least 0, which may be less than one, with four significant digits. */
char *si_small(char *text, size_t size, double number)
{
	if (number >= 999.95)
		return si_format(text, number * 10 + 0.5);
	snprintf(text, size, "%.*f", number < 9.9995 ? 3 : number < 99.995 ? 2 : 1, number);
	return text;
}

/* Formats a number with a comma after each three digits. */
char *si_grouped(char text[SI_GROUPED_SIZE], uint64_t number)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%" PRIu64, number), i;
	size_t at = 0;

	for (i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			text[at++] = ',';
		text[at++] = digits[i];
	}
	text[at] = 0;
	return text;
}
