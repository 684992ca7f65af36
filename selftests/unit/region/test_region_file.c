// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_region_file.c - the file of librcrregion: valid files are accepted, files truncated or
 * damaged at any byte are refused. Statistics over files are compared with two passes.
 */
#include <math.h>

#include "ksft.h"
#include "rcrregion/statistics.h"

#define SETS	2
#define RECORDS	3
#define COUNTED	3
#define EVENTS	4
#define SIZE	(sizeof(struct region_header) + EVENTS * sizeof(struct region_file_event) + \
		 SETS * sizeof(struct region_file_set) + RECORDS * sizeof(struct region_record) + 8)

static unsigned char image[SIZE];

static struct region_header *file_header(void)
{
	return (struct region_header *)image;
}

static struct region_file_event *file_events(void)
{
	return (struct region_file_event *)(image + sizeof(struct region_header));
}

static struct region_file_set *file_sets(void)
{
	return (struct region_file_set *)(file_events() + EVENTS);
}

static struct region_record *file_records(void)
{
	return (struct region_record *)(file_sets() + SETS);
}

/* Write the checksum of the image. */
static void seal_image(void)
{
	uint64_t sum = region_checksum(REGION_CHECKSUM_BEGIN, image, SIZE - 8);

	memcpy(image + SIZE - 8, &sum, 8);
}

/* Make a file: set "a" on two threads, and set "b", whose counts start at @base. */
static void make_image(int rank, uint64_t base)
{
	static const char *const names[EVENTS] = { "tsc", "cycles", "instructions", "branches" };
	unsigned int i, k;

	memset(image, 0, sizeof(image));
	*file_header() = (struct region_header){
		.magic = REGION_MAGIC, .version = REGION_VERSION,
		.header_size = sizeof(struct region_header),
		.event_size = sizeof(struct region_file_event),
		.set_size = sizeof(struct region_file_set),
		.record_size = sizeof(struct region_record),
		.events = EVENTS, .counted = COUNTED, .sets = SETS, .records = RECORDS,
		.flags = REGION_COMPLETE, .rank = rank, .pid = 7, .file_size = SIZE,
		.host = "node", .command = "solver", .mode = "general",
	};
	for (i = 0; i < EVENTS; i++)
		strcpy(file_events()[i].name, names[i]);
	strcpy(file_sets()[0].name, "a");
	strcpy(file_sets()[1].name, "b");
	file_sets()[1].number = 5;
	for (i = 0; i < RECORDS; i++) {
		file_records()[i] = (struct region_record){ .set = i / 2, .thread = i % 2, .calls = 2 };
		for (k = 0; k < COUNTED; k++)
			file_records()[i].value[k] = (struct region_value){
				.sum = 2 * base + 10 * k + 1, .min = base, .max = base + 10 * k + 1,
			};
	}
	seal_image();
}

/* Check a heap copy of the first @size bytes, so that the sanitizer catches overreads. */
static bool is_accepted(size_t size)
{
	struct region_file file = { .data = malloc(size ? size : 1), .size = size };
	struct why why;
	int ret;

	memcpy(file.data, image, size < SIZE ? size : SIZE);
	ret = region_file_check(&file, &why);
	region_file_free(&file);
	return !ret;
}

static void test_damage(void)
{
	unsigned int accepted = 0, bit;
	size_t i;

	make_image(3, 100);
	ksft_test_result(is_accepted(SIZE), "region_file: a whole file is accepted\n");
	for (i = 0; i < SIZE; i++)
		accepted += is_accepted(i);
	ksft_test_result(!accepted, "region_file: a file truncated after any byte is refused\n");
	for (i = 0; i < SIZE; i++) {
		for (bit = 0; bit < 8; bit++) {
			image[i] ^= 1 << bit;
			accepted += is_accepted(SIZE);
			image[i] ^= 1 << bit;
		}
		image[i] ^= 0xff;
		accepted += is_accepted(SIZE);
		image[i] ^= 0xff;
	}
	ksft_test_result(!accepted, "region_file: a file with a damaged bit or byte is refused\n");
	ksft_test_result(!is_accepted(SIZE + 1), "region_file: a file with an additional byte is refused\n");
}

/* Check the file with a member set to @value and a valid checksum, then restore it. */
#define REFUSES(member, value_) ({ \
	__typeof__(member) was = (member); \
	bool refused; \
	(member) = (value_); \
	seal_image(); \
	refused = !is_accepted(SIZE); \
	(member) = was; \
	seal_image(); \
	refused; \
})

static void test_ranges(void)
{
	make_image(3, 100);
	ksft_test_result(REFUSES(file_header()->version, 2) && REFUSES(file_header()->magic[0], 'X'),
			 "region_file: an unknown version or magic is refused\n");
	ksft_test_result(REFUSES(file_header()->counted, 0) && REFUSES(file_header()->counted, EVENTS + 1) &&
			 REFUSES(file_header()->events, 100) && REFUSES(file_header()->records, -1u) &&
			 REFUSES(file_header()->sets, -1u) && REFUSES(file_header()->record_size, 8) &&
			 REFUSES(file_header()->record_size, -1u) && REFUSES(file_header()->header_size, 8) &&
			 REFUSES(file_header()->file_size, SIZE - 8),
			 "region_file: sizes and numbers of parts out of range are refused\n");
	ksft_test_result(REFUSES(file_records()[1].set, SETS) && REFUSES(file_records()[1].thread, -1u) &&
			 REFUSES(file_sets()[1].number, REGION_SETS) && REFUSES(file_sets()[1].name[0], 0) &&
			 REFUSES(file_sets()[1].name[0], '\n') && REFUSES(file_header()->rank, -2) &&
			 REFUSES(file_header()->group, 1) && REFUSES(file_header()->groups, 1) &&
			 REFUSES(file_header()->begin_ns, 1) && REFUSES(file_events()[1], file_events()[2]),
			 "region_file: sets, threads, names, ranks and times out of range and duplicate events are refused\n");
	ksft_test_result(REFUSES(file_records()[0].calls, 0) && REFUSES(file_records()[0].calls, 4) &&
			 REFUSES(file_records()[0].value[1].min, 1000) &&
			 REFUSES(file_records()[0].value[1].max, 0) &&
			 REFUSES(file_records()[0].value[1].sum, 1000) &&
			 REFUSES(file_records()[0].value[COUNTED].sum, 1),
			 "region_file: sums that contradict the number of calls are refused\n");
}

static void test_totals(void)
{
	struct region_file file = { .size = SIZE };
	struct region_total *totals;
	struct why why;

	make_image(3, 100);
	file_records()[1].value[2] = (struct region_value){ .sum = 90, .min = 40, .max = 50 };
	seal_image();
	file.data = malloc(SIZE);
	memcpy(file.data, image, SIZE);
	totals = region_file_check(&file, &why) ? NULL : region_file_totals(&file);
	ksft_test_result(totals && totals[0].threads == 2 && totals[0].calls == 4 &&
			 totals[0].value[2].sum == 221 + 90 && totals[0].value[2].min == 40 &&
			 totals[0].value[2].max == 121 && totals[1].threads == 1 &&
			 totals[1].calls == 2 && totals[1].value[0].sum == 201,
			 "region_file: the total of a set is the sum of its threads\n");
	free(totals);
	region_file_free(&file);
}

/* Make a file of the first version, whose structures lack the later members. */
static void test_earlier(void)
{
	const size_t header_size = REGION_HEADER_LEAST, record_size = REGION_RECORD_LEAST;
	const size_t middle = sizeof(struct region_file_event) * EVENTS +
			      sizeof(struct region_file_set) * SETS;
	const size_t size = header_size + middle + RECORDS * record_size + 8;
	struct region_file file = { .data = malloc(size), .size = size };
	struct why why;
	uint64_t sum;
	int i, ret;

	make_image(3, 100);
	file_header()->header_size = header_size;
	file_header()->record_size = record_size;
	file_header()->file_size = size;
	memcpy(file.data, image, header_size);
	memcpy(file.data + header_size, file_events(), middle);
	for (i = 0; i < RECORDS; i++)
		memcpy(file.data + header_size + middle + i * record_size, &file_records()[i], record_size);
	sum = region_checksum(REGION_CHECKSUM_BEGIN, file.data, size - 8);
	memcpy(file.data + size - 8, &sum, 8);
	ret = region_file_check(&file, &why);
	ksft_test_result(!ret && !file.header.node_counters &&
			 region_file_record(&file, 2).value[0].sum == 201 &&
			 !region_file_record(&file, 2).node[0].cycles,
			 "region_file: a file without counters of the node is accepted\n");
	region_file_free(&file);
}

/* Two threads are in set "a" for 1 and 3 ms of 4; a counter of the node counts 500 and 2,500. */
static void test_node(void)
{
	struct statistics_list list = { };
	struct region_file file = { .size = SIZE, .data = malloc(SIZE) };
	const struct statistics *s;
	struct why why;
	int ret;

	make_image(3, 100);
	file_header()->node_counters = 2;
	strcpy(file_header()->node_counter[0], "DRAM");
	strcpy(file_header()->node_counter[1], "L3");
	file_header()->end_tsc = 8000000;
	file_header()->end_ns = 4000000;
	file_records()[0].node[0] = (struct region_node_count){ 500, 2000000 };
	file_records()[1].node[0] = (struct region_node_count){ 2500, 6000000 };
	ksft_test_result(REFUSES(file_header()->node_counters, REGION_NODE_COUNTERS + 1) &&
			 REFUSES(file_header()->node_counters, 0) &&
			 REFUSES(file_header()->node_counter[1][0], 0) &&
			 REFUSES(file_header()->node_counter[0][1], '\n') &&
			 REFUSES(*(uint64_t *)file_header()->node_counter[0], 0x334cull /* L3 */) &&
			 REFUSES(file_header()->family[0], '\n') &&
			 REFUSES(file_records()[0].node[0].cycles, 0) &&
			 REFUSES(file_records()[0].node[2].cycles, 1),
			 "region_file: counters of the node out of range are refused\n");
	memcpy(file.data, image, SIZE);
	ret = region_file_check(&file, &why) || statistics_add_file(&list, &file, NULL, 0);
	for (s = list.row; s < list.row + list.rows && strcmp(s->counter, "node:DRAM"); s++)
		;
	ksft_test_result(!ret && list.rows == SETS * COUNTED + 1 && s < list.row + list.rows &&
			 !strcmp(s->region, "a") && s->min == 750000 && s->processes == 1,
			 "statistics: the rate of a counter of the node is its mean over all threads\n");
	statistics_free(&list);
	region_file_free(&file);
}

#define RANKS 100

static uint64_t base_of(int rank)
{
	return 1000000000000ull + (uint64_t)rank * 7919 % RANKS * 1000;
}

static void test_statistics(void)
{
	struct statistics_list list = { };
	double mean = 0, squares = 0, sum;
	const struct statistics *s;
	int rank, failed = 0;

	for (rank = RANKS - 1; rank >= 0; rank--) {
		struct region_file file = { .size = SIZE, .data = malloc(SIZE) };
		struct why why;

		make_image(rank, base_of(rank));
		memcpy(file.data, image, SIZE);
		failed |= region_file_check(&file, &why) || statistics_add_file(&list, &file, NULL, 0);
		region_file_free(&file);
	}
	/* Compute mean and deviation of the first event of set "b" in two passes. */
	for (rank = 0; rank < RANKS; rank++)
		mean += (2 * base_of(rank) + 1) / (double)RANKS;
	for (rank = 0; rank < RANKS; rank++) {
		sum = 2 * base_of(rank) + 1 - mean;
		squares += sum * sum / RANKS;
	}
	ksft_test_result(!failed && list.rows == SETS * COUNTED, "statistics: there is one row for each region and counter\n");
	s = &list.row[list.rows - 1];
	ksft_test_result(!strcmp(s->region, "b") && !strcmp(s->counter, "tsc") &&
			 s->processes == RANKS && s->calls == 2 * RANKS &&
			 fabs(s->mean - mean) * 1e9 < mean &&
			 fabs(statistics_deviation(s) - sqrt(squares)) * 1e6 < sqrt(squares),
			 "statistics: mean and deviation agree with two passes over all values\n");
	ksft_test_result(s->min == 2 * base_of(0) + 1 && !strcmp(s->min_process, "0") &&
			 s->max == 2 * base_of(21) + 1 && !strcmp(s->max_process, "21"),
			 "statistics: minimum and maximum have their ranks\n");
	statistics_free(&list);
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(15);
	test_damage();
	test_ranges();
	test_totals();
	test_earlier();
	test_node();
	test_statistics();
	ksft_finished();
}
