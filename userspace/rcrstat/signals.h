/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * signals.h - what reaches rcrstat from outside while it runs.
 */
#ifndef RCRSTAT_SIGNALS_H
#define RCRSTAT_SIGNALS_H

#include <stdbool.h>

void signals_catch(void);

/* Was it told to end? It ends at the next item, with what was written complete. */
bool signals_stopped(void);

/* Has the terminal another size since this was asked last? */
bool signals_resized(void);

#endif
