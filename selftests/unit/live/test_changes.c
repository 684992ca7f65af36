// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_changes.c - parses records of perf and lines of /proc/PID/maps: valid, truncated and damaged
 * ones, and fields whose contents a program can choose.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "ksft.h"
#include "where/changes.h"

#define TIME	123456789ull

static uint64_t buffer[1200];

/* A record of @type, its @size bytes after the head, and the end that change_init_attr() sets. */
static size_t make_record(unsigned int type, unsigned int misc, const void *body, size_t size)
{
	struct perf_event_header *head = (void *)buffer;
	const uint32_t ids[2] = { 7, 7 };
	const uint64_t time = TIME;
	char *at = (char *)(head + 1);

	size = (size + 7) / 8 * 8;
	memset(at, 0, size);
	memcpy(at, body, size);
	memcpy(at + size, ids, sizeof(ids));
	memcpy(at + size + sizeof(ids), &time, sizeof(time));
	*head = (struct perf_event_header){ type, misc, sizeof(*head) + size + 16 };
	return head->size;
}

struct map_body {
	uint32_t pid, tid;
	uint64_t begin, length, offset;
	uint8_t file[24];
	uint32_t prot, flags;
	char path[FILE_PATH];
};

static struct map_body body = {
	.pid = 7, .tid = 8, .begin = 0x1000, .length = 0x2000, .offset = 0x5000,
	.prot = PROT_READ | PROT_EXEC, .path = "/bin/true",
};

static size_t make_map(unsigned int misc)
{
	return make_record(PERF_RECORD_MMAP2, misc, &body, offsetof(struct map_body, path) +
			   (strlen(body.path) + 8) / 8 * 8);
}

static void read_maps(void)
{
	struct change c;
	unsigned int i;

	body.file[0] = 20;
	for (i = 0; i < 20; i++)
		body.file[4 + i] = i;
	change_read(&c, buffer, make_map(PERF_RECORD_MISC_MMAP_BUILD_ID));
	ksft_test_result(c.kind == CHANGE_MAP && c.tgid == 7 && c.time == TIME && c.begin == 0x1000 &&
			 c.length == 0x2000 && c.offset == 0x5000 && c.is_file &&
			 c.file.id_size == 20 && c.file.id[19] == 19 && !c.file.inode &&
			 !strcmp(c.file.path, "/bin/true"), "changes: a mapping with a build id is parsed\n");
	body.file[0] = 21;
	change_read(&c, buffer, make_map(PERF_RECORD_MISC_MMAP_BUILD_ID));
	ksft_test_result(c.kind == CHANGE_MAP && !c.file.id_size, "changes: a build id that is too long is ignored\n");
	memset(body.file, 0, sizeof(body.file));
	body.file[0] = 8;
	body.file[4] = 1;
	body.file[8] = 77;
	change_read(&c, buffer, make_map(0));
	ksft_test_result(c.kind == CHANGE_MAP && c.file.major == 8 && c.file.minor == 1 &&
			 c.file.inode == 77 && !c.file.id_size, "changes: a mapping without a build id has the inode of its file\n");
	body.prot = PROT_READ;
	change_read(&c, buffer, make_map(0));
	ksft_test_result(c.kind == CHANGE_OTHER, "changes: mappings that are not executable are left out\n");
	body.prot = PROT_EXEC;
}

/* The kernel reports the address as the offset of anonymous memory. */
static void hide_addresses(void)
{
	static const char *const names[] = { "//anon", "[vdso]", "[stack]", "", "//enomem", "anon" };
	unsigned int i, shown = 0;
	struct change c;
	char line[128];

	body.begin = 0x7f0012345000;
	body.offset = 0x7f0012345000;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(body.path, sizeof(body.path), "%s", names[i]);
		change_read(&c, buffer, make_map(0));
		shown += c.kind != CHANGE_MAP || c.is_file || c.offset;
		snprintf(line, sizeof(line), "7f0012345000-7f0012346000 r-xp 7f0012345000 00:00 0 %s\n", names[i]);
		shown += !change_read_maps(&c, 7, line) || c.is_file || c.offset;
	}
	ksft_test_result(!shown, "changes: the offset of anonymous memory is 0\n");
	body.begin = 0x1000;
}

static void cut_records(void)
{
	struct perf_event_header *head = (void *)buffer;
	struct change c;
	size_t size, whole;
	unsigned int wrong = 0;

	snprintf(body.path, sizeof(body.path), "/bin/true");
	whole = make_map(0);
	for (size = 0; size < whole; size++) {
		char *copy = malloc(size ? size : 1);

		make_map(0);
		head->size = size;
		memcpy(copy, buffer, size);
		change_read(&c, copy, size);
		wrong += c.kind == CHANGE_MAP && strcmp(c.file.path, "/bin/true");
		change_time(copy, size);
		free(copy);
	}
	make_map(0);
	memset((char *)buffer + sizeof(*head) + offsetof(struct map_body, path), 'x', 16);
	change_read(&c, buffer, whole);
	ksft_test_result(!wrong && c.kind == CHANGE_OTHER, "changes: truncated records and unterminated paths are refused\n");
}

static void random_records(void)
{
	struct perf_event_header *head = (void *)buffer;
	static const unsigned int types[] = {
		PERF_RECORD_MMAP2, PERF_RECORD_COMM, PERF_RECORD_FORK, PERF_RECORD_EXIT, PERF_RECORD_LOST, 99,
	};
	unsigned int i, wrong = 0;
	struct change c;
	size_t size, at;

	srandom(1);
	for (i = 0; i < 200000; i++) {
		char *copy;

		size = 8 * (1 + random() % 20);
		copy = malloc(size);
		for (at = 0; at < size; at++)
			copy[at] = random();
		head = (void *)copy;
		head->type = types[random() % 6];
		head->size = size;
		change_read(&c, copy, size);
		if (c.kind == CHANGE_MAP)
			wrong += c.is_file != (*c.file.path == '/') || (!c.is_file && c.offset);
		free(copy);
	}
	ksft_test_result(!wrong, "changes: 200000 random records are parsed or refused\n");
}

static void read_tasks(void)
{
	struct { uint32_t pid, ppid, tid, ptid; uint64_t time; } task = { 7, 5, 7, 5, 0 };
	struct { uint32_t pid, tid; char name[16]; } name = { 7, 7, "work" };
	const uint64_t lost[2] = { 1, 42 };
	struct change c;

	change_read(&c, buffer, make_record(PERF_RECORD_FORK, 0, &task, sizeof(task)));
	ksft_test_result(c.kind == CHANGE_FORK && c.tgid == 7 && c.parent == 5, "changes: a fork\n");
	change_read(&c, buffer, make_record(PERF_RECORD_EXIT, 0, &task, sizeof(task)));
	ksft_test_result(c.kind == CHANGE_EXIT && c.tgid == 7, "changes: an exit\n");
	task.tid = 8;
	change_read(&c, buffer, make_record(PERF_RECORD_EXIT, 0, &task, sizeof(task)));
	ksft_test_result(c.kind == CHANGE_OTHER, "changes: the end of a thread is not the end of its process\n");
	change_read(&c, buffer, make_record(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, &name, sizeof(name)));
	ksft_test_result(c.kind == CHANGE_EXEC && c.tgid == 7 && !strcmp(c.name, "work"), "changes: an exec\n");
	name.tid = 8;
	change_read(&c, buffer, make_record(PERF_RECORD_COMM, 0, &name, sizeof(name)));
	ksft_test_result(c.kind == CHANGE_OTHER, "changes: the name of a thread does not rename its process\n");
	change_read(&c, buffer, make_record(PERF_RECORD_LOST, 0, lost, sizeof(lost)));
	ksft_test_result(c.kind == CHANGE_LOST && c.lost == 42, "changes: lost records are counted\n");
}

static void read_lines(void)
{
	char code[] = "55d0a0001000-55d0a0005000 r-xp 00001000 fe:01 1234                       /bin/two words\\012x (deleted)\n";
	char data[] = "55d0a0001000-55d0a0005000 rw-p 00001000 fe:01 1234                       /bin/true\n";
	char bad[] = "55d0a0005000-55d0a0001000 r-xp 00001000 fe:01 1234 /bin/true\n";
	struct change c;

	ksft_test_result(change_read_maps(&c, 7, code) && c.tgid == 7 && c.begin == 0x55d0a0001000 &&
			 c.length == 0x4000 && c.offset == 0x1000 && c.file.major == 0xfe &&
			 c.file.minor == 1 && c.file.inode == 1234 && c.is_file &&
			 !strcmp(c.file.path, "/bin/two words\nx (deleted)"), "changes: a line of /proc/PID/maps is parsed\n");
	ksft_test_result(!change_read_maps(&c, 7, data) && !change_read_maps(&c, 7, bad) &&
			 !change_read_maps(&c, 7, (char[]){ "" }), "changes: lines of data and damaged lines of /proc/PID/maps are left out\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(15);
	read_maps();
	hide_addresses();
	cut_records();
	random_records();
	read_tasks();
	read_lines();
	ksft_finished();
}
