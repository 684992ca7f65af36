// SPDX-License-Identifier: GPL-2.0-only
/*
 * number_parse.c - reads a number: DIGITS [ "." DIGITS ] [ "e" [ SIGN ] DIGITS ].
 *
 * Pure: compiled into the unit tests as well.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "number.h"

#define MAX_POWER	99	/* of ten, of the last digit that is kept */
#define EXACT_POWER	27	/* 5^27 has 63 bits */
#define KEEP_BITS	120	/* one more digit fits in 128 */

/* A decimal number as it is read: @val x 10^@power. */
struct decimal {
	__uint128_t val;
	int power;
};

/* Digits too far behind to matter are let go, but they keep their places. */
static const char *read_digits(const char *at, bool fraction, struct decimal *d)
{
	for (; isdigit(*at); at++) {
		if (d->val >> KEEP_BITS) {
			d->power += !fraction;
			continue;
		}
		d->val = d->val * 10 + (*at - '0');
		d->power -= fraction;
	}
	return at;
}

static const char *read_exponent(const char *at, struct decimal *d)
{
	bool negative = at[1] == '-';
	const char *digit = at + 1 + (negative || at[1] == '+');
	int power = 0;

	if (!isdigit(*digit))
		return at;
	for (; isdigit(*digit); digit++)
		power = min(power * 10 + (*digit - '0'), 10000);
	d->power += negative ? -power : power;
	return digit;
}

static struct rcr_number exact_power(unsigned int power)
{
	struct rcr_number n;
	u64 five = 1;
	unsigned int i;

	for (i = 0; i < power; i++)
		five *= 5;
	n = rcr_number_from_u64(five);
	n.exponent += power;
	return n;
}

static struct rcr_number scale(struct rcr_number n, int power)
{
	int step;

	for (; power > 0; power -= step) {
		step = min(power, EXACT_POWER);
		n = rcr_number_mul(n, exact_power(step));
	}
	for (; power < 0; power += step) {
		step = min(-power, EXACT_POWER);
		n = rcr_number_div(n, exact_power(step));
	}
	return n;
}

/**
 * rcr_number_parse() - reads a number without a sign
 * @text: where it begins; moved behind it
 * @n: gets it, right to 2^-60 of itself
 *
 * An "e" that no digits follow is not a part of it.
 *
 * Return: 0; -EINVAL when no digit stands there; -ERANGE when the last digit's
 * place is not within 10^-99 and 10^99 (then nothing is moved or set).
 */
int rcr_number_parse(const char **text, struct rcr_number *n)
{
	struct decimal d = { };
	const char *at = *text;

	if (!isdigit(*at))
		return -EINVAL;
	at = read_digits(at, false, &d);
	if (*at == '.' && isdigit(at[1]))
		at = read_digits(at + 1, true, &d);
	if (*at == 'e' || *at == 'E')
		at = read_exponent(at, &d);
	if (d.power < -MAX_POWER || d.power > MAX_POWER)
		return -ERANGE;
	*n = scale(rcr_number_from_u128(d.val), d.power);
	*text = at;
	return 0;
}
