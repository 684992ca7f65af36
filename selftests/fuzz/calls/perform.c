// SPDX-License-Identifier: GPL-2.0-only
/*
 * perform.c - performs operations on the module's files, with SLOTS descriptors and as many
 * mappings. A timer interrupts reads that wait for data.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>
#include <linux/rcrboard.h>
#include <linux/rcrtool.h>

#include "calls.h"

#define PATIENCE_US	3000
#define BUFFER_BYTES	(256 * 1024)
#define PAGE		4096ul
#define DEBUG		"/sys/kernel/debug/rcrtool/"
#define PMU		"/sys/bus/event_source/devices/rcrtool/"

static const char *const paths[] = {
	"/dev/rcrtool", "/dev/rcrboard", DEBUG "status", DEBUG "counters",
	DEBUG "meter_1", DEBUG "cpu0/ring", DEBUG "cpu1/ring", DEBUG "meter_0",
	DEBUG "meters/mem_bw", DEBUG "meters/m1", DEBUG "meter_3", DEBUG "meters/ipc",
	DEBUG "meters/posted", PMU "cpumask", PMU "format/place", PMU "events/m1",
	PMU "events/m1.unit", PMU "events/m1.scale", PMU "events/posted.unit",
	PMU "events/posted.scale", PMU "events/posted.snapshot", PMU "format/meter",
	PMU "format/value",
};

static_assert(sizeof(paths) / sizeof(paths[0]) == PATHS);

static int descriptor[SLOTS];
static struct {
	char *at;
	size_t bytes;
} map[SLOTS];

static char *buffer;
static unsigned int result;
static uint64_t count;
static sigjmp_buf back;
static volatile sig_atomic_t touching;

/* A watch of an entry that is on the board. */
static struct rcr_watch known_watch = { .size = sizeof(known_watch), .serial = 1 };
static uint64_t ring_bytes = 2 * PAGE, board_bytes = 16 * PAGE;

static void ignore_signal(int signal)
{
	(void)signal;
}

static void leave_mapping(int signal)
{
	if (!touching)
		_exit(128 + signal);
	siglongjmp(back, 1);
}

void perform_begin(void)
{
	struct sigaction late = { .sa_handler = ignore_signal };
	struct sigaction fault = { .sa_handler = leave_mapping };
	unsigned int i;

	if (buffer)
		return;
	for (i = 0; i < SLOTS; i++)
		descriptor[i] = -1;
	buffer = malloc(BUFFER_BYTES);
	if (!buffer)
		exit(2);
	sigaction(SIGALRM, &late, NULL);
	sigaction(SIGBUS, &fault, NULL);
	sigaction(SIGSEGV, &fault, NULL);
}

/* Periodic, because the first signal may arrive before the call that it is to interrupt. */
static void set_timer(long us)
{
	const struct itimerval timer = { { 0, us }, { 0, us } };

	setitimer(ITIMER_REAL, &timer, NULL);
}

static void drop_map(unsigned int slot)
{
	if (map[slot].at)
		munmap(map[slot].at, map[slot].bytes);
	map[slot].at = NULL;
}

static void drop_descriptor(unsigned int slot)
{
	if (descriptor[slot] >= 0)
		close(descriptor[slot]);
	descriptor[slot] = -1;
}

void perform_end(bool keep)
{
	unsigned int i;

	machine_set_user(true);
	if (keep)
		return;
	for (i = 0; i < SLOTS; i++) {
		drop_map(i);
		drop_descriptor(i);
	}
}

void perform_restore(void)
{
	machine_set_user(true);
	machine_set_cpu(true);
}

static int do_open(const struct op *op, unsigned int slot)
{
	static const int modes[] = { O_RDONLY, O_RDWR, O_RDONLY, O_WRONLY };
	int waits = op->flags & 4 ? 0 : O_NONBLOCK;

	drop_descriptor(slot);
	descriptor[slot] = open(paths[op->target % PATHS], modes[op->flags & 3] | waits | O_CLOEXEC);
	return descriptor[slot];
}

/* Store the size of the rings if the first item read is a set. */
static void learn_set(ssize_t got)
{
	const struct rcr_set *set = (const struct rcr_set *)buffer;

	if (got >= (ssize_t)sizeof(*set) && set->item.type == RCR_ITEM_SET)
		ring_bytes = set->ring_bytes;
}

static int do_read(const struct op *op, int fd)
{
	size_t bytes = op->a % (BUFFER_BYTES + 1);
	/* With bit 0, read into an invalid address. */
	char *to = op->flags & 1 ? (char *)16 : buffer;
	ssize_t got;

	if (op->flags & 2)
		got = pread(fd, to, bytes, op->b);
	else
		got = read(fd, to, bytes);
	if (to == buffer)
		learn_set(got);
	return got;
}

/* Return: an offset for mmap(); most selectors give one that the module knows. */
static uint64_t offset_of(const struct op *op)
{
	switch (op->flags >> 1 & 7) {
	case 0:
		return 0;
	case 1:
		return RCR_BOARD_ALL;
	case 2:
		return RCR_BOARD_ALL + op->b % 6 * PAGE;
	case 3:
		return 1ull << 32;
	case 4:
		return op->b % 6 * ring_bytes;
	case 5:
		return op->b % 64 * PAGE;
	default:
		return op->b;
	}
}

static size_t length_of(const struct op *op)
{
	switch (op->flags >> 4 & 3) {
	case 0:
		return PAGE;
	case 1:
		return (op->flags >> 1 & 7) == 4 ? ring_bytes : board_bytes;
	case 2:
		return op->a % (64 * PAGE) + 1;
	default:
		return (op->a % 5 + 1) * PAGE;
	}
}

/* Choose an entry of the board to watch and to count. Half of the time the last: a user's meter. */
static void learn_board(const char *at, size_t bytes)
{
	const struct rcr_board *b = (const struct rcr_board *)at;
	const struct rcr_board_entry *e;
	bool last = random_number() % 2;
	unsigned int n;

	if (bytes < sizeof(*b) || b->magic != RCR_BOARD_MAGIC)
		return;
	board_bytes = b->bytes;
	for (n = 0; n < b->entries; n++) {
		if (b->entry_offset + (n + 1ul) * b->entry_size > bytes)
			return;
		e = (const struct rcr_board_entry *)(at + b->entry_offset + n * b->entry_size);
		if (!e->serial)
			continue;
		known_watch.entry = n;
		known_watch.serial = e->serial;
		known_entry.place = n && known_entry.meter == e->meter ? known_entry.place + 1 : 0;
		known_entry.meter = e->meter;
		if (!last && random_number() % 8 == 0)
			return;
	}
}

/* Read each page of a mapping, and write to it if @writes. */
static void touch_map(unsigned int slot, bool writes)
{
	size_t at;

	touching = 1;
	if (!sigsetjmp(back, 1)) {
		for (at = 0; at < map[slot].bytes; at += PAGE)
			*buffer += map[slot].at[at];
		learn_board(map[slot].at, map[slot].bytes);
		for (at = 0; writes && at < map[slot].bytes; at += 64)
			*(uint32_t *)(map[slot].at + at) = random_number() % 4;
	}
	touching = 0;
}

static int do_map(const struct op *op, unsigned int slot, int fd)
{
	static const int protections[] = {
		PROT_READ, PROT_READ | PROT_WRITE, PROT_READ | PROT_EXEC, PROT_WRITE, PROT_NONE,
		PROT_READ, PROT_READ | PROT_WRITE, PROT_READ,
	};
	int protection = protections[op->target & 7];
	void *at;

	drop_map(slot);
	map[slot].bytes = length_of(op);
	at = mmap(NULL, map[slot].bytes, protection,
		  op->flags & 1 ? MAP_PRIVATE : MAP_SHARED, fd, offset_of(op));
	if (at == MAP_FAILED)
		return -1;
	map[slot].at = at;
	if (protection & PROT_READ)
		touch_map(slot, protection & PROT_WRITE);
	return 0;
}

static int do_change_map(const struct op *op, unsigned int slot)
{
	size_t bytes = map[slot].bytes;
	void *at;

	if (!map[slot].at)
		return -1;
	switch (op->flags & 3) {
	case 0:
		return mprotect(map[slot].at, bytes, op->target & 7);
	case 1:
		at = mremap(map[slot].at, bytes, bytes + PAGE, MREMAP_MAYMOVE);
		if (at == MAP_FAILED)
			return -1;
		map[slot].at = at;
		map[slot].bytes = bytes + PAGE;
		return 0;
	case 2:
		return madvise(map[slot].at, bytes, op->target % 24);
	default:
		drop_map(slot);
		return 0;
	}
}

/* A structure of the ABI that begins with its size. */
union sized {
	uint32_t size;
	struct rcr_watch watch;
	struct rcr_items items;
	unsigned char bytes[128];
};

/* Copy @bytes of it to the end of a page that an inaccessible one follows. */
static void *copy_to_edge(const union sized *s, size_t bytes)
{
	static char *pages;

	if (!pages) {
		pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (pages == MAP_FAILED || mprotect(pages + PAGE, PAGE, PROT_NONE))
			exit(2);
	}
	return memcpy(pages + PAGE - bytes, s, bytes);
}

/*
 * Set the size to that of an older program, of a newer program with and without data in the
 * unknown part, of a structure that ends in inaccessible memory, too large, or to any number.
 * Return: address of the structure.
 */
static void *change_size(union sized *s, uint64_t how)
{
	uint32_t size = s->size;

	switch (how % 6) {
	case 0:
		s->size -= 8;
		break;
	case 1:
		s->bytes[s->size] = 1;
		s->size += 8;
		break;
	case 2:
		s->size += 8;
		break;
	case 3:
		s->size += 8;
		return copy_to_edge(s, size);
	case 4:
		s->size = 2 * PAGE;
		break;
	default:
		s->size = how / 6;
	}
	return s;
}

static int do_watch(const struct op *op, int fd)
{
	static const int64_t bounds[] = { 0, -1, 1, INT64_MAX, INT64_MIN, 1000 };
	union sized sized = { };
	void *at = &sized;
	struct rcr_watch watch = {
		.size = sizeof(watch),
		.bound = bounds[op->a % 6], .back = bounds[op->b % 6], .hold_ns = op->c,
		.cookie = 7, .flags = op->target & 3,
	};

	watch.entry = op->flags & 1 ? op->a : known_watch.entry;
	watch.serial = op->flags & 2 ? op->b : known_watch.serial;
	if (op->flags & 4)
		watch.back = watch.bound;
	if (!(op->flags & 8))
		watch.hold_ns = 0;
	if (op->target & 4)
		watch.window_ns = op->c;
	sized.watch = watch;
	if (op->flags & WATCH_SIZED)
		at = change_size(&sized, op->c);
	if (op->flags & 32)
		at = (void *)op->a;
	return ioctl(fd, op->flags & 16 ? op->c : RCR_BOARD_WATCH, at);
}

/* Add a watch; with WATCH_MORE until the descriptor is full, and one more. */
static int do_watches(const struct op *op, int fd)
{
	unsigned int more = op->flags & WATCH_MORE ? RCR_WATCHES_MAX : 0;
	int ret;

	do
		ret = do_watch(op, fd);
	while (!ret && more--);
	return ret;
}

static int do_items(const struct op *op, int fd)
{
	static const uint64_t types[] = {
		RCR_ITEMS_ALL, 1ull << RCR_ITEM_MARK, 1ull << RCR_ITEM_SET | 1ull << RCR_ITEM_MARK,
		RCR_ITEMS_OF_RINGS, 1ull << RCR_ITEM_SAMPLE, 0,
	};
	union sized sized = { };
	void *at = &sized;

	sized.items = (struct rcr_items){
		.size = sizeof(sized.items),
		.pad = !!(op->flags & ITEMS_PAD),
		.types = op->flags & 4 ? op->a : types[op->a % 6],
	};
	if (op->flags & ITEMS_SIZED)
		at = change_size(&sized, op->c);
	if (op->flags & 8)
		at = (void *)op->a;
	return ioctl(fd, RCR_ITEMS, at);
}

static int do_subscribe(const struct op *op, int fd)
{
	struct rcr_subscription s = {
		.size = sizeof(s), .flags = op->target & 3, .entry = known_watch.entry,
		.serial = known_watch.serial, .interval_ns = op->c,
	};

	if (op->flags & 1)
		s.entry = op->a;
	if (op->flags & 2)
		s.serial = op->b;
	if (op->flags & 4)
		s.size = op->a;
	return ioctl(fd, RCR_BOARD_SUBSCRIBE, op->flags & 8 ? (void *)op->a : &s);
}

static int do_poll(const struct op *op, int fd)
{
	struct pollfd p = { .fd = fd, .events = op->a };

	return poll(&p, 1, op->b % 4);
}

static int do_seek(const struct op *op, int fd)
{
	static const int whences[] = { SEEK_SET, SEEK_END, SEEK_CUR, SEEK_DATA, 77 };

	return lseek(fd, op->flags & 1 ? op->a : 0, whences[op->target % 5]) < 0 ? -1 : 0;
}

static int do_event(const struct op *op, unsigned int slot)
{
	int fd = machine_open_event(op, descriptor[op->c % SLOTS]);

	drop_descriptor(slot);
	descriptor[slot] = fd;
	return fd;
}

static int carry_out(const struct op *op)
{
	unsigned int slot = op->slot % SLOTS;
	int fd = descriptor[slot];

	switch (op->kind) {
	case OP_OPEN:
		return do_open(op, slot);
	case OP_CLOSE:
		drop_descriptor(slot);
		return 0;
	case OP_READ:
		return do_read(op, fd);
	case OP_SEEK:
		return do_seek(op, fd);
	case OP_POLL:
		return do_poll(op, fd);
	case OP_MAP:
		return do_map(op, slot, fd);
	case OP_CHANGE_MAP:
		return do_change_map(op, slot);
	case OP_WATCH:
		return do_watches(op, fd);
	case OP_SUBSCRIBE:
		return do_subscribe(op, fd);
	case OP_WRITE:
		return write(fd, buffer, op->a % 4096);
	case OP_REQUEST:
		errno = request_send(op, descriptor);
		return errno ? -1 : 0;
	case OP_EVENT:
		return do_event(op, slot);
	case OP_SWITCH:
		return machine_switch_event(op, fd);
	case OP_USER:
		return machine_set_user(op->flags & 1);
	case OP_CPU:
		return machine_set_cpu(op->flags & 1);
	case OP_RELOAD:
		return module_reload();
	case OP_KEEP:
		return 0;
	case OP_ITEMS:
		return do_items(op, fd);
	default:
		return usleep(op->a % 3000);
	}
}

void perform(const struct op *op)
{
	bool waits = op->kind == OP_READ;
	int ret;

	if (waits)
		set_timer(PATIENCE_US);
	errno = 0;
	ret = carry_out(op);
	result = op->kind << 24 | (op->target & 0xff) << 16;
	result |= ret < 0 ? errno & 0xffff : !!ret << 15;
	if (waits)
		set_timer(0);
	count++;
}

unsigned int perform_result(void)
{
	return result;
}

uint64_t perform_count(void)
{
	return count;
}
