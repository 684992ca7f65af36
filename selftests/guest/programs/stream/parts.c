// SPDX-License-Identifier: GPL-2.0-only
/*
 * parts.c SCALE_MS SECONDS - compares the parts between marks that librcr returns with the samples.
 *
 * Reads the stream, keeps every sample, and reads the marks of each CPU from time to time. Then
 * checks each part by its samples, without @changes: it counts if the counter was ok at both ends
 * and no counter changed its status in between; the count is the difference of the totals. Counters
 * are matched by name. Prints
 *
 *	cpu N samples N idle N		for each CPU; idle: samples that interrupted the idle task
 *	gaps N late N parts N counted N uncounted N unjudged N wrong N
 *
 * and the first wrong parts. Samples of unjudged parts were lost; gaps are times in which a CPU was
 * silent; late records have an earlier time than the one before.
 */
#include <stdio.h>

#include "rcr.h"
#include "stream.h"

#define CPUS 64
#define SHOWN 5

/**
 * struct sample - a sample of the stream
 * @record: copy of the record
 * @set: set of the record
 * @after_loss: records before it were lost
 */
struct sample {
	struct rcr_record *record;
	const struct rcr_set *set;
	bool after_loss;
};

/**
 * struct told - a part returned by librcr
 * @cpu: the CPU
 * @from: time of the mark at its begin
 * @to: time of the mark at its end
 * @counter: the counter
 * @counts: whether the part counts
 * @part: its count
 */
struct told {
	unsigned int cpu;
	uint64_t from;
	uint64_t to;
	struct rcr_counter counter;
	bool counts;
	struct rcr_part part;
};

static struct {
	struct sample *sample;
	size_t count;
	size_t room;
	bool lost;
	uint64_t last_mark;
	unsigned long idle;
	struct rcr_history *history;
} cpus[CPUS];

static struct told *parts;
static size_t part_count, part_room;
static unsigned long gaps, late;

static void *grow(void *array, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return array;
	*room = *room ? 2 * *room : 1024;
	array = realloc(array, *room * size);
	if (!array)
		exit(2);
	return array;
}

static void *copy_of(const void *what, size_t size)
{
	void *copy = malloc(size);

	if (!copy)
		exit(2);
	return memcpy(copy, what, size);
}

static void keep_sample(const struct rcr_record *r, const struct rcr_set *set)
{
	unsigned int cpu = r->item.cpu;
	struct sample *s;

	cpus[cpu].sample = grow(cpus[cpu].sample, cpus[cpu].count, &cpus[cpu].room, sizeof(*s));
	s = &cpus[cpu].sample[cpus[cpu].count++];
	*s = (struct sample){ copy_of(r, r->item.size), set, cpus[cpu].lost };
	cpus[cpu].lost = false;
	cpus[cpu].idle += !!(r->item.flags & RCR_RECORD_IDLE);
}

static void map_histories(struct rcr_reader *r)
{
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		rcr_history_unmap(cpus[cpu].history);
		cpus[cpu].history = rcr_set_has_cpu(rcr_reader_set(r), cpu) ?
				    rcr_history_map(r, cpu) : NULL;
	}
}

static void keep_part(const struct rcr_set *set, unsigned int cpu, const struct rcr_record *from,
		      const struct rcr_record *to)
{
	struct told *p;
	unsigned int i;

	for (i = 0; i < set->ncounters; i++) {
		parts = grow(parts, part_count, &part_room, sizeof(*parts));
		p = &parts[part_count++];
		*p = (struct told){ .cpu = cpu, .from = from->time, .to = to->time,
				    .counter = *rcr_set_counter(set, i) };
		p->counts = rcr_part(set, from, to, i, &p->part);
	}
}

/* Keep the marks that are new since the last call. */
static void read_marks(const struct rcr_set *set, uint64_t scale)
{
	static char marks[RCR_SCALE_MARKS * 1024];
	const struct rcr_record *before, *mark;
	unsigned int cpu;
	int i, n;

	for (cpu = 0; cpu < CPUS; cpu++) {
		if (!cpus[cpu].history)
			continue;
		n = rcr_history_read(cpus[cpu].history, scale, marks, sizeof(marks));
		for (before = NULL, i = 0; i < n; i++, before = mark) {
			mark = (const void *)(marks + i * set->record_size);
			if (!before || before->time < cpus[cpu].last_mark)
				continue;
			keep_part(set, cpu, before, mark);
			cpus[cpu].last_mark = mark->time;
		}
	}
}

static const struct rcr_set *take_item(struct rcr_reader *r, const struct rcr_item *item,
				       const struct rcr_set *set)
{
	static uint64_t last;
	uint64_t time;

	if (item->type == RCR_ITEM_SAMPLE)
		keep_sample((const struct rcr_record *)item, set);
	/* CPUs change to a new set at different times. */
	if (item->type == RCR_ITEM_SET)
		last = 0;
	gaps += item->type == RCR_ITEM_GAP;
	if (item->type >= RCR_ITEM_SAMPLE) {
		time = ((const struct rcr_record *)item)->time;
		late += time < last;
		last = time;
	}
	if (item->type == RCR_ITEM_LOST && item->cpu < CPUS)
		cpus[item->cpu].lost = true;
	if (item->type != RCR_ITEM_SET)
		return set;
	map_histories(r);
	return copy_of(item, item->size);
}

static void follow(struct rcr_reader *r, uint64_t scale, unsigned int seconds)
{
	const struct rcr_set *set = copy_of(rcr_reader_set(r), rcr_reader_set(r)->item.size);
	uint64_t end = monotonic_ns() + seconds * 1000000000ull, next = 0;
	const struct rcr_item *item;
	unsigned int cpu;

	/* Skip marks from before the first sample. */
	for (cpu = 0; cpu < CPUS; cpu++)
		cpus[cpu].last_mark = monotonic_ns();
	map_histories(r);
	while (monotonic_ns() < end) {
		while (rcr_has_next(r) || monotonic_ns() < next)
			if (rcr_next(r, &item, 5) == 1)
				set = take_item(r, item, set);
		read_marks(set, scale);
		next = monotonic_ns() + scale / 4;
	}
	/* Read on: the samples of the last marks may come later. */
	while (rcr_next(r, &item, 300) == 1 && monotonic_ns() < end + 500000000ull)
		set = take_item(r, item, set);
}

static struct sample *find_sample(unsigned int cpu, uint64_t time)
{
	size_t low = 0, high = cpus[cpu].count, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (cpus[cpu].sample[middle].record->time < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low < cpus[cpu].count && cpus[cpu].sample[low].record->time == time ?
	       &cpus[cpu].sample[low] : NULL;
}

static bool is_same(const struct rcr_counter *a, const struct rcr_counter *b)
{
	return !strcmp(a->name, b->name) && a->select == b->select;
}

/* Return the number of a counter in a set, or -1. */
static int number_of(const struct rcr_set *set, const struct rcr_counter *counter)
{
	unsigned int i;

	for (i = 0; i < set->ncounters; i++)
		if (is_same(rcr_set_counter(set, i), counter))
			return i;
	return -1;
}

/* Return whether a counter has a different status in the second sample. */
static bool differs(const struct sample *a, const struct sample *b)
{
	unsigned int i;
	int k;

	for (i = 0; i < b->set->ncounters; i++) {
		k = number_of(a->set, rcr_set_counter(b->set, i));
		if (k >= 0 && rcr_record_status(a->set, a->record, k) !=
			      rcr_record_status(b->set, b->record, i))
			return true;
	}
	return false;
}

static uint64_t time_of(const struct sample *s)
{
	return s->record->tsc + (s->record->tsc_end - s->record->tsc) / 2;
}

/* Return whether another CPU reads the counter all the time, so that the part is not this CPU's. */
static bool is_elsewhere(const struct told *p)
{
	const struct sample *from = find_sample(p->cpu, p->from), *to = find_sample(p->cpu, p->to);
	int i = from ? number_of(from->set, &p->counter) : -1;
	int k = to ? number_of(to->set, &p->counter) : -1;

	return i >= 0 && k >= 0 && !p->counts &&
	       rcr_record_status(from->set, from->record, i) == RCR_STATUS_ELSEWHERE &&
	       rcr_record_status(to->set, to->record, k) == RCR_STATUS_ELSEWHERE;
}

/* Compute a part from samples: -1 if some were lost, else whether it counts. Fill in its count. */
static int judge(const struct told *p, struct rcr_part *part)
{
	struct sample *from = find_sample(p->cpu, p->from), *to = find_sample(p->cpu, p->to), *s;
	int i, k;

	if (!from || !to)
		return -1;
	for (s = from + 1; s <= to; s++)
		if (s->after_loss)
			return -1;
	for (s = from + 1; s <= to; s++)
		if (differs(s - 1, s) || number_of(s->set, &p->counter) < 0)
			return 0;
	i = number_of(from->set, &p->counter);
	k = number_of(to->set, &p->counter);
	if (i < 0 || k < 0 || rcr_record_status(from->set, from->record, i) != RCR_STATUS_OK ||
	    rcr_record_status(to->set, to->record, k) != RCR_STATUS_OK)
		return 0;
	part->count = rcr_record_total(to->set, to->record, k) -
		      rcr_record_total(from->set, from->record, i);
	part->cycles = time_of(to) - time_of(from);
	return 1;
}

static void show(const struct told *p, int counts, const struct rcr_part *part)
{
	struct sample *from = find_sample(p->cpu, p->from), *to = find_sample(p->cpu, p->to), *s;
	int i;

	printf("wrong: cpu %u %s %llu..%llu librcr %d %llu %llu judge %d %llu %llu\n", p->cpu,
	       p->counter.name, (unsigned long long)p->from, (unsigned long long)p->to, p->counts,
	       (unsigned long long)p->part.count, (unsigned long long)p->part.cycles, counts,
	       (unsigned long long)part->count, (unsigned long long)part->cycles);
	for (s = from; s <= to; s++) {
		i = number_of(s->set, &p->counter);
		printf("  %llu generation %u changes %llu status %d total %llu\n",
		       (unsigned long long)s->record->time, s->record->item.generation,
		       (unsigned long long)s->record->changes,
		       i < 0 ? -1 : (int)rcr_record_status(s->set, s->record, i),
		       (unsigned long long)(i < 0 ? 0 : rcr_record_total(s->set, s->record, i)));
	}
}

static void judge_all(void)
{
	unsigned long counted = 0, uncounted = 0, unjudged = 0, wrong = 0;
	struct rcr_part part;
	const struct told *p;
	unsigned int cpu;
	int counts;

	for (p = parts; p < parts + part_count; p++) {
		part = (struct rcr_part){ .count = 0 };
		counts = judge(p, &part);
		if (counts < 0) {
			unjudged++;
			continue;
		}
		counted += counts;
		uncounted += !counts && !is_elsewhere(p);
		if (counts == p->counts && part.count == p->part.count &&
		    part.cycles == p->part.cycles)
			continue;
		if (wrong++ < SHOWN)
			show(p, counts, &part);
	}
	for (cpu = 0; cpu < CPUS; cpu++)
		if (cpus[cpu].count)
			printf("cpu %u samples %zu idle %lu\n", cpu, cpus[cpu].count,
			       cpus[cpu].idle);
	printf("gaps %lu late %lu parts %zu counted %lu uncounted %lu unjudged %lu wrong %lu\n",
	       gaps, late, part_count, counted, uncounted, unjudged, wrong);
}

int main(int argc, char **argv)
{
	struct rcr_reader *r;

	if (argc != 3) {
		fprintf(stderr, "usage: parts SCALE_MS SECONDS\n");
		return 2;
	}
	r = rcr_open(NULL);
	if (!r) {
		perror("parts: /dev/rcrtool");
		return 1;
	}
	follow(r, atoi(argv[1]) * 1000000ull, atoi(argv[2]));
	judge_all();
	return 0;
}
