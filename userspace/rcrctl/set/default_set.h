/* SPDX-License-Identifier: GPL-2.0-or-later */
/* default_set.h - names of the events that the module counts when it is loaded. */
#ifndef RCRCTL_DEFAULT_SET_H
#define RCRCTL_DEFAULT_SET_H

/* Most events of a default set. */
#define DEFAULT_SET_MAX 6

/* The default set of @family, which is empty if the machine hides its counters; NULL ends it. */
const char *const *default_set(const char *family);

#endif
