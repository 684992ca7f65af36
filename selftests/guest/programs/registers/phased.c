// SPDX-License-Identifier: GPL-2.0-only
/*
 * phased.c - compares counts with the formula while the rates change (vpmu/phase.h).
 *
 *	phased register CLASS PHASES CPU REGISTER WIDTH UNIT EVENT UMASK INSTANCE
 *	phased stream CLASS PHASES
 *
 * Prints "ready", and reads a count register on CPU, each time between two reads of the TSC, or the
 * stream, until PHASES phases of CLASS have started according to the log of the program phase
 * (phase_oracle.h). Then compares each total since the first reading with the formula for the two
 * brackets. UNIT is a number. Prints the number of comparisons, the widest bracket in counts, and
 * the number of wrong totals; status 0 if there are none.
 */
#define _GNU_SOURCE
#include <sched.h>

#include "phase_oracle.h"
#include "stream.h"

#define MAX_CPUS 64

static struct vpmu_phases phases;
static uint32_t class;
static unsigned int wanted;

/* Results. */
static uint64_t readings, widest, bad;

static _Noreturn void fail(const char *what)
{
	perror(what);
	exit(2);
}

/* Return whether PHASES phases have started between two TSCs. */
static bool is_over(uint64_t from, uint64_t to)
{
	if (!phase_log_replay(&phases))
		fail(phase_log_path());
	return phase_passed(&phases, class, from, to) >= wanted;
}

/* Compare a total since @from, in register counts, with the formula. */
static void check(const struct phase_what *what, struct bracket from,
		  struct bracket to, uint64_t counted)
{
	uint64_t least = phase_count(&phases, what, to.begin) -
			 phase_count(&phases, what, from.end);
	uint64_t most = phase_count(&phases, what, to.end) -
			phase_count(&phases, what, from.begin);

	readings++;
	if (most - least > widest)
		widest = most - least;
	if (counted < least || counted > most) {
		bad++;
		printf("unit %u event %#x from TSC %" PRIu64 " to %" PRIu64 "-%" PRIu64 ": %" PRIu64 " counts, not %" PRIu64 " to %" PRIu64 "\n",
		       what->unit, what->event, from.begin, to.begin, to.end,
		       counted, least, most);
	}
}

static int report(void)
{
	printf("phases %u readings %" PRIu64 " bracket %" PRIu64 " bad %" PRIu64 "\n",
	       wanted, readings, widest, bad);
	return bad || !readings;
}

static void ready(void)
{
	puts("ready");
	fflush(stdout);
}

/* A growing array. */
struct kept {
	size_t size, count, room;
	char *items;
};

static void keep(struct kept *k, const void *item)
{
	if (k->count == k->room) {
		k->room = 2 * k->room + 1024;
		k->items = reallocarray(k->items, k->room, k->size);
		if (!k->items)
			fail("memory");
	}
	memcpy(k->items + k->size * k->count++, item, k->size);
}

/* A register value, with the TSC before and after the read. */
struct reading {
	struct bracket at;
	uint64_t value;
};

static int open_cpu(int cpu)
{
	char path[64];
	cpu_set_t only;
	int fd;

	CPU_ZERO(&only);
	CPU_SET(cpu, &only);
	snprintf(path, sizeof(path), "/dev/cpu/%d/msr", cpu);
	fd = open(path, O_RDONLY);
	if (fd < 0 || sched_setaffinity(0, sizeof(only), &only))
		fail(path);
	return fd;
}

static struct reading read_register(int fd, uint32_t msr)
{
	struct reading r;

	r.at.begin = rdtsc();
	if (pread(fd, &r.value, sizeof(r.value), msr) != sizeof(r.value))
		fail("register");
	r.at.end = rdtsc();
	return r;
}

static uint64_t number(const char *text)
{
	return strtoull(text, NULL, 0);
}

static int follow_register(char **words)
{
	int fd = open_cpu(number(words[0]));
	uint32_t msr = number(words[1]);
	uint64_t mask = ~0ull >> (64 - number(words[2])), counted = 0;
	struct phase_what what = {
		.unit = number(words[3]), .event = number(words[4]),
		.umask = number(words[5]), .instance = number(words[6]),
	};
	struct kept all = { .size = sizeof(struct reading) };
	struct reading r = read_register(fd, msr), *list;
	uint64_t from = r.at.end;
	size_t i;

	what.rate = phase_rate(&what);
	keep(&all, &r);
	ready();
	while (!is_over(from, r.at.begin)) {
		usleep(2000);
		r = read_register(fd, msr);
		keep(&all, &r);
	}
	list = (struct reading *)all.items;
	for (i = 1; i < all.count; i++) {
		counted += (list[i].value - list[i - 1].value) & mask;
		check(&what, list[0].at, list[i].at, counted);
	}
	free(list);
	close(fd);
	return report();
}

/* Return the event that a counter of the set counts on a CPU. */
static struct phase_what what_of(const struct rcr_counter *c, uint32_t cpu)
{
	const struct shared_registers *s = c->scope == RCR_SCOPE_CPU ? NULL : shared_find(c);
	struct phase_what what = { .rate = rate_of(c, cpu), .instance = cpu };

	if (c->unit == RCR_UNIT_NANOJOULE) {
		what.unit = VPMU_UNIT_ENERGY;
		what.event = c->counter == ENERGY_OF_CORE ? VPMU_ENERGY_CORE : energy_domain(c);
		what.instance = c->counter == ENERGY_OF_CORE ? cpu : package_of(cpu);
	} else if (s) {
		what.unit = s->unit;
		what.event = shared_event(s, c);
		what.umask = gather(c->select, s->umask);
		what.instance = shared_instance(s, c, place_of(c, cpu));
	} else if (c->counter == 0xe7 || c->counter == 0xe8) {
		what.unit = VPMU_UNIT_CLOCK;
		what.event = c->counter;
	} else if (c->control == FIXED_CONTROL) {
		what.event = vpmu_fixed_as[c->counter - FIXED_COUNTER0].event;
		what.umask = vpmu_fixed_as[c->counter - FIXED_COUNTER0].umask;
	} else {
		what.event = event_of(c->select);
		what.umask = umask_of(c->select);
	}
	return what;
}

static void check_record(const struct rcr_set *set, const struct rcr_record *first,
			 const struct rcr_record *r)
{
	const struct rcr_counter *c = counters_of(set);
	struct phase_what what;
	unsigned int i;

	for (i = 0; i < set->ncounters; i++, c++) {
		if (statuses_of(set, first)[i] != RCR_STATUS_OK ||
		    statuses_of(set, r)[i] != RCR_STATUS_OK ||
		    c->unit == RCR_UNIT_MILLIDEGREE)
			continue;
		what = what_of(c, r->item.cpu);
		check(&what, bracket_of_counter(set, first, i), bracket_of_counter(set, r, i),
		      counts_of(c, r->value[i]) - counts_of(c, first->value[i]));
	}
}

static int check_stream(const struct rcr_set *set, const struct kept *all)
{
	const struct rcr_record *first[MAX_CPUS] = { }, *r;
	size_t i;

	for (i = 0; i < all->count; i++) {
		r = (const void *)(all->items + i * all->size);
		if (first[r->item.cpu])
			check_record(set, first[r->item.cpu], r);
		else
			first[r->item.cpu] = r;
	}
	return report();
}

/* TSC of the first and of the last sample of each CPU. */
struct span {
	uint64_t first[MAX_CPUS], last[MAX_CPUS];
};

/* Read the stream once; keep its samples. */
static void take_items(const struct rcr_set *set, int fd, struct kept *all,
		       struct span *seen)
{
	static char buffer[256 * 1024] __attribute__((aligned(8)));
	ssize_t got = read(fd, buffer, sizeof(buffer)), at;

	if (got <= 0)
		fail(DEVICE);
	for (at = 0; at < got; ) {
		const struct rcr_record *r = (const void *)(buffer + at);

		at += r->item.size;
		if (r->item.type != RCR_ITEM_SAMPLE)
			continue;
		if (r->item.cpu >= set->ncpus)
			exit(2);
		keep(all, r);
		if (!seen->first[r->item.cpu])
			seen->first[r->item.cpu] = r->tsc_end;
		seen->last[r->item.cpu] = r->tsc;
	}
}

static bool span_of(const struct rcr_set *set, const struct span *seen,
		    uint64_t *from, uint64_t *to)
{
	unsigned int cpu;

	*from = 0;
	*to = UINT64_MAX;
	for (cpu = 0; cpu < set->ncpus; cpu++) {
		if (seen->first[cpu] > *from)
			*from = seen->first[cpu];
		if (seen->last[cpu] < *to)
			*to = seen->last[cpu];
	}
	return *to;
}

static int follow_stream(void)
{
	struct span seen = { };
	struct kept all = { };
	bool told = false;
	struct rcr_set *set;
	uint64_t from, to;
	int fd;

	set = open_stream(&fd, 0);
	if (!set || set->ncpus > MAX_CPUS)
		fail(DEVICE);
	all.size = set->record_size;
	do {
		take_items(set, fd, &all, &seen);
		if (!span_of(set, &seen, &from, &to))
			continue;
		if (!told)
			ready();
		told = true;
	} while (!told || !is_over(from, to));
	return check_stream(set, &all);
}

int main(int argc, char **argv)
{
	if (argc < 4)
		goto usage;
	class = number(argv[2]);
	wanted = number(argv[3]);
	if (class >= VPMU_CLASSES)
		goto usage;
	if (argc == 11 && !strcmp(argv[1], "register"))
		return follow_register(argv + 4);
	if (argc == 4 && !strcmp(argv[1], "stream"))
		return follow_stream();
usage:
	fprintf(stderr, "usage: see the head of phased.c\n");
	return 2;
}
