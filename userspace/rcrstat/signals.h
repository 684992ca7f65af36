/* SPDX-License-Identifier: GPL-2.0-or-later */
/* signals.h - signal handlers of rcrstat. */
#ifndef RCRSTAT_SIGNALS_H
#define RCRSTAT_SIGNALS_H

#include <stdbool.h>

void signals_catch(void);

/* True after SIGINT, SIGTERM or SIGHUP: the run ends at the next item, with complete output. */
bool signals_stopped(void);

/* True if the terminal was resized since the last call. */
bool signals_resized(void);

/* Catches SIGTSTP, which then no longer stops this process: see signals_suspended(). */
void signals_catch_suspend(void);

/* True if the user asked to suspend this process since the last call. */
bool signals_suspended(void);

#endif
