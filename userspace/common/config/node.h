/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node.h - identity of this node: how records of many nodes are told apart. */
#ifndef COMMON_NODE_H
#define COMMON_NODE_H

#include <stdint.h>

#include "config/config.h"

#define NODE_TAGS 32

/**
 * struct node - identity of this node, from the configuration file
 * @producer: name of the node; by default the host name
 * @component: number of the node; by default the one at the end of @producer, as 17 for
 *	node017, or 0
 * @cluster: name of the cluster; empty: unknown
 * @tags: entries of @tag
 * @tag: further texts with their names
 */
struct node {
	char producer[256];
	uint64_t component;
	char cluster[256];
	unsigned int tags;
	struct {
		char name[64];
		char value[256];
	} tag[NODE_TAGS];
};

/* Takes a line, if it is of the identity; returns 0, or -1 with @why filled in. */
int node_take_line(struct node *node, const struct config_line *line, struct why *why);

/*
 * Reads the identity from the file @path; a missing file means all defaults. Returns 0, or -1 with
 * @why filled in.
 */
int node_read(struct node *node, const char *path, struct why *why);

#endif
