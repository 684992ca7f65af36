// SPDX-License-Identifier: GPL-2.0-or-later
/* config.c - parses the configuration file, which has lines "key = value". */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "config/config.h"
#include "file.h"

#define SECOND 1000000000ull
#define EVIDENCE_BYTES (64ull << 20)

#define KEY_LIST \
	"network, public, set, period, meter, maximum.METER, contention.METER, calibration, recorder, crossing, producer, component_id, cluster, tag.NAME, group.MODEL and evidence"

/**
 * struct config_word - a key
 * @name: its name
 * @has_name: a dot and a name follow
 * @repeats: several lines may have it
 */
static const struct config_word {
	const char *name;
	bool has_name;
	bool repeats;
} config_words[] = {
	[CONFIG_NETWORK] = { "network", false, false },
	[CONFIG_PUBLIC] = { "public", false, false },
	[CONFIG_SET] = { "set", false, false },
	[CONFIG_PERIOD] = { "period", false, false },
	[CONFIG_METER] = { "meter", false, true },
	[CONFIG_MAXIMUM] = { "maximum", true, false },
	[CONFIG_CONTENTION] = { "contention", true, false },
	[CONFIG_CALIBRATION] = { "calibration", false, false },
	[CONFIG_RECORDER] = { "recorder", false, false },
	[CONFIG_CROSSING] = { "crossing", false, true },
	[CONFIG_PRODUCER] = { "producer", false, false },
	[CONFIG_COMPONENT_ID] = { "component_id", false, false },
	[CONFIG_CLUSTER] = { "cluster", false, false },
	[CONFIG_TAG] = { "tag", true, false },
	[CONFIG_GROUP] = { "group", true, false },
	[CONFIG_EVIDENCE] = { "evidence", false, false },
};

#define KEYS (sizeof(config_words) / sizeof(config_words[0]))

static int find_config_key(const char *key, struct config_line *line, struct why *why)
{
	const char *point = strchr(key, '.');
	size_t len = point ? (size_t)(point - key) : strlen(key), i;

	for (i = 0; i < KEYS; i++)
		if (!strncmp(config_words[i].name, key, len) && !config_words[i].name[len])
			break;
	if (i == KEYS || (point && !config_words[i].has_name))
		return because(why, "unknown key '%s': there are " KEY_LIST, key);
	if (config_words[i].has_name && (!point || !point[1]))
		return because(why, "key '%s' needs a name, as in %s.NAME", key,
			       config_words[i].name);
	if (point && strlen(point + 1) >= sizeof(line->name))
		return because(why, "the name in key '%s' is too long", key);
	line->key = i;
	strcpy(line->name, point ? point + 1 : "");
	return 0;
}

/* Refuses a second line with the same key, unless it may repeat. */
static int check_once(const struct config *c, const struct config_line *line, struct why *why)
{
	unsigned int i;

	for (i = 0; i < c->count && !config_words[line->key].repeats; i++)
		if (c->line[i].key == line->key && !strcmp(c->line[i].name, line->name))
			return because(why, "'%s%s%s' is already in line %u",
				       config_words[line->key].name, *line->name ? "." : "",
				       line->name, c->line[i].number);
	return 0;
}

/* Cuts off a comment: from a # after a blank on, but not in double quotes. */
static void cut_comment(char *value)
{
	bool quoted = false;
	char *at;

	for (at = value; *at; at++) {
		quoted ^= *at == '"';
		if (*at == '#' && !quoted && (at == value || at[-1] == ' ' || at[-1] == '\t')) {
			*at = 0;
			return;
		}
	}
}

static int take_config_line(void *to, const struct text_line *text, struct why *why)
{
	struct config_line line = { .number = text->number };
	char *value = strchr(text->words, '=');
	struct config *c = to;

	if (!value)
		return because(why, "invalid line '%s': write 'key = value'", text->words);
	*value++ = 0;
	cut_comment(value);
	line.value = line_trim(value);
	if (find_config_key(line_trim(text->words), &line, why) || check_once(c, &line, why) ||
	    config_take_value(c, &line, why))
		return -1;
	if (c->count == CONFIG_LINES)
		return because(why, "too many lines: the maximum is %d", CONFIG_LINES);
	line.value = strdup(line.value);
	if (!line.value)
		return because(why, "%s", strerror(ENOMEM));
	c->line[c->count++] = line;
	return 0;
}

int config_check(const char *text, size_t size, struct config *c, line_wrong wrong, void *to)
{
	const struct line_reader reader = {
		.take = take_config_line, .to = c, .wrong = wrong, .wrong_to = to,
	};

	memset(c, 0, sizeof(*c));
	c->network_ns = SECOND;
	c->evidence = EVIDENCE_BYTES;
	return lines_read(&reader, text, size);
}

int config_parse(const char *path, const char *text, size_t size, struct config *c,
		 struct why *why)
{
	struct line_first first = { .path = path, .why = why };

	config_check(text, size, c, line_keep_first, &first);
	if (!first.seen)
		return 0;
	config_free(c);
	return -1;
}

int config_read(const char *path, struct config *c, struct why *why)
{
	struct stat st;
	size_t size;
	char *text;
	int ret;

	if (stat(path, &st)) {
		if (errno == ENOENT)
			return config_parse(path, "", 0, c, why);
	} else if (S_ISFIFO(st.st_mode)) {
		/* open() would wait for a writer. */
		return because(why, "%s: a pipe, not a file", path);
	}
	text = file_read(path, &size, why);
	if (!text)
		return -1;
	ret = config_parse(path, text, size, c, why);
	free(text);
	return ret;
}

void config_free(struct config *c)
{
	while (c->count)
		free(c->line[--c->count].value);
}

const struct config_line *config_find(const struct config *c, enum config_key key)
{
	unsigned int i;

	for (i = 0; i < c->count; i++)
		if (c->line[i].key == key)
			return &c->line[i];
	return NULL;
}
