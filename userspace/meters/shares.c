// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * shares.c - derives the limits of parts of the machine from those of the machine.
 *
 * Pure: also compiled into the unit tests.
 */
#include "shares.h"

bool share_adds_up(const struct rcr_form *form)
{
	/* A form without terms is that of a posted meter, whose values may be of any kind. */
	return form->above.terms && !form->below.terms && !form->per_cpu &&
	       form->above.reduction == RCR_REDUCE_SUM &&
	       form->above.term[0].kind != RCR_TERM_GAUGE;
}

int64_t share_of(int64_t limit, unsigned int places)
{
	int64_t share = places ? limit / (int64_t)places : limit;

	/* A limit of 0 would mean that it is not known. */
	return share || limit <= 0 ? share : 1;
}
