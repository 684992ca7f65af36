/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resolve.h - names code by the files that were executed, with the rights of the caller. */
#ifndef RCRCTL_RESOLVE_H
#define RCRCTL_RESOLVE_H

#include "where/places.h"

/*
 * Fills in the functions and lines of all places that can be named, and the problems of files.
 * Returns 0, or -1 with @why filled in: no place can be.
 */
int resolve_places(struct places *p, struct why *why);

#endif
