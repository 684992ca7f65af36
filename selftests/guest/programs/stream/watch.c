// SPDX-License-Identifier: GPL-2.0-only
/*
 * watch.c [SECONDS [short]] - checks promise P8 for SECONDS, or until SIGTERM, while a test changes
 * the set, registers or CPUs: reads the stream and compares every sample of every CPU with the
 * previous one, across sets. Counts between two samples that are ok must match the virtual PMU's
 * formula, with the rates of vpmu/rate.h; the total of a counter that is not ok must not change.
 *
 * With "short", counts may be less, as perf disables all counters when an event is added or
 * removed. Prints the number of such counts: "short 12 of 3456".
 *
 * Prints for each counter and CPU its statuses (NAME cpu2: ok foreign ok) and how its total
 * continued (from 0, on), the marks, and a last line with the number of sets, lost records and
 * wrong counts.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

#include "stream.h"

#define MAX_CPUS	16
#define MAX_RUNS	64
#define BUFFER		(256 * 1024)

/* State of a counter on a CPU while it is in the set. */
struct follow {
	char name[RCR_NAME_LEN];
	uint32_t counter;
	uint64_t total, first;
	uint8_t status;
	bool seen;
	struct bracket before;
	unsigned int nruns;
	uint8_t run[MAX_RUNS];
};

struct cpu {
	struct follow follow[RCR_MAX_COUNTERS];
	uint64_t tick, next;
	uint32_t generation;
	bool seen, hole, placed;
};

static struct rcr_set *set;
static struct cpu cpus[MAX_CPUS];
static unsigned int nsets;
static uint64_t lost, wrong, samples, fell_short;
static bool may_be_short;

static const char *status_name(uint8_t status)
{
	static const char *const names[] = {
		"?", "ok", "halted", "foreign", "busy", "fault", "offline", "gap",
		"elsewhere", "misplaced",
	};

	return names[status < sizeof(names) / sizeof(names[0]) ? status : 0];
}

static void print_follow(unsigned int cpu, const struct follow *f)
{
	unsigned int i;

	if (!f->seen)
		return;
	printf("%s cpu%u:", f->name, cpu);
	for (i = 0; i < f->nruns; i++)
		printf(" %s", status_name(f->run[i]));
	printf(" (%s)\n", f->total != f->first ? "counted" : "stood still");
}

static void print_all(void)
{
	unsigned int cpu, i;

	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		for (i = 0; i < RCR_MAX_COUNTERS; i++)
			print_follow(cpu, &cpus[cpu].follow[i]);
}

/* Return the state of a counter in the old set if the new set has it on the same register. */
static struct follow take_over(const struct follow *old,
			       const struct rcr_counter *c)
{
	struct follow f = { .counter = c->counter };
	unsigned int i;

	for (i = 0; i < RCR_MAX_COUNTERS; i++)
		if (old[i].seen && !strcmp(old[i].name, c->name) &&
		    old[i].counter == c->counter)
			return old[i];
	snprintf(f.name, sizeof(f.name), "%s", c->name);
	return f;
}

static bool is_in(const struct follow *all, const struct follow *f)
{
	unsigned int i;

	for (i = 0; i < RCR_MAX_COUNTERS; i++)
		if (!strcmp(all[i].name, f->name) && all[i].counter == f->counter)
			return true;
	return false;
}

static void take_set(const struct rcr_set *s)
{
	struct follow next[RCR_MAX_COUNTERS];
	unsigned int cpu, i;

	nsets++;
	set = realloc(set, s->item.size);
	memcpy(set, s, s->item.size);
	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		struct cpu *c = &cpus[cpu];

		memset(next, 0, sizeof(next));
		for (i = 0; i < set->ncounters; i++)
			next[i] = take_over(c->follow, &counters_of(set)[i]);
		for (i = 0; i < RCR_MAX_COUNTERS; i++)
			if (!is_in(next, &c->follow[i]))
				print_follow(cpu, &c->follow[i]);
		memcpy(c->follow, next, sizeof(next));
		/* Later sets are read from their first record. */
		c->next = 0;
		c->placed = nsets > 1;
	}
}

static void complain(const char *what, const struct rcr_record *r, unsigned int i)
{
	wrong++;
	if (wrong <= 10)
		printf("wrong: %s, cpu %u %s position %" PRIu64 " tick %" PRIu64 " total %" PRIu64 " status %s\n",
		       what, r->item.cpu, counters_of(set)[i].name, (uint64_t)r->position,
		       (uint64_t)r->tick, (uint64_t)r->value[i],
		       status_name(statuses_of(set, r)[i]));
}

/* Return whether a count is too low for the formula, which "short" allows. */
static bool is_short(const struct follow *f, uint32_t rate, struct bracket now,
		     uint64_t counted)
{
	uint64_t least = vpmu_count(rate, now.begin) - vpmu_count(rate, f->before.end);

	return may_be_short && counted >= f->total && counted - f->total < least;
}

static void check_total(const struct rcr_record *r, const struct follow *f, unsigned int i,
			struct bracket now, bool ok)
{
	const struct rcr_counter *counter = &counters_of(set)[i];

	if (is_exact(counter, r->item.cpu, ok, f->before, f->total, now, r->value[i]))
		return;
	if (ok && is_short(f, rate_of(counter, r->item.cpu), now, r->value[i]))
		fell_short++;
	else
		complain("the total", r, i);
}

static void take_counter(const struct rcr_record *r, struct cpu *c, unsigned int i)
{
	struct follow *f = &c->follow[i];
	uint8_t status = statuses_of(set, r)[i];
	bool ok = status == RCR_STATUS_OK && f->status == RCR_STATUS_OK;
	struct bracket now = bracket_of_counter(set, r, i);
	bool again = f->seen && now.begin == f->before.begin;

	if (again && (r->value[i] != f->total ||
		      (status != f->status && status != RCR_STATUS_ELSEWHERE)))
		complain("a counter that changed without a new reading", r, i);
	if (f->seen && !c->hole && !again)
		check_total(r, f, i, now, ok);
	f->before = now;
	if (f->seen && r->value[i] < f->total &&
	    counters_of(set)[i].unit != RCR_UNIT_MILLIDEGREE)
		complain("a total that decreased", r, i);
	if (!f->seen)
		f->first = r->value[i];
	if ((!f->nruns || f->run[f->nruns - 1] != status) && f->nruns < MAX_RUNS)
		f->run[f->nruns++] = status;
	f->total = r->value[i];
	f->status = status;
	f->seen = true;
}

/* Check that positions are consecutive: each missing record must be reported as lost. */
static void take_place(uint32_t cpu, uint64_t position, uint64_t count)
{
	struct cpu *c = &cpus[cpu];

	if (c->placed && position != c->next) {
		wrong++;
		printf("wrong: the position, cpu %u position %" PRIu64 ", not %" PRIu64 "\n", cpu,
		       position, c->next);
	}
	c->next = position + count;
	c->placed = true;
}

static void take_sample(const struct rcr_record *r)
{
	struct cpu *c = &cpus[r->item.cpu];
	unsigned int i;

	if (c->seen && !c->hole && c->generation == r->item.generation &&
	    r->tick != c->tick + 1 + r->overruns + r->skipped)
		complain("the tick", r, 0);
	for (i = 0; i < set->ncounters; i++)
		take_counter(r, c, i);
	c->tick = r->tick;
	c->generation = r->item.generation;
	c->seen = true;
	c->hole = false;
	samples++;
}

static void take_lost(const struct rcr_lost *l)
{
	lost += l->count;
	cpus[l->item.cpu].hole = true;
	take_place(l->item.cpu, l->position, l->count);
}

static void take_item(const struct rcr_item *item)
{
	const struct rcr_mark *m = (const void *)item;
	const struct rcr_record *r = (const void *)item;

	if (item->type == RCR_ITEM_SET)
		take_set((const void *)item);
	else if (item->type == RCR_ITEM_MARK)
		printf("mark %u: %s\n", m->kind, m->text);
	else if (item->cpu < MAX_CPUS && item->type == RCR_ITEM_LOST)
		take_lost((const void *)item);
	else if (item->cpu < MAX_CPUS && item->type >= RCR_ITEM_SAMPLE)
		take_place(item->cpu, r->position, 1);
	if (item->cpu < MAX_CPUS && item->type == RCR_ITEM_SAMPLE && set)
		take_sample(r);
}

static volatile sig_atomic_t ended;

static void end_now(int number)
{
	(void)number;
	ended = 1;
}

int main(int argc, char **argv)
{
	static char buffer[BUFFER] __attribute__((aligned(8)));
	uint64_t end = monotonic_ns() + (argc > 1 ? atof(argv[1]) : 1000) * 1e9;
	struct pollfd p = { .fd = open(DEVICE, O_RDONLY), .events = POLLIN };
	ssize_t got, at;

	if (p.fd < 0)
		return 1;
	may_be_short = argc > 2 && !strcmp(argv[2], "short");
	signal(SIGTERM, end_now);
	/* The test loads a large ring, so that nothing is lost if the host stops this CPU. */
	while (monotonic_ns() < end && !ended) {
		if (poll(&p, 1, 100) <= 0)
			continue;
		got = read(p.fd, buffer, sizeof(buffer));
		if (got < 0)
			return 1;
		for (at = 0; at < got; at += ((struct rcr_item *)(buffer + at))->size)
			take_item((const void *)(buffer + at));
	}
	print_all();
	if (may_be_short)
		printf("short %" PRIu64 " of %" PRIu64 "\n", fell_short, samples);
	printf("%u sets, %" PRIu64 " lost, %s, %" PRIu64 " wrong\n", nsets, lost,
	       samples > 100 ? "many samples" : "few samples", wrong);
	return 0;
}
