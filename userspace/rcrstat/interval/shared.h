/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shared.h - counters that several CPUs share: rates and totals per unit. */
#ifndef RCRSTAT_SHARED_H
#define RCRSTAT_SHARED_H

#include <stdint.h>

#include "interval/interval.h"
#include "interval/units.h"

/* After the values of enum rcr_scope: any scope that this program does not know. */
#define SCOPE_OTHER	(RCR_SCOPE_CORE + 1)
#define SCOPES		(SCOPE_OTHER + 1)

unsigned int counter_scope(const struct rcr_set *set, unsigned int counter);
enum rcr_status shared_rate(const struct intervals *v, const struct unit *u,
			    unsigned int counter, uint64_t *tenths);
enum rcr_status shared_status(const struct intervals *v, const struct unit *u,
			      unsigned int counter);
unsigned int shared_suspect(const struct intervals *v, const struct unit *u,
			    unsigned int counter);
uint64_t shared_total(const struct intervals *v, const struct unit *u,
		      unsigned int counter);

#endif
