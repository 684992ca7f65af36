// SPDX-License-Identifier: GPL-2.0-only
/*
 * clients.c - what a client of blackboard 2 may map, and what it may not, by section 6
 * of <linux/rcrboard.h>.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "ksft.h"
#include "slots.h"

#define RW (PROT_READ | PROT_WRITE)

static int board(int flags)
{
	int fd = open(BOARD, flags);

	if (fd < 0)
		ksft_exit_fail_msg("%s cannot be opened: %s\n", BOARD, strerror(errno));
	return fd;
}

/* It is refused, with that error; and so that the next one starts anew. */
static bool refused(const void *at, int error)
{
	bool right = at == MAP_FAILED && errno == error;

	if (!right)
		ksft_print_msg("got %s\n", at == MAP_FAILED ? strerror(errno) : "a mapping");
	errno = 0;
	return right;
}

static bool fails(int ret, int error)
{
	return refused(ret == -1 ? MAP_FAILED : NULL, error);
}

static void test_head(int fd)
{
	const struct rcr_threads *head = map_pages(fd, 0, 1, PROT_READ);
	struct stat st;

	ksft_test_result(!stat(BOARD, &st) && S_ISCHR(st.st_mode) &&
			 (st.st_mode & 0777) == 0660 && !st.st_uid,
			 "the device is root's, 0660\n");
	ksft_test_result(head != MAP_FAILED && head->magic == RCR_THREADS_MAGIC &&
			 head->version == RCR_BOARD_VERSION &&
			 head->compat_version == RCR_BOARD_COMPAT_VERSION &&
			 head->tgid == (uint32_t)getpid() &&
			 head->slot_size == sizeof(struct rcr_thread) &&
			 head->page_slots == 64 && head->pages == 64 && !head->mapped,
			 "the head says whose it is, and how much there can be\n");
	munmap((void *)head, PAGE);
}

static bool is_zero(const void *at, size_t size)
{
	const char *byte = at;

	return !*byte && !memcmp(byte, byte + 1, size - 1);
}

static void test_pages(int fd)
{
	const struct rcr_threads *head = map_pages(fd, 0, 1, PROT_READ);
	char *one = map_pages(fd, 1, 1, RW), *again = map_pages(fd, 1, 1, RW);
	char *some = map_pages(fd, 5, 4, RW), *within = map_pages(fd, 6, 1, PROT_READ);
	int other = board(O_RDWR);
	char *foreign = map_pages(other, 1, 1, RW);

	ksft_test_result(one != MAP_FAILED && some != MAP_FAILED && is_zero(one, PAGE) &&
			 is_zero(some, 4 * PAGE) && head->mapped == 5,
			 "a page, and four at once, are empty and counted once\n");
	strcpy(one, "one");
	strcpy(some + PAGE, "six");
	ksft_test_result(!strcmp(again, "one") && !strcmp(within, "six"),
			 "a page that is mapped again is the same\n");
	ksft_test_result(is_zero(foreign, PAGE), "and another client's is another\n");
	munmap(one, PAGE);
	munmap(again, PAGE);
	one = map_pages(fd, 1, 1, RW);
	ksft_test_result(!strcmp(one, "one") && head->mapped == 5,
			 "it stays when it is not mapped\n");
	memset(one, 0, PAGE);
	memset(some, 0, 4 * PAGE);
	munmap(one, PAGE);
	munmap(some, 4 * PAGE);
	munmap(within, PAGE);
	munmap(foreign, PAGE);
	munmap((void *)head, PAGE);
	close(other);
}

static void test_seen(int fd)
{
	struct rcr_thread *slot = map_pages(fd, 1, 1, RW);
	char line[256];

	ksft_test_result(!seen_of(getpid()), "root sees no free slot\n");
	slot[7] = (struct rcr_thread){ .state = RCR_THREAD_RUNNING, .tid = 4711, .id = 42,
				       .pc = 0x401000, .wish = 0xabc };
	slot[9].state = 0xffffffff;
	snprintf(line, sizeof(line),
		 "tgid %d tid 4711 id 42 pc 0x401000 state running wish 0xabc\n", getpid());
	ksft_test_result(seen(line) == 1, "root sees what stands in a slot\n");
	snprintf(line, sizeof(line), "tgid %d tid 0 id 0 pc 0x0 state 0xffffffff wish 0x0\n",
		 getpid());
	ksft_test_result(seen(line) == 1 && seen_of(getpid()) == 2, "even if it is nonsense\n");
	memset(slot, 0, PAGE);
	munmap(slot, PAGE);
}

static void *map_at(int fd, off_t offset, int how)
{
	return mmap(NULL, PAGE, PROT_READ, how, fd, offset);
}

static void test_refused(int fd)
{
	const struct rcr_threads *head = map_pages(fd, 0, 1, PROT_READ);
	unsigned int before = head->mapped;
	int reading = board(O_RDONLY);

	ksft_test_result(refused(map_pages(fd, 0, 1, RW), EACCES) &&
			 refused(map_pages(fd, 0, 1, PROT_READ | PROT_EXEC), EACCES) &&
			 refused(map_pages(fd, 1, 1, RW | PROT_EXEC), EACCES) &&
			 refused(map_pages(fd, 1, 1, PROT_EXEC), EACCES) &&
			 refused(map_pages(reading, 1, 1, RW), EACCES),
			 "the head is not written, nothing is executed: EACCES\n");
	ksft_test_result(refused(map_at(fd, RCR_BOARD_THREADS, MAP_PRIVATE), EINVAL) &&
			 refused(map_at(fd, RCR_BOARD_THREADS + PAGE, MAP_PRIVATE), EINVAL) &&
			 refused(map_pages(fd, 0, 2, PROT_READ), EINVAL) &&
			 refused(map_pages(fd, 0, 65, PROT_READ), EINVAL) &&
			 refused(map_pages(fd, -1, 1, PROT_READ), EINVAL) &&
			 refused(map_pages(fd, -1, 2, PROT_READ), EINVAL) &&
			 refused(map_at(fd, PAGE, MAP_SHARED), EINVAL) &&
			 refused(map_at(fd, RCR_BOARD_ALL + PAGE, MAP_SHARED), EINVAL),
			 "not privately, not the head with others, not from elsewhere: EINVAL\n");
	ksft_test_result(refused(map_pages(fd, 65, 1, RW), ENOSPC) &&
			 refused(map_pages(fd, 60, 6, RW), ENOSPC) &&
			 refused(map_pages(fd, 1, 65, RW), ENOSPC) &&
			 refused(map_pages(fd, 1ul << 38, 1, RW), ENOSPC) &&
			 head->mapped == before,
			 "a page past the limit is ENOSPC, and brings none into being\n");
	munmap((void *)head, PAGE);
	close(reading);
}

/* What a mapping can be made into afterwards. */
static void test_later(int fd)
{
	char *head = map_pages(fd, 0, 1, PROT_READ), *slots = map_pages(fd, 2, 2, RW), *moved;
	int reading = board(O_RDONLY), mem = open("/proc/self/mem", O_RDWR);
	char *unwritable = map_pages(reading, 1, 1, PROT_READ);

	ksft_test_result(fails(mprotect(head, PAGE, RW), EACCES) &&
			 fails(mprotect(head, PAGE, PROT_READ | PROT_EXEC), EACCES) &&
			 fails(mprotect(slots, PAGE, RW | PROT_EXEC), EACCES) &&
			 fails(mprotect(unwritable, PAGE, RW), EACCES),
			 "mprotect() makes nothing writable or executable\n");
	ksft_test_result(pwrite(mem, "x", 1, (off_t)(uintptr_t)head) == -1 &&
			 ((struct rcr_threads *)head)->magic == RCR_THREADS_MAGIC,
			 "nor does /proc/self/mem write the head\n");
	strcpy(slots, "two");
	strcpy(slots + PAGE, "three");
	ksft_test_result(refused(mremap(slots, 2 * PAGE, 3 * PAGE, MREMAP_MAYMOVE), EFAULT) &&
			 refused(mremap(head, PAGE, 2 * PAGE, MREMAP_MAYMOVE), EFAULT) &&
			 refused(mremap(slots, 0, PAGE, MREMAP_MAYMOVE), EFAULT),
			 "mremap() makes nothing longer\n");
	moved = mremap(slots, 2 * PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
		       mmap(NULL, 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	ksft_test_result(moved != MAP_FAILED && !strcmp(moved, "two") &&
			 !madvise(moved, 2 * PAGE, MADV_DONTNEED) &&
			 !mprotect(moved, PAGE, PROT_READ) && !mprotect(moved, PAGE, RW) &&
			 !munmap(moved, PAGE) && !strcmp(moved + PAGE, "three"),
			 "moved, dropped, split: what stands there stands there\n");
	memset(moved + PAGE, 0, PAGE);
	munmap(moved + PAGE, PAGE);
	munmap(unwritable, PAGE);
	munmap(head, PAGE);
	close(reading);
	close(mem);
}

/* A mapping outlives the descriptor, and is inherited. */
static void test_lifetimes(void)
{
	int fd = board(O_RDWR), status = -1;
	struct rcr_thread *slot = map_pages(fd, 1, 1, RW);
	pid_t child;

	close(fd);
	slot->state = RCR_THREAD_RUNNING;
	ksft_test_result(seen_of(getpid()) == 1, "closed, and mapped, it is seen\n");
	child = plain_fork();
	if (!child) {
		slot[1].tid = getpid();
		slot[1].state = RCR_THREAD_RUNNING;
		_exit(0);
	}
	waitpid(child, &status, 0);
	ksft_test_result(!status && slot[1].tid == (uint32_t)child && seen_of(getpid()) == 2,
			 "a child writes on its parent's pages\n");
	munmap(slot, PAGE);
	ksft_test_result(!seen_of(getpid()), "not mapped any more, it is gone\n");
}

static void test_watching(int fd)
{
	struct rcr_watch none = { .size = sizeof(none), .entry = UINT32_MAX, .serial = 1 };
	struct rcr_watch odd = { .size = sizeof(odd), .flags = 2 }, small = { .size = 8 };
	struct { struct rcr_watch watch; uint32_t more; } larger = {
		.watch = { .size = sizeof(larger), .entry = UINT32_MAX, .serial = 1 }, .more = 1,
	};
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct rcr_crossing c;

	ksft_test_result(fails(ioctl(fd, RCR_BOARD_WATCH, &none), ENOENT) &&
			 fails(ioctl(fd, RCR_BOARD_WATCH, &odd), EINVAL) &&
			 fails(ioctl(fd, RCR_BOARD_WATCH, &small), EINVAL) &&
			 fails(ioctl(fd, RCR_BOARD_WATCH, &larger), E2BIG) &&
			 fails(ioctl(fd, RCR_BOARD_WATCH, NULL), EFAULT) &&
			 fails(ioctl(fd, RCR_BOARD_SUBSCRIBE + 1, &none), ENOTTY),
			 "what cannot be watched is refused\n");
	ksft_test_result(fails(read(fd, &c, sizeof(c)), EINVAL) &&
			 fails(read(fd, &c, sizeof(c) - 1), EINVAL) && !read(fd, &c, 0) &&
			 !poll(&p, 1, 0) && fails(write(fd, &c, sizeof(c)), EINVAL) &&
			 fails(lseek(fd, 0, SEEK_SET), ESPIPE),
			 "who watches nothing waits for nothing\n");
}

int main(void)
{
	int fd;

	ksft_print_header();
	ksft_set_plan(21);
	fd = board(O_RDWR);
	test_head(fd);
	test_pages(fd);
	test_seen(fd);
	test_refused(fd);
	test_later(fd);
	close(fd);
	test_lifetimes();
	fd = board(O_RDWR);
	test_watching(fd);
	close(fd);
	ksft_finished();
}
