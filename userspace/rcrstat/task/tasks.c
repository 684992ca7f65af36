// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tasks.c - shares of processes or cgroups in the counts of an interval, by the task that each
 * sample has interrupted.
 *
 * The estimator and its standard error are those of common/estimate.c, for each counter on each
 * CPU, and the time on CPUs.
 *
 * Pure: no input, no output, no clock. Compiled into the unit tests as well.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate.h"
#include "interval/interval.h"
#include "task/tasks.h"

#define SLOTS_LEAST 256

static void find_task_columns(struct tasks *t, const struct intervals *v)
{
	unsigned int i;

	for (i = 0; i < t->set->ncounters; i++)
		if (rcr_set_counter(t->set, i)->scope == RCR_SCOPE_CPU &&
		    !((v->gauges | v->slow) >> i & 1))
			t->columns |= 1u << i;
}

static void free_bin(struct task_bin *b)
{
	free(b->cpu);
	free(b->entry);
	free(b->slot);
	*b = (struct task_bin){ };
}

static int init_bin(struct task_bin *b, unsigned int cpus)
{
	b->cpu = calloc(cpus + 1, sizeof(*b->cpu));
	b->slots = SLOTS_LEAST;
	b->slot = calloc(b->slots, sizeof(*b->slot));
	return b->cpu && b->slot ? 0 : -1;
}

/**
 * tasks_init() - prepare for the samples of a set
 * @t: the tasks
 * @v: intervals with the set and its CPUs
 * @kind: what a sample is counted for
 *
 * Returns 0, or -1 with errno ENOMEM.
 */
int tasks_init(struct tasks *t, const struct intervals *v, enum task_kind kind)
{
	*t = (struct tasks){ .kind = kind, .set = v->set, .cpus = v->cpus };
	find_task_columns(t, v);
	t->record = calloc(v->cpus + 1, v->set->record_size);
	t->has_record = calloc(v->cpus + 1, sizeof(*t->has_record));
	if (t->record && t->has_record && !init_bin(&t->bin[0], v->cpus) &&
	    !init_bin(&t->bin[1], v->cpus))
		return 0;
	tasks_free(t);
	errno = ENOMEM;
	return -1;
}

void tasks_free(struct tasks *t)
{
	free(t->record);
	free(t->has_record);
	free_bin(&t->bin[0]);
	free_bin(&t->bin[1]);
	*t = (struct tasks){ };
}

static unsigned int hash_entry(const struct task_bin *b, uint64_t id, unsigned int cpu)
{
	return ((id * 0x9e3779b97f4a7c15ull) ^ (cpu * 0xc2b2ae3d27d4eb4full)) >> 32 & (b->slots - 1);
}

/* Returns the slot of an entry, or the free slot where it belongs. */
static unsigned int *find_task_slot(const struct task_bin *b, uint64_t id, unsigned int cpu)
{
	unsigned int at = hash_entry(b, id, cpu);
	const struct task_entry *e;

	for (; b->slot[at]; at = (at + 1) & (b->slots - 1)) {
		e = &b->entry[b->slot[at] - 1];
		if (e->id == id && e->cpu == cpu)
			break;
	}
	return &b->slot[at];
}

/* Doubles the tables; returns false if memory ran out. */
static bool grow_bin(struct task_bin *b)
{
	struct task_entry *more = reallocarray(b->entry, b->slots, sizeof(*more));
	unsigned int *slot = calloc(b->slots * 2, sizeof(*slot));
	unsigned int i;

	if (more)
		b->entry = more;
	if (!more || !slot) {
		free(slot);
		return false;
	}
	free(b->slot);
	b->slot = slot;
	b->room = b->slots;
	b->slots *= 2;
	for (i = 0; i < b->count; i++)
		*find_task_slot(b, b->entry[i].id, b->entry[i].cpu) = i + 1;
	return true;
}

/* Finds or adds the entry of a task; returns NULL if memory ran out. */
static struct task_entry *find_task(struct task_bin *b, uint64_t id, unsigned int cpu)
{
	unsigned int *slot = find_task_slot(b, id, cpu);

	if (*slot)
		return &b->entry[*slot - 1];
	if (b->count == b->room) {
		if (!grow_bin(b))
			return NULL;
		slot = find_task_slot(b, id, cpu);
	}
	b->entry[b->count] = (struct task_entry){ .id = id, .cpu = cpu };
	*slot = ++b->count;
	return &b->entry[b->count - 1];
}

static uint64_t task_of(const struct tasks *t, const struct rcr_record *r)
{
	if (r->item.flags & RCR_RECORD_IDLE)
		return TASK_IDLE;
	return t->kind == TASK_CGROUP ? r->cgroup : r->tgid;
}

/* Computes the counts between two samples, by column; @known is false if there is none. */
static void count_columns(const struct tasks *t, const struct rcr_record *from,
			  const struct rcr_record *to, double *d, bool *known)
{
	struct rcr_part part;
	unsigned int i;

	for (i = 0; i < t->set->ncounters; i++) {
		known[i] = t->columns >> i & 1 && rcr_part(t->set, from, to, i, &part);
		d[i] = known[i] ? part.count : 0;
	}
	known[TASK_TIME] = to->tsc > from->tsc;
	d[TASK_TIME] = known[TASK_TIME] ? to->tsc - from->tsc : 0;
}

static bool is_column(const struct tasks *t, unsigned int i)
{
	return i == TASK_TIME || (i < t->set->ncounters && t->columns >> i & 1);
}

/* Adds the counts of a sample to the task @to; @from is the task of the sample before it. */
static void add_task_part(struct tasks *t, struct task_bin *b, unsigned int cpu, uint64_t from,
			  uint64_t to, const double *d, const bool *known)
{
	struct task_entry *earlier, *later;
	struct task_cpu *c = &b->cpu[cpu];
	unsigned int i;

	/* Add both first: adding the second may move the first. */
	if (!find_task(b, from, cpu) || !find_task(b, to, cpu)) {
		t->failed = true;
		return;
	}
	earlier = find_task(b, from, cpu);
	later = find_task(b, to, cpu);
	later->samples++;
	for (i = 0; i < TASK_COLUMNS; i++) {
		if (!is_column(t, i))
			continue;
		later->sums[i].broken |= !known[i];
		earlier->sums[i].broken |= !known[i];
		estimate_add(&later->sums[i].part, &c->all[i], d[i], from == to, true);
		if (from != to)
			estimate_add(&earlier->sums[i].part, &c->all[i], d[i], true, false);
		estimate_add_cpu(&c->all[i], d[i]);
		c->broken[i] |= !known[i];
	}
	c->samples++;
	c->last = to;
}

/**
 * tasks_add() - add a sample
 * @t: the tasks
 * @cpu: index of its CPU
 * @r: the sample
 * @beyond: it belongs to the next interval
 */
void tasks_add(struct tasks *t, unsigned int cpu, const struct rcr_record *r, bool beyond)
{
	size_t size = t->set->record_size;
	struct rcr_record *before = (struct rcr_record *)(t->record + cpu * size);
	bool known[TASK_COLUMNS];
	double d[TASK_COLUMNS];

	if (t->has_record[cpu]) {
		count_columns(t, before, r, d, known);
		add_task_part(t, &t->bin[beyond], cpu, task_of(t, before), task_of(t, r), d, known);
	}
	memcpy(before, r, size);
	t->has_record[cpu] = true;
}

/* Advances to the next interval. */
void tasks_next(struct tasks *t)
{
	struct task_bin ended = t->bin[0];

	t->bin[0] = t->bin[1];
	ended.count = 0;
	memset(ended.slot, 0, ended.slots * sizeof(*ended.slot));
	memset(ended.cpu, 0, t->cpus * sizeof(*ended.cpu));
	t->bin[1] = ended;
}

/* Bound of the bias of a row, as rates; until end_row(), the row's errors are variances. */
struct row_sums {
	double mixed[TASK_COLUMNS];
};

static void add_entry(const struct tasks *t, struct task_row *row, struct row_sums *sums,
		      const struct task_entry *e)
{
	const struct task_cpu *c = &t->bin[0].cpu[e->cpu];
	double second = t->set->tsc_khz * 1000.0, scale;
	unsigned int i;

	row->samples += e->samples;
	for (i = 0; i < TASK_COLUMNS; i++) {
		if (!is_column(t, i))
			continue;
		scale = (i == TASK_TIME ? 1 : second) / c->all[TASK_TIME].count;
		row->value[i].known &= !e->sums[i].broken && c->all[TASK_TIME].count > 0;
		row->value[i].rate += e->sums[i].part.count * scale;
		row->value[i].error += estimate_variance(&e->sums[i].part, &c->all[i]) *
				       scale * scale;
		/* Times have no bias. */
		if (i != TASK_TIME)
			sums->mixed[i] += e->sums[i].part.mixed * scale;
	}
}

static void end_row(const struct tasks *t, struct task_row *row, const struct row_sums *sums)
{
	struct task_value *value;
	unsigned int i;

	for (i = 0; i < TASK_COLUMNS; i++) {
		value = &row->value[i];
		if (!is_column(t, i))
			continue;
		value->error = sqrt(value->error + sums->mixed[i] * sums->mixed[i]);
		value->known &= value->error <= ESTIMATE_ERROR_MOST * value->rate;
	}
}

static void begin_row(const struct tasks *t, struct task_row *row, uint64_t id)
{
	unsigned int i;

	*row = (struct task_row){ .id = id };
	for (i = 0; i < TASK_COLUMNS; i++)
		row->value[i].known = is_column(t, i);
}

/* Adds up the counts of all tasks, which are exact. */
static void sum_cpus(const struct tasks *t, struct task_row *whole)
{
	double second = t->set->tsc_khz * 1000.0;
	const struct task_cpu *c;
	unsigned int cpu, i;

	begin_row(t, whole, TASK_IDLE);
	for (cpu = 0; cpu < t->cpus; cpu++) {
		c = &t->bin[0].cpu[cpu];
		whole->samples += c->samples;
		for (i = 0; c->all[TASK_TIME].count > 0 && i < TASK_COLUMNS; i++) {
			if (!is_column(t, i))
				continue;
			whole->value[i].known &= !c->broken[i];
			whole->value[i].rate += c->all[i].count / c->all[TASK_TIME].count *
						(i == TASK_TIME ? 1 : second);
		}
	}
}

static int compare_entries(const void *a, const void *b)
{
	const struct task_entry *x = *(const struct task_entry *const *)a;
	const struct task_entry *y = *(const struct task_entry *const *)b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

/* Sorts by time on CPUs, the most first. */
static int compare_rows(const void *a, const void *b)
{
	const struct task_row *x = a, *y = b;
	double left = x->value[TASK_TIME].rate, right = y->value[TASK_TIME].rate;

	if (left != right)
		return left > right ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* Makes a row of the entries of each task; returns the number of rows with samples. */
static unsigned int make_rows(const struct tasks *t, const struct task_entry **entry,
			      struct task_row *row)
{
	const struct task_bin *b = &t->bin[0];
	struct row_sums sums;
	unsigned int i = 0, n = 0;
	uint64_t id;

	while (i < b->count) {
		id = entry[i]->id;
		begin_row(t, &row[n], id);
		memset(&sums, 0, sizeof(sums));
		for (; i < b->count && entry[i]->id == id; i++)
			add_entry(t, &row[n], &sums, entry[i]);
		end_row(t, &row[n], &sums);
		/* Drop tasks that no sample has interrupted. */
		n += row[n].samples > 0;
	}
	return n;
}

/**
 * tasks_rows() - compute the shares of the current interval
 * @t: the tasks
 * @rows: set to an array that the caller frees, sorted by time on CPUs, the most first
 * @whole: filled in with the exact counts of all tasks
 *
 * Returns the number of rows; 0 if memory ran out.
 */
unsigned int tasks_rows(const struct tasks *t, struct task_row **rows, struct task_row *whole)
{
	const struct task_bin *b = &t->bin[0];
	const struct task_entry **entry = calloc(b->count + 1, sizeof(*entry));
	unsigned int i, n = 0;

	*rows = calloc(b->count + 1, sizeof(**rows));
	sum_cpus(t, whole);
	for (i = 0; entry && i < b->count; i++)
		entry[i] = &b->entry[i];
	if (entry && *rows) {
		qsort(entry, b->count, sizeof(*entry), compare_entries);
		n = make_rows(t, entry, *rows);
		qsort(*rows, n, sizeof(**rows), compare_rows);
	}
	free(entry);
	return n;
}
