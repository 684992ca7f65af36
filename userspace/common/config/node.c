// SPDX-License-Identifier: GPL-2.0-or-later
/* node.c - identity of this node. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/node.h"
#include "parse/number.h"
#include "parse/utf8.h"

/* The number at the end of a host name, before its domain; 0 if there is none. */
static uint64_t number_at_end(const char *name)
{
	size_t end = strcspn(name, "."), at = end;
	char digits[32];
	uint64_t number;

	while (at && isdigit((unsigned char)name[at - 1]))
		at--;
	if (end - at >= sizeof(digits))
		return 0;
	memcpy(digits, name + at, end - at);
	digits[end - at] = '\0';
	return number_parse(digits, &number) ? number : 0;
}

static int copy_identity(char *to, size_t size, const struct config_line *line, struct why *why)
{
	if (strlen(line->value) >= size)
		return because(why, "a text of the identity has at most %zu characters", size - 1);
	strcpy(to, line->value);
	return 0;
}

static int add_tag(struct node *node, const struct config_line *line, struct why *why)
{
	unsigned int i;

	for (i = 0; i < node->tags && strcmp(node->tag[i].name, line->name); i++)
		;
	if (i == NODE_TAGS)
		return because(why, "more than %u tags", NODE_TAGS);
	strcpy(node->tag[i].name, line->name);
	node->tags += i == node->tags;
	return copy_identity(node->tag[i].value, sizeof(node->tag[0].value), line, why);
}

bool node_is_same(const struct node *a, const struct node *b)
{
	unsigned int i;

	if (strcmp(a->producer, b->producer) || a->has_component != b->has_component ||
	    a->component != b->component || strcmp(a->cluster, b->cluster) || a->tags != b->tags)
		return false;
	for (i = 0; i < a->tags; i++)
		if (strcmp(a->tag[i].name, b->tag[i].name) ||
		    strcmp(a->tag[i].value, b->tag[i].value))
			return false;
	return true;
}

int node_take_line(struct node *node, const struct config_line *line, struct why *why)
{
	switch (line->key) {
	case CONFIG_PRODUCER:
		return copy_identity(node->producer, sizeof(node->producer), line, why);
	case CONFIG_CLUSTER:
		return copy_identity(node->cluster, sizeof(node->cluster), line, why);
	case CONFIG_TAG:
		return add_tag(node, line, why);
	default:
		return 0;
	}
}

/* Finds the key of "KEY" or "KEY.NAME", and copies NAME to @line; -1 if the key is unknown. */
static int identity_key(const char *text, size_t length, struct config_line *line)
{
	static const struct {
		const char *name;
		enum config_key key;
	} keys[] = {
		{ "producer", CONFIG_PRODUCER },
		{ "component_id", CONFIG_COMPONENT_ID },
		{ "cluster", CONFIG_CLUSTER },
	};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strlen(keys[i].name) == length && !memcmp(text, keys[i].name, length))
			return keys[i].key;
	if (length <= 4 || length - 4 >= sizeof(line->name) || memcmp(text, "tag.", 4))
		return -1;
	memcpy(line->name, text + 4, length - 4);
	return CONFIG_TAG;
}

int node_take_text(struct node *node, const char *text, struct why *why)
{
	const char *equal = strchr(text, '=');
	struct config_line line = { };
	struct config unused;
	char value[256];
	int key = equal ? identity_key(text, equal - text, &line) : -1;

	if (key < 0)
		return because(why, "'%.64s' is not part of the identity of a node", text);
	if (strlen(equal + 1) >= sizeof(value))
		return because(why, "a text of the identity has at most %zu characters",
			       sizeof(value) - 1);
	strcpy(value, equal + 1);
	line.key = key;
	line.value = value;
	if (config_take_value(&unused, &line, why) || node_take_line(node, &line, why))
		return -1;
	if (line.key == CONFIG_COMPONENT_ID) {
		node->has_component = true;
		number_parse(value, &node->component);
	}
	return 0;
}

void node_visit(const struct node *node, node_each each, void *to)
{
	char text[sizeof(node->tag[0].name) + 4];
	unsigned int i;

	if (*node->producer)
		each(to, "producer", node->producer);
	if (node->has_component) {
		snprintf(text, sizeof(text), "%" PRIu64, node->component);
		each(to, "component_id", text);
	}
	if (*node->cluster)
		each(to, "cluster", node->cluster);
	for (i = 0; i < node->tags; i++) {
		snprintf(text, sizeof(text), "tag.%s", node->tag[i].name);
		each(to, text, node->tag[i].value);
	}
}

static bool is_of_identity(enum config_key key)
{
	return key == CONFIG_PRODUCER || key == CONFIG_COMPONENT_ID || key == CONFIG_CLUSTER ||
	       key == CONFIG_TAG;
}

/* Names the node after its host; replaces characters that check_identity() would refuse. */
static void name_by_host(struct node *node)
{
	char *at = node->producer;

	gethostname(node->producer, sizeof(node->producer) - 1);
	while (*at) {
		if (!utf8_length(at) || strchr("\"\\,", *at))
			*at = '_';
		at += utf8_length(at);
	}
	if (!*node->producer)
		strcpy(node->producer, "localhost");
}

static int identify_node(struct node *node, const char *path, const struct config *config,
			 struct why *why)
{
	const struct config_line *line = config_find(config, CONFIG_COMPONENT_ID);
	struct why wrong;
	unsigned int i;

	node->origin = NODE_DEFAULT;
	for (i = 0; i < config->count; i++) {
		if (node_take_line(node, &config->line[i], &wrong))
			return because(why, "%s:%u: %s", path, config->line[i].number, wrong.text);
		if (is_of_identity(config->line[i].key))
			node->origin = NODE_GIVEN;
	}
	node->has_component = true;
	node->component = number_at_end(node->producer);
	if (line)
		number_parse(line->value, &node->component);
	return 0;
}

int node_read(struct node *node, const char *path, struct why *why)
{
	struct config *config = calloc(1, sizeof(*config));
	int ret;

	*node = (struct node){ };
	name_by_host(node);
	if (!config)
		return because(why, "no memory for the configuration");
	ret = config_read(path, config, why);
	if (!ret)
		ret = identify_node(node, path, config, why);
	config_free(config);
	free(config);
	return ret;
}
