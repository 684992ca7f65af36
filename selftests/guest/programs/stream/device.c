// SPDX-License-Identifier: GPL-2.0-only
/*
 * device.c - tests /dev/rcrtool as documented in section 3 of Documentation/dev/interface.md. Needs
 * the module loaded with a period of 1 ms and rings of 256 records.
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "ksft.h"
#include "stream.h"

static char buffer[1 << 20] __attribute__((aligned(8)));

/* Count the items of @type in the data read. */
static unsigned int count_items(ssize_t got, unsigned int type)
{
	unsigned int found = 0;
	ssize_t at;

	for (at = 0; at < got; at += ((struct rcr_item *)(buffer + at))->size)
		found += ((struct rcr_item *)(buffer + at))->type == type;
	return found;
}

static struct rcr_lost *find_lost(ssize_t got)
{
	ssize_t at;

	for (at = 0; at < got; at += ((struct rcr_item *)(buffer + at))->size)
		if (((struct rcr_item *)(buffer + at))->type == RCR_ITEM_LOST)
			return (struct rcr_lost *)(buffer + at);
	return NULL;
}

static bool times_rise(ssize_t got)
{
	uint64_t last = 0;
	ssize_t at;

	for (at = 0; at < got; at += ((struct rcr_item *)(buffer + at))->size) {
		struct rcr_record *r = (struct rcr_record *)(buffer + at);

		if (r->item.type != RCR_ITEM_SAMPLE)
			continue;
		if (r->time < last)
			return false;
		last = r->time;
	}
	return true;
}

static void test_set(void)
{
	struct stat st;
	int fd = open(DEVICE, O_RDONLY);
	struct rcr_set *set = (struct rcr_set *)buffer;
	ssize_t got;

	ksft_test_result(!stat(DEVICE, &st) && S_ISCHR(st.st_mode) &&
			 (st.st_mode & 0777) == 0640 && !st.st_uid,
			 "device: it belongs to root, with mode 0640\n");
	ksft_test_result(read(fd, buffer, sizeof(*set) - 8) == -1 && errno == EINVAL,
			 "device: a buffer too small for the set fails with EINVAL\n");
	got = read(fd, buffer, RCR_READ_MIN);
	ksft_test_result(got >= (ssize_t)sizeof(*set) &&
			 set->item.type == RCR_ITEM_SET && set->version == RCR_ABI_VERSION &&
			 !set->error && set->ncounters == 6 &&
			 set->period_ns == 1000000 && set->ring_records == 256 &&
			 !strcmp(set->source, "msr") &&
			 !strcmp(set->family, "AMD Fam15h") &&
			 !strcmp(counters_of(set)[0].name, "TOT_CYC") &&
			 counters_of(set)[0].select == 0x430076 &&
			 counters_of(set)[2].counter == 0xc0010207,
			 "device: the first item describes the set\n");
	ksft_test_result(*(uint64_t *)(buffer + set->cpus_offset) == 0xf,
			 "device: the first item lists the CPUs\n");
	close(fd);
}

static void test_reading(void)
{
	struct pollfd p = { .events = POLLIN };
	struct rcr_set *set = open_stream(&p.fd, O_NONBLOCK);
	struct timespec wait = { .tv_nsec = 50000000 };
	void *unwritable = mmap(NULL, 65536, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
				-1, 0);
	ssize_t got;

	while (read(p.fd, buffer, sizeof(buffer)) > 0)
		;
	ksft_test_result(errno == EAGAIN, "device: a nonblocking read without data fails with EAGAIN\n");
	ksft_test_result(poll(&p, 1, 2000) == 1 && p.revents == POLLIN &&
			 read(p.fd, buffer, sizeof(buffer)) > 0,
			 "device: poll() returns when there is data\n");
	nanosleep(&wait, NULL);
	ksft_test_result(read(p.fd, buffer, set->record_size - 1) == -1 &&
			 errno == EINVAL, "device: a buffer too small for a record fails with EINVAL\n");
	got = read(p.fd, buffer, set->record_size * 2 + 8);
	ksft_test_result(got == (ssize_t)set->record_size * 2,
			 "device: read() returns only complete items\n");
	ksft_test_result(read(p.fd, unwritable, 65536) == -1 && errno == EFAULT,
			 "device: read() into an invalid buffer fails with EFAULT\n");
	got = read(p.fd, buffer, sizeof(buffer));
	ksft_test_result(got > 0 && count_items(got, RCR_ITEM_SAMPLE) > 0 &&
			 times_rise(got) && !find_lost(got),
			 "device: a reader that keeps up loses nothing; records come in order of time\n");
	ksft_test_result(read(p.fd, buffer, 0) <= 0, "device: a read of 0 bytes does not block\n");
	ksft_test_result(write(p.fd, buffer, 8) == -1, "device: write() is refused\n");
	close(p.fd);
	free(set);
}

/*
 * Return the position of the CPU's next record, or of its next loss, after @lost. Skips records of
 * other CPUs.
 */
static uint64_t position_behind(const struct rcr_lost *lost, ssize_t got)
{
	const char *at = (const char *)lost + lost->item.size;
	const struct rcr_item *item;

	for (; at < buffer + got; at += item->size) {
		item = (const void *)at;
		if (item->cpu != lost->item.cpu)
			continue;
		if (item->type == RCR_ITEM_LOST)
			return ((const struct rcr_lost *)item)->position;
		if (item->type >= RCR_ITEM_SAMPLE)
			return ((const struct rcr_record *)item)->position;
	}
	return 0;
}

static void test_places(void)
{
	struct timespec wait = { .tv_sec = 3 };
	int a, b;
	struct rcr_set *set = open_stream(&a, 0), *other = open_stream(&b, 0);
	struct rcr_lost *lost;
	ssize_t got;
	unsigned int old;

	nanosleep(&wait, NULL);
	got = read(a, buffer, sizeof(buffer));
	lost = find_lost(got);
	ksft_test_result(lost && lost->count > 0 && count_items(got, RCR_ITEM_LOST) >= 1,
			 "device: a reader that is too slow gets a record of its loss\n");
	ksft_test_result(lost && position_behind(lost, got) == lost->position + lost->count,
			 "device: a reader that is too slow continues with the first record after its loss\n");
	got = read(b, buffer, set->record_size);
	ksft_test_result(got > 0, "device: each reader has its own position\n");

	ksft_test_result(lseek(a, 0, SEEK_SET) == 0, "device: a reader can seek to the oldest record\n");
	got = read(a, buffer, sizeof(buffer));
	old = count_items(got, RCR_ITEM_SAMPLE);
	ksft_test_result(old >= 4 * 50, "device: after a seek to the oldest record, read() returns the old samples (%u)\n", old);
	ksft_test_result(lseek(a, 0, SEEK_END) == 0, "device: a reader can seek to the end\n");
	ksft_test_result(lseek(a, 5, SEEK_SET) == -1 && errno == ESPIPE &&
			 lseek(a, 0, SEEK_CUR) == -1 && errno == ESPIPE,
			 "device: any other seek fails with ESPIPE\n");
	close(a);
	close(b);
	free(set);
	free(other);
}

/* Rings can only be mapped as a whole, and read-only. */
static void test_mapping(void)
{
	int fd;
	struct rcr_set *set = open_stream(&fd, 0);
	size_t size = set->ring_bytes;
	struct rcr_ring *r = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, size);

	ksft_test_result(r != MAP_FAILED && r->magic == RCR_RING_MAGIC && r->cpu == 1 &&
			 r->record_size == set->record_size && r->capacity == 256 &&
			 r->generation == set->item.generation && !r->ended && r->head,
			 "device: a ring can be mapped and describes itself\n");
	ksft_test_result(mprotect(r, size, PROT_READ | PROT_WRITE) == -1 && errno == EACCES &&
			 mprotect(r, size, PROT_READ | PROT_EXEC) == -1 && errno == EACCES,
			 "device: mprotect() cannot make a mapped ring writable or executable\n");
	ksft_test_result(mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED &&
			 errno == EINVAL &&
			 mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED &&
			 errno == EACCES &&
			 mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0) == MAP_FAILED &&
			 errno == EACCES,
			 "device: a private, writable or executable mapping of a ring is refused\n");
	ksft_test_result(mmap(NULL, size - 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED &&
			 mmap(NULL, size + 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED &&
			 mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 4096) == MAP_FAILED &&
			 mmap(NULL, size, PROT_READ, MAP_SHARED, fd, size * 4) == MAP_FAILED &&
			 mmap(NULL, size, PROT_READ, MAP_SHARED, fd, size * 100000) == MAP_FAILED &&
			 errno == EINVAL,
			 "device: a mapping of another length, at another offset or of no CPU is refused\n");
	munmap(r, size);
	close(fd);
	free(set);
}

/* The debugfs file has the records of a CPU, and reading it does not block. */
static void test_debugfs(void)
{
	int fd = open("/sys/kernel/debug/rcrtool/cpu2/ring", O_RDONLY);
	ssize_t got = read(fd, buffer, sizeof(buffer)), at;
	bool others = false;

	for (at = 0; at < got; at += ((struct rcr_item *)(buffer + at))->size)
		others |= ((struct rcr_item *)(buffer + at))->type >= RCR_ITEM_SAMPLE &&
			  ((struct rcr_item *)(buffer + at))->cpu != 2;
	ksft_test_result(got > 0 && !others && count_items(got, RCR_ITEM_SAMPLE) > 30,
			 "device: the debugfs file has the records of its CPU and no others\n");
	while (read(fd, buffer, sizeof(buffer)) > 0)
		;
	ksft_test_result(read(fd, buffer, sizeof(buffer)) >= 0, "device: a read of the debugfs file does not block\n");
	close(fd);
}

static void set_online(unsigned int cpu, const char *to)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	fd = open(path, O_WRONLY);
	if (write(fd, to, 1) != 1)
		ksft_print_msg("cannot write %s to %s\n", to, path);
	close(fd);
}

/* Count the gaps of a CPU, and its samples after the first gap. */
static void count_gaps(ssize_t got, unsigned int cpu, unsigned int *gaps,
		       unsigned int *after, unsigned int *others)
{
	ssize_t at;

	for (at = 0; at < got; at += ((struct rcr_item *)(buffer + at))->size) {
		struct rcr_item *item = (struct rcr_item *)(buffer + at);

		if (item->type == RCR_ITEM_GAP)
			*(item->cpu == cpu ? gaps : others) += 1;
		else if (item->type == RCR_ITEM_SAMPLE && item->cpu == cpu)
			*after += *gaps > 0;
	}
}

/* A CPU that goes offline has one gap; records of other CPUs continue in order of time. */
static void test_gap(void)
{
	unsigned int gaps = 0, after = 0, others = 0, samples = 0, i;
	struct timespec wait = { .tv_nsec = 20000000 };
	bool ordered = true;
	ssize_t got;
	int fd;

	free(open_stream(&fd, O_NONBLOCK));
	set_online(3, "0");
	/* Skip an earlier gap, which the CPU has if the host did not run it in time. */
	lseek(fd, 0, SEEK_END);
	for (i = 0; i < 10; i++) {
		nanosleep(&wait, NULL);
		got = read(fd, buffer, sizeof(buffer));
		count_gaps(got, 3, &gaps, &after, &others);
		samples += got > 0 ? count_items(got, RCR_ITEM_SAMPLE) : 0;
		ordered &= got <= 0 || times_rise(got);
	}
	ksft_test_result(gaps == 1 && !after && samples > 30 && ordered,
			 "device: a CPU that goes offline has one gap, and others go on (%u gaps, %u later samples, %u in all)\n",
			 gaps, after, samples);
	set_online(3, "1");
	for (i = 0; i < 20 && !after; i++) {
		nanosleep(&wait, NULL);
		count_gaps(read(fd, buffer, sizeof(buffer)), 3, &gaps, &after, &others);
	}
	ksft_test_result(after > 0, "device: a CPU that is online again is sampled again\n");
	close(fd);
}

/* A signal interrupts a reader that sleeps in read(), and can kill it. */
static void test_sleeper(void)
{
	struct timespec wait = { .tv_nsec = 100000000 };
	int status = 0;
	pid_t child = fork();

	if (!child) {
		int fd;

		free(open_stream(&fd, 0));
		for (;;)
			if (read(fd, buffer, sizeof(buffer)) < 0)
				_exit(1);
	}
	nanosleep(&wait, NULL);
	kill(child, SIGKILL);
	ksft_test_result(waitpid(child, &status, 0) == child && WIFSIGNALED(status),
			 "device: a sleeping reader can be killed\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(4 + 8 + 7 + 4 + 2 + 2 + 1);
	test_set();
	test_reading();
	test_places();
	test_mapping();
	test_debugfs();
	test_gap();
	test_sleeper();
	ksft_finished();
}
