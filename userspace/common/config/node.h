/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node.h - identity of this node, which distinguishes its records from those of other nodes. */
#ifndef COMMON_NODE_H
#define COMMON_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"

#define NODE_TAGS 32

/* Where an identity comes from. */
enum node_origin {
	NODE_UNKNOWN,		/* a stream that was saved without it */
	NODE_DEFAULT,		/* defaults alone */
	NODE_GIVEN,		/* the configuration file, or the user */
};

/**
 * struct node - identity of this node, from the configuration file
 * @origin: where it comes from
 * @producer: name of the node; by default the host name
 * @has_component: @component is known
 * @component: number of the node; by default the one at the end of @producer, as 17 for
 *	node017, or 0
 * @cluster: name of the cluster; empty: unknown
 * @tags: entries of @tag
 * @tag: further texts with their names
 */
struct node {
	enum node_origin origin;
	char producer[256];
	bool has_component;
	uint64_t component;
	char cluster[256];
	unsigned int tags;
	struct {
		char name[64];
		char value[256];
	} tag[NODE_TAGS];
};

/* True if both identify the same node, whatever their origins. */
bool node_is_same(const struct node *a, const struct node *b);

/* Stores the value of a line if its key is part of the identity; returns 0, or -1 with @why. */
int node_take_line(struct node *node, const struct config_line *line, struct why *why);

/*
 * Stores a "KEY=VALUE" that was saved by means of node_visit(), in a file that is not trusted.
 * Returns 0, or -1 with @why filled in.
 */
int node_take_text(struct node *node, const char *text, struct why *why);

/* Callback for a part of the identity. */
typedef void (*node_each)(void *to, const char *key, const char *value);

/* Calls @each for producer, component_id, cluster and each tag.NAME that is known. */
void node_visit(const struct node *node, node_each each, void *to);

/*
 * Reads the identity from the file @path; a missing file means all defaults. Returns 0, or -1 with
 * @why filled in.
 */
int node_read(struct node *node, const char *path, struct why *why);

#endif
