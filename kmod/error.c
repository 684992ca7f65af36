// SPDX-License-Identifier: GPL-2.0-only
/*
 * error.c - records an errno with a machine-readable reason and its arguments.
 *
 * Has no kernel state: also compiled into the unit tests.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/stdarg.h>
#include <linux/string.h>

#include "error.h"

/* Bytes of @r->text in use, including the terminating 0 of each string. */
static size_t texts_length(const struct rcr_reason *r)
{
	const char *text = r->text;
	unsigned int i;

	for (i = 0; i < r->texts; i++)
		text += strlen(text) + 1;
	return text - r->text;
}

static void append_number(struct rcr_reason *r, u64 number)
{
	if (r->numbers < RCR_REASON_NUMBERS)
		r->number[r->numbers++] = number;
}

/* Truncate a string that does not fit; @texts still counts it, unless the array is full. */
static void append_text(struct rcr_reason *r, const char *text)
{
	size_t at = texts_length(r);

	if (at == sizeof(r->text))
		return;
	strscpy(r->text + at, text, sizeof(r->text) - at);
	r->texts++;
}

static u64 next_number(const char *type, va_list *args)
{
	if (!strncmp(type, "ll", 2))
		return va_arg(*args, u64);
	if (*type == 'l' || *type == 'z')
		return va_arg(*args, unsigned long);
	if (*type == 'd')
		return (s64)va_arg(*args, int);
	return va_arg(*args, unsigned int);
}

/* @types contains printf() conversions only; each consumes one argument. */
static void append_arguments(struct rcr_reason *r, const char *types, va_list *args)
{
	for (types = strchr(types, '%'); types; types = strchr(types + 1, '%')) {
		if (types[1] == 's')
			append_text(r, va_arg(*args, const char *));
		else
			append_number(r, next_number(types + 1, args));
	}
}

/**
 * rcr_fail() - record a failure whose reason has no arguments
 * @f: filled in, unless it already holds a failure: the first one is the cause
 * @error: -errno
 * @code: the reason
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
 * rcr_fail_with() - record a failure whose reason has arguments
 * @f: filled in, unless it already holds a failure
 * @error: -errno
 * @code: the reason
 * @types: printf() conversions of the arguments without other text; the comment of @code
 *	in <linux/rcrreason.h> lists them
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
	append_arguments(&f->reason, types, &args);
	va_end(args);
	return rcr_fail(f, error, code);
}

/**
 * rcr_fail_within() - record a failure that was caused by another one
 * @f: filled in, unless it already holds a failure
 * @error: -errno
 * @code: a reason whose arguments are a string and another reason
 * @text: the string
 * @why: the failure whose reason is appended
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
	append_text(&f->reason, text);
	for (i = 0; i < why->reason.texts; i++, inner = rcr_reason_next(&why->reason, inner))
		append_text(&f->reason, inner);
	append_number(&f->reason, why->reason.code);
	for (i = 0; i < why->reason.numbers; i++)
		append_number(&f->reason, why->reason.number[i]);
	return rcr_fail(f, error, code);
}

/**
 * rcr_fail_like() - record a failure with the reason of another one
 * @f: filled in, unless it already holds a failure
 * @error: -errno
 * @why: the failure whose reason is copied, even if it has none
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
 * rcr_reason_next() - iterate over the strings of a reason
 * @r: the reason
 * @text: the current string; start with rcr_reason.text
 *
 * Return: the next string; after the last one an empty string, at the latest the last byte
 * of the array.
 */
const char *rcr_reason_next(const struct rcr_reason *r, const char *text)
{
	return min(text + strlen(text) + 1, r->text + sizeof(r->text) - 1);
}
