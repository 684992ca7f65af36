// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * form_text.c - write a meter's fixed form as a formula, such as
 * "max(rate(A + 2 x B) / C) x 64 / 1e6".
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fraction.h"
#include "rcr_form.h"

/* Numbers with at least this many trailing zeros are written with an exponent. */
#define MANY_ZEROS	4

struct output {
	char *at;
	size_t left;
	bool full;
};

__attribute__((format(printf, 2, 3)))
static void put_formatted(struct output *out, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(out->at, out->left, format, args);
	va_end(args);
	if (len < 0 || (size_t)len >= out->left) {
		out->full = true;
		return;
	}
	out->at += len;
	out->left -= len;
}

static bool is_reserved(const char *name)
{
	static const char *const words[] = {
		"delta", "rate", "scale", "min", "max", "mean", "threshold", "tsc_hz", "cpus",
	};
	unsigned int i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(name, words[i]))
			return true;
	return false;
}

static void put_counter_name(struct output *out, const char *name)
{
	static const char letters[] =
		"0123456789.:_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	bool is_word = !name[strspn(name, letters)] && !strchr("0123456789.:", *name);

	if (!*name)
		put_formatted(out, "sampler_cycles");
	else if (is_word && !is_reserved(name))
		put_formatted(out, "%s", name);
	else
		put_formatted(out, "\"%s\"", name);
}

static void put_sum(struct output *out, const struct rcr_form_side *s)
{
	const struct rcr_form_term *t;
	unsigned int i;

	for (i = 0; i < s->terms; i++) {
		t = &s->term[i];
		if (i)
			put_formatted(out, t->weight < 0 ? " - " : " + ");
		else if (t->weight < 0)
			put_formatted(out, "-");
		if (labs(t->weight) != 1)
			put_formatted(out, "%ld x ", labs(t->weight));
		put_counter_name(out, t->name);
	}
}

/* Write a side without its reduction, as an operand of a product. */
static void put_plain(struct output *out, const struct rcr_form_side *s)
{
	bool is_rate = s->term[0].kind == RCR_TERM_RATE;
	bool is_sum = !is_rate && (s->terms > 1 || labs(s->term[0].weight) != 1);

	put_formatted(out, "%s", is_rate ? "rate(" : is_sum ? "(" : "");
	put_sum(out, s);
	put_formatted(out, "%s", is_rate || is_sum ? ")" : "");
}

static const char *reduction_name(uint32_t reduction)
{
	static const char *const names[] = {
		[RCR_REDUCE_SUM] = "sum", [RCR_REDUCE_MEAN] = "mean",
		[RCR_REDUCE_MIN] = "min", [RCR_REDUCE_MAX] = "max",
	};

	return names[reduction];
}

static void put_reduced(struct output *out, const struct rcr_form_side *s)
{
	bool is_gauge = s->term[0].kind == RCR_TERM_GAUGE;

	if (s->reduction == (is_gauge ? RCR_REDUCE_MEAN : RCR_REDUCE_SUM) &&
	    !(is_gauge && s->terms > 1)) {
		put_plain(out, s);
		return;
	}
	put_formatted(out, "%s(", reduction_name(s->reduction));
	if (s->term[0].kind == RCR_TERM_RATE)
		put_plain(out, s);
	else
		put_sum(out, s);
	put_formatted(out, ")");
}

static void put_ratio(struct output *out, const struct rcr_form *f)
{
	if (!f->per_cpu) {
		put_reduced(out, &f->above);
		if (!f->below.terms)
			return;
		put_formatted(out, " / ");
		put_reduced(out, &f->below);
		return;
	}
	put_formatted(out, "%s(", reduction_name(f->above.reduction));
	put_plain(out, &f->above);
	put_formatted(out, " / ");
	put_plain(out, &f->below);
	put_formatted(out, ")");
}

static void put_integer(struct output *out, uint64_t number)
{
	uint64_t start = number;
	unsigned int zeros = 0;

	for (; number && number % 10 == 0; number /= 10)
		zeros++;
	if (zeros >= MANY_ZEROS)
		put_formatted(out, "%" PRIu64 "e%u", number, zeros);
	else
		put_formatted(out, "%" PRIu64, start);
}

/* Described in rcr_form.h. */
int rcr_form_text(const struct rcr_form *form, unsigned int digits, char *text, size_t size)
{
	__uint128_t den = form->denominator;
	struct output out = { text, size, false };
	struct fraction k;

	while (digits--)
		den *= 10;
	if (!fraction_reduce(form->numerator, den, false, &k))
		out.full = true;
	put_ratio(&out, form);
	if (k.num != 1)
		put_formatted(&out, " x ");
	if (k.num != 1)
		put_integer(&out, k.num);
	if (k.den != 1)
		put_formatted(&out, " / ");
	if (k.den != 1)
		put_integer(&out, k.den);
	if (!out.full)
		return 0;
	errno = E2BIG;
	return -1;
}
