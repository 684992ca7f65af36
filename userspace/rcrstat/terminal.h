/* SPDX-License-Identifier: GPL-2.0-or-later */
/* terminal.h - the alternate screen and the keyboard of a terminal. */
#ifndef RCRSTAT_TERMINAL_H
#define RCRSTAT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* True if colours may be written to @out: a terminal, unless NO_COLOR forbids it. */
bool terminal_has_colours(FILE *out);

/* True if the locale has characters beyond ASCII. */
bool terminal_is_utf8(void);

/* Switches @out to the alternate screen, and reads single keys if standard input is a terminal. */
void terminal_enter(FILE *out);

/* Undoes terminal_enter(). */
void terminal_leave(FILE *out);

/* Descriptor to wait for keys on; -1: there is no keyboard. */
int terminal_keys(void);

/* Reads the keys that were pressed; true if one of them is q. */
bool terminal_quits(void);

#endif
