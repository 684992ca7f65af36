/* SPDX-License-Identifier: GPL-2.0-or-later */
/* message.h - prints messages to standard error and returns the matching exit status. */
#ifndef COMMON_MESSAGE_H
#define COMMON_MESSAGE_H

#define EXIT_USAGE 2

/* Prefixes later messages with line @line of @file; NULL: with the program's name. */
void message_at(const char *file, unsigned int line);

/* Reports an error of the command line; returns EXIT_USAGE. */
int wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Reports a refusal or failure; returns EXIT_FAILURE. */
int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a warning. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a warning about line @line of @file. */
void note_line(const char *file, unsigned int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
