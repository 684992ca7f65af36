// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * check.c - checks the configuration file without the module, with the parsers of the verbs that
 * apply it. Events are checked against the dictionary of this machine, units against the meters of
 * its family and of the file. Only a file without errors is applied.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "configure/checking.h"
#include "configure/configure.h"
#include "file.h"
#include "message.h"

void count_wrong_line(void *to, unsigned int number, const char *sentence)
{
	struct checking *k = to;

	note_line(k->path, number, "%s", sentence);
	k->wrong++;
}

static void check_set_line(struct checking *k, const struct config_line *line)
{
	struct config_words w;
	struct call c = { .session = k->session, .args = w.word };
	struct why why;

	config_split(line->value, &w, &why);
	if (w.count == 1 && !strcmp(w.word[0], "default"))
		return;
	c.count = w.count;
	message_at(k->path, line->number);
	if (check_set_words(&c))
		k->wrong++;
	message_at(NULL, 0);
}

static void check_identity_line(struct checking *k, const struct config_line *line)
{
	struct why why;

	if (node_take_line(&k->node, line, &why))
		count_wrong_line(k, line->number, why.text);
}

/* Only the raw form is valid, because rcrd-set has no dictionary of names. */
static bool is_group_event(char *word)
{
	char *event = strchr(word, '=');
	struct code code;

	if (!event)
		return false;
	*event++ = 0;
	return name_is_valid(word) && code_parse(event, &code);
}

static void check_group_line(struct checking *k, const struct config_line *line)
{
	char copy[4096], shown[128], *word, *rest = NULL;
	unsigned int count = 0;

	snprintf(copy, sizeof(copy), "%s", line->value);
	for (word = strtok_r(copy, ";", &rest); word; word = strtok_r(NULL, ";", &rest)) {
		snprintf(shown, sizeof(shown), "%.120s", word);
		count++;
		if (is_group_event(word))
			continue;
		message_at(k->path, line->number);
		wrong("invalid event '%s': write NAME=EVENT in the raw form, as 'rcrctl ls' prints it",
		      shown);
		message_at(NULL, 0);
		k->wrong++;
		return;
	}
	if (!count)
		count_wrong_line(k, line->number, "the group has no events");
}

static void check_line(struct checking *k, const struct config_line *line)
{
	switch (line->key) {
	case CONFIG_SET:
		check_set_line(k, line);
		break;
	case CONFIG_METER:
		check_meter_line(k, line);
		break;
	case CONFIG_MAXIMUM:
	case CONFIG_CONTENTION:
		check_limit_line(k, line);
		break;
	case CONFIG_CROSSING:
		check_crossing_line(k, line);
		break;
	case CONFIG_GROUP:
		check_group_line(k, line);
		break;
	default:
		check_identity_line(k, line);
		break;
	}
}

int configure_read(struct session *s, const char *path, struct config *config)
{
	struct checking k = { .session = s, .path = path, .config = config };
	struct why why;
	unsigned int i;
	size_t size;
	char *text;

	memset(config, 0, sizeof(*config));
	text = file_read(path, &size, &why);
	if (!text)
		return fail("%s", why.text);
	config_check(text, size, config, count_wrong_line, &k);
	free(text);
	for (i = 0; i < config->count; i++)
		check_line(&k, &config->line[i]);
	if (!k.wrong)
		return EXIT_SUCCESS;
	return fail("%s: %d invalid line%s", path, k.wrong, k.wrong == 1 ? "" : "s");
}
