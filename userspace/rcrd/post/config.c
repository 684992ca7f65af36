// SPDX-License-Identifier: GPL-2.0-only
/* config.c - parses the configuration file, which has lines "key = value". */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "file.h"
#include "parse/lines.h"
#include "parse/period.h"

#define SECOND 1000000000ull
#define NETWORK_LEAST (SECOND / 10)
#define NETWORK_MOST (3600 * SECOND)

/**
 * struct parsing - state of parsing a file
 * @config: output
 * @path: path of the file
 * @why: filled in for the first invalid line
 * @wrong: there is an invalid line
 */
struct parsing {
	struct config *config;
	const char *path;
	struct why *why;
	bool wrong;
};

static int parse_network(const char *value, struct config *c, struct why *why)
{
	if (!strcmp(value, "off")) {
		c->network_ns = 0;
		return 0;
	}
	if (period_parse(value, &c->network_ns) && c->network_ns >= NETWORK_LEAST &&
	    c->network_ns <= NETWORK_MOST)
		return 0;
	return because(why, "invalid interval '%s': give off, or 100ms to 60min", value);
}

static int parse_public(const char *value, struct config *c, struct why *why)
{
	c->is_public = !strcmp(value, "on");
	return c->is_public || !strcmp(value, "off") ? 0 :
	       because(why, "invalid value '%s': give on or off", value);
}

static int take_line(void *to, const struct text_line *line, struct why *why)
{
	static const struct {
		const char *key;
		int (*parse)(const char *value, struct config *c, struct why *why);
	} keys[] = {
		{ "network", parse_network }, { "public", parse_public },
	};
	struct parsing *p = to;
	char *value = strchr(line->words, '=');
	const char *key;
	size_t i;

	if (!value)
		return because(why, "invalid line '%s': write 'key = value'", line->words);
	*value = 0;
	key = line_trim(line->words);
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!strcmp(key, keys[i].key))
			return keys[i].parse(line_trim(value + 1), p->config, why);
	return because(why, "unknown key '%s': there are network and public", key);
}

static void take_wrong(void *to, unsigned int number, const char *sentence)
{
	struct parsing *p = to;

	if (!p->wrong)
		because(p->why, "%s line %u: %s", p->path, number, sentence);
	p->wrong = true;
}

int config_parse(const char *path, const char *text, size_t size, struct config *c,
		 struct why *why)
{
	struct parsing p = { .config = c, .path = path, .why = why };
	const struct line_reader reader = {
		.take = take_line, .to = &p, .wrong = take_wrong, .wrong_to = &p,
	};

	*c = (struct config){ .network_ns = SECOND };
	lines_read(&reader, text, size);
	return p.wrong ? -1 : 0;
}

int config_read(const char *path, struct config *c, struct why *why)
{
	size_t size;
	char *text;
	int ret;

	if (access(path, F_OK) && errno == ENOENT)
		return config_parse(path, "", 0, c, why);
	text = file_read(path, &size, why);
	if (!text)
		return -1;
	ret = config_parse(path, text, size, c, why);
	free(text);
	return ret;
}
