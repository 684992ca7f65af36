// SPDX-License-Identifier: GPL-2.0-only
/*
 * public.c - reads the public board as documented, without librcr.
 *
 *	METER CHANGES
 *		reads a meter's value of the machine in a loop, until it has changed CHANGES times,
 *		or for a minute. Prints the number of changes, and the shortest time between two
 *		values by their timestamps, in microseconds
 *	follow METER
 *		maps the file once; for each line of standard input prints "stale", "none" if
 *		there is no such meter, or the machine's current value
 *	write
 *		tries to map the file for writing; exits with the errno
 */
#include "entries.h"

#define FILE_PATH "/run/rcrtool/public"

static const struct rcr_board *board;

static void map_file(void)
{
	int fd = open(FILE_PATH, O_RDONLY);

	board = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
	if (board == MAP_FAILED) {
		perror(FILE_PATH);
		exit(1);
	}
	close(fd);
}

/*
 * Return the time of the latest value. The page is written so rarely that no read is torn.
 */
static uint64_t time_of(const struct rcr_board_entry *e)
{
	uint64_t head = __atomic_load_n(&e->head, __ATOMIC_ACQUIRE);

	return __atomic_load_n(&e->slot[head % 2].time, __ATOMIC_RELAXED);
}

static int count_changes(const char *meter, unsigned int wanted)
{
	const struct rcr_board_meter *m = board_meter(board, meter);
	uint64_t last, now, closest = UINT64_MAX;
	const struct rcr_board_entry *e;
	time_t end = time(NULL) + 60;
	unsigned int changes = 0;

	if (!m) {
		fprintf(stderr, "public: there is no meter \"%s\"\n", meter);
		return 1;
	}
	e = board_entry(board, m->first);
	last = time_of(e);
	while (changes < wanted && time(NULL) < end) {
		now = time_of(e);
		if (now == last)
			continue;
		if (last && now - last < closest)
			closest = now - last;
		last = now;
		changes++;
	}
	printf("%u %llu\n", changes, (unsigned long long)closest / 1000);
	return 0;
}

static int follow(const char *meter)
{
	const struct rcr_board_meter *m;
	struct rcr_board_value v;
	char line[80];

	while (fgets(line, sizeof(line), stdin)) {
		m = board_meter(board, meter);
		if (board_is_stale(board))
			puts("stale");
		else if (!m || !board_read(board_entry(board, m->first), &v))
			puts("none");
		else
			printf("%" PRId64 "\n", (int64_t)v.current_value);
		fflush(stdout);
	}
	return 0;
}

static int map_writable(void)
{
	int fd = open(FILE_PATH, O_RDWR);

	if (fd < 0)
		fd = open(FILE_PATH, O_RDONLY);
	return mmap(NULL, PAGE, PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED ? errno : 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "write"))
		return map_writable();
	if (argc != 3)
		return 2;
	map_file();
	return strcmp(argv[1], "follow") ? count_changes(argv[1], atoi(argv[2])) :
	       follow(argv[2]);
}
