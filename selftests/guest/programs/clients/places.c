// SPDX-License-Identifier: GPL-2.0-only
/*
 * places.c WHAT [ARGUMENT]... - programs that run at known addresses, and readers of the places
 * (process, thread and pc of samples) that the module records.
 *
 *	spin CPU CPU	two threads spin on these CPUs, in spin_first() and spin_second(); prints
 *			the thread ids
 *	zero CPU	reads /dev/zero in one long system call after the other; the instruction
 *			after the system call is after_read
 *	log MS		maps places, and after MS prints a line for each sample in the rings: CPU,
 *			position, "idle" or "busy", process, thread and pc; "-" for thread and pc
 *			of a sample without a place
 *	change		maps places, changes the period and maps the new ones; prints the results
 *	follow MS	reads records and their places for MS; prints how many had a place, how many
 *			had none, and how many overwritten places were returned as valid
 *	map TIMES	maps places of all CPUs and closes the device, TIMES times
 *	hold		maps places and closes the device; exits at the end of standard input
 *	mark TEXT	sets a mark of kind verdict; prints the reason if that is refused
 *	marks FILE	prints the marks of a saved stream as the tracepoint does
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "rcr.h"
#include "rcr_control.h"
#include "stream.h"

#define MAX_CPUS 64
#define ZEROS (64ul << 20)

static struct rcr_reader *reader;
static struct rcr_map *ring[MAX_CPUS];
static struct rcr_places *places[MAX_CPUS];

static void die(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	exit(1);
}

static void stay_on(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

static __attribute__((noinline, noreturn)) void spin_first(void)
{
	for (;;)
		asm volatile("" : : : "memory");
}

static __attribute__((noinline, noreturn)) void spin_second(void)
{
	for (;;)
		asm volatile("pause" : : : "memory");
}

static void *spin_other(void *cpu)
{
	stay_on(*(unsigned int *)cpu);
	printf("%ld\n", syscall(SYS_gettid));
	fflush(stdout);
	spin_second();
}

static void spin(unsigned int first, unsigned int second)
{
	pthread_t other;

	printf("%ld\n", syscall(SYS_gettid));
	if (pthread_create(&other, NULL, spin_other, &second))
		die("pthread_create");
	stay_on(first);
	spin_first();
}

static __attribute__((noinline)) long read_zeros(int fd, void *to)
{
	long got;

	asm volatile("syscall\n"
		     ".globl after_read\n"
		     "after_read:"
		     : "=a"(got) : "0"(SYS_read), "D"(fd), "S"(to), "d"(ZEROS)
		     : "rcx", "r11", "memory");
	return got;
}

static void read_always(unsigned int cpu)
{
	void *to = mmap(NULL, ZEROS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open("/dev/zero", O_RDONLY);

	stay_on(cpu);
	while (read_zeros(fd, to) > 0)
		;
	die("/dev/zero");
}

static void map_all(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		if (!rcr_set_has_cpu(rcr_reader_set(reader), cpu))
			continue;
		/*
		 * Map places first, so that all samples in the mapped ring have been written with
		 * places.
		 */
		places[cpu] = rcr_places_map(reader, cpu);
		ring[cpu] = rcr_map(reader, cpu);
		if (!ring[cpu] || !places[cpu])
			die("map");
	}
}

static void unmap_all(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		rcr_unmap(ring[cpu]);
		rcr_places_unmap(places[cpu]);
		ring[cpu] = NULL;
		places[cpu] = NULL;
	}
}

static void open_reader(void)
{
	reader = rcr_open(NULL);
	if (!reader)
		die("open");
}

static void print_record(unsigned int cpu, const struct rcr_record *r)
{
	struct rcr_place place;

	printf("%u %" PRIu64 " %s %u ", cpu, (uint64_t)r->position,
	       r->item.flags & RCR_RECORD_IDLE ? "idle" : "busy", r->tgid);
	switch (rcr_places_read(places[cpu], r, &place)) {
	case 1:
		printf("%u %016" PRIx64 "\n", place.tid, (uint64_t)place.pc);
		break;
	case 0:
		puts("- -");
		break;
	default:
		printf("error %d\n", errno);
	}
}

/* Print all samples of a ring but the oldest ones, which are being overwritten. */
static void print_ring(unsigned int cpu, struct rcr_record *r)
{
	uint64_t head = rcr_map_head(ring[cpu]), position = 0;
	uint64_t capacity = rcr_reader_set(reader)->ring_records;

	if (head > capacity * 3 / 4)
		position = head - capacity * 3 / 4;
	for (; position < head; position++)
		if (rcr_map_read(ring[cpu], position, r) == 1 && r->item.type == RCR_ITEM_SAMPLE)
			print_record(cpu, r);
}

static struct rcr_record *new_record(void)
{
	struct rcr_record *r = calloc(1, rcr_reader_set(reader)->record_size);

	if (!r)
		die("calloc");
	return r;
}

static void log_places(unsigned int ms)
{
	unsigned int cpu;

	open_reader();
	map_all();
	usleep(1000 * ms);
	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		if (ring[cpu])
			print_ring(cpu, new_record());
}

/* Return whether the newest sample of CPU 0 has a place. */
static int newest_place(struct rcr_record *r)
{
	struct rcr_place place;

	if (rcr_map_read(ring[0], rcr_map_head(ring[0]) - 1, r) != 1)
		return -1;
	return rcr_places_read(places[0], r, &place);
}

static void run(const char *command)
{
	if (system(command))
		printf("%s failed\n", command);
}

/* Skip items up to the next set. */
static void next_set(void)
{
	const struct rcr_item *item;

	do {
		if (rcr_next(reader, &item, 10000) != 1)
			die("next");
	} while (item->type != RCR_ITEM_SET);
}

static void change(void)
{
	struct rcr_place place;
	struct rcr_record *r;

	open_reader();
	map_all();
	usleep(100000);
	r = new_record();
	printf("old ring at first: %d\n", newest_place(r));
	run("rcrctl period 2ms");
	errno = 0;
	printf("old ring: ended %d, place of the last sample %d\n",
	       rcr_map_ended(ring[0]), newest_place(r));
	unmap_all();
	next_set();
	usleep(100000);
	ring[0] = rcr_map(reader, 0);
	if (!ring[0] || rcr_map_read(ring[0], rcr_map_head(ring[0]) - 1, r) != 1)
		die("map");
	places[0] = rcr_places_map(reader, 0);
	printf("new ring, sample before the map: %d\n", rcr_places_read(places[0], r, &place));
	usleep(100000);
	printf("new ring, sample after the map: %d\n", newest_place(r));
}

/* Check the places of new records, and that an overwritten place is not returned. */
static void follow(unsigned int ms)
{
	unsigned long with = 0, without = 0, wrong = 0, seen[MAX_CPUS] = { };
	uint64_t end, lost, capacity;
	struct rcr_record old = { };
	const struct rcr_record *r;
	struct rcr_place place;
	unsigned int cpu;
	int got;

	open_reader();
	map_all();
	capacity = rcr_reader_set(reader)->ring_records;
	usleep(20000);
	for (end = monotonic_ns() + ms * 1000000ull; monotonic_ns() < end; usleep(5000)) {
		for (cpu = 0; cpu < MAX_CPUS; cpu++) {
			while (ring[cpu] && rcr_map_next(ring[cpu], &r, &lost) == 1) {
				if (r->item.type != RCR_ITEM_SAMPLE)
					continue;
				got = rcr_places_read(places[cpu], r, &place);
				old = *r;
				if (!rcr_map_valid(ring[cpu]))
					continue;
				with += got == 1;
				/* The first sample may have begun before places were mapped. */
				without += !got && seen[cpu];
				seen[cpu]++;
				wrong += got == 1 && !old.tgid != !place.tid;
				old.position -= capacity;
				wrong += old.position < r->position &&
					 rcr_places_read(places[cpu], &old, &place) == 1;
			}
		}
	}
	printf("%s, %lu without, %lu wrong\n", with > ms / 2 ? "places" : "few places", without,
	       wrong);
}

static void map_often(unsigned int times)
{
	while (times--) {
		open_reader();
		/* ESTALE: the set may have changed since it was read. */
		if (!rcr_places_map(reader, times % 4) && errno != ESTALE)
			die("map");
		rcr_close(reader);
	}
	puts("mapped");
}

static void hold(void)
{
	open_reader();
	map_all();
	rcr_close(reader);
	puts("held");
	fflush(stdout);
	while (getchar() != EOF)
		;
}

static void mark(const char *text)
{
	struct rcr_control *c = rcr_control_open();

	if (!c)
		die("control");
	puts(rcr_control_mark(c, RCR_MARK_VERDICT, text) ? rcr_control_reason(c) : "marked");
}

static void print_marks(const char *path)
{
	const struct rcr_item *item;
	const struct rcr_mark *m;

	reader = rcr_open(path);
	if (!reader)
		die(path);
	while (rcr_next(reader, &item, 0) == 1) {
		m = (const void *)item;
		if (item->type == RCR_ITEM_MARK)
			printf("generation=%u position=%" PRIu64 " time=%" PRIu64 " tsc=%" PRIu64
			       " kind=%u admin=%u text=%s\n", item->generation,
			       (uint64_t)m->position, (uint64_t)m->time, (uint64_t)m->tsc, m->kind,
			       !!(item->flags & RCR_MARK_ADMIN), m->text);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	unsigned int number = argc > 2 ? atoi(argv[2]) : 0;

	if (!strcmp(what, "spin") && argc > 3)
		spin(number, atoi(argv[3]));
	else if (!strcmp(what, "zero"))
		read_always(number);
	else if (!strcmp(what, "log"))
		log_places(number);
	else if (!strcmp(what, "change"))
		change();
	else if (!strcmp(what, "follow"))
		follow(number);
	else if (!strcmp(what, "map"))
		map_often(number);
	else if (!strcmp(what, "hold"))
		hold();
	else if (!strcmp(what, "mark") && argc > 2)
		mark(argv[2]);
	else if (!strcmp(what, "marks") && argc > 2)
		print_marks(argv[2]);
	else
		fputs("usage: see the head of places.c\n", stderr);
	return 0;
}
