// SPDX-License-Identifier: GPL-2.0-or-later
/* resolve_absent.c - replaces resolve.c if rcrctl is built without the headers of libdw. */
#include "where/resolve.h"

int resolve_places(struct places *p, struct why *why)
{
	(void)p;
	return because(why, "cannot name functions and lines: rcrctl was built without libdw");
}
