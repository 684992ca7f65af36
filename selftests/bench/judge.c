// SPDX-License-Identifier: GPL-2.0-only
/*
 * judge.c RUNS CPUS... - the processor time that rcrd takes to judge the samples of so many CPUs at
 * 1 kHz while the memory of each node is contended.
 *
 * The samples are a labelled recording of 14 counters, in rings as the module writes them. rcrd's
 * own files, compiled into this program, read them ten times in each recorded second and judge
 * them. Only the time of the contention is measured: before and after it rcrd would sleep. Its
 * wake-ups and the requests of programs are not included. Each figure is the median of the runs, in
 * ns, its name followed by the number of CPUs.
 *
 * That the contention was found on each node, once, and has ended is checked.
 */
#include <err.h>

#include "cpu_time.h"
#include "labelled_machine.h"
#include "live/follow.h"
#include "model/engine.h"
#include "ring/ring_protocol.h"
/* For rings in memory instead of those of a device. */
#include "stream/map.c"

#define MS		1000000ull
#define PAGE		4096u
#define WINDOW_NS	(20 * MS)
#define READ_TICKS	100	/* between two reads */
#define TICKS		6000
#define SLOTS		1024
#define MOST_RUNS	99

/**
 * struct bench - a recording that is being read
 * @options: what it was made with
 * @truth: what is contended in it, and when
 * @bytes: the recording: a set, and samples
 * @size: its size, bytes
 * @at: the next sample to be written into its ring
 * @run: the set and its rings, for follow.c
 * @engine: the models
 * @is_found: the memory of a node is contended
 * @begun: contentions of memory that were found
 * @ended: of these, contentions that have ended
 */
struct bench {
	struct labelled_options options;
	struct labelled_truth truth;
	char *bytes;
	size_t size, at;
	struct run run;
	struct engine *engine;
	bool is_found[LABELLED_NODES];
	unsigned int begun, ended;
};

static struct rcr_map *make_ring(const struct rcr_set *set, unsigned int cpu)
{
	size_t bytes = PAGE + SLOTS * set->record_size;
	struct rcr_ring *ring = aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
	struct rcr_map *m = calloc(1, sizeof(*m));

	if (!ring || !m)
		errx(EXIT_FAILURE, "no memory for the ring of CPU %u", cpu);
	memset(ring, 0, bytes);
	*ring = (struct rcr_ring){
		.magic = RCR_RING_MAGIC,
		.version = RCR_ABI_VERSION, .compat_version = RCR_ABI_COMPAT_VERSION,
		.data_offset = PAGE, .record_size = set->record_size, .capacity = SLOTS,
		.cpu = cpu, .generation = set->item.generation,
	};
	*m = (struct rcr_map){ .ring = ring, .bytes = bytes };
	if (!is_sound_header(m, set->record_size))
		errx(EXIT_FAILURE, "librcr does not read the ring of CPU %u", cpu);
	return m;
}

static void begin_run(struct bench *b)
{
	const struct rcr_set *set = (const void *)b->bytes;
	unsigned int i, cpus = b->options.nodes * b->options.node_cpus;

	b->at = set->item.size;
	b->run = (struct run){
		.merge = { .set = set, .rings = cpus, .ring = calloc(cpus, sizeof(*b->run.merge.ring)) },
		.map = calloc(cpus, sizeof(*b->run.map)),
	};
	if (!b->run.merge.ring || !b->run.map)
		errx(EXIT_FAILURE, "no memory for %u CPUs", cpus);
	for (i = 0; i < cpus; i++) {
		b->run.merge.ring[i].cpu = i;
		b->run.map[i] = make_ring(set, i);
	}
}

static void end_run(struct bench *b)
{
	unsigned int i;

	for (i = 0; i < b->run.merge.rings; i++) {
		free((void *)b->run.map[i]->ring);
		free(b->run.map[i]);
	}
	free(b->run.merge.ring);
	free(b->run.map);
}

/* Write the samples before tick @end into their rings. */
static void write_until(struct bench *b, uint64_t end)
{
	const struct rcr_set *set = (const void *)b->bytes;
	const struct rcr_record *r;
	struct rcr_ring *ring;

	for (; b->at < b->size; b->at += r->item.size) {
		struct rcr_record *slot;

		r = (const void *)(b->bytes + b->at);
		if (r->item.type == RCR_ITEM_SAMPLE && r->tick >= end)
			return;
		if (r->item.type != RCR_ITEM_SAMPLE)
			continue;
		ring = (struct rcr_ring *)b->run.map[r->item.cpu]->ring;
		slot = rcr_ring_begin(ring);
		memcpy(slot, r, set->record_size);
		slot->position = ring->head;
		rcr_ring_commit(ring);
		ring->next = r->time + 1;
	}
}

static void count_verdict(void *to, const struct verdict *v)
{
	struct bench *b = to;

	if (v->finding != FINDING_BANDWIDTH)
		return;
	/* Some are busy at once, others are contended before. */
	b->begun += !b->is_found[v->node];
	b->is_found[v->node] = verdict_is_raised(v->state);
	b->ended += !b->is_found[v->node];
}

static void take_item(void *to, const struct rcr_set *set, const struct rcr_item *item)
{
	engine_item(to, set, item);
}

/* Return the processor time for the samples of the ticks of the contention. */
static double judge_recording(struct bench *b)
{
	const struct rcr_set *set = (const void *)b->bytes;
	uint64_t first = ((const struct rcr_record *)(b->bytes + set->item.size))->tick, tick;
	struct follow *f = follow_begin(&b->run, true);
	double sum = 0, begin;

	if (!f)
		errx(EXIT_FAILURE, "no memory");
	for (tick = READ_TICKS; tick <= b->options.ticks; tick += READ_TICKS) {
		write_until(b, first + tick);
		begin = cpu_time_used();
		follow_read(f, take_item, b->engine);
		if (tick > b->truth.begin && tick <= b->truth.end)
			sum += cpu_time_used() - begin;
	}
	follow_end(f);
	engine_flush(b->engine);
	return sum;
}

static double measure_recording(struct bench *b)
{
	struct machine machine;
	struct bounds bounds;
	double time;

	labelled_machine(&machine, &b->options);
	bounds_init(&bounds);
	b->begun = 0;
	b->ended = 0;
	b->engine = engine_open(&machine, &bounds, WINDOW_NS, count_verdict, b);
	if (!b->engine)
		errx(EXIT_FAILURE, "no memory for the models");
	begin_run(b);
	time = judge_recording(b);
	end_run(b);
	engine_close(b->engine);
	if (b->begun != b->options.nodes || b->ended != b->begun)
		errx(EXIT_FAILURE, "%u contentions were found, of which %u ended, on %u nodes",
		     b->begun, b->ended, b->options.nodes);
	return time;
}

static void bench_cpus(unsigned int cpus, unsigned int runs)
{
	struct bench b = {
		.options = {
			.kind = LABELLED_BANDWIDTH, .seed = 1, .nodes = LABELLED_NODES,
			.node_cpus = cpus / LABELLED_NODES, .ticks = TICKS, .period_ns = MS,
			.noise = 0.1,
		},
	};
	double time[MOST_RUNS];
	unsigned int i;

	b.bytes = labelled_bytes(&b.options, &b.truth, &b.size);
	if (!b.bytes)
		err(EXIT_FAILURE, "a recording of %u CPUs", cpus);
	for (i = 0; i < runs; i++)
		time[i] = measure_recording(&b);
	printf("bench|judged_%u|%llu|ns|1\n", cpus, MS * (b.truth.end - b.truth.begin));
	printf("bench|judge_%u|%.0f|ns|%u\n", cpus, 1e9 * median_time(time, runs), runs);
	free(b.bytes);
}

int main(int argc, char **argv)
{
	int i, runs = argc > 2 ? atoi(argv[1]) : 0;

	if (runs < 1 || runs > MOST_RUNS)
		errx(EXIT_FAILURE, "write RUNS, 1 to %u, and CPUS, a multiple of %u", MOST_RUNS,
		     LABELLED_NODES);
	for (i = 2; i < argc; i++)
		bench_cpus(atoi(argv[i]), runs);
	return EXIT_SUCCESS;
}
