/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resolve.h - resolves places to functions and lines, with the privileges of the caller. */
#ifndef RCRCTL_RESOLVE_H
#define RCRCTL_RESOLVE_H

#include "where/places.h"

/*
 * Fills in functions and lines of the places, and problems of the files. Returns 0, or -1 with @why
 * filled in if some or all files could not be parsed.
 */
int resolve_places(struct places *p, struct why *why);

#endif
