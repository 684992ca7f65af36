// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * identity.c - writes the node's identity in formats in which it is optional.
 *
 *	csv	last columns: producer,component_id,cluster,tag.NAME
 *	table	at the end of the heading: ", producer node17, component_id 17"
 *	json	"node": {"producer": "node17", "component_id": 17, "cluster": null, "tags": {}}
 *	raw	items RCR_ITEM_NODE after the first set
 *
 * Without a configured identity, csv and tables are the same as before there were identities.
 *
 * Pure. Compiled into the unit tests as well.
 */
#include <string.h>

#include "config/node.h"
#include "format/identity.h"
#include "rcr.h"

/* Calls @each for the parts of a configured identity, but not for those of a default one. */
static void visit_given(FILE *out, const struct node *node, node_each each)
{
	if (node && node->origin == NODE_GIVEN)
		node_visit(node, each, out);
}

static void print_identity_name(void *out, const char *key, const char *value)
{
	(void)value;
	fprintf(out, ",%s", key);
}

void identity_names(FILE *out, const struct node *node)
{
	visit_given(out, node, print_identity_name);
}

static void print_identity_cell(void *out, const char *key, const char *value)
{
	(void)key;
	fprintf(out, ",%s", value);
}

void identity_cells(FILE *out, const struct node *node)
{
	visit_given(out, node, print_identity_cell);
}

static void print_identity_words(void *out, const char *key, const char *value)
{
	fprintf(out, ", %s %s", key, value);
}

void identity_heading(FILE *out, const struct node *node)
{
	visit_given(out, node, print_identity_words);
}

void identity_json(struct json *j, const struct node *node)
{
	unsigned int i;

	if (!node || node->origin == NODE_UNKNOWN)
		return;
	json_open(j, "node", '{');
	json_text(j, "producer", *node->producer ? node->producer : NULL);
	if (node->has_component)
		json_number(j, "component_id", node->component);
	else
		json_decimal(j, "component_id", "null");
	json_text(j, "cluster", *node->cluster ? node->cluster : NULL);
	json_open(j, "tags", '{');
	for (i = 0; i < node->tags; i++)
		json_text(j, node->tag[i].name, node->tag[i].value);
	json_close(j, '}');
	json_close(j, '}');
}

/**
 * struct item_room - buffer of the items that are being written
 * @at: end of the items so far
 * @flags: flags of each item
 * @generation: generation of the set
 */
struct item_room {
	char *at;
	uint16_t flags;
	uint32_t generation;
};

static void put_identity_item(void *to, const char *key, const char *value)
{
	struct item_room *room = to;
	struct rcr_node *item = (struct rcr_node *)room->at;
	size_t text = strlen(key) + 1 + strlen(value) + 1;

	item->item = (struct rcr_item){
		.size = (sizeof(*item) + text + 7) / 8 * 8, .type = RCR_ITEM_NODE,
		.flags = room->flags, .cpu = ~0u, .generation = room->generation,
	};
	sprintf(item->text, "%s=%s", key, value);
	room->at += item->item.size;
}

size_t identity_items(uint64_t items[IDENTITY_ITEMS / 8], const struct node *node,
		      const struct rcr_set *set)
{
	struct item_room room = {
		.at = (char *)items, .generation = set->item.generation,
		.flags = node->origin == NODE_DEFAULT ? RCR_NODE_DEFAULT : 0,
	};

	memset(items, 0, IDENTITY_ITEMS);
	node_visit(node, put_identity_item, &room);
	return room.at - (char *)items;
}
