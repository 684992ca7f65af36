// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_mappings.c - rcrd's table of mappings: random changes of processes, compared with a model
 * that is an array of pages; and the limits of the table.
 */
#include <stdlib.h>

#include "ksft.h"
#include "where/mappings.h"

#define PAGE		4096ull
#define PAGES		64	/* of a process */
#define PROCESSES	20
#define ROUNDS		200000

/* A page of the model: the mapped file and offset, or nothing. */
struct page {
	unsigned int file;	/* 0: no mapping; 1: code without a file */
	uint64_t offset;
};

static struct mappings table;
static struct page model[PROCESSES + 1][PAGES];
static bool runs[PROCESSES + 1];
static uint32_t state = 20261129;

/* A private random generator, so that the sequence is the same on every machine. */
static unsigned int pick(unsigned int n)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state % n;
}

static void map_file(uint32_t tgid, uint64_t begin, uint64_t length, uint64_t offset,
		     const char *path)
{
	struct change c = {
		.kind = CHANGE_MAP, .tgid = tgid, .begin = begin, .length = length,
		.offset = offset, .is_file = path, .file = { .path = path ? path : "" },
	};

	mappings_take(&table, &c);
}

static void take(enum change_kind kind, uint32_t tgid, uint32_t parent)
{
	struct change c = { .kind = kind, .tgid = tgid, .parent = parent, .time = 1 };

	mappings_take(&table, &c);
}

static void random_map(unsigned int tgid)
{
	unsigned int first = pick(PAGES), count = 1 + pick(8), file = 1 + pick(5), i;
	uint64_t offset = pick(1000) * PAGE;
	char path[8];

	snprintf(path, sizeof(path), "/f%u", file);
	if (first + count > PAGES)
		count = PAGES - first;
	map_file(tgid, first * PAGE, count * PAGE, offset, file > 1 ? path : NULL);
	for (i = 0; i < count; i++)
		model[tgid][first + i] = (struct page){ file, offset + i * PAGE };
}

static void random_change(void)
{
	unsigned int tgid = 1 + pick(PROCESSES), child = 1 + pick(PROCESSES);

	switch (pick(20)) {
	case 0:
		/* The kernel never gives the id of a running process to a new one. */
		if (runs[child] || !runs[tgid])
			return;
		take(CHANGE_FORK, child, tgid);
		memcpy(model[child], model[tgid], sizeof(model[0]));
		runs[child] = true;
		break;
	case 1:
		take(CHANGE_EXEC, tgid, 0);
		memset(model[tgid], 0, sizeof(model[0]));
		runs[tgid] = true;
		break;
	case 2:
		if (!runs[tgid])
			return;
		take(CHANGE_EXIT, tgid, 0);
		runs[tgid] = false;
		break;
	default:
		if (runs[tgid])
			random_map(tgid);
	}
}

static bool is_page(const struct mapping *m, const struct page *p, uint64_t address)
{
	if (!p->file || !m)
		return !p->file && !m;
	if (p->file == 1)
		return !m->file;
	return m->file && m->file->path[2] == (char)('0' + p->file) &&
	       address - m->begin + m->offset == p->offset + address % PAGE;
}

static void random_changes(void)
{
	unsigned int i, wrong = 0;

	for (i = 0; i < ROUNDS; i++) {
		unsigned int tgid = 1 + pick(PROCESSES), page = pick(PAGES);
		uint64_t address = page * PAGE + pick(PAGE);

		random_change();
		wrong += !is_page(mapping_at(mappings_find(&table, tgid), address),
				  &model[tgid][page], address);
	}
	ksft_test_result(!wrong, "mappings: after %u random changes each address has the file of the model\n",
			 ROUNDS);
	ksft_test_result(!table.refused && table.files.count <= 4, "mappings: no mapping was refused, and each file is stored once\n");
	for (i = 1; i <= PROCESSES; i++)
		runs[i] = false;
	mappings_clear(&table);
	ksft_test_result(!table.processes && !table.count && !table.files.count && !table.files.bytes,
			 "mappings: clearing the table frees all mappings and files\n");
}

static void reuse_number(void)
{
	take(CHANGE_EXEC, 7, 0);
	map_file(7, PAGE, PAGE, 0, "/old");
	take(CHANGE_EXIT, 7, 0);
	ksft_test_result(mapping_at(mappings_find(&table, 7), PAGE),
			 "mappings: a process that has ended keeps its mappings\n");
	take(CHANGE_EXEC, 8, 0);
	take(CHANGE_FORK, 7, 8);
	ksft_test_result(!mapping_at(mappings_find(&table, 7), PAGE),
			 "mappings: a new process with the same id does not inherit them\n");
	map_file(8, PAGE, PAGE, 0, "/parent");
	ksft_test_result(!mapping_at(mappings_find(&table, 7), PAGE),
			 "mappings: later mappings of the parent do not appear in a child\n");
	map_file(9, UINT64_MAX - PAGE, 2 * PAGE, 0, "/wraps");
	map_file(9, PAGE, 0, 0, "/empty");
	ksft_test_result(!mappings_find(&table, 9), "mappings: empty and wrapping mappings are ignored\n");
	mappings_clear(&table);
}

/* Add @count mappings of one page, with a gap of one page between them. */
static void map_many(uint32_t tgid, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		map_file(tgid, 2 * i * PAGE, PAGE, 0, "/many");
}

static void limit_mappings(void)
{
	unsigned int i;

	map_many(1, MAPPINGS_OF_ONE - 2);
	ksft_test_result(!table.refused, "mappings: a process may have almost %u mappings\n", MAPPINGS_OF_ONE);
	map_many(1, MAPPINGS_OF_ONE + 2);
	ksft_test_result(table.refused && table.count <= MAPPINGS_OF_ONE,
			 "mappings: more mappings than the limit of a process are refused\n");
	mappings_clear(&table);
	for (i = 1; i <= 1000; i++)
		map_many(i, MAPPINGS_OF_ONE - 2);
	ksft_test_result(table.count <= MAPPINGS_MOST, "mappings: %u mappings of all processes, at most %u\n",
			 table.count, MAPPINGS_MOST);
	mappings_clear(&table);
	table.refused = 0;
	for (i = 1; i <= 2 * MAPPINGS_PROCESSES; i++) {
		take(CHANGE_EXEC, i, 0);
		map_file(i, PAGE, PAGE, 0, "/short");
		take(CHANGE_EXIT, i, 0);
	}
	ksft_test_result(table.processes == MAPPINGS_PROCESSES && !table.refused && !mappings_find(&table, 1) &&
			 mapping_at(mappings_find(&table, 2 * MAPPINGS_PROCESSES), PAGE),
			 "mappings: processes that ended first are forgotten first\n");
	mappings_clear(&table);
	for (i = 1; i <= MAPPINGS_PROCESSES + 10; i++)
		take(CHANGE_EXEC, i, 0);
	ksft_test_result(table.processes == MAPPINGS_PROCESSES && table.refused == 10 && mappings_find(&table, 1),
			 "mappings: running processes are not forgotten, new ones are refused and counted\n");
	mappings_clear(&table);
}

static bool is_even(uint32_t tgid)
{
	return !(tgid % 2);
}

static void lose_ends(void)
{
	unsigned int i;

	for (i = 1; i <= MAPPINGS_PROCESSES; i++) {
		take(CHANGE_EXEC, i, 0);
		take(CHANGE_EXIT, i, 0);
		/* A thread other than the first one still runs. */
		map_file(i, PAGE, PAGE, 0, "/thread");
	}
	table.refused = 0;
	take(CHANGE_EXEC, MAPPINGS_PROCESSES + 1, 0);
	ksft_test_result(!table.refused && mapping_at(mappings_find(&table, 2), PAGE),
			 "mappings: a process whose first thread ended may map, and is forgotten before running ones\n");
	mappings_clear(&table);
	for (i = 1; i <= MAPPINGS_PROCESSES; i++)
		take(CHANGE_EXEC, i, 0);
	for (i = 0; i < 16; i++)
		mappings_sweep(&table, is_even);
	take(CHANGE_EXEC, MAPPINGS_PROCESSES + 1, 0);
	take(CHANGE_EXEC, MAPPINGS_PROCESSES + 2, 0);
	for (i = 2; i <= MAPPINGS_PROCESSES && mappings_find(&table, i); i += 2)
		;
	ksft_test_result(!table.refused && i > MAPPINGS_PROCESSES,
			 "mappings: a full table forgets processes whose exit record was lost, and no others\n");
	mappings_clear(&table);
}

static void limit_files(void)
{
	char path[2 * FILE_PATH];
	unsigned int i;

	table.refused = 0;
	for (i = 0; i < 3000; i++) {
		snprintf(path, sizeof(path), "/%0*u", FILE_PATH - 10, i);
		map_file(1 + i / 100, i * PAGE, PAGE, 0, path);
	}
	ksft_test_result(table.files.bytes <= FILES_BYTES && table.refused &&
			 mapping_at(mappings_find(&table, 1), 0)->file &&
			 !mapping_at(mappings_find(&table, 30), 2999 * PAGE),
			 "files: paths use at most %zu bytes; mappings of further files are refused\n", table.files.bytes);
	for (i = 1; i <= 30; i++)
		take(CHANGE_EXIT, i, 0);
	map_file(31, PAGE, PAGE, 0, path);
	ksft_test_result(mapping_at(mappings_find(&table, 31), PAGE) && mappings_find(&table, 30),
			 "files: only as many ended processes are forgotten as a new path needs\n");
	memset(path, 'a', sizeof(path) - 1);
	*path = '/';
	path[sizeof(path) - 1] = 0;
	mappings_clear(&table);
	map_file(1, 0, PAGE, 0, path);
	ksft_test_result(!table.files.count, "files: paths longer than the kernel's limit are refused\n");
	mappings_clear(&table);
}

/* If the record of an exec() is lost, no stale mapping must cover the new program's addresses. */
static void limit_addresses(void)
{
	const uint64_t gib = 1ull << 30;
	unsigned int i;

	map_file(1, PAGE, 1ull << 46, 0, "/sparse");
	ksft_test_result(!mapping_at(mappings_find(&table, 1), 1ull << 45),
			 "mappings: a mapping of 64 TiB is refused\n");
	for (i = 1; i <= 100; i++)
		map_file(1, 2 * i * gib, gib, 0, "/sparse");
	ksft_test_result(mapping_at(mappings_find(&table, 1), 8 * gib) && !mapping_at(mappings_find(&table, 1), 10 * gib),
			 "mappings: a process may map 4 GiB of code\n");
	mappings_clear(&table);
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(19);
	random_changes();
	reuse_number();
	limit_mappings();
	lose_ends();
	limit_files();
	limit_addresses();
	ksft_finished();
}
