/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * message.h - one sentence on standard error, and the exit status that it means.
 */
#ifndef COMMON_MESSAGE_H
#define COMMON_MESSAGE_H

#define EXIT_USAGE 2

/* Sentences are about line @line of @file from now on; NULL: the command line. */
void message_at(const char *file, unsigned int line);

/* The command line is wrong; returns EXIT_USAGE. */
int wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* It was refused or failed; returns EXIT_FAILURE. */
int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Nothing failed, but it should be known. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same about line @line of @file. */
void note_line(const char *file, unsigned int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
