// SPDX-License-Identifier: GPL-2.0-or-later
/* node.c - identity of this node. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/node.h"
#include "parse/number.h"

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
	if (node->tags == NODE_TAGS)
		return because(why, "more than %u tags", NODE_TAGS);
	strcpy(node->tag[node->tags].name, line->name);
	return copy_identity(node->tag[node->tags++].value, sizeof(node->tag[0].value), line, why);
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

static int identify_node(struct node *node, const struct config *config, struct why *why)
{
	const struct config_line *line = config_find(config, CONFIG_COMPONENT_ID);
	struct why wrong;
	unsigned int i;

	for (i = 0; i < config->count; i++)
		if (node_take_line(node, &config->line[i], &wrong))
			return because(why, "line %u: %s", config->line[i].number, wrong.text);
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
	gethostname(node->producer, sizeof(node->producer) - 1);
	if (!config)
		return because(why, "no memory for the configuration");
	ret = config_read(path, config, why);
	if (!ret)
		ret = identify_node(node, config, why);
	config_free(config);
	free(config);
	return ret;
}
