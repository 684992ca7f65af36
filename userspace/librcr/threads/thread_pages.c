// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * thread_pages.c - the program's memory of blackboard 2: a memfd, mapped once, whose pages are
 * allocated on the first write and stay until the program ends or forks.
 *
 * A child must not write to its parent's slots, and RCRUpdateThread() cannot ask the kernel which
 * process it is in. So the mapping is not inherited (MADV_DONTFORK), and the pointers to it are in
 * a page that is all 0 in a child (MADV_WIPEONFORK), even in one that was created by clone()
 * without the C library. No other process can write to the memfd, not even rcrd: it is sealed after
 * it is mapped here.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "thread_pages.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U		/* Linux 6.3 */
#endif

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL)

static struct rcr_pages *pages;
static struct rcr_opened memory = { .fd = -1 };
static unsigned long generations;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int cancel_state;		/* of the thread that holds the lock */
static bool has_key;
static void (*leave_slots)(void);

void rcr_opened_set(struct rcr_opened *o, int fd)
{
	struct stat st;

	o->fd = fd;
	if (fd >= 0 && !fstat(fd, &st)) {
		o->device = st.st_dev;
		o->inode = st.st_ino;
	}
}

bool rcr_opened_is_ours(const struct rcr_opened *o)
{
	struct stat st;

	return o->fd >= 0 && !fstat(o->fd, &st) && st.st_dev == o->device &&
	       st.st_ino == o->inode;
}

void rcr_opened_close(struct rcr_opened *o)
{
	if (rcr_opened_is_ours(o))
		close(o->fd);
	o->fd = -1;
}

/* Closes the descriptors that a child has inherited; it has no mappings. */
static void forget_parent(void)
{
	rcr_opened_close(&memory);
	rcr_join_forget();
}

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&lock);
}

/* The child has one thread, which holds the lock. */
static void in_child(void)
{
	forget_parent();
	pthread_mutex_unlock(&lock);
}

static void at_thread_end(void *unused)
{
	(void)unused;
	leave_slots();
}

static void prepare_process(void)
{
	pthread_atfork(before_fork, after_fork, in_child);
	has_key = !pthread_key_create(&key, at_thread_end);
}

/* Disables cancellation: a thread cancelled in a call that connects would keep the lock. */
void rcr_pages_lock(void (*leave)(void))
{
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	leave_slots = leave;
	pthread_once(&once, prepare_process);
	pthread_mutex_lock(&lock);
	cancel_state = state;
}

void rcr_pages_unlock(void)
{
	int state = cancel_state;

	pthread_mutex_unlock(&lock);
	pthread_setcancelstate(state, NULL);
}

void rcr_pages_stay(void)
{
	if (has_key)
		pthread_setspecific(key, &pages);
}

struct rcr_pages *rcr_pages_get(void)
{
	/* Pairs with the release of make_index(). */
	return __atomic_load_n(&pages, __ATOMIC_ACQUIRE);
}

/* Allocates the page that is all 0 in a child. */
static int make_index(void)
{
	void *at;

	if (pages)
		return 0;
	at = mmap(NULL, sizeof(*pages), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		  -1, 0);
	if (at == MAP_FAILED)
		return -1;
	if (madvise(at, sizeof(*pages), MADV_WIPEONFORK)) {
		munmap(at, sizeof(*pages));
		return -1;
	}
	/* Pairs with rcr_pages_get(). */
	__atomic_store_n(&pages, at, __ATOMIC_RELEASE);
	return 0;
}

/* Kernels before 6.3 do not know this flag; later ones may require it. */
static int make_memfd(void)
{
	int fd = memfd_create("rcr-threads", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);

	if (fd < 0 && errno == EINVAL)
		fd = memfd_create("rcr-threads", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	return fd;
}

/* Maps the memfd and seals it: this is the only writable mapping. */
static struct rcr_slots *map_memfd(int fd)
{
	struct rcr_slots *head;

	if (ftruncate(fd, RCR_SLOTS_BYTES))
		return NULL;
	head = mmap(NULL, RCR_SLOTS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (head == MAP_FAILED)
		return NULL;
	if (!madvise(head, RCR_SLOTS_BYTES, MADV_DONTFORK) && !fcntl(fd, F_ADD_SEALS, SEALS))
		return head;
	munmap(head, RCR_SLOTS_BYTES);
	return NULL;
}

static void fill_head(struct rcr_slots *head)
{
	*head = (struct rcr_slots){
		.magic = RCR_SLOTS_MAGIC,
		.version = RCR_BOARD2_VERSION,
		.compat_version = RCR_BOARD2_COMPAT_VERSION,
		.slot_size = sizeof(struct rcr_thread),
		.slot_offset = RCR_SLOTS_BYTES - RCR_THREADS_MAX * sizeof(struct rcr_thread),
		.size = sizeof(*head),
	};
}

int rcr_pages_make(void)
{
	struct rcr_slots *head;
	int fd, error;

	if (make_index())
		return -1;
	if (pages->generation)
		return 0;
	/* After a clone() without the C library. */
	forget_parent();
	fd = make_memfd();
	if (fd < 0)
		return -1;
	head = map_memfd(fd);
	if (!head) {
		error = errno;
		close(fd);
		errno = error;
		return -1;
	}
	rcr_opened_set(&memory, fd);
	fill_head(head);
	pages->head = head;
	pages->slot = (void *)((char *)head + head->slot_offset);
	/* Pairs with find_slot(): the generation is there when the slots are. */
	__atomic_store_n(&pages->generation, ++generations, __ATOMIC_RELEASE);
	return 0;
}

int rcr_pages_grow(void)
{
	if (pages->slots == RCR_THREADS_MAX) {
		errno = ENOSPC;
		return -1;
	}
	__atomic_store_n(&pages->head->slots, pages->slots + RCR_THREADS_PAGE,
			 __ATOMIC_RELAXED);
	/* Pairs with the acquire of slots_in_use(). */
	__atomic_store_n(&pages->slots, pages->slots + RCR_THREADS_PAGE, __ATOMIC_RELEASE);
	return 0;
}

int rcr_pages_fd(void)
{
	if (rcr_opened_is_ours(&memory))
		return memory.fd;
	errno = EBADF;
	return -1;
}
