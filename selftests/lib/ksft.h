/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ksft.h - TAP, with the conventions and the names of functions of the kernel's selftests, so that
 * a test can be moved there unchanged.
 */
#ifndef RCR_KSFT_H
#define RCR_KSFT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KSFT_PASS 0
#define KSFT_FAIL 1
#define KSFT_SKIP 4

static unsigned int ksft_plan, ksft_number, ksft_failed, ksft_skipped;

static inline void ksft_print_header(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n");
}

static inline void ksft_set_plan(unsigned int plan)
{
	ksft_plan = plan;
	printf("1..%u\n", plan);
}

__attribute__((format(printf, 1, 2)))
static inline void ksft_print_msg(const char *format, ...)
{
	va_list args;

	fputs("# ", stdout);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
}

/* Declared by the C library: name of this program without its directory. */
extern char *program_invocation_short_name;

/* Begin a description that names no area with the name of the program. */
static inline void ksft_print_area(const char *format)
{
	size_t area = strspn(format, "abcdefghijklmnopqrstuvwxyz0123456789_");
	const char *name = program_invocation_short_name;

	if (!area || strncmp(format + area, ": ", 2))
		printf("%s: ", strncmp(name, "test_", 5) ? name : name + 5);
}

__attribute__((format(printf, 2, 3)))
static inline void ksft_test_result(bool pass, const char *format, ...)
{
	va_list args;

	ksft_number++;
	ksft_failed += !pass;
	printf("%s %u - ", pass ? "ok" : "not ok", ksft_number);
	ksft_print_area(format);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
}

__attribute__((format(printf, 1, 2)))
static inline void ksft_test_result_skip(const char *format, ...)
{
	va_list args;

	ksft_number++;
	ksft_skipped++;
	printf("ok %u # SKIP ", ksft_number);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
}

__attribute__((noreturn))
static inline void ksft_finished(void)
{
	if (ksft_number != ksft_plan) {
		ksft_print_msg("planned %u tests, ran %u\n", ksft_plan, ksft_number);
		exit(KSFT_FAIL);
	}
	if (ksft_failed)
		exit(KSFT_FAIL);
	exit(ksft_number && ksft_skipped == ksft_number ? KSFT_SKIP : KSFT_PASS);
}

/* End the test as failed, because it cannot continue. */
__attribute__((noreturn, format(printf, 1, 2)))
static inline void ksft_exit_fail_msg(const char *format, ...)
{
	va_list args;

	fputs("Bail out! ", stdout);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	exit(KSFT_FAIL);
}

#endif
