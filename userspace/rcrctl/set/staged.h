/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staged.h - differences between the staged and the running set. */
#ifndef RCRCTL_STAGED_H
#define RCRCTL_STAGED_H

#include <signal.h>

#include "verbs.h"

/* True if apply would change the running set. */
bool staged_differs(const struct rcr_state *state);

/*
 * Blocks terminating signals, so that the set is not left half replaced. @before: filled in with
 * the previous signal mask, which the caller restores.
 */
void set_delay_signals(sigset_t *before);

/* Prints, on a terminal, what apply would change. */
void staged_report(struct session *s);

#endif
