/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sample_log.h - a recorded stream of /dev/rcrtool: its runs, the samples of each CPU, and
 * which of these are marks of a time scale. Relies on <linux/rcrtool.h> alone.
 */
#ifndef RCR_GUEST_SAMPLE_LOG_H
#define RCR_GUEST_SAMPLE_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/rcrtool.h>

#define LOG_CPUS	32
#define LOG_RUNS	64
#define LOG_SCALES	16
#define LOG_NONE	(-1)

/**
 * struct log_sample - a sample
 * @record: the record in the stream
 * @time: CLOCK_MONOTONIC, ns
 * @tsc: TSC in the middle of the reading
 * @slow_tsc: TSC in the middle of the reading of slow counters; 0: there are none
 * @run: number of the run
 */
struct log_sample {
	const struct rcr_record *record;
	uint64_t time;
	uint64_t tsc;
	uint64_t slow_tsc;
	unsigned int run;
};

/**
 * struct log_run - samples from one set to the next
 * @set: the set
 * @from: number of each counter in the previous run; LOG_NONE: it begins in this run
 * @anew: some counter begins in this run
 */
struct log_run {
	const struct rcr_set *set;
	int from[RCR_MAX_COUNTERS];
	bool anew;
};

/**
 * struct log_cpu - the samples of a CPU, oldest first
 * @sample: the samples
 * @count: number of samples
 * @room: length of the array
 * @of_run: number of the first sample of each run
 */
struct log_cpu {
	struct log_sample *sample;
	int count;
	int room;
	int of_run[LOG_RUNS + 1];
};

/**
 * struct log_marks - the marks of a CPU for a time scale
 * @sample: numbers of the samples
 * @count: number of marks
 * @before: number of marks in the ring before these
 * @dropped: by run: number of oldest marks that are not in its ring
 */
struct log_marks {
	int *sample;
	int count;
	int before;
	int dropped[LOG_RUNS];
};

/**
 * struct log_scale - a time scale
 * @ns: its length, ns
 * @part: a sixteenth of it, ns
 * @marks: marks of each CPU
 */
struct log_scale {
	uint64_t ns;
	uint64_t part;
	struct log_marks marks[LOG_CPUS];
};

static struct {
	struct log_run run[LOG_RUNS];
	unsigned int runs;
	struct log_cpu cpu[LOG_CPUS];
	struct log_scale scale[LOG_SCALES];
	unsigned int scales;
	unsigned int lost;
	unsigned int late;	/* samples with an earlier time than the previous one */
} samples;

static inline const struct rcr_counter *set_counter(const struct rcr_set *set, unsigned int i)
{
	return (const void *)((const char *)set + set->counter_offset + i * set->counter_size);
}

static inline bool is_slow_in(const struct rcr_set *set, unsigned int i)
{
	return set->slow >> i & 1;
}

static inline uint8_t sample_status(const struct log_sample *s, unsigned int i)
{
	const struct rcr_set *set = samples.run[s->run].set;

	return *((const uint8_t *)s->record + set->status_offset + i * set->status_size);
}

static inline uint64_t sample_total(const struct log_sample *s, unsigned int i)
{
	const struct rcr_set *set = samples.run[s->run].set;
	uint64_t total;

	memcpy(&total, (const char *)s->record + set->value_offset + i * set->value_size,
	       sizeof(total));
	return total;
}

static inline uint64_t middle_of(uint64_t begin, uint64_t end)
{
	return begin + (end - begin) / 2;
}

/* Find a counter of a run by name; LOG_NONE if there is none. */
static inline int find_counter(unsigned int run, const char *name)
{
	const struct rcr_set *set = samples.run[run].set;
	unsigned int i;

	for (i = 0; i < set->ncounters; i++)
		if (!strcmp(set_counter(set, i)->name, name))
			return i;
	return LOG_NONE;
}

/*
 * Find counter @i in the previous run: it continues if name, event, register and reading are the
 * same.
 */
static inline int counter_before(unsigned int run, unsigned int i)
{
	const struct rcr_set *set = samples.run[run].set, *before = samples.run[run - 1].set;
	const struct rcr_counter *c = set_counter(set, i), *b;
	int k = find_counter(run - 1, c->name);

	if (k == LOG_NONE)
		return LOG_NONE;
	b = set_counter(before, k);
	return b->select == c->select && b->control == c->control && b->counter == c->counter &&
	       b->scope == c->scope && b->unit == c->unit ? k : LOG_NONE;
}

static inline void begin_run(const struct rcr_set *set)
{
	struct log_run *r = &samples.run[samples.runs];
	unsigned int i, cpu;

	if (samples.runs == LOG_RUNS) {
		fprintf(stderr, "more than %d runs\n", LOG_RUNS);
		exit(2);
	}
	r->set = set;
	r->anew = !samples.runs;
	samples.runs++;
	for (i = 0; i < set->ncounters; i++) {
		r->from[i] = samples.runs > 1 ? counter_before(samples.runs - 1, i) : LOG_NONE;
		r->anew |= r->from[i] == LOG_NONE;
	}
	for (cpu = 0; cpu < LOG_CPUS; cpu++)
		samples.cpu[cpu].of_run[samples.runs - 1] = samples.cpu[cpu].count;
}

/* Find the run of a record by its generation, the latest run first. */
static inline int find_run(uint32_t generation)
{
	int r = samples.runs;

	while (r-- > 0)
		if (samples.run[r].set->item.generation == generation)
			return r;
	return LOG_NONE;
}

static inline void add_sample(const struct rcr_record *r)
{
	struct log_cpu *c = &samples.cpu[r->item.cpu];
	int run = find_run(r->item.generation);
	const struct rcr_slow *slow;
	struct log_sample *s;
	unsigned int later;

	if (run == LOG_NONE)
		return;
	if (c->count == c->room) {
		c->room = c->room ? 2 * c->room : 1024;
		c->sample = realloc(c->sample, c->room * sizeof(*c->sample));
		if (!c->sample)
			exit(2);
	}
	s = &c->sample[c->count++];
	*s = (struct log_sample){
		.record = r, .time = r->time, .tsc = middle_of(r->tsc, r->tsc_end), .run = run,
	};
	if (samples.run[run].set->slow_offset) {
		slow = (const void *)((const char *)r + samples.run[run].set->slow_offset);
		s->slow_tsc = middle_of(slow->tsc, slow->tsc_end);
	}
	samples.late += c->count > 1 && (s->time <= s[-1].time || s->run < s[-1].run);
	/* A CPU may still have records of its old run when the next run has begun. */
	for (later = run + 1; later < samples.runs; later++)
		c->of_run[later] = c->count;
}

/* Log an item of the stream, without a copy. A set that is repeated does not begin a run. */
static inline void log_item(const struct rcr_item *item)
{
	switch (item->type) {
	case RCR_ITEM_SET:
		if (find_run(item->generation) == LOG_NONE)
			begin_run((const struct rcr_set *)item);
		break;
	case RCR_ITEM_LOST:
		samples.lost++;
		break;
	case RCR_ITEM_SAMPLE:
		if (item->cpu < LOG_CPUS)
			add_sample((const struct rcr_record *)item);
		break;
	}
}

/* Load a stream up to its last complete item. Return false if the file is not a stream. */
static inline bool load_log(const char *path)
{
	FILE *in = fopen(path, "r");
	size_t size, at;
	char *bytes;

	if (!in || fseek(in, 0, SEEK_END))
		return false;
	size = ftell(in);
	rewind(in);
	bytes = malloc(size + 1);
	if (!bytes || fread(bytes, 1, size, in) != size)
		return false;
	fclose(in);
	for (at = 0; at + sizeof(struct rcr_item) <= size;) {
		const struct rcr_item *item = (const void *)(bytes + at);

		if (item->size < sizeof(*item) || item->size > size - at)
			break;
		log_item(item);
		at += item->size;
	}
	return samples.runs;
}

/* Find a counter of @run in an earlier run; LOG_NONE if it does not continue from there. */
static inline int counter_in(unsigned int earlier, unsigned int run, int counter)
{
	for (; run > earlier && counter != LOG_NONE; run--) {
		int from = samples.run[run].from[counter];

		/* Only records of a run in which the counter is slow have its timestamp. */
		if (from != LOG_NONE && is_slow_in(samples.run[run].set, counter) !=
					is_slow_in(samples.run[run - 1].set, from))
			from = LOG_NONE;
		counter = from;
	}
	return counter;
}

/* Return whether a counter began in a run after @run, up to the run of the sample. */
static inline bool is_anew(unsigned int run, const struct log_sample *s)
{
	for (run++; run <= s->run; run++)
		if (samples.run[run].anew)
			return true;
	return false;
}

static inline struct log_scale *find_scale(uint64_t ns)
{
	unsigned int i;

	for (i = 0; i < samples.scales; i++)
		if (samples.scale[i].ns == ns)
			return &samples.scale[i];
	return NULL;
}

static inline struct log_scale *use_scale(uint64_t ns)
{
	struct log_scale *s = find_scale(ns);

	if (s)
		return s;
	if (samples.scales == LOG_SCALES) {
		fprintf(stderr, "more than %d time scales\n", LOG_SCALES);
		exit(2);
	}
	s = &samples.scale[samples.scales++];
	s->ns = ns;
	s->part = ns / RCR_SCALE_PARTS ? ns / RCR_SCALE_PARTS : 1;
	return s;
}

/* Set @dropped: a ring begins with the last RCR_SCALE_MARKS marks of the previous one. */
static inline void drop_marks(const struct log_cpu *c, struct log_marks *m)
{
	unsigned int run;
	int k = 0;

	for (run = 1; run < samples.runs; run++) {
		while (k < m->count && c->sample[m->sample[k]].run < run)
			k++;
		m->dropped[run] = m->dropped[run - 1];
		if (m->before + k - RCR_SCALE_MARKS > m->dropped[run])
			m->dropped[run] = m->before + k - RCR_SCALE_MARKS;
	}
}

/**
 * mark_samples() - find the marks of a CPU for a time scale
 * @scale: the time scale
 * @cpu: the CPU
 * @first: number of a sample that is a mark; samples before it are not judged
 * @before: number of marks of the time scale before @first
 *
 * The stream must be loaded. A mark is the first sample at or after a multiple of a sixteenth of
 * the time scale, or the first sample of a run in which a counter begins.
 */
static inline void mark_samples(struct log_scale *scale, unsigned int cpu, int first, int before)
{
	struct log_marks *m = &scale->marks[cpu];
	const struct log_cpu *c = &samples.cpu[cpu];
	uint64_t due = 0;
	int i;

	free(m->sample);
	memset(m, 0, sizeof(*m));
	m->before = before;
	m->sample = malloc((c->count + 1) * sizeof(*m->sample));
	if (!m->sample)
		exit(2);
	for (i = first; i < c->count; i++) {
		const struct log_sample *s = &c->sample[i];

		if (s->time < due && !is_anew(s[-1].run, s))
			continue;
		m->sample[m->count++] = i;
		due = s->time - s->time % scale->part + scale->part;
	}
	drop_marks(c, m);
}

#endif
