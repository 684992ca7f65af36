// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_evidence.c - evidence files: their contents, their budget, and that a failed write leaves
 * nothing behind. EVIDENCE_PATH is in a directory of the test.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "clock.h"
#include "ksft.h"
#include "live/evidence.h"
#include "made_rings.h"

#define RINGS	3
#define MS	1000000ull
#define FILES	16

static const unsigned int cpus[RINGS] = { 0, 1, 3 };
static struct {
	struct made_set made;
	char more[40000];
} set;
static struct rcr_map ring[RINGS], *maps[RINGS];
static struct merge_ring merge_ring[RINGS];
static struct run run;
static struct machine machine;
static struct bounds bounds;
static struct verdict verdict;
static uint64_t first;
static struct why why;
static int dir;

/* Free bytes of the disk; the most that the next write() takes; and whether fsync() fails. */
static size_t room = SIZE_MAX, once = SIZE_MAX, written;
static bool is_broken;

ssize_t __wrap_write(int fd, const void *bytes, size_t size)
{
	if (size > room || size > once)
		size = room < once ? room : once;
	once = SIZE_MAX;
	if (!size) {
		errno = ENOSPC;
		return -1;
	}
	room -= size;
	written += size;
	return writev(fd, &(struct iovec){ (void *)bytes, size }, 1);
}

int __wrap_fsync(int fd)
{
	(void)fd;
	errno = EIO;
	return is_broken ? -1 : 0;
}

/* Symbols that run.c needs in addition to made_rings.h. */
struct rcr_map *rcr_map(struct rcr_reader *r, unsigned int cpu)
{
	(void)r;
	(void)cpu;
	return NULL;
}

void rcr_unmap(struct rcr_map *m)
{
	(void)m;
}

/* The fake engine writes one line, and keeps the time that it was asked for. */
static uint64_t asked_for;

void engine_write(const struct engine *e, uint64_t time, fact_take take, void *to)
{
	(void)e;
	asked_for = time;
	take(to, "slope.0=known before");
}

/* Make 4 s of samples of each CPU, every 100 ms, with a contention in the last second. */
static void make_run(void)
{
	uint64_t time_ms = now_ns() / MS - 4000;
	unsigned int i, n;

	set.made = make_set();
	set.made.set.period_ns = 100 * MS;
	memset(ring, 0, sizeof(ring));
	run = (struct run){
		.merge = { .set = &set.made.set, .ring = merge_ring, .rings = RINGS }, .map = maps,
	};
	for (i = 0; i < RINGS; i++) {
		maps[i] = &ring[i];
		merge_ring[i] = (struct merge_ring){ .cpu = cpus[i] };
		for (n = 0; n < 40; n++)
			made_sample(&ring[i], cpus[i], time_ms + 100 * n);
	}
	verdict = (struct verdict){
		.finding = FINDING_BANDWIDTH, .state = VERDICT_BUSY, .since = (time_ms + 3000) * MS,
	};
	machine = (struct machine){ .cpus = MACHINE_CPUS, .nodes = 2, .node_of = { 0, 1, 0, 1 } };
	machine.capacity[0] = 1e9 / 3;
	machine.capacity[1] = 1e8;
	machine.latency[1] = 200.25;
}

static int keep(uint64_t budget, unsigned int node)
{
	verdict.node = node;
	*why.text = 0;
	return evidence_keep(dir, budget, &run,
			     &(struct evidence){ .machine = &machine, .bounds = &bounds, .first = first },
			     &verdict, &why);
}

static char *names[FILES];
static unsigned int count;

static void forget_names(void)
{
	while (count)
		free(names[--count]);
}

/* Read the names of all files, in order. */
static void list_files(void)
{
	struct dirent **all;
	int got = scandir(EVIDENCE_PATH, &all, NULL, alphasort), i;

	forget_names();
	for (i = 0; i < got; i++) {
		if (*all[i]->d_name != '.' && count < FILES)
			names[count++] = strdup(all[i]->d_name);
		free(all[i]);
	}
	free(all);
}

static bool has_file(const char *name)
{
	return !faccessat(dir, name, F_OK, 0);
}

static void remove_files(void)
{
	list_files();
	while (count) {
		unlinkat(dir, names[count - 1], 0);
		unlinkat(dir, names[count - 1], AT_REMOVEDIR);
		free(names[--count]);
	}
}

static void make_file(const char *name, size_t size)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT, 0600);

	if (fd < 0 || ftruncate(fd, size))
		ksft_exit_fail_msg("cannot make %s\n", name);
	close(fd);
}

static uint64_t size_of(const char *name)
{
	struct stat st;

	return fstatat(dir, name, &st, 0) ? 0 : st.st_size;
}

/* What was read from a file: its samples and its facts. */
struct content {
	unsigned int samples, others, before;
	uint64_t first, last;
	struct machine machine;
	struct bounds bounds;
	bool is_whole;
};

static bool take_fact(struct content *c, const char *line)
{
	bool is_before = !strcmp(line, "slope.0=known before");

	c->before += is_before;
	return is_before || machine_take(&c->machine, line) || bounds_take(&c->bounds, line);
}

static void read_content(const char *name, struct content *c)
{
	char path[128];
	struct rcr_reader *r;
	const struct rcr_item *item;

	memset(c, 0, sizeof(*c));
	snprintf(path, sizeof(path), EVIDENCE_PATH "/%s", name);
	r = rcr_open(path);
	if (!r)
		return;
	while (rcr_next(r, &item, -1) == 1) {
		uint64_t time = ((const struct rcr_record *)item)->time;

		if (item->type == RCR_ITEM_NODE)
			c->others += !take_fact(c, ((const struct rcr_node *)item)->text);
		else if (item->type == RCR_ITEM_SAMPLE && !c->samples++)
			c->first = time;
		else if (item->type != RCR_ITEM_SAMPLE && item->type != RCR_ITEM_SET)
			c->others++;
		if (item->type == RCR_ITEM_SAMPLE)
			c->last = time;
	}
	c->is_whole = errno == ENODATA;
	rcr_close(r);
}

static void test_content(void)
{
	static struct content c;
	bool ok;

	make_run();
	ok = !keep(1 << 20, 1) && !run.copy;
	list_files();
	ksft_test_result(ok && count == 1 && strlen(names[0]) == strlen("20261129T161345-bandwidth-1.rcr") &&
			 names[0][8] == 'T' && !strcmp(names[0] + 15, "-bandwidth-1.rcr"),
			 "evidence: a file is named after the time, the finding and the node\n");
	read_content(count ? names[0] : "", &c);
	/* Samples after the instant 2 s before the begin, not the one of that instant. */
	ksft_test_result(c.is_whole && c.samples == 29 * RINGS && !c.others &&
			 c.first == verdict.since - 1900 * MS && c.last == verdict.since + 900 * MS,
			 "evidence: a file begins two seconds before the contention\n");
	ksft_test_result(c.machine.nodes == 2 && c.machine.cpus == 4 && c.machine.node_of[1] == 1 &&
			 !c.machine.node_of[2] && c.machine.node_of[3] == 1 &&
			 !memcmp(c.machine.capacity, machine.capacity, sizeof(machine.capacity)) &&
			 !memcmp(c.machine.latency, machine.latency, sizeof(machine.latency)),
			 "evidence: a file has the facts of the machine\n");
	ksft_test_result(!memcmp(c.bounds.value, bounds.value, sizeof(bounds.value)),
			 "evidence: a file has all thresholds\n");
	ksft_test_result(c.before == 1 && asked_for == verdict.since - 2000 * MS,
			 "evidence: a file has the engine's history at its begin\n");
	remove_files();
}

/* Samples from before rcrd was started are left out; a ring has lost its oldest samples. */
static void test_begin(void)
{
	static struct content c;
	bool ok;

	make_run();
	first = verdict.since - 1000 * MS;
	ok = !keep(1 << 20, 1);
	list_files();
	read_content(count ? names[0] : "", &c);
	ksft_test_result(ok && c.is_whole && c.samples == 19 * RINGS && c.first == first + 100 * MS &&
			 asked_for == first,
			 "evidence: samples that were not judged are left out\n");
	first = 0;
	remove_files();
	make_run();
	ring[1].first = 20;
	ok = !keep(1 << 20, 1);
	ksft_test_result(ok && asked_for == verdict.since - 1000 * MS,
			 "evidence: the history is of the first instant that all rings still have\n");
	remove_files();
}

/* Evidence uses the recorder's copy, but does not free it. */
static void test_copy(void)
{
	bool ok;

	make_run();
	ok = !run_reserve(&run, &why) && !keep(1 << 20, 1) && run.copy;
	run_release(&run);
	ksft_test_result(ok, "evidence: memory that the recorder reserved stays reserved\n");
	remove_files();
}

static const char *const old[] = {
	"20200101T000000-bandwidth-0.rcr", "20200102T000000-one-0.rcr", "20210101T000000-sum-1.rcr",
};

static void make_old(void)
{
	make_file(old[1], 5000);
	make_file(old[2], 5000);
	make_file(old[0], 5000);
	/* Foreign files: no evidence by their names. */
	make_file("notes", 100000);
	make_file("10000101T000000-x-0.rcr.new", 100000);
	make_file("10000101T000000-x-0.rc", 100000);
	make_file(".rcr", 100000);
	mkdirat(dir, "00000101T000000-folder-0.rcr", 0700);
}

static bool has_foreign(void)
{
	return size_of("notes") == 100000 && has_file("10000101T000000-x-0.rcr.new") &&
	       has_file("10000101T000000-x-0.rc") && has_file(".rcr") &&
	       has_file("00000101T000000-folder-0.rcr");
}

static void test_budget(void)
{
	struct stat st;
	uint64_t size;
	bool ok;
	int fd;

	make_run();
	keep(1 << 20, 1);
	list_files();
	size = count ? size_of(names[0]) : 0;
	remove_files();
	make_old();
	ok = !keep(15000 + size, 0);
	list_files();
	ksft_test_result(size && ok && count == 8 && has_file(old[0]),
			 "evidence: no file is removed while all fit in the budget\n");
	ok = !keep(15000 + 2 * size - 1, 1);
	list_files();
	ksft_test_result(ok && count == 8 && !has_file(old[0]) && has_file(old[1]) && has_file(old[2]),
			 "evidence: beyond the budget the oldest file is removed\n");
	ok = !keep(5000 + 3 * size, 2);
	list_files();
	ksft_test_result(ok && count == 8 && !has_file(old[1]) && has_file(old[2]),
			 "evidence: no more files are removed than necessary\n");
	fd = openat(dir, old[2], O_RDONLY | O_CLOEXEC);
	ok = !keep(size, 3);
	list_files();
	ksft_test_result(ok && count == 5 && has_foreign(),
			 "evidence: a file may use the whole budget; foreign files are kept\n");
	ksft_test_result(!fstat(fd, &st) && !st.st_size && !st.st_nlink,
			 "evidence: a removed file frees its space even while it is open\n");
	close(fd);
	remove_files();
}

/* Return whether the directory has the three old files and nothing else. */
static bool is_unchanged(void)
{
	list_files();
	return count == 3 && has_file(old[0]) && has_file(old[1]) && has_file(old[2]);
}

static void begin_failure(void)
{
	unsigned int i;

	make_run();
	for (i = 0; i < 3; i++)
		make_file(old[i], 5000);
}

static void end_failure(bool failed, const char *reason, const char *what)
{
	bool ok = failed && strstr(why.text, reason) && is_unchanged() && !run.copy;

	if (!ok)
		ksft_print_msg("%u files, \"%s\"\n", count, why.text);
	ksft_test_result(ok, "evidence: %s: nothing is written, and no file is removed\n", what);
	room = SIZE_MAX;
	is_broken = false;
	remove_files();
}

/* Make the set and the facts of many CPUs, larger than the write buffer. */
static void make_large(void)
{
	unsigned int cpu;

	set.made.set.item.size = sizeof(set);
	set.made.set.ncpus = MACHINE_CPUS;
	for (cpu = 0; cpu < MACHINE_CPUS; cpu++)
		machine.node_of[cpu] = cpu % 2;
}

static void test_failure(void)
{
	bool is_kept;

	begin_failure();
	end_failure(keep(1000, 1), "does not fit into 1000", "file larger than the budget");

	begin_failure();
	room = 100;
	end_failure(keep(1 << 20, 1), strerror(ENOSPC), "disk full");

	/* More than the buffer: the size must be checked before the first write(). */
	begin_failure();
	make_large();
	written = 0;
	is_kept = keep(60000, 1);
	end_failure(is_kept && !written, "does not fit into 60000", "large file beyond the budget");

	begin_failure();
	make_large();
	once = 0;
	end_failure(keep(1 << 20, 1), strerror(ENOSPC), "disk full for a moment, while facts are written");

	begin_failure();
	is_broken = true;
	end_failure(keep(1 << 20, 1), strerror(EIO), "fsync() fails");

	remove_files();
	rename(EVIDENCE_PATH, "elsewhere");
	is_kept = !keep(1 << 20, 1);
	rename("elsewhere", EVIDENCE_PATH);
	list_files();
	ksft_test_result(is_kept && count == 1, "evidence: a file is written to the open directory, even after a rename\n");
	remove_files();
}

int main(void)
{
	char folder[] = "/tmp/evidence.XXXXXX";

	ksft_print_header();
	ksft_set_plan(19);
	if (!mkdtemp(folder) || chdir(folder) || mkdir(EVIDENCE_PATH, 0700))
		ksft_exit_fail_msg("no folder\n");
	dir = open(EVIDENCE_PATH, O_RDONLY | O_DIRECTORY);
	bounds_init(&bounds);
	bounds.value[BOUND_LATENCY] = 5.0 / 3;
	test_content();
	test_begin();
	test_copy();
	test_budget();
	test_failure();
	forget_names();
	close(dir);
	unlink(EVIDENCE_PATH "/.rcr");
	rmdir(EVIDENCE_PATH);
	if (chdir("/") || rmdir(folder))
		ksft_print_msg("%s is left\n", folder);
	ksft_finished();
}
