/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * config.h - what a site chooses of rcrd, in a text file.
 */
#ifndef RCRD_CONFIG_H
#define RCRD_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "why.h"

#define CONFIG_PATH "/etc/rcrtool/rcrtool.conf"

/**
 * struct config - the choices
 * @network_ns: interval of the network meters; 0: they are not posted
 * @is_public: the public board is written
 */
struct config {
	uint64_t network_ns;
	bool is_public;
};

/* Parses @size bytes of the file @path. Returns 0, or -1 with the reason. */
int config_parse(const char *path, const char *text, size_t size, struct config *c,
		 struct why *why);

/* Reads @path; without that file all is as by default. Returns 0, or -1 with the reason. */
int config_read(const char *path, struct config *c, struct why *why);

#endif
