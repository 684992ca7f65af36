/* SPDX-License-Identifier: GPL-2.0-only */
/* config.h - configuration of rcrd, from a text file. */
#ifndef RCRD_CONFIG_H
#define RCRD_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "why.h"

#define CONFIG_PATH "/etc/rcrtool/rcrtool.conf"

/**
 * struct config - the configuration
 * @network_ns: interval of the network meters, ns; 0: do not post them
 * @is_public: write the public board
 */
struct config {
	uint64_t network_ns;
	bool is_public;
};

/* Parses @size bytes of the file @path. Returns 0, or -1 with @why filled in. */
int config_parse(const char *path, const char *text, size_t size, struct config *c,
		 struct why *why);

/* Reads @path; a missing file means all defaults. Returns 0, or -1 with @why filled in. */
int config_read(const char *path, struct config *c, struct why *why);

#endif
