// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_smbios.c - memory bandwidth from the firmware's SMBIOS tables: valid tables, made by the
 * specification, and damaged ones.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ksft.h"
#include "smbios.h"

static uint8_t table[4096];
static size_t size;

static void put16(uint8_t *at, uint16_t value)
{
	at[0] = value;
	at[1] = value >> 8;
}

static void put_string(const char *text)
{
	size_t len = strlen(text) + 1;

	memcpy(table + size, text, len);
	size += len;
}

/* Add a structure of another type than memory device, with two strings. */
static void add_other(uint8_t type)
{
	uint8_t *at = table + size;

	memset(at, 0xff, 0x1b);
	at[0] = type;
	at[1] = 0x1b;
	size += 0x1b;
	put_string("Channel A");
	put_string("other");
	table[size++] = 0;
}

/*
 * Add a memory device. @length depends on the version of SMBIOS: 0x15 is 2.1, 0x1b is 2.3, 0x28 is
 * 2.8, and 0x5c is 3.3.
 */
static uint8_t *add_device(uint8_t length, uint16_t width, uint16_t speed, uint16_t configured,
			   const char *device, const char *bank)
{
	uint8_t *at = table + size, full[0x5c] = { 17, length };

	put16(full + 0x08, width == 0xffff ? width : width + 8);
	put16(full + 0x0a, width);
	put16(full + 0x0c, 8192);
	full[0x10] = 1;
	full[0x11] = 2;
	put16(full + 0x15, speed);
	put16(full + 0x20, configured);
	memcpy(at, full, length);
	size += length;
	put_string(device);
	put_string(bank);
	table[size++] = 0;
	return at;
}

static void begin(void)
{
	memset(table, 0, sizeof(table));
	size = 0;
	add_other(16);
}

static uint64_t found(void)
{
	return smbios_memory_bw(table, size);
}

static void test_channels(void)
{
	begin();
	add_device(0x28, 64, 2400, 2133, "DIMM 0", "P0 CHANNEL A");
	add_device(0x28, 64, 2400, 2133, "DIMM 1", "P0 CHANNEL A");
	add_device(0x28, 64, 2400, 2133, "DIMM 0", "P0 CHANNEL B");
	add_device(0x28, 64, 2400, 2133, "DIMM 0", "P1 CHANNEL A");
	ksft_test_result(found() == 3 * 2133000000ull * 8,
			 "two devices on one channel count once\n");
	begin();
	add_device(0x1b, 64, 1600, 0, "ChannelA-DIMM0", "BANK 0");
	add_device(0x1b, 64, 1600, 0, "ChannelA-DIMM1", "BANK 1");
	add_device(0x1b, 64, 1600, 0, "ChannelB-DIMM0", "BANK 2");
	ksft_test_result(found() == 2 * 1600000000ull * 8,
			 "a table of an older version by another vendor is read\n");
	begin();
	add_device(0x28, 64, 3200, 0, "DIMM_A1", "NODE 1");
	add_device(0x28, 64, 3200, 0, "DIMM_B1", "NODE 1");
	ksft_test_result(found() == 2 * 3200000000ull * 8,
			 "without named channels each device counts as one\n");
	begin();
	add_device(0x28, 32, 6400, 6400, "a", "Channel 10");
	add_device(0x28, 32, 6400, 6400, "b", "Channel 1");
	ksft_test_result(found() == 2 * 6400000000ull * 4,
			 "half the width counts half, and channel 10 is not channel 1\n");
}

static void test_extended(void)
{
	uint8_t *at;

	begin();
	at = add_device(0x5c, 64, 0xffff, 0xffff, "a", "b");
	put16(at + 0x55, 0x101);	/* 65536 + 256 */
	put16(at + 0x59, 0x101);
	ksft_test_result(found() == 65792 * 1000000ull * 8,
			 "a speed that does not fit in 16 bits is read\n");
}

static void test_unknown(void)
{
	uint8_t *at;

	begin();
	ksft_test_result(!found() && !smbios_memory_bw(table, 0),
			 "a table without a memory device has no result\n");
	add_device(0x15, 64, 0, 0, "a", "b");
	ksft_test_result(!found(), "a version without speeds has no result\n");
	begin();
	add_device(0x28, 64, 0, 0, "a", "b");
	add_device(0x28, 0xffff, 1600, 1600, "c", "d");
	ksft_test_result(!found(), "firmware that does not know a speed has no result\n");
	at = add_device(0x28, 64, 1600, 1600, "e", "f");
	put16(at + 0x0c, 0);
	ksft_test_result(!found(), "an empty socket does not count\n");
	add_other(127);
	add_device(0x28, 64, 1600, 1600, "g", "h");
	ksft_test_result(!found(), "structures after the end of the table are ignored\n");
}

/* Replace each byte by every value, and truncate the table at it; sanitizers find overreads. */
static void test_broken(void)
{
	uint8_t before;
	uint8_t *copy;
	size_t i, whole;
	int byte;

	begin();
	add_device(0x28, 64, 2400, 2133, "DIMM 0", "P0 CHANNEL A");
	whole = size;
	copy = malloc(whole);
	for (i = 0; i < whole; i++)
		for (byte = 0; byte < 256; byte++) {
			memcpy(copy, table, whole);
			before = copy[i];
			copy[i] = byte;
			smbios_memory_bw(copy, whole);
			copy[i] = before;
		}
	free(copy);
	for (i = 0; i < whole; i++) {
		copy = malloc(i + !i);
		memcpy(copy, table, i);
		if (smbios_memory_bw(copy, i))
			break;
		free(copy);
	}
	ksft_test_result(i == whole, "a truncated table has no result\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(11);
	test_channels();
	test_extended();
	test_unknown();
	test_broken();
	ksft_finished();
}
