/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staged.h - difference of the staged set to the running one. */
#ifndef RCRCTL_STAGED_H
#define RCRCTL_STAGED_H

#include <signal.h>

#include "verbs.h"

/* True if apply would change the running set. */
bool staged_differs(const struct rcr_state *state);

/*
 * Delays terminating signals until the set is either the new or the old one; @before: the mask of
 * signals before.
 */
void set_delay_signals(sigset_t *before);

/* Prints, on a terminal, what apply would change. */
void staged_report(struct session *s);

#endif
