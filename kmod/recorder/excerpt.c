// SPDX-License-Identifier: GPL-2.0-only
/*
 * excerpt.c - the last seconds of every ring, copied into one stream.
 *
 * Records are copied in the order of their time, so that the oldest, which the
 * ticks will overwrite first, are safe first. The ticks know nothing of it: it
 * reads the rings as any other reader does.
 */
#include <linux/delay.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/vmalloc.h>

#include "stream/set_item.h"
#include "excerpt.h"
#include "ring/ring_protocol.h"
#include "ring/run.h"

/* How long a CPU may take over a record that was due before the trigger, ns. */
#define PATIENCE	(100ull * NSEC_PER_MSEC)

/* Records of a ring that are no samples, and the one that is being written. */
#define SPARE		16u

/* The time of no record. */
#define NEVER		U64_MAX

/* Records of a CPU in so many ns. */
static u64 records_of(const struct rcr_run *run, u64 length)
{
	return DIV64_U64_ROUND_UP(length, run->timing.period) + 1 + SPARE;
}

/* The longest window that is still there when the copying has begun, ns. */
static u64 longest(const struct rcr_run *run)
{
	u64 held = (run->capacity - min(run->capacity, SPARE + 1)) * run->timing.period;

	return held - min(held, PATIENCE);
}

static int check_length(const struct rcr_run *run, u64 length, struct rcr_failure *f)
{
	/* Longer than any ring holds at any period; and no sum overflows. */
	const u64 most = 1ull << 62;
	u64 held;

	if (run->set.failure.error)
		return rcr_fail(f, -ENODATA, RCR_REASON_NOTHING_COUNTED);
	if (!length)
		return rcr_fail(f, -EINVAL, RCR_REASON_NO_WINDOW);
	held = longest(run);
	if (length <= held)
		return 0;
	return rcr_fail_with(f, -EINVAL, RCR_REASON_LONG_WINDOW, "%llu%llu",
			     div_u64(held, NSEC_PER_MSEC),
			     records_of(run, min(length, most) + PATIENCE));
}

/* What a whole window takes: the set, the marks, and all CPUs' records. */
static size_t room_for(const struct rcr_run *run, u32 records)
{
	size_t of_cpu = (size_t)records * run->record_size + sizeof(struct rcr_lost);

	return rcr_describe_size(run) + (RCR_MARKS + 1) * sizeof(struct rcr_mark) +
	       cpumask_weight(&run->cpus) * of_cpu;
}

static void free_excerpt(struct kref *ref)
{
	struct rcr_excerpt *e = container_of(ref, struct rcr_excerpt, ref);

	rcr_run_put(e->run);
	vfree(e->data);
	kvfree(e);
}

/* Gives back a reference; NULL is allowed. May sleep. */
void rcr_excerpt_put(struct rcr_excerpt *e)
{
	if (e)
		kref_put(&e->ref, free_excerpt);
}

/* Not at the price of somebody's life: what is not there is not taken. */
static void *take_memory(size_t bytes)
{
	if (bytes >> PAGE_SHIFT >= si_mem_available())
		return NULL;
	return __vmalloc(bytes, GFP_KERNEL | __GFP_NOWARN);
}

static struct rcr_excerpt *make(struct rcr_run *run, u64 length)
{
	struct rcr_excerpt *e;

	e = kvzalloc(struct_size(e, place, nr_cpu_ids), GFP_KERNEL);
	if (!e)
		return NULL;
	kref_init(&e->ref);
	e->length = length;
	e->records = min_t(u64, records_of(run, length), run->capacity);
	e->room = room_for(run, e->records);
	e->data = take_memory(e->room);
	if (e->data) {
		e->run = rcr_run_get(run);
		return e;
	}
	rcr_excerpt_put(e);
	return NULL;
}

static int no_memory(const struct rcr_run *run, u64 length, struct rcr_failure *f)
{
	size_t bytes = room_for(run, records_of(run, length));

	return rcr_fail_with(f, -ENOMEM, RCR_REASON_NO_MEMORY_WINDOW, "%llu%zu",
			     div_u64(length, NSEC_PER_MSEC), bytes >> 10);
}

/**
 * rcr_excerpt_alloc() - takes the memory for a window
 * @run: what it is to be of
 * @length: ns
 * @f: gets the reason when it fails
 *
 * Context: may sleep.
 * Return: the window, or NULL with -EINVAL when the rings do not hold that much,
 * -ENODATA when there is no ring, -ENOMEM.
 */
struct rcr_excerpt *rcr_excerpt_alloc(struct rcr_run *run, u64 length,
				      struct rcr_failure *f)
{
	struct rcr_excerpt *e;

	if (check_length(run, length, f))
		return NULL;
	e = make(run, length);
	if (!e)
		no_memory(run, length, f);
	return e;
}

/* Has every CPU written what was due up to @time, of those that are waited for? */
static bool is_past(const struct rcr_run *run, u64 time)
{
	s64 waited = ktime_get_ns() - time;
	int cpu;

	/* Pairs with the release of run.c: no record comes after it. */
	if (smp_load_acquire(&run->ended))
		return true;
	for_each_cpu(cpu, &run->cpus)
		if (rcr_ring_next(run->ring[cpu].ring) <= time)
			return waited > (s64)PATIENCE;
	return true;
}

static void wait_for_records(const struct rcr_run *run, u64 time)
{
	while (!is_past(run, time))
		usleep_range(500, 1000);
}

static void *append(struct rcr_excerpt *e, size_t size)
{
	void *at = e->data + e->size;

	if (WARN_ON_ONCE(size > e->room - e->size))
		return NULL;
	e->size += size;
	return at;
}

static void append_set(struct rcr_excerpt *e)
{
	u32 size = rcr_describe_size(e->run);
	void *at = append(e, size);

	if (!at)
		return;
	memset(at, 0, size);
	rcr_describe(e->run, at);
}

/* All but the item's head is there already. */
static void append_mark(struct rcr_excerpt *e, const struct rcr_mark *mark)
{
	struct rcr_mark *at = append(e, sizeof(*mark));

	if (!at)
		return;
	*at = *mark;
	at->item = (struct rcr_item){
		.size = sizeof(*mark), .type = RCR_ITEM_MARK, .cpu = ~0u,
		.generation = e->run->set.generation,
	};
}

static void append_lost(struct rcr_excerpt *e, int cpu, u64 position, u64 count)
{
	struct rcr_lost *at = append(e, sizeof(*at));

	if (!at)
		return;
	*at = (struct rcr_lost){
		.item = {
			.size = sizeof(*at), .type = RCR_ITEM_LOST, .cpu = cpu,
			.generation = e->run->set.generation,
		},
		.position = position,
		.count = count,
	};
	e->lost += count;
}

static void look_at_next(struct rcr_excerpt *e, int cpu)
{
	struct rcr_excerpt_place *p = &e->place[cpu];

	p->time = p->position < p->end ?
		  rcr_ring_time(e->run->ring[cpu].ring, p->position) : NEVER;
}

/*
 * The next record, or that it was overwritten meanwhile: there is room for one
 * such item, and any other takes the place of a record that it tells of.
 */
static void copy_next(struct rcr_excerpt *e, int cpu)
{
	const struct rcr_ring *ring = e->run->ring[cpu].ring;
	struct rcr_excerpt_place *p = &e->place[cpu];
	void *at = append(e, e->run->record_size);
	u64 oldest;

	if (!at) {
		p->position = p->end;
	} else if (rcr_ring_read(ring, p->position, at) == RCR_RING_RECORD) {
		p->position++;
	} else {
		e->size -= e->run->record_size;
		oldest = min(rcr_ring_oldest(ring), p->end);
		append_lost(e, cpu, p->position, oldest - p->position);
		p->position = oldest;
	}
	look_at_next(e, cpu);
}

/* Where each ring's part begins and ends. What there is no room for is lost. */
static void find_places(struct rcr_excerpt *e, u64 begin, u64 end)
{
	struct rcr_excerpt_place *p;
	int cpu;

	for_each_cpu(cpu, &e->run->cpus) {
		p = &e->place[cpu];
		p->position = rcr_ring_after(e->run->ring[cpu].ring, begin);
		p->end = max(p->position, rcr_ring_after(e->run->ring[cpu].ring, end));
		if (p->end - p->position > e->records) {
			append_lost(e, cpu, p->position,
				    p->end - p->position - e->records);
			p->position = p->end - e->records;
		}
		look_at_next(e, cpu);
	}
}

static u64 oldest_time(const struct rcr_excerpt *e)
{
	u64 oldest = NEVER;
	int cpu;

	for_each_cpu(cpu, &e->run->cpus)
		oldest = min(oldest, e->place[cpu].time);
	return oldest;
}

/* All CPUs sample at the same instants: a round takes what is of one instant. */
static void copy_round(struct rcr_excerpt *e, u64 time)
{
	int cpu;

	for_each_cpu(cpu, &e->run->cpus)
		while (e->place[cpu].time <= time)
			copy_next(e, cpu);
	cond_resched();
}

/* Up to and with what is of the moment @end. */
static void copy_records(struct rcr_excerpt *e, u64 end)
{
	u64 time = oldest_time(e);

	while (time <= end) {
		copy_round(e, time);
		time = oldest_time(e);
	}
}

/* The marks between the two moments, each behind the records that are older. */
static void copy_with_marks(struct rcr_excerpt *e, u64 begin, u64 end)
{
	struct rcr_marks *marks = &e->run->marks;
	u64 position = 0;

	while (rcr_marks_time(marks, position) <= end) {
		struct rcr_mark mark = { };

		rcr_marks_next(marks, position, &mark);
		position = mark.position + 1;
		if (mark.time <= begin)
			continue;
		copy_records(e, mark.time);
		append_mark(e, &mark);
	}
	copy_records(e, NEVER - 1);
}

/**
 * rcr_excerpt_fill() - copies what was sampled up to the trigger
 * @e: an empty window
 * @trigger: becomes the last mark in it; its @time is that of the trigger
 *
 * Context: may sleep; waits for CPUs that are late, a tenth of a second at most.
 */
void rcr_excerpt_fill(struct rcr_excerpt *e, const struct rcr_mark *trigger)
{
	u64 end = trigger->time, begin = end - min(end, e->length);
	struct rcr_mark last = *trigger;

	wait_for_records(e->run, end);
	append_set(e);
	find_places(e, begin, end);
	copy_with_marks(e, begin, end);
	last.position = rcr_marks_head(&e->run->marks);
	append_mark(e, &last);
	strscpy(e->cause, trigger->text, sizeof(e->cause));
	rcr_run_put(e->run);
	e->run = NULL;
}
