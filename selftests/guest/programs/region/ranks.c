// SPDX-License-Identifier: GPL-2.0-only
/*
 * ranks.c - ranks DIRECTORY FILES: writes the files of FILES ranks in the format of librcrregion,
 * with four regions, two threads and six counters each. Prints what rcrregion join must have for
 * the instructions of the region "solve": processes, calls, least and greatest count, and the sum
 * of all counts.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/region_file.h"

#define SETS	4
#define THREADS	2
#define CALLS	10

static const char *const counters[REGION_VALUES] = {
	"tsc", "cycles", "instructions", "cache-misses", "branches", "branch-misses",
	"cache-references",
};

static const char *const sets[SETS] = { "solve", "exchange", "read", "write" };

static struct {
	struct region_header header;
	struct region_file_event event[REGION_VALUES];
	struct region_file_set set[SETS];
	struct region_record record[SETS * THREADS];
	uint64_t sum;
} image;

/* Return a count that varies by rank, set and counter, so that a mix-up changes the sums. */
static uint64_t call_count(unsigned int rank, unsigned int set, unsigned int counter)
{
	return 1000000 + (rank * 7919ull + set * 31 + counter) % 100003;
}

static void make_image(unsigned int rank)
{
	struct region_record *r;
	unsigned int i, k;
	uint64_t count;

	image.header = (struct region_header){
		.magic = REGION_MAGIC, .version = REGION_VERSION,
		.header_size = sizeof(image.header), .event_size = sizeof(image.event[0]),
		.set_size = sizeof(image.set[0]), .record_size = sizeof(image.record[0]),
		.events = REGION_VALUES, .counted = REGION_VALUES, .sets = SETS,
		.records = SETS * THREADS, .flags = REGION_COMPLETE, .rank = rank, .pid = rank,
		.file_size = sizeof(image), .end_ns = 1000000000, .end_tsc = 2000000000,
		.host = "node", .command = "solver", .mode = "general",
	};
	for (i = 0; i < REGION_VALUES; i++)
		strcpy(image.event[i].name, counters[i]);
	for (i = 0; i < SETS; i++) {
		image.set[i].number = i;
		strcpy(image.set[i].name, sets[i]);
	}
	for (i = 0; i < SETS * THREADS; i++) {
		r = &image.record[i];
		*r = (struct region_record){ .set = i / THREADS, .thread = i % THREADS, .calls = CALLS };
		for (k = 0; k < REGION_VALUES; k++) {
			count = call_count(rank, r->set, k);
			r->value[k] = (struct region_value){ CALLS * count, count, count };
		}
	}
	image.sum = region_checksum(REGION_CHECKSUM_BEGIN, &image, sizeof(image) - sizeof(image.sum));
}

static int write_image(const char *directory, unsigned int rank)
{
	char path[4096];
	FILE *file;
	int bad;

	snprintf(path, sizeof(path), "%s/node.%u.0.rcr", directory, rank);
	file = fopen(path, "w");
	if (!file)
		return -1;
	bad = fwrite(&image, sizeof(image), 1, file) != 1;
	return fclose(file) || bad ? -1 : 0;
}

int main(int argc, char **argv)
{
	unsigned int files = argc > 2 ? atoi(argv[2]) : 0, rank;
	uint64_t count, least = UINT64_MAX, greatest = 0, sum = 0;

	for (rank = 0; rank < files; rank++) {
		make_image(rank);
		if (write_image(argv[1], rank)) {
			perror(argv[1]);
			return 1;
		}
		count = THREADS * CALLS * call_count(rank, 0, 2);
		least = count < least ? count : least;
		greatest = count > greatest ? count : greatest;
		sum += count;
	}
	printf("%u %u %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", files, files * THREADS * CALLS, least,
	       greatest, sum);
	return 0;
}
