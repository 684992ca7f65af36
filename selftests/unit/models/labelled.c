// SPDX-License-Identifier: GPL-2.0-only
/*
 * labelled.c - recordings of a contended machine: see labelled.h.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <linux/rcrtool.h>

#include "labelled.h"

#define HZ		2e9	/* clock of all cores and of the TSC */
#define L3_CYCLES	40.0
#define MEMORY_CYCLES	200.0	/* without load */
#define MODIFIED_CYCLES	150.0	/* a line from another core */
#define MOST_CYCLES	1e6	/* of latency */
#define FLOOR		0.02	/* part of the L3 requests that always misses */
#define FIRST_PROCESS	1000
#define QUIET_REQUESTS	8.0

/* A program: its demand, and its progress in the current tick. */
struct program {
	double own;		/* cycles per instruction without stalls */
	double requests;	/* to the L3, per 1,000 instructions */
	double footprint;	/* relative to the size of the L3 */
	double parallel;	/* outstanding requests */
	double modified;	/* fraction of the requests that find a modified line */
	unsigned int home;	/* node whose memory it reads */
	bool shared;		/* reads the same lines as the other programs */
	bool runs;
	double cpi, miss;
};

struct node {
	double device;		/* lines per second of a device, relative to the capacity */
	double slower;		/* factor of the latency */
	double conflicts;	/* fraction of the accesses that close a row */
	double footprint;	/* sum over the running programs */
	unsigned int running;
	double lines, latency;	/* of memory */
};

struct machine {
	const struct labelled_options *o;
	uint64_t random;
	struct program program[LABELLED_CPUS];
	double own_factor[LABELLED_CPUS], request_factor[LABELLED_CPUS];
	struct node node[LABELLED_NODES];
	double total[LABELLED_CPUS][LABELLED_COUNTERS];
	uint64_t position[LABELLED_CPUS], lost[LABELLED_CPUS];
	unsigned int counters;
	bool solved;		/* no change since the previous tick */
};

static const struct {
	const char *name;
	uint64_t select;
	bool shared;
} counters[LABELLED_COUNTERS] = {
	[LABELLED_CYCLES] = { "TOT_CYC", 0x430076, false },
	[LABELLED_INSTRUCTIONS] = { "TOT_INS", 0x4300c0, false },
	[LABELLED_L2_MISSES] = { "L2_DCM", 0x430043, false },
	[LABELLED_MODIFIED] = { "MODIFIED", 0x432a6c, false },
	[LABELLED_L3_MISSES] = { "L3_CACHE_MISSES", 0x40040f7e1ull, true },
	[LABELLED_READS] = { "DCT_RD_TOT", 0x1004062f0ull, true },
	[LABELLED_WRITES] = { "DCT_WRT", 0x1004019f0ull, true },
	[LABELLED_LATENCY] = { "READ_LATENCY", 0x10040ffe2ull, true },
	[LABELLED_REQUESTS] = { "READ_REQUESTS", 0x10040ffe3ull, true },
	[LABELLED_CONFLICT] = { "ROW_CONFLICTS", 0x4024e0, true },
	[LABELLED_ROWS] = { "ROW_ACCESSES", 0x403fe0, true },
	[LABELLED_LOCAL] = { "RW_DRAM_INT", 0x1004000e0ull, true },
	[LABELLED_FAR] = { "RW_DRAM_EXT", 0x100400fe0ull, true },
	[LABELLED_IO] = { "IO_DRAM_INT", 0x1004000e1ull, true },
};

const char *labelled_name(enum labelled_kind kind)
{
	static const char *const names[LABELLED_KINDS] = {
		"quiet", "bandwidth", "one memory", "remote", "conflicts", "chase", "device",
		"clock", "thrasher", "sum", "each", "sharing", "lines", "migration",
	};

	return names[kind];
}

/* Return a uniform random number in [0, 1). */
static double next_random(struct machine *m)
{
	m->random ^= m->random << 13;
	m->random ^= m->random >> 7;
	m->random ^= m->random << 17;
	return (m->random >> 11) / 9007199254740992.0;
}

/* Return a random factor of mean 1. The sum of twelve uniform numbers has a variance of 1. */
static double next_factor(struct machine *m)
{
	double sum = -6;
	unsigned int i;

	if (!(m->o->noise > 0))
		return 1;
	for (i = 0; i < 12; i++)
		sum += next_random(m);
	sum = 1 + m->o->noise * sum;
	return sum > 0 ? sum : 0;
}

static unsigned int cpus_of(const struct machine *m)
{
	return m->o->nodes * m->o->node_cpus;
}

static unsigned int node_of(const struct machine *m, unsigned int cpu)
{
	return cpu / m->o->node_cpus;
}

static double capacity_of(const struct machine *m)
{
	return LABELLED_CPU_LINES * m->o->node_cpus;
}

/* The demand of all programs in the quiet thirds, before the spread is applied. */
static void make_programs(struct machine *m)
{
	unsigned int i;

	m->solved = false;
	for (i = 0; i < cpus_of(m); i++)
		m->program[i] = (struct program){
			.own = 0.8, .requests = QUIET_REQUESTS, .footprint = 0.6 / m->o->node_cpus,
			.parallel = 2, .modified = 0.005, .home = node_of(m, i), .runs = true,
		};
	for (i = 0; i < m->o->nodes; i++)
		m->node[i] = (struct node){ .slower = 1, .conflicts = 0.1, .latency = MEMORY_CYCLES };
}

/* All programs stream from memory. */
static void read_memory(struct machine *m, double requests, double parallel)
{
	unsigned int i;

	for (i = 0; i < cpus_of(m); i++) {
		m->program[i].requests = requests;
		m->program[i].parallel = parallel;
		m->program[i].footprint = 4;
	}
}

static void begin_memory(struct machine *m, struct labelled_truth *t)
{
	unsigned int i;

	t->node = m->o->nodes;
	switch (m->o->kind) {
	case LABELLED_BANDWIDTH:
		read_memory(m, 60, 40);
		break;
	case LABELLED_ONE_MEMORY:
		read_memory(m, 40, 20);
		for (i = 0; i < cpus_of(m); i++)
			m->program[i].home = 0;
		t->node = 0;
		break;
	case LABELLED_REMOTE:
		read_memory(m, 8, 2);
		for (i = 0; i < cpus_of(m); i++)
			m->program[i].home = (node_of(m, i) + 1) % m->o->nodes;
		break;
	case LABELLED_CONFLICTS:
		read_memory(m, 16, 4);
		for (i = 0; i < m->o->nodes; i++) {
			m->node[i].conflicts = 0.7;
			m->node[i].slower = 1.5;
		}
		break;
	case LABELLED_CHASE:
		read_memory(m, 20, 1);
		break;
	case LABELLED_DEVICE:
		m->node[0].device = 0.85;
		t->node = 0;
		break;
	case LABELLED_CLOCK:
		for (i = 0; i < m->o->nodes; i++)
			m->node[i].slower = 1.8;
		break;
	default:
		break;
	}
}

static void begin_cache(struct machine *m, struct labelled_truth *t)
{
	unsigned int i, of_node = m->o->node_cpus;

	t->node = 0;
	switch (m->o->kind) {
	case LABELLED_THRASHER:
		m->program[1].requests = 60;
		m->program[1].footprint = 8;
		m->program[1].parallel = 8;
		t->cause = FIRST_PROCESS + 1;
		t->victim = FIRST_PROCESS;
		break;
	case LABELLED_SUM:
	case LABELLED_EACH:
	case LABELLED_SHARING:
		for (i = 0; i < of_node; i++) {
			m->program[i].requests = 12;
			m->program[i].footprint = m->o->kind == LABELLED_EACH ? 1.5 : 1.4 / of_node;
			m->program[i].shared = m->o->kind == LABELLED_SHARING;
		}
		t->victim = m->o->kind == LABELLED_SHARING ? 0 : FIRST_PROCESS;
		break;
	case LABELLED_LINES:
		for (i = 0; i < 2; i++) {
			m->program[i].requests = 20;
			m->program[i].modified = 0.8;
		}
		t->victim = FIRST_PROCESS;
		break;
	default:
		break;
	}
}

/* Vary the demand of each program; programs that the kind of recording changes also by @all. */
static void spread_programs(struct machine *m, double all)
{
	unsigned int i;

	for (i = 0; i < cpus_of(m); i++) {
		struct program *p = &m->program[i];

		p->own *= m->own_factor[i];
		p->requests *= m->request_factor[i] * (p->requests == QUIET_REQUESTS ? 1 : all);
	}
}

static double next_spread(struct machine *m)
{
	return m->o->spread > 0 ? 1 + m->o->spread * (2 * next_random(m) - 1) : 1;
}

static void choose_factors(struct machine *m)
{
	unsigned int i;

	for (i = 0; i < cpus_of(m); i++) {
		m->own_factor[i] = next_spread(m);
		m->request_factor[i] = next_spread(m);
	}
}

static void make_quiet(struct machine *m)
{
	make_programs(m);
	spread_programs(m, 1);
}

static void begin_kind(struct machine *m, struct labelled_truth *t)
{
	make_programs(m);
	if (m->o->kind < LABELLED_THRASHER)
		begin_memory(m, t);
	else
		begin_cache(m, t);
	spread_programs(m, next_spread(m));
}

/* For 3 ms after two tasks move, most of their requests find lines that the old cores modified. */
static void set_migration_burst(struct machine *m, const struct labelled_truth *t, uint32_t tick)
{
	uint32_t length = 1 + 3000000 / m->o->period_ns;
	unsigned int i;

	for (i = 0; m->o->kind == LABELLED_MIGRATION && i < 2; i++)
		m->program[i].modified = tick >= t->begin && tick < t->begin + length ? 0.8 : 0.005;
}

/* Choose the programs that run in a tick: where they share caches, each waits in 20 % of ticks. */
static void choose_running(struct machine *m, bool active)
{
	bool waits = active && m->o->kind >= LABELLED_SUM && m->o->kind <= LABELLED_SHARING;
	unsigned int i, n;

	for (n = 0; n < m->o->nodes; n++) {
		m->node[n].footprint = 0;
		m->node[n].running = 0;
	}
	for (i = 0; i < cpus_of(m); i++) {
		m->program[i].runs = !waits || next_random(m) >= 0.2;
		if (!m->program[i].runs)
			continue;
		n = node_of(m, i);
		m->node[n].running++;
		m->node[n].footprint += m->program[i].footprint;
	}
}

static double misses_of(const struct program *p, const struct node *n)
{
	double miss;

	if (p->footprint > 1)
		return 1;
	if (p->shared)
		return 0.6 / n->running;
	miss = 2 * (n->footprint - 1);
	return miss < FLOOR ? FLOOR : miss > 1 ? 1 : miss;
}

/* Return the lines that a program reads from memory in that time. */
static double lines_of(const struct program *p, double seconds)
{
	return p->runs ? seconds * HZ / p->cpi * p->requests / 1000 * p->miss : 0;
}

/* Return the lines that a program reads per second at this latency. */
static double lines_at(struct program *p, double latency)
{
	p->cpi = p->own + p->requests / 1000 / p->parallel *
		 ((1 - p->miss) * L3_CYCLES + p->miss * latency + p->modified * MODIFIED_CYCLES);
	return lines_of(p, 1);
}

/* Return the lines per second that all programs and devices read from the memory of @node. */
static double node_lines_at(struct machine *m, unsigned int node, double latency)
{
	double lines = m->node[node].device * capacity_of(m);
	unsigned int i;

	for (i = 0; i < cpus_of(m); i++)
		if (m->program[i].home == node)
			lines += lines_at(&m->program[i], latency);
	return lines;
}

/* Bisect for the latency at which the load of the programs causes this very latency. */
static void solve_node(struct machine *m, unsigned int node)
{
	double low = m->node[node].slower * MEMORY_CYCLES, high = MOST_CYCLES, middle, free;
	unsigned int round;

	for (round = 0; round < 50; round++) {
		middle = (low + high) / 2;
		free = 1 - node_lines_at(m, node, middle) / capacity_of(m);
		if (free > 0 && m->node[node].slower * MEMORY_CYCLES / free < middle)
			high = middle;
		else
			low = middle;
	}
	m->node[node].latency = high;
	m->node[node].lines = node_lines_at(m, node, high);
}

static void solve_tick(struct machine *m)
{
	unsigned int i;

	if (m->solved)
		return;
	m->solved = m->o->kind < LABELLED_SUM || m->o->kind == LABELLED_LINES;
	for (i = 0; i < cpus_of(m); i++)
		m->program[i].miss = misses_of(&m->program[i], &m->node[node_of(m, i)]);
	for (i = 0; i < m->o->nodes; i++)
		solve_node(m, i);
}

static void add_count(struct machine *m, unsigned int cpu, enum labelled_counter c, double count)
{
	m->total[cpu][c] += count * next_factor(m);
}

static void count_core(struct machine *m, unsigned int cpu, double seconds)
{
	const struct program *p = &m->program[cpu];
	double instructions = seconds * HZ / p->cpi;

	if (!p->runs)
		return;
	add_count(m, cpu, LABELLED_CYCLES, seconds * HZ);
	add_count(m, cpu, LABELLED_INSTRUCTIONS, instructions);
	add_count(m, cpu, LABELLED_L2_MISSES, instructions * p->requests / 1000);
	add_count(m, cpu, LABELLED_MODIFIED, instructions * p->requests / 1000 * p->modified);
}

/* Count the misses of a node's L3, by the node whose memory serves them. */
static void count_misses(struct machine *m, unsigned int node, double seconds)
{
	unsigned int first = node * m->o->node_cpus, i;
	double own = 0, far = 0;

	for (i = first; i < first + m->o->node_cpus; i++) {
		const struct program *p = &m->program[i];
		double lines = lines_of(p, seconds);

		if (p->home == node)
			own += lines;
		else
			far += lines;
	}
	add_count(m, first, LABELLED_L3_MISSES, own + far);
	add_count(m, first, LABELLED_LOCAL, own);
	add_count(m, first, LABELLED_FAR, far);
}

static void count_node(struct machine *m, unsigned int node, double seconds)
{
	const struct node *n = &m->node[node];
	unsigned int first = node * m->o->node_cpus;
	double lines = n->lines * seconds, device = n->device * capacity_of(m) * seconds;

	count_misses(m, node, seconds);
	add_count(m, first, LABELLED_READS, lines * 0.75);
	add_count(m, first, LABELLED_WRITES, lines * 0.25);
	add_count(m, first, LABELLED_LATENCY, lines * 0.75 * n->latency);
	add_count(m, first, LABELLED_REQUESTS, lines * 0.75);
	add_count(m, first, LABELLED_CONFLICT, lines * n->conflicts);
	add_count(m, first, LABELLED_ROWS, lines);
	add_count(m, first, LABELLED_IO, device);
}

struct made_set {
	struct rcr_set set;
	struct rcr_counter counter[LABELLED_COUNTERS];
	uint64_t cpus[LABELLED_CPUS / 64];
};

static bool has_counter(const struct machine *m, unsigned int i)
{
	return !(m->o->missing & 1u << i);
}

static size_t record_size(const struct machine *m)
{
	return sizeof(struct rcr_record) + 8 * m->counters + (m->counters + 7) / 8 * 8;
}

static bool write_set(FILE *f, struct machine *m)
{
	struct made_set s = {
		.set = {
			.item = { sizeof(s), RCR_ITEM_SET, 0, ~0u, 1 },
			.version = RCR_ABI_VERSION, .compat_version = RCR_ABI_COMPAT_VERSION,
			.ncpus = cpus_of(m), .ring_records = 1024, .tsc_khz = HZ / 1000,
			.period_ns = m->o->period_ns, .clock_realtime = 1700000000000000000ull,
			.source = "msr", .family = "AMD Fam15h",
			.counter_offset = offsetof(struct made_set, counter),
			.counter_size = sizeof(struct rcr_counter),
			.cpus_offset = offsetof(struct made_set, cpus),
			.value_offset = sizeof(struct rcr_record), .value_size = 8,
			.status_size = 1, .counters_max = RCR_MAX_COUNTERS, .read_min = RCR_READ_MIN,
		},
	};
	unsigned int i;

	for (i = 0; i < LABELLED_COUNTERS; i++) {
		struct rcr_counter *c = &s.counter[m->counters];

		if (!has_counter(m, i))
			continue;
		strcpy(c->name, counters[i].name);
		c->select = counters[i].select;
		c->width = 48;
		c->scope = counters[i].shared ? RCR_SCOPE_DIE : RCR_SCOPE_CPU;
		m->counters++;
	}
	for (i = 0; i < cpus_of(m); i++)
		s.cpus[i / 64] |= 1ull << i % 64;
	s.set.ncounters = m->counters;
	s.set.record_size = record_size(m);
	s.set.status_offset = sizeof(struct rcr_record) + 8 * m->counters;
	return fwrite(&s, sizeof(s), 1, f);
}

static bool write_lost(FILE *f, struct machine *m, unsigned int cpu)
{
	struct rcr_lost lost = {
		.item = { sizeof(lost), RCR_ITEM_LOST, 0, cpu, 1 },
		.position = m->position[cpu] - m->lost[cpu], .count = m->lost[cpu],
	};

	m->lost[cpu] = 0;
	return !lost.count || fwrite(&lost, sizeof(lost), 1, f);
}

static void fill_record(const struct machine *m, struct rcr_record *r, unsigned int cpu,
			uint32_t tick)
{
	bool owner = cpu % m->o->node_cpus == 0;
	uint8_t *status = (uint8_t *)(r->value + m->counters);
	unsigned int i, n = 0;

	r->item = (struct rcr_item){ record_size(m), RCR_ITEM_SAMPLE, 0, cpu, 1 };
	r->position = m->position[cpu];
	r->tick = tick;
	r->time = (tick + 1) * m->o->period_ns;
	r->tsc = r->time * (HZ / 1e9);
	r->tsc_end = r->tsc;
	r->tgid = m->program[cpu].runs ? FIRST_PROCESS + cpu : 0;
	if (!r->tgid)
		r->item.flags = RCR_RECORD_IDLE;
	for (i = 0; i < LABELLED_COUNTERS; i++) {
		if (!has_counter(m, i))
			continue;
		r->value[n] = m->total[cpu][i];
		status[n++] = counters[i].shared && !owner ? RCR_STATUS_ELSEWHERE : RCR_STATUS_OK;
	}
}

static bool write_record(FILE *f, struct machine *m, unsigned int cpu, uint32_t tick,
			 struct labelled_truth *t)
{
	union {
		struct rcr_record record;
		char bytes[sizeof(struct rcr_record) + 9 * LABELLED_COUNTERS + 8];
	} r = { };
	bool ok = true;

	/* The first record of each CPU: the base of its counts. */
	if (tick && next_random(m) < m->o->lost) {
		t->lost++;
		m->lost[cpu]++;
	} else {
		fill_record(m, &r.record, cpu, tick);
		t->written++;
		ok = write_lost(f, m, cpu) && fwrite(&r, r.record.item.size, 1, f);
	}
	m->position[cpu]++;
	return ok;
}

static bool write_tick(FILE *f, struct machine *m, uint32_t tick, struct labelled_truth *t)
{
	double seconds = m->o->period_ns / 1e9;
	bool ok = true;
	unsigned int i;

	set_migration_burst(m, t, tick);
	choose_running(m, tick >= t->begin && tick < t->end);
	solve_tick(m);
	for (i = 0; i < cpus_of(m); i++)
		count_core(m, i, seconds);
	for (i = 0; i < m->o->nodes; i++)
		count_node(m, i, seconds);
	for (i = 0; i < cpus_of(m) && ok; i++)
		ok = write_record(f, m, i, tick, t);
	return ok;
}

/* Sums over the second third of the recording, without noise. */
struct sums {
	double lines, requests_waited;
	double requests, misses, instructions;	/* of a node's L3 */
	double ran;	/* ticks in which the first program ran */
	double done;	/* instructions of the first program */
};

static void add_tick(const struct machine *m, const struct labelled_truth *t, struct sums *s)
{
	unsigned int first = t->node < m->o->nodes ? t->node : 0;
	unsigned int last = t->node < m->o->nodes ? t->node + 1 : m->o->nodes, i;

	for (i = first; i < last; i++) {
		s->lines += m->node[i].lines / (last - first);
		s->requests_waited += m->node[i].lines / (last - first) * m->node[i].latency;
	}
	for (i = first * m->o->node_cpus; i < (first + 1) * m->o->node_cpus; i++) {
		const struct program *p = &m->program[i];
		double instructions = p->runs ? 1 / p->cpi : 0;

		s->instructions += instructions;
		s->requests += instructions * p->requests;
		s->misses += instructions * p->requests * p->miss;
	}
	s->ran += m->program[0].runs;
	s->done += m->program[0].runs ? 1 / m->program[0].cpi : 0;
}

static void measure(const struct machine *m, const struct sums *s, double quiet_cpi,
		    struct labelled_truth *t)
{
	t->utilization = s->lines / (t->end - t->begin) / capacity_of(m);
	t->latency = s->requests_waited / s->lines / MEMORY_CYCLES;
	t->miss_ratio = s->misses / s->requests;
	t->misses = s->misses / s->instructions;
	if (t->victim)
		t->slowdown = s->ran / s->done / quiet_cpi;
}

static bool is_valid(const struct labelled_options *o)
{
	return (unsigned int)o->kind < LABELLED_KINDS && o->nodes >= 1 &&
	       o->nodes <= LABELLED_NODES && o->node_cpus >= 2 &&
	       o->node_cpus <= LABELLED_CPUS / o->nodes && o->ticks >= 3 && o->period_ns &&
	       o->noise >= 0 && o->noise <= 0.3 && o->spread >= 0 && o->spread <= 0.5 &&
	       o->lost >= 0 && o->lost <= 0.5 &&
	       (o->nodes > 1 || (o->kind != LABELLED_ONE_MEMORY && o->kind != LABELLED_REMOTE));
}

int labelled_write(FILE *f, const struct labelled_options *o, struct labelled_truth *truth)
{
	struct machine m = { .o = o, .random = o->seed * 2 + 88172645463325253ull };
	struct labelled_truth t = { .begin = o->ticks / 3, .end = 2 * (uint64_t)o->ticks / 3 };
	struct sums sums = { };
	double quiet_cpi = 1;
	uint32_t tick;

	if (!is_valid(o)) {
		errno = EINVAL;
		return -1;
	}
	choose_factors(&m);
	make_quiet(&m);
	if (!write_set(f, &m))
		return -1;
	for (tick = 0; tick < o->ticks; tick++) {
		if (tick == t.begin)
			begin_kind(&m, &t);
		if (tick == t.end)
			make_quiet(&m);
		if (!write_tick(f, &m, tick, &t))
			return -1;
		if (tick < t.begin)
			quiet_cpi = m.program[0].cpi;
		else if (tick < t.end)
			add_tick(&m, &t, &sums);
	}
	measure(&m, &sums, quiet_cpi, &t);
	*truth = t;
	return fflush(f) ? -1 : 0;
}

char *labelled_bytes(const struct labelled_options *o, struct labelled_truth *truth, size_t *size)
{
	char *bytes = NULL;
	FILE *f = open_memstream(&bytes, size);
	int err = !f || labelled_write(f, o, truth);

	if (f && fclose(f))
		err = -1;
	if (!err)
		return bytes;
	free(bytes);
	return NULL;
}

static void thin_record(uint64_t *values, uint64_t *held, uint64_t *removed, bool begins, bool ends,
			unsigned int part)
{
	unsigned int i;

	for (i = 0; i < LABELLED_COUNTERS; i++) {
		uint64_t count;

		if (begins)
			held[i] = values[i];
		count = values[i] - held[i];
		if (!ends)
			removed[i] = count - (part ? count / part : 0);
		values[i] -= removed[i];
	}
}

void labelled_thin(char *bytes, size_t size, uint32_t from, uint32_t to, unsigned int part)
{
	static uint64_t held[LABELLED_CPUS][LABELLED_COUNTERS];
	static uint64_t removed[LABELLED_CPUS][LABELLED_COUNTERS];
	const struct rcr_set *set = (const void *)bytes;
	size_t at;

	for (at = 0; at < size; at += ((struct rcr_item *)(bytes + at))->size) {
		struct rcr_record *r = (struct rcr_record *)(bytes + at);

		if (r->item.type == RCR_ITEM_SAMPLE && r->tick >= from)
			thin_record((uint64_t *)((char *)r + set->value_offset), held[r->item.cpu],
				    removed[r->item.cpu], r->tick == from, r->tick > to, part);
	}
}
