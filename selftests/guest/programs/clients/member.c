// SPDX-License-Identifier: GPL-2.0-only
/*
 * member.c WHAT [ARGUMENT]... - requests of an ordinary user or a member of the devices' group.
 *
 *	family NAME	looks up a generic netlink family (CTRL_CMD_GETFAMILY); status 0 if it
 *			exists
 *	crossings N METER
 *			watches METER until it crosses a bound, N times; prints "N crossed"
 *	fetch		for each line of standard input, opens the window that rcrd keeps, reads it
 *			and prints its bytes; keeps all descriptors open. For the line "again" it
 *			reads the first descriptor once more
 *	watches N	watches entries of meters N times, 16 per descriptor; prints the number of
 *			watches and the error that ended the loop
 *	entries N	watches each of the first N entries that has a meter; prints the number
 *	subordinate N	like watches N, but as a subordinate user of a new user namespace; waits for
 *			a line of standard input, as the test must first write the user map
 *	rings		maps the mark rings and the ring of places of CPU 0; prints the errnos
 *	may		prints "all N watch N", N being 0 or an errno, for mapping and watching
 *			/dev/rcrboard; or "open N"
 *	opens N		opens and closes /dev/rcrboard N times
 *
 * Commands that hold resources exit at the end of standard input.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/rcrtool.h>

#include "boarddev.h"

#define WINDOW "/var/lib/rcrtool/record/window"

static int open_or_die(const char *path)
{
	int fd = open(path, O_RDONLY);

	if (fd < 0) {
		perror(path);
		exit(1);
	}
	return fd;
}

static int wait_for_end(void)
{
	char byte;

	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		;
	return 0;
}

/* Read a line of standard input by single bytes; return NULL at the end. */
static const char *next_line(void)
{
	static char line[64];
	size_t n = 0;

	fflush(stdout);
	while (n < sizeof(line) - 1 && read(0, line + n, 1) == 1) {
		if (line[n] == '\n') {
			line[n] = 0;
			return line;
		}
		n++;
	}
	return NULL;
}

static int error_of(int fd, off_t offset, size_t size)
{
	return mmap(NULL, size, PROT_READ, MAP_SHARED, fd, offset) == MAP_FAILED ? errno : 0;
}

static int rings(void)
{
	uint64_t buffer[RCR_READ_MIN / sizeof(uint64_t)];
	const struct rcr_set *set = (const void *)buffer;
	int fd = open_or_die("/dev/rcrtool");

	if (read(fd, buffer, sizeof(buffer)) < (ssize_t)sizeof(*set))
		return 1;
	printf("marks %d places %d\n", error_of(fd, RCR_MAP_MARKS, set->marks_bytes),
	       error_of(fd, RCR_MAP_PLACES, set->places_bytes));
	return 0;
}

static int family(const char *name)
{
	struct {
		struct nlmsghdr head;
		struct genlmsghdr genl;
		struct nlattr attr;
		char name[GENL_NAMSIZ];
	} request = {
		.head = {
			.nlmsg_len = sizeof(request), .nlmsg_type = GENL_ID_CTRL,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
		},
		.genl = { .cmd = CTRL_CMD_GETFAMILY, .version = 1 },
		.attr = {
			.nla_len = NLA_HDRLEN + sizeof(request.name),
			.nla_type = CTRL_ATTR_FAMILY_NAME,
		},
	};
	struct {
		struct nlmsghdr head;
		struct nlmsgerr error;
		char more[8192];
	} answer;
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);

	snprintf(request.name, sizeof(request.name), "%s", name);
	if (fd < 0 || send(fd, &request, sizeof(request), 0) < 0 ||
	    recv(fd, &answer, sizeof(answer), 0) < 0)
		return 2;
	return answer.head.nlmsg_type == NLMSG_ERROR && answer.error.error;
}

/* Map the whole board: first the head, which has its size. */
static const struct rcr_board *map_board(void)
{
	int fd = open_or_die(BOARD);
	const struct rcr_board *b = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, RCR_BOARD_ALL);

	if (b != MAP_FAILED)
		b = mmap(NULL, b->bytes, PROT_READ, MAP_SHARED, fd, RCR_BOARD_ALL);
	close(fd);
	if (b == MAP_FAILED) {
		perror("the board");
		exit(1);
	}
	return b;
}

static const struct rcr_board_entry *entry_at(const struct rcr_board *b, unsigned int n)
{
	return (const void *)((const char *)b + b->entry_offset + (size_t)n * b->entry_size);
}

static const struct rcr_board_meter *find_meter(const struct rcr_board *b, const char *name)
{
	const struct rcr_board_meter *m;
	unsigned int i;

	for (i = 0; i < b->meters; i++) {
		m = (const void *)((const char *)b + b->meter_offset + (size_t)i * b->meter_size);
		if (m->serial && !strcmp(m->name, name))
			return m;
	}
	fprintf(stderr, "member: there is no meter \"%s\"\n", name);
	exit(1);
}

/* Read a window to its end; return the number of bytes or -errno. */
static long fetch_window(int fd)
{
	static char buffer[256 * 1024];
	long all = 0;
	ssize_t got;

	do {
		got = read(fd, buffer, sizeof(buffer));
		if (got < 0)
			return -errno;
		all += got;
	} while (got);
	return all;
}

/* Watch the lowest possible bound, which any value crosses; return whether it was crossed. */
static bool cross(const struct rcr_board_meter *m)
{
	struct rcr_watch watch = {
		.size = sizeof(watch),
		.entry = m->first, .serial = m->serial,
		.bound = INT64_MIN + 1, .back = INT64_MIN + 1,
	};
	struct pollfd p = { .fd = open_or_die(BOARD), .events = POLLIN };
	struct rcr_crossing c;

	if (ioctl(p.fd, RCR_BOARD_WATCH, &watch)) {
		perror("watch");
		exit(1);
	}
	poll(&p, 1, 10000);
	if (read(p.fd, &c, sizeof(c)) != sizeof(c))
		return false;
	close(p.fd);
	return true;
}

static int see_crossings(unsigned int number, const char *name)
{
	const struct rcr_board_meter *m = find_meter(map_board(), name);
	unsigned int i, crossed = 0;

	for (i = 0; i < number; i++)
		crossed += cross(m);
	printf("%u crossed\n", crossed);
	return wait_for_end();
}

static int fetch(void)
{
	const char *line;
	int first = -1, fd;

	while ((line = next_line())) {
		if (strcmp(line, "again")) {
			fd = open_or_die(WINDOW);
			if (first < 0)
				first = fd;
			printf("%ld\n", fetch_window(fd));
		} else {
			lseek(first, 0, SEEK_SET);
			printf("%ld\n", fetch_window(first));
		}
	}
	return 0;
}

/* Watch an entry, on a new descriptor after each RCR_WATCHES_MAX; return false on failure. */
static bool watch_entry(const struct rcr_board *b, unsigned int entry, unsigned int done)
{
	struct rcr_watch watch = {
		.size = sizeof(watch),
		.entry = entry, .serial = entry_at(b, entry)->serial,
		.bound = INT64_MAX, .back = INT64_MAX,
	};
	static int fd;

	if (done % RCR_WATCHES_MAX == 0)
		fd = open_or_die(BOARD);
	return !ioctl(fd, RCR_BOARD_WATCH, &watch);
}

static int entries(unsigned int number)
{
	const struct rcr_board *b = map_board();
	unsigned int done = 0, entry;

	for (entry = 0; entry < number; entry++)
		if (entry_at(b, entry)->serial && watch_entry(b, entry, done))
			done++;
	printf("%u\n", done);
	return wait_for_end();
}

static int hold_watches(unsigned int number)
{
	const struct rcr_board *b = map_board();
	unsigned int done = 0, entry;

	for (entry = 0; done < number; entry = (entry + 1) % b->entries) {
		if (!entry_at(b, entry)->serial)
			continue;
		if (!watch_entry(b, entry, done))
			break;
		done++;
	}
	printf("%u watches%s%s\n", done, done < number ? ", then " : "",
	       done < number ? strerror(errno) : "");
	return wait_for_end();
}

static int subordinate(unsigned int number)
{
	if (unshare(CLONE_NEWUSER)) {
		perror("unshare");
		return 1;
	}
	puts("ready");
	if (!next_line() || setresuid(1, 1, 1)) {
		perror("setresuid");
		return 1;
	}
	return hold_watches(number);
}

static int error_at(int fd, off_t offset)
{
	return mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, offset) == MAP_FAILED ? errno : 0;
}

/* Watch an entry that does not exist: a caller that may watch gets ENOENT. */
static int may(void)
{
	struct rcr_watch watch = { .size = sizeof(watch), .entry = UINT32_MAX, .serial = 1 };
	int fd = open(BOARD, O_RDWR);

	if (fd < 0) {
		printf("open %d\n", errno);
		return 0;
	}
	printf("all %d", error_at(fd, RCR_BOARD_ALL));
	printf(" watch %d\n", ioctl(fd, RCR_BOARD_WATCH, &watch) ? errno : 0);
	return 0;
}

static int opens(unsigned int number)
{
	while (number--)
		close(open_or_die(BOARD));
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	unsigned int number = argc > 2 ? atoi(argv[2]) : 0;

	if (!strcmp(what, "family") && argc > 2)
		return family(argv[2]);
	if (!strcmp(what, "crossings") && argc > 3)
		return see_crossings(number, argv[3]);
	if (!strcmp(what, "fetch"))
		return fetch();
	if (!strcmp(what, "watches"))
		return hold_watches(number);
	if (!strcmp(what, "entries"))
		return entries(number);
	if (!strcmp(what, "subordinate"))
		return subordinate(number);
	if (!strcmp(what, "rings"))
		return rings();
	if (!strcmp(what, "may"))
		return may();
	if (!strcmp(what, "opens"))
		return opens(number);
	fprintf(stderr, "usage: see the head of member.c\n");
	return 2;
}
