// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * smbios.c - theoretical bandwidth of the machine's memory, from the memory devices (type 17) of
 * the System Management BIOS Reference Specification (DMTF DSP0134), section 7.18.
 *
 * Pure: also compiled into the unit tests.
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
#define DATA_WIDTH	0x0a	/* bits, without error correction */
#define SIZE		0x0c	/* 0: the socket is empty */
#define DEVICE_LOCATOR	0x10	/* number of a string */
#define BANK_LOCATOR	0x11
#define SPEED		0x15	/* million transfers per second; 0: unknown */
#define CONFIGURED	0x20	/* the configured speed */
#define EXTENDED	0x54	/* both as 32 bits, for larger values */
#define EXTENDED_CONFIGURED 0x58

#define UNKNOWN		0xffff
#define NAME_LEN	64
#define CHANNELS	256

/**
 * struct structure - an element of the table
 * @at: its first byte
 * @length: of the formatted area
 * @strings: strings that follow the formatted area
 * @end: first byte after the structure
 */
struct structure {
	const uint8_t *at;
	uint8_t length;
	const char *strings;
	const uint8_t *end;
};

/* Names of the channels counted so far. */
struct channels {
	unsigned int count;
	char name[CHANNELS][NAME_LEN];
};

/* The strings end with an empty one. */
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

/* Reads a field; 0 if it is after the end of the structure, as in older versions. */
static uint32_t read_field(const struct structure *s, unsigned int offset, unsigned int bytes)
{
	uint32_t value = 0;

	if (offset + bytes > s->length)
		return 0;
	while (bytes--)
		value = value << 8 | s->at[offset + bytes];
	return value;
}

static const char *read_string(const struct structure *s, unsigned int offset)
{
	unsigned int number = read_field(s, offset, 1);
	const char *text = s->strings;

	if (!number)
		return "";
	while (--number && *text)
		text += strlen(text) + 1;
	return text;
}

static uint32_t speed_at(const struct structure *s, unsigned int offset, unsigned int extended)
{
	uint32_t speed = read_field(s, offset, 2);

	return speed == UNKNOWN ? read_field(s, extended, 4) & 0x7fffffff : speed;
}

/* Returns bytes per second; 0 if they are not known, or the socket is empty. */
static uint64_t device_bandwidth(const struct structure *s)
{
	uint32_t speed = speed_at(s, CONFIGURED, EXTENDED_CONFIGURED);
	uint32_t width = read_field(s, DATA_WIDTH, 2);

	if (!speed)
		speed = speed_at(s, SPEED, EXTENDED);
	if (!read_field(s, SIZE, 2) || width == UNKNOWN)
		return 0;
	return (uint64_t)speed * 1000000 * (width / 8);
}

/* Cuts the name after the channel's letter or number: "P0 CHANNEL A DIMM 1" to "P0 CHANNEL A". */
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

/* True if the channel of the device was not counted yet, or is not known. */
static bool is_new(struct channels *c, const struct structure *s)
{
	char name[NAME_LEN];
	unsigned int i;

	if (!name_channel(read_string(s, BANK_LOCATOR), name) &&
	    !name_channel(read_string(s, DEVICE_LOCATOR), name))
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
		each = s.at[0] == MEMORY_DEVICE ? device_bandwidth(&s) : 0;
		if (each && is_new(&channels, &s))
			sum += each;
	}
	return sum;
}
