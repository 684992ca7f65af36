// SPDX-License-Identifier: GPL-2.0-only
/*
 * error.c - records the reason of a failure.
 *
 * Pure: compiled into the unit tests as well.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/stdarg.h>
#include <linux/string.h>

#include "error.h"

/* Bytes used by the texts of @r. */
static size_t texts_length(const struct rcr_reason *r)
{
	const char *text = r->text;
	unsigned int i;

	for (i = 0; i < r->texts; i++)
		text += strlen(text) + 1;
	return text - r->text;
}

static void add_number(struct rcr_reason *r, u64 number)
{
	if (r->numbers < RCR_REASON_NUMBERS)
		r->number[r->numbers++] = number;
}

/* Truncate a text that does not fit; it is counted nevertheless. */
static void add_text(struct rcr_reason *r, const char *text)
{
	size_t at = texts_length(r);

	if (at == sizeof(r->text))
		return;
	strscpy(r->text + at, text, sizeof(r->text) - at);
	r->texts++;
}

static u64 take_number(const char *type, va_list *args)
{
	if (!strncmp(type, "ll", 2))
		return va_arg(*args, u64);
	if (*type == 'l' || *type == 'z')
		return va_arg(*args, unsigned long);
	if (*type == 'd')
		return (s64)va_arg(*args, int);
	return va_arg(*args, unsigned int);
}

/* @types consists of conversions only, one for each argument. */
static void take_arguments(struct rcr_reason *r, const char *types, va_list *args)
{
	for (types = strchr(types, '%'); types; types = strchr(types + 1, '%')) {
		if (types[1] == 's')
			add_text(r, va_arg(*args, const char *));
		else
			add_number(r, take_number(types + 1, args));
	}
}

/**
 * rcr_fail() - records a failure
 * @f: filled in, unless there is a failure already: the first one is the cause
 * @error: -errno
 * @code: the reason; one without arguments
 *
 * Return: @error.
 */
int rcr_fail(struct rcr_failure *f, int error, enum rcr_reason_code code)
{
	if (f->error)
		return error;
	f->reason.code = code;
	f->error = error;
	return error;
}

/**
 * rcr_fail_with() - records a failure whose reason has arguments
 * @f: filled in
 * @error: -errno
 * @code: the reason
 * @types: the conversions of printf() for the arguments, and nothing between them; the
 *	comment of @code in <linux/rcrreason.h> names them
 *
 * Return: @error.
 */
int rcr_fail_with(struct rcr_failure *f, int error, enum rcr_reason_code code,
		  const char *types, ...)
{
	va_list args;

	if (f->error)
		return error;
	va_start(args, types);
	take_arguments(&f->reason, types, &args);
	va_end(args);
	return rcr_fail(f, error, code);
}

/**
 * rcr_fail_within() - records a failure whose reason contains another reason
 * @f: filled in
 * @error: -errno
 * @code: the reason; one with a text and a reason
 * @text: its text
 * @why: the contained reason
 *
 * Return: @error.
 */
int rcr_fail_within(struct rcr_failure *f, int error, enum rcr_reason_code code,
		    const char *text, const struct rcr_failure *why)
{
	const char *inner = why->reason.text;
	unsigned int i;

	if (f->error)
		return error;
	add_text(&f->reason, text);
	for (i = 0; i < why->reason.texts; i++, inner = rcr_reason_next(&why->reason, inner))
		add_text(&f->reason, inner);
	add_number(&f->reason, why->reason.code);
	for (i = 0; i < why->reason.numbers; i++)
		add_number(&f->reason, why->reason.number[i]);
	return rcr_fail(f, error, code);
}

/**
 * rcr_fail_like() - records a failure with the reason of another one
 * @f: filled in, unless there is a failure already
 * @error: -errno
 * @why: the other failure, which may have no reason
 *
 * Return: @error.
 */
int rcr_fail_like(struct rcr_failure *f, int error, const struct rcr_failure *why)
{
	if (f->error)
		return error;
	f->reason = why->reason;
	f->error = error;
	return error;
}

/**
 * rcr_reason_next() - the next text of a reason
 * @r: the reason
 * @text: one of its texts, the first of which is at rcr_reason.text
 *
 * Return: the next one; after the last, an empty one or the end of the array.
 */
const char *rcr_reason_next(const struct rcr_reason *r, const char *text)
{
	return min(text + strlen(text) + 1, r->text + sizeof(r->text) - 1);
}
