/* SPDX-License-Identifier: GPL-2.0-or-later */
/* configure.h - checks and applies the configuration file. */
#ifndef RCRCTL_CONFIGURE_H
#define RCRCTL_CONFIGURE_H

#include "config/config.h"
#include "verbs.h"

/*
 * Reads and checks @path; names of events and meters only if the family of this machine is known.
 * Reports every invalid line as FILE:LINE. Returns EXIT_SUCCESS, or EXIT_FAILURE after reporting
 * errors. The caller frees @config in any case.
 */
int configure_read(struct session *s, const char *path, struct config *config);

/* Applies all lines of a checked file; returns the status of the first verb that failed, or 0. */
int configure_apply(struct session *s, const char *path, const struct config *config);

#endif
