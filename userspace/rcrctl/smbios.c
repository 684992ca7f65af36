// SPDX-License-Identifier: GPL-2.0-only
/*
 * smbios.c - what the machine's memory can do at most: memory devices (type 17) of
 * the System Management BIOS Reference Specification (DMTF DSP0134), section 7.18.
 *
 * Pure: compiled into the unit tests as well.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "smbios.h"

#define MEMORY_DEVICE	17
#define END_OF_TABLE	127
#define HEADER		4

/* Offsets in a memory device. */
#define DATA_WIDTH	0x0a	/* bits, without those for correction */
#define SIZE		0x0c	/* 0: nothing is in the socket */
#define DEVICE_LOCATOR	0x10	/* number of a string */
#define BANK_LOCATOR	0x11
#define SPEED		0x15	/* million transfers a second; 0: unknown */
#define CONFIGURED	0x20	/* the same, as it runs */
#define EXTENDED	0x54	/* both again, where they do not fit */
#define EXTENDED_CONFIGURED 0x58

#define UNKNOWN		0xffff
#define NAME_LEN	64
#define CHANNELS	256

/**
 * struct structure - an element of the table
 * @at: its first byte
 * @length: of what is formatted
 * @strings: behind that
 * @end: behind its last byte
 */
struct structure {
	const uint8_t *at;
	uint8_t length;
	const char *strings;
	const uint8_t *end;
};

/* Channels that have been counted, by name. */
struct channels {
	unsigned int count;
	char name[CHANNELS][NAME_LEN];
};

/* Strings end with an empty one. */
static bool take_structure(const uint8_t *at, const uint8_t *limit, struct structure *s)
{
	const uint8_t *end;

	if (limit - at < HEADER || at[1] < HEADER || limit - at < at[1] + 2)
		return false;
	s->at = at;
	s->length = at[1];
	s->strings = (const char *)at + at[1];
	for (end = at + at[1]; end + 1 < limit; end++)
		if (!end[0] && !end[1]) {
			s->end = end + 2;
			return true;
		}
	return false;
}

/* What lies behind the structure's end an older version does not have: 0. */
static uint32_t field(const struct structure *s, unsigned int offset, unsigned int bytes)
{
	uint32_t value = 0;

	if (offset + bytes > s->length)
		return 0;
	while (bytes--)
		value = value << 8 | s->at[offset + bytes];
	return value;
}

static const char *string(const struct structure *s, unsigned int offset)
{
	unsigned int number = field(s, offset, 1);
	const char *text = s->strings;

	if (!number)
		return "";
	while (--number && *text)
		text += strlen(text) + 1;
	return text;
}

static uint32_t speed_at(const struct structure *s, unsigned int offset, unsigned int extended)
{
	uint32_t speed = field(s, offset, 2);

	return speed == UNKNOWN ? field(s, extended, 4) & 0x7fffffff : speed;
}

/* Bytes a second; 0: not known, or no memory. */
static uint64_t bandwidth(const struct structure *s)
{
	uint32_t speed = speed_at(s, CONFIGURED, EXTENDED_CONFIGURED);
	uint32_t width = field(s, DATA_WIDTH, 2);

	if (!speed)
		speed = speed_at(s, SPEED, EXTENDED);
	if (!field(s, SIZE, 2) || width == UNKNOWN)
		return 0;
	return (uint64_t)speed * 1000000 * (width / 8);
}

/* Up to the channel's own letter or number: "P0 CHANNEL A" of "P0 CHANNEL A DIMM 1". */
static bool name_channel(const char *text, char name[NAME_LEN])
{
	static const char word[] = "channel";
	const char *at = text;

	while (*at && strncasecmp(at, word, sizeof(word) - 1))
		at++;
	if (!*at)
		return false;
	at += sizeof(word) - 1;
	while (*at && !isalnum((unsigned char)*at))
		at++;
	while (isalnum((unsigned char)*at))
		at++;
	snprintf(name, NAME_LEN, "%.*s", (int)(at - text), text);
	return true;
}

/* The device is on a channel that was not counted before. */
static bool is_new(struct channels *c, const struct structure *s)
{
	char name[NAME_LEN];
	unsigned int i;

	if (!name_channel(string(s, BANK_LOCATOR), name) &&
	    !name_channel(string(s, DEVICE_LOCATOR), name))
		return true;
	for (i = 0; i < c->count; i++)
		if (!strcmp(c->name[i], name))
			return false;
	if (c->count < CHANNELS)
		strcpy(c->name[c->count++], name);
	return true;
}

uint64_t smbios_memory_bw(const uint8_t *table, size_t size)
{
	const uint8_t *limit = table + size;
	struct channels channels = { 0 };
	struct structure s = { .end = table };
	uint64_t sum = 0, each;

	while (take_structure(s.end, limit, &s) && s.at[0] != END_OF_TABLE) {
		each = s.at[0] == MEMORY_DEVICE ? bandwidth(&s) : 0;
		if (each && is_new(&channels, &s))
			sum += each;
	}
	return sum;
}
