// SPDX-License-Identifier: GPL-2.0-only
/*
 * hostile.c WHAT [NUMBER] - clients of blackboard 2, good ones and others.
 *
 *	scribble	writes random words on all of its pages
 *	churn		maps, forks, unmaps, closes and dies, in no order
 *	honest		has a slot, and looks that nobody else writes on its page
 *	many NUMBER	opens as many as it can, up to NUMBER, with all of their pages
 *	hold		has a page mapped, and the device closed
 *	may		says what it may: "all N threads N watch N", N being 0
 *			or an error's number
 *	rounds NUMBER	has children that churn and die, one after the other
 *
 * The first three go on until they get SIGTERM, "many" and "hold" until the end of
 * standard input. "honest" and "many" say how it went.
 */
#include <signal.h>
#include <sys/ioctl.h>

#include "slots.h"

#define RW (PROT_READ | PROT_WRITE)

static volatile sig_atomic_t ended;

static void end(int unused)
{
	(void)unused;
	ended = 1;
}

static uint64_t noise(void)
{
	static uint64_t x;

	if (!x)
		x = getpid() * 0x9e3779b97f4a7c15ull;
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

static int board(void)
{
	int fd = open(BOARD, O_RDWR);

	if (fd < 0) {
		perror(BOARD);
		exit(1);
	}
	return fd;
}

static int scribble(void)
{
	uint64_t *words = map_pages(board(), 1, RCR_THREADS_PAGES, RW);
	unsigned int i;

	if (words == MAP_FAILED)
		return 1;
	while (!ended)
		for (i = 0; i < RCR_THREADS_MAX; i++)
			words[noise() % (RCR_THREADS_MAX * 8)] = noise() % 8 ? noise() : 0;
	return 0;
}

/* One of many short lives. Most of what it tries fails, and that is that. */
static void live(void)
{
	struct rcr_thread *page[8];
	unsigned int i, n;
	int fd = board();

	for (i = 0; i < 8; i++) {
		page[i] = map_pages(fd, noise() % 70, 1 + noise() % 5, RW);
		if (page[i] != MAP_FAILED)
			for (n = 0; n < RCR_THREADS_PAGE; n++)
				page[i][n].state = noise() % 4;
	}
	if (noise() % 2)
		close(fd);
	if (noise() % 2 && !plain_fork())
		_exit(0);
	for (i = 0; i < 8; i++)
		if (page[i] != MAP_FAILED && noise() % 2)
			munmap(page[i], PAGE);
}

static void child_lives(void)
{
	pid_t child = fork();

	if (!child) {
		live();
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static int churn(void)
{
	signal(SIGCHLD, SIG_DFL);
	while (!ended)
		child_lives();
	return 0;
}

static int rounds(unsigned int number)
{
	while (number--)
		child_lives();
	return 0;
}

/* Nobody else writes there: all is as it was left, and the slots behind it empty. */
static int honest(void)
{
	struct rcr_thread *slot = map_pages(board(), 1, 1, RW);
	static const struct rcr_thread empty[RCR_THREADS_PAGE - 1];
	uint64_t turn;

	if (slot == MAP_FAILED)
		return 1;
	slot->tid = getpid();
	slot->id = 77;
	slot->pc = 0x401000;
	slot->wish = 77;
	__atomic_store_n(&slot->state, RCR_THREAD_RUNNING, __ATOMIC_RELEASE);
	for (turn = 1; !ended; turn++) {
		slot->updates = turn;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		if (slot->updates != turn || slot->id != 77 || slot->pc != 0x401000 ||
		    slot->wish != 77 || slot->tid != (uint32_t)getpid() ||
		    memcmp(slot + 1, empty, sizeof(empty))) {
			puts("disturbed");
			return 1;
		}
	}
	puts("undisturbed");
	return 0;
}

static int wait_for_end(void)
{
	char byte;

	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		;
	return 0;
}

static int many(unsigned int number)
{
	unsigned int n;

	for (n = 0; n < number; n++) {
		int fd = board();

		if (map_pages(fd, 1, RCR_THREADS_PAGES, RW) == MAP_FAILED) {
			printf("%u, then %s\n", n, strerror(errno));
			return wait_for_end();
		}
	}
	printf("%u\n", n);
	return wait_for_end();
}

static int hold(void)
{
	int fd = board();
	void *at = map_pages(fd, 1, 1, RW);

	close(fd);
	return at == MAP_FAILED ? 1 : wait_for_end();
}

static int error_of(const void *at)
{
	return at == MAP_FAILED ? errno : 0;
}

static int error_at(int fd, off_t offset)
{
	return error_of(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, offset));
}

static int may(void)
{
	struct rcr_watch watch = { .size = sizeof(watch), .entry = UINT32_MAX, .serial = 1 };
	int fd = open(BOARD, O_RDWR);

	if (fd < 0) {
		printf("open %d\n", errno);
		return 0;
	}
	printf("all %d", error_at(fd, RCR_BOARD_ALL));
	printf(" threads %d", error_of(map_pages(fd, 1, 1, RW)));
	printf(" watch %d\n", ioctl(fd, RCR_BOARD_WATCH, &watch) ? errno : 0);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	unsigned int number = argc > 2 ? atoi(argv[2]) : 0;

	signal(SIGTERM, end);
	if (!strcmp(what, "scribble"))
		return scribble();
	if (!strcmp(what, "churn"))
		return churn();
	if (!strcmp(what, "honest"))
		return honest();
	if (!strcmp(what, "many"))
		return many(number);
	if (!strcmp(what, "hold"))
		return hold();
	if (!strcmp(what, "may"))
		return may();
	if (!strcmp(what, "rounds"))
		return rounds(number);
	fprintf(stderr, "hostile: see the head of its source\n");
	return 2;
}
