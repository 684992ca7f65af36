// SPDX-License-Identifier: GPL-2.0-only
/*
 * error.c - keeps the reason of a failure.
 *
 * Pure: compiled into the unit tests as well.
 */
#include <linux/kernel.h>
#include <linux/stdarg.h>

#include "error.h"

/**
 * rcr_fail() - something could not be done
 * @f: gets it, unless it already has a failure: what follows from the first
 *	one explains nothing
 * @error: -errno
 * @format: one sentence: what is wrong, and what to do
 *
 * Return: @error.
 */
int rcr_fail(struct rcr_failure *f, int error, const char *format, ...)
{
	va_list args;

	if (f->error)
		return error;
	va_start(args, format);
	vsnprintf(f->reason, sizeof(f->reason), format, args);
	va_end(args);
	f->error = error;
	return error;
}
