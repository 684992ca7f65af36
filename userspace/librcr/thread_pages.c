// SPDX-License-Identifier: GPL-2.0-only
/*
 * thread_pages.c - the program's pages of blackboard 2: they come one by one, and stay
 * until the program ends, or forks: a child has pages of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rcr_board.h"
#include "thread_pages.h"

#define PAGE 4096

/**
 * struct pages - what is mapped
 * @fd: the device, as long as @head is there
 * @device: its number: what programs close that they did not open is no news
 * @head: the kernel's page
 * @count: how many of @page are mapped, from the first on
 * @generation: counts forks
 * @page: pages of slots
 */
static struct pages {
	int fd;
	dev_t device;
	const struct rcr_threads *head;
	unsigned int count;
	unsigned int generation;
	struct rcr_thread *page[RCR_THREADS_PAGES];
} pages;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;
static void (*leave_slots)(void);

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&lock);
}

/* Is the descriptor still the one that was opened here? */
static bool is_ours(void)
{
	struct stat st;

	return !fstat(pages.fd, &st) && S_ISCHR(st.st_mode) && st.st_rdev == pages.device;
}

static void let_go(void)
{
	unsigned int i;

	if (!pages.head)
		return;
	for (i = 0; i < pages.count; i++)
		munmap(pages.page[i], PAGE);
	munmap((void *)pages.head, PAGE);
	pages.head = NULL;
	pages.count = 0;
	if (is_ours())
		close(pages.fd);
}

/* There is one thread in the child, which holds the lock. */
static void in_child(void)
{
	pages.generation++;
	let_go();
	pthread_mutex_unlock(&lock);
}

static void at_thread_end(void *unused)
{
	(void)unused;
	leave_slots();
}

static void prepare(void)
{
	pthread_atfork(before_fork, after_fork, in_child);
	has_key = !pthread_key_create(&key, at_thread_end);
}

void rcr_pages_lock(void (*leave)(void))
{
	leave_slots = leave;
	pthread_once(&once, prepare);
	pthread_mutex_lock(&lock);
}

void rcr_pages_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

void rcr_pages_stay(void)
{
	if (has_key)
		pthread_setspecific(key, &pages);
}

static bool is_known(const struct rcr_threads *head)
{
	return head->magic == RCR_THREADS_MAGIC &&
	       head->version >= RCR_BOARD_COMPAT_VERSION &&
	       head->compat_version <= RCR_BOARD_VERSION &&
	       head->slot_size == sizeof(struct rcr_thread) &&
	       head->page_slots == RCR_THREADS_PAGE;
}

static void *map(int fd, int protection, unsigned int n)
{
	void *at = mmap(NULL, PAGE, protection, MAP_SHARED, fd,
			(off_t)(RCR_BOARD_THREADS + (uint64_t)n * PAGE));

	return at == MAP_FAILED ? NULL : at;
}

/* -1 with errno of what failed, and nothing is left behind. */
static int fail(int fd, const void *head, int error)
{
	if (head)
		munmap((void *)head, PAGE);
	close(fd);
	errno = error;
	return -1;
}

static int open_device(void)
{
	const struct rcr_threads *head;
	struct stat st;
	int fd = open(RCR_BOARD_DEVICE, O_RDWR | O_CLOEXEC);

	if (fd < 0) {
		/* The node of a module that is not loaded any more. */
		if (errno == ENXIO || errno == ENODEV)
			errno = ENOENT;
		return -1;
	}
	head = map(fd, PROT_READ, 0);
	if (!head || fstat(fd, &st))
		return fail(fd, head, errno);
	if (!is_known(head))
		return fail(fd, head, EPROTO);
	pages.fd = fd;
	pages.device = st.st_rdev;
	pages.head = head;
	return 0;
}

int rcr_pages_grow(void)
{
	struct rcr_thread *page;

	if (!pages.head && open_device())
		return -1;
	if (pages.count == RCR_THREADS_PAGES) {
		errno = ENOSPC;
		return -1;
	}
	if (!is_ours()) {
		errno = EBADF;
		return -1;
	}
	page = map(pages.fd, PROT_READ | PROT_WRITE, 1 + pages.count);
	if (!page)
		return -1;
	pages.page[pages.count] = page;
	/* Pairs with rcr_pages_slots(): who sees the number sees the page. */
	__atomic_store_n(&pages.count, pages.count + 1, __ATOMIC_RELEASE);
	return 0;
}

unsigned int rcr_pages_slots(void)
{
	return __atomic_load_n(&pages.count, __ATOMIC_ACQUIRE) * RCR_THREADS_PAGE;
}

struct rcr_thread *rcr_pages_slot(unsigned int n)
{
	return &pages.page[n / RCR_THREADS_PAGE][n % RCR_THREADS_PAGE];
}

unsigned int rcr_pages_generation(void)
{
	return pages.generation;
}
