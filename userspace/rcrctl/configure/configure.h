/* SPDX-License-Identifier: GPL-2.0-or-later */
/* configure.h - checks and applies the configuration file. */
#ifndef RCRCTL_CONFIGURE_H
#define RCRCTL_CONFIGURE_H

#include "config/config.h"
#include "verbs.h"

/*
 * Reads and checks @path, also events, meters and units, as far as this machine is known. Every
 * invalid line is reported as FILE:LINE. Returns EXIT_SUCCESS, or EXIT_FAILURE after reporting
 * errors. The caller frees @config in any case.
 */
int configure_read(struct session *s, const char *path, struct config *config);

/* Applies a file that has been checked; an error does not end it. */
int configure_apply(struct session *s, const char *path, const struct config *config);

#endif
