/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * config.h - the configuration file: lines "key = value", comments after #.
 *
 * rcrd reads the keys about itself, and rcrctl applies the others. Each of them checks the whole
 * file.
 */
#ifndef COMMON_CONFIG_H
#define COMMON_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parse/lines.h"
#include "why.h"

#define CONFIG_PATH "/etc/rcrtool/rcrtool.conf"

/* Maximum number of lines with keys. */
#define CONFIG_LINES 256

enum config_key {
	CONFIG_NETWORK,		/* interval of the network meters, or off */
	CONFIG_PUBLIC,		/* the public board: on or off */
	CONFIG_SET,		/* events, or default */
	CONFIG_PERIOD,		/* sampling period */
	CONFIG_METER,		/* arguments of "rcrctl meter add"; any number of lines */
	CONFIG_MAXIMUM,		/* maximum.METER: maximum of the meter's resource */
	CONFIG_CONTENTION,	/* contention.METER: value from which the resource is contended */
	CONFIG_CALIBRATION,	/* a file that rcrcal has written */
	CONFIG_RECORDER,	/* window and triggers of the flight recorder, or off */
	CONFIG_CROSSING,	/* condition that triggers the recorder; any number of lines */
	CONFIG_PRODUCER,	/* identity of the node: its name */
	CONFIG_COMPONENT_ID,	/* identity of the node: its number */
	CONFIG_CLUSTER,		/* identity of the node: name of its cluster */
	CONFIG_TAG,		/* identity of the node: tag.NAME, any text */
	CONFIG_GROUP,		/* group.MODEL: events added while rcrd examines a finding */
	CONFIG_EVIDENCE,	/* bytes of evidence that rcrd keeps, or off */
};

/**
 * struct config_line - a line of the file
 * @number: line number, from 1
 * @key: its key
 * @name: the part of the key after the dot; empty if there is none
 * @value: its value
 */
struct config_line {
	unsigned int number;
	enum config_key key;
	char name[64];
	char *value;
};

/**
 * struct config - the configuration
 * @network_ns: interval of the network meters, ns; 0: do not post them
 * @is_public: write the public board
 * @evidence: bytes of evidence; 0: none is kept
 * @count: entries of @line
 * @line: all valid lines, in the order of the file
 */
struct config {
	uint64_t network_ns;
	bool is_public;
	uint64_t evidence;
	unsigned int count;
	struct config_line line[CONFIG_LINES];
};

/*
 * Parses @size bytes and calls @wrong for each invalid line. Returns the number of invalid lines.
 * The caller frees @c with config_free() in any case.
 */
int config_check(const char *text, size_t size, struct config *c, line_wrong wrong, void *to);

/* Likewise, but returns 0, or -1 with @why filled in for the first such line: "PATH:LINE: ...". */
int config_parse(const char *path, const char *text, size_t size, struct config *c,
		 struct why *why);

/* Reads @path; a missing file means all defaults. Returns 0, or -1 with @why filled in. */
int config_read(const char *path, struct config *c, struct why *why);

/* Frees the values of @c. */
void config_free(struct config *c);

/* Finds the line with a key that does not repeat; NULL if there is none. */
const struct config_line *config_find(const struct config *c, enum config_key key);

/* Maximum number of words of a value. */
#define CONFIG_WORDS 64

/**
 * struct config_words - words of a value, separated by blanks; words in double quotes may have some
 * @count: entries of @word
 * @word: the words, in @text
 * @text: buffer
 */
struct config_words {
	unsigned int count;
	char *word[CONFIG_WORDS];
	char text[1024];
};

/* Splits @value; returns -1 with @why filled in on failure. */
int config_split(const char *value, struct config_words *w, struct why *why);

/**
 * struct config_recorder - value of the key "recorder"
 * @window_ns: length of the window, ns; 0: off
 * @triggers: mask of enum rcr_trigger
 */
struct config_recorder {
	uint64_t window_ns;
	uint32_t triggers;
};

/* Parses "5s mark,oom"; returns -1 with @why filled in on failure. */
int config_parse_recorder(const char *value, struct config_recorder *r, struct why *why);

/* Splits "CONDITION at PLACE" in place; @place is "machine" if there is none. */
void config_split_place(char *value, const char **place);

/* config_keys.c: checks the value of a line, and stores it in @c if it is for rcrd. */
int config_take_value(struct config *c, const struct config_line *line, struct why *why);

#endif
