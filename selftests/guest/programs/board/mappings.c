// SPDX-License-Identifier: GPL-2.0-only
/*
 * mappings.c - mapped rings and blackboard 1 cannot be written, extended or damaged, and
 * /dev/rcrboard refuses all other mappings. Run it with the module loaded.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "ksft.h"
#include "boarddev.h"
#include "stream.h"

#define RW (PROT_READ | PROT_WRITE)

/**
 * struct mapped - memory of the module that is mapped for reading
 * @name: name in test descriptions
 * @at: address
 * @size: bytes
 * @back: dropped pages are mapped again on access
 * @fd: the device
 * @offset: offset in the device
 */
struct mapped {
	const char *name;
	uint64_t *at;
	size_t size;
	bool back;
	int fd;
	off_t offset;
};

static struct mapped map(const char *name, int fd, off_t offset, size_t size)
{
	struct mapped m = { .name = name, .size = size, .fd = fd, .offset = offset };

	m.at = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, offset);
	if (m.at == MAP_FAILED)
		ksft_exit_fail_msg("no mapping of %s: %s\n", name, strerror(errno));
	return m;
}

static uint64_t first_word(const struct mapped *m)
{
	return __atomic_load_n(m->at, __ATOMIC_RELAXED);
}

static bool refused(int ret, int error)
{
	return ret == -1 && errno == error;
}

static bool no_mapping(const void *at, int error)
{
	return at == MAP_FAILED && errno == error;
}

static void test_protection(const struct mapped *m)
{
	void *at = m->at;

	ksft_test_result(refused(mprotect(at, m->size, RW), EACCES) &&
			 refused(mprotect(at, 4096, RW), EACCES) &&
			 refused(mprotect(at, m->size, PROT_READ | PROT_EXEC), EACCES) &&
			 !mprotect(at, m->size, PROT_NONE) &&
			 refused(mprotect(at, m->size, PROT_WRITE), EACCES) &&
			 !mprotect(at, m->size, PROT_READ) && first_word(m),
			 "%s: mprotect() cannot make it writable or executable\n", m->name);
	ksft_test_result(no_mapping(mmap(NULL, m->size, PROT_READ, MAP_PRIVATE, m->fd, m->offset),
				    EINVAL) &&
			 no_mapping(mmap(NULL, m->size, RW, MAP_PRIVATE, m->fd, m->offset),
				    EACCES) &&
			 no_mapping(mmap(NULL, m->size, RW, MAP_SHARED, m->fd, m->offset), EACCES),
			 "%s: a writable or private mapping is refused\n", m->name);
}

/* Try the interfaces by which the kernel could write to read-only pages of a process. */
static void test_back_doors(const struct mapped *m)
{
	uint64_t before = first_word(m), bad = 0x4711;
	struct iovec from = { &bad, sizeof(bad) }, to = { m->at, sizeof(bad) };
	int mem = open("/proc/self/mem", O_RDWR), zero = open("/dev/zero", O_RDONLY);

	ksft_test_result(pwrite(mem, &bad, sizeof(bad), (off_t)(uintptr_t)m->at) == -1 &&
			 process_vm_writev(getpid(), &from, 1, &to, 1, 0) == -1 &&
			 refused(read(zero, m->at, sizeof(bad)), EFAULT) &&
			 first_word(m) == before,
			 "%s: /proc/self/mem, process_vm_writev() and read() cannot write to it\n",
			 m->name);
	close(mem);
	close(zero);
}

static void store(const struct mapped *m)
{
	__atomic_store_n(m->at, 1, __ATOMIC_RELAXED);
}

/* Drop pages of the module. Those of rings are not mapped again. */
static void drop(const struct mapped *m)
{
	if (!madvise(m->at, m->size, MADV_DONTNEED))
		first_word(m);
}

/* Call @act in a child; return the signal that kills it, or 0. */
static int killed_by(const struct mapped *m, void (*act)(const struct mapped *m))
{
	int status = 0;
	pid_t child = fork();

	if (!child) {
		act(m);
		_exit(0);
	}
	waitpid(child, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void test_growth(const struct mapped *m)
{
	void *at = m->at;

	ksft_test_result(no_mapping(mremap(at, m->size, m->size + 4096, MREMAP_MAYMOVE), EFAULT) &&
			 no_mapping(mremap(at, m->size, m->size * 16, MREMAP_MAYMOVE), EFAULT) &&
			 no_mapping(mremap(at, 0, m->size + 4096, MREMAP_MAYMOVE), EFAULT),
			 "%s: mremap() cannot extend it\n", m->name);
	ksft_test_result(killed_by(m, store) == SIGSEGV &&
			 killed_by(m, drop) == (m->back ? 0 : SIGBUS) && first_word(m),
			 "%s: a process that writes to it is killed, and dropped pages %s\n", m->name,
			 m->back ? "are mapped again on access" : "raise SIGBUS");
}

/* A mapping that was moved or partly unmapped still has the same content. */
static void test_pieces(struct mapped *m)
{
	uint64_t first = first_word(m);
	void *at = mmap(NULL, m->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool right;

	at = mremap(m->at, m->size, m->size, MREMAP_MAYMOVE | MREMAP_FIXED, at);
	right = at != MAP_FAILED;
	m->at = at;
	right = right && first_word(m) == first;
	if (m->size > 4096) {
		right &= !munmap((char *)at + m->size - 4096, 4096) && first_word(m) == first;
		m->size -= 4096;
	}
	ksft_test_result(right, "%s: it has the same content after it was moved and shortened\n", m->name);
}

/* A child keeps the mapping after the parent has unmapped it and closed the device. */
static void test_heir(struct mapped *m)
{
	int ways[2], status = -1;
	uint64_t first = first_word(m);
	char byte;
	pid_t child;

	if (pipe(ways))
		ksft_exit_fail_msg("pipe: %s\n", strerror(errno));
	child = fork();
	if (!child) {
		close(ways[1]);
		close(m->fd);
		_exit(read(ways[0], &byte, 1) || first_word(m) != first ||
		      mprotect(m->at, 4096, RW) != -1);
	}
	munmap(m->at, m->size);
	close(m->fd);
	close(ways[0]);
	close(ways[1]);
	ksft_test_result(waitpid(child, &status, 0) == child && !status,
			 "%s: a child can still read it after the parent has unmapped it\n", m->name);
}

static void test_all(struct mapped m)
{
	test_protection(&m);
	test_back_doors(&m);
	test_growth(&m);
	test_pieces(&m);
	test_heir(&m);
}

/*
 * After a change of the set and close(), the old ring is still mapped, and marked as ended.
 */
static void test_left_behind(void)
{
	int fd;
	struct rcr_set *set = open_stream(&fd, 0);
	struct mapped m = map("a ring", fd, set->ring_bytes, set->ring_bytes);
	const struct rcr_ring *r = (void *)m.at;

	close(fd);
	ksft_test_result(!system("rcrctl period 2ms") && r->ended && r->cpu == 1 &&
			 r->magic == RCR_RING_MAGIC,
			 "a ring: when the set is replaced, it stays mapped and is marked as ended\n");
	munmap((void *)m.at, m.size);
	free(set);
}

static int error_of(int fd, off_t offset, size_t size)
{
	void *at = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, offset);

	if (at == MAP_FAILED)
		return errno;
	munmap(at, size);
	return 0;
}

/* Each kind of mapping other than rings has its own offset and length. */
static void test_offsets(const struct rcr_set *set)
{
	size_t marks = set->marks_bytes, places = set->places_bytes;
	int fd = open(DEVICE, O_RDONLY);
	bool right = true;

	right &= !error_of(fd, RCR_MAP_MARKS, marks) && !error_of(fd, RCR_MAP_MARKS + 3 * marks, marks);
	right &= error_of(fd, RCR_MAP_MARKS + 4 * marks, marks) == EINVAL;
	right &= error_of(fd, RCR_MAP_MARKS + 4096, marks) == EINVAL;
	right &= error_of(fd, RCR_MAP_MARKS, marks - 4096) == EINVAL;
	right &= error_of(fd, RCR_MAP_MARKS, marks + 4096) == EINVAL;
	right &= error_of(fd, RCR_MAP_MARKS - marks, marks) == EINVAL;
	ksft_test_result(right, "mark rings: any other offset or length fails with EINVAL\n");
	right = !error_of(fd, RCR_MAP_PLACES, places);
	right &= error_of(fd, RCR_MAP_PLACES + 4 * places, places) == EINVAL;
	right &= error_of(fd, RCR_MAP_PLACES, places + 4096) == EINVAL;
	right &= error_of(fd, RCR_MAP_PLACES - places, places) == EINVAL;
	right &= error_of(fd, RCR_MAP_PLACES * 2, places) == EINVAL;
	right &= error_of(fd, (1ull << 62), places) == EINVAL;
	ksft_test_result(right, "places: any other offset or length fails with EINVAL\n");
	close(fd);
}

static bool board_refuses(int fd, off_t offset, size_t size, int protection, int how, int error)
{
	return no_mapping(mmap(NULL, size, protection, how, fd, offset), error);
}

static void test_board_mapping(void)
{
	int fd = open(BOARD, O_RDWR);
	struct stat st;

	ksft_test_result(!stat(BOARD, &st) && S_ISCHR(st.st_mode) &&
			 (st.st_mode & 0777) == 0660 && !st.st_uid,
			 "the board: the device belongs to root, with mode 0660\n");
	ksft_test_result(board_refuses(fd, 0, PAGE, PROT_READ, MAP_SHARED, EINVAL) &&
			 board_refuses(fd, RCR_BOARD_ALL, PAGE, RW, MAP_SHARED, EACCES) &&
			 board_refuses(fd, RCR_BOARD_ALL, PAGE, PROT_EXEC, MAP_SHARED, EACCES) &&
			 board_refuses(fd, RCR_BOARD_ALL, PAGE, PROT_READ, MAP_PRIVATE, EINVAL) &&
			 board_refuses(fd, PAGE, PAGE, PROT_READ, MAP_SHARED, EINVAL) &&
			 board_refuses(fd, RCR_BOARD_ALL + PAGE, PAGE, PROT_READ, MAP_SHARED, EINVAL) &&
			 board_refuses(fd, 1ll << 32, PAGE, RW, MAP_SHARED, EACCES) &&
			 board_refuses(fd, 1ll << 32, PAGE, PROT_READ, MAP_SHARED, EINVAL),
			 "the board: every other kind of mapping is refused\n");
	close(fd);
}

static void test_board_watching(void)
{
	struct rcr_watch none = { .size = sizeof(none), .entry = UINT32_MAX, .serial = 1 };
	struct rcr_watch odd = { .size = sizeof(odd), .flags = 2 }, small = { .size = 8 };
	struct { struct rcr_watch watch; uint32_t more; } larger = {
		.watch = { .size = sizeof(larger), .entry = UINT32_MAX, .serial = 1 }, .more = 1,
	};
	int fd = open(BOARD, O_RDWR);
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct rcr_crossing c;

	ksft_test_result(refused(ioctl(fd, RCR_BOARD_WATCH, &none), ENOENT) &&
			 refused(ioctl(fd, RCR_BOARD_WATCH, &odd), EINVAL) &&
			 refused(ioctl(fd, RCR_BOARD_WATCH, &small), EINVAL) &&
			 refused(ioctl(fd, RCR_BOARD_WATCH, &larger), E2BIG) &&
			 refused(ioctl(fd, RCR_BOARD_WATCH, NULL), EFAULT) &&
			 refused(ioctl(fd, RCR_BOARD_SUBSCRIBE + 1, &none), ENOTTY),
			 "the board: invalid watches are refused\n");
	ksft_test_result(refused(read(fd, &c, sizeof(c)), EINVAL) &&
			 refused(read(fd, &c, sizeof(c) - 1), EINVAL) && !read(fd, &c, 0) &&
			 !poll(&p, 1, 0) && refused(write(fd, &c, sizeof(c)), EINVAL) &&
			 refused(lseek(fd, 0, SEEK_SET), ESPIPE),
			 "the board: without a watch read() fails at once, and poll() reports nothing\n");
	close(fd);
}

int main(void)
{
	int fd;
	struct mapped board;
	struct rcr_set *set;

	ksft_print_header();
	ksft_set_plan(4 * 7 + 7);
	set = open_stream(&fd, 0);
	close(fd);
	/*
	 * Open for writing: otherwise the kernel refuses writable mappings before the module can.
	 */
	fd = open(DEVICE, O_RDWR);
	test_all(map("a ring", fd, 2 * set->ring_bytes, set->ring_bytes));
	fd = open(DEVICE, O_RDWR);
	test_all(map("mark rings", fd, RCR_MAP_MARKS + 2 * set->marks_bytes, set->marks_bytes));
	fd = open(DEVICE, O_RDWR);
	test_all(map("a ring of places", fd, RCR_MAP_PLACES + set->places_bytes,
		     set->places_bytes));
	test_offsets(set);
	fd = open(BOARD, O_RDWR);
	board = map("the board", fd, RCR_BOARD_ALL, 2 * PAGE);
	board.back = true;
	test_all(board);
	test_board_mapping();
	test_board_watching();
	test_left_behind();
	free(set);
	ksft_finished();
}
