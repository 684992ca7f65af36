// SPDX-License-Identifier: GPL-2.0-only
/*
 * items.c - descriptors of /dev/rcrtool that select types of items: a reader of only marks and sets
 * is not woken by samples. Needs the module loaded with a period of 1 ms.
 */
#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "ksft.h"
#include "rcr.h"
#include "stream.h"

#define MARKS_AND_SETS	(1u << RCR_ITEM_SET | 1u << RCR_ITEM_MARK)
#define SLEEP_MS	1500

static unsigned int seen[32];

/* Read items for @ms, and count them by type. */
static void take_items(struct rcr_reader *r, int ms)
{
	uint64_t end = monotonic_ns() + ms * 1000000ull;
	const struct rcr_item *item;

	memset(seen, 0, sizeof(seen));
	while (monotonic_ns() < end)
		if (rcr_next(r, &item, 50) == 1)
			seen[item->type % 32]++;
}

static unsigned int seen_others(uint64_t types)
{
	unsigned int i, others = 0;

	for (i = 0; i < 32; i++)
		others += types & (1ull << i) ? 0 : seen[i];
	return others;
}

static long sleeps(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

static int choose(int fd, uint32_t size, uint64_t types)
{
	struct rcr_items items = { .size = size, .types = types };

	return ioctl(fd, RCR_ITEMS, &items) ? errno : 0;
}

static void test_sleep(struct rcr_reader *r)
{
	struct pollfd p = { .fd = rcr_fd(r), .events = POLLIN };
	long before;
	int ready;

	ksft_test_result(!rcr_choose_items(r, MARKS_AND_SETS), "items: marks and sets can be selected\n");
	take_items(r, 300);
	before = sleeps();
	ready = poll(&p, 1, SLEEP_MS);
	ksft_test_result(!ready && sleeps() - before <= 3,
			 "items: a reader of marks and sets sleeps through samples (%ld times)\n",
			 sleeps() - before);
	ksft_test_result(!system("rcrctl mark one") && poll(&p, 1, 10000) == 1,
			 "items: a mark wakes a reader of marks and sets\n");
	take_items(r, 300);
	ksft_test_result(seen[RCR_ITEM_MARK] == 1 && !seen_others(1u << RCR_ITEM_MARK),
			 "items: a reader of marks and sets reads the mark and nothing else\n");
	ksft_test_result(!system("rcrctl period 2ms") && poll(&p, 1, 10000) == 1,
			 "items: a new set wakes a reader of marks and sets\n");
	take_items(r, 300);
	ksft_test_result(seen[RCR_ITEM_SET] == 1 && !seen_others(1u << RCR_ITEM_SET),
			 "items: a reader of marks and sets reads the set and nothing else\n");
}

static void test_samples(struct rcr_reader *r)
{
	ksft_test_result(!rcr_choose_items(r, 1u << RCR_ITEM_SAMPLE) && !system("rcrctl mark two"),
			 "items: samples can be selected\n");
	take_items(r, 300);
	ksft_test_result(seen[RCR_ITEM_SAMPLE] > 20 && !seen_others(1u << RCR_ITEM_SAMPLE),
			 "items: a reader of samples reads samples and nothing else (%u)\n", seen[RCR_ITEM_SAMPLE]);
	ksft_test_result(!rcr_choose_items(r, RCR_ITEMS_ALL), "items: all types can be selected\n");
	take_items(r, 300);
	ksft_test_result(seen[RCR_ITEM_SAMPLE] > 20 && seen[RCR_ITEM_MARK] == 1,
			 "items: a reader of all types reads samples and the earlier mark\n");
}

static void *read_one(void *fd)
{
	char buffer[RCR_READ_MIN];
	ssize_t got = read(*(int *)fd, buffer, sizeof(buffer));

	return got > 0 ? (void *)(long)((struct rcr_item *)buffer)->type : NULL;
}

/* One thread changes the selected types while another one sleeps in read(). */
static void test_thread(void)
{
	int fd = open(DEVICE, O_RDONLY);
	char buffer[RCR_READ_MIN];
	pthread_t thread;
	void *type = NULL;

	choose(fd, 16, MARKS_AND_SETS);
	(void)!read(fd, buffer, sizeof(buffer));	/* the set */
	pthread_create(&thread, NULL, read_one, &fd);
	usleep(200000);
	choose(fd, 16, 1u << RCR_ITEM_SAMPLE);
	pthread_join(thread, &type);
	ksft_test_result((long)type == RCR_ITEM_SAMPLE,
			 "items: a thread that sleeps in read() follows the change\n");
	close(fd);
}

static void test_refused(void)
{
	struct { struct rcr_items items; uint64_t more; } larger = {
		.items = { .size = sizeof(larger), .types = RCR_ITEMS_ALL },
	};
	int fd = open(DEVICE, O_RDONLY);

	ksft_test_result(choose(fd, 16, 0) == EINVAL, "items: a selection without a type is refused\n");
	ksft_test_result(choose(fd, 16, 1ull << 40 | RCR_ITEMS_ALL) == EINVAL &&
			 choose(fd, 16, 1) == EINVAL, "items: an unknown type is refused\n");
	ksft_test_result(choose(fd, 8, RCR_ITEMS_ALL) == EINVAL && choose(fd, 0, 2) == EINVAL,
			 "items: a size that is too small is refused\n");
	ksft_test_result(choose(fd, 1u << 30, 2) == E2BIG, "items: a huge size is refused\n");
	ksft_test_result(!ioctl(fd, RCR_ITEMS, &larger) &&
			 !ioctl(fd, _IOC(_IOC_WRITE, 'R', _IOC_NR(RCR_ITEMS), sizeof(larger)),
				&larger),
			 "items: a larger structure is accepted if its further bytes are 0\n");
	larger.more = 1;
	ksft_test_result(ioctl(fd, RCR_ITEMS, &larger) && errno == E2BIG,
			 "items: a larger structure is refused if its further bytes are not 0\n");
	ksft_test_result(ioctl(fd, RCR_ITEMS, NULL) && errno == EFAULT,
			 "items: a bad address fails with EFAULT\n");
	ksft_test_result(ioctl(fd, _IO('R', 0x42)) && errno == ENOTTY,
			 "items: an unknown ioctl fails with ENOTTY\n");
	close(fd);
}

int main(void)
{
	struct rcr_reader *r = rcr_open(DEVICE);

	ksft_print_header();
	ksft_set_plan(6 + 4 + 1 + 8);
	test_sleep(r);
	test_samples(r);
	test_thread();
	test_refused();
	rcr_close(r);
	ksft_finished();
}
