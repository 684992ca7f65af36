// SPDX-License-Identifier: GPL-2.0-only
/*
 * stream.c - makes one stream of items out of the rings of all CPUs.
 *
 * Records that are there are delivered in the order of their time. A reader
 * never moves past an item that did not reach its buffer, and every record
 * that it lost is in an RCR_ITEM_LOST.
 */
#include <linux/ktime.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <asm/tsc.h>

#include "counter_set.h"
#include "cpus.h"
#include "pmu/pmu.h"
#include "stream.h"

static struct rcr_ring *ring_of(unsigned int cpu)
{
	return rcr_cpus.sampler[cpu]->memory.ring;
}

static const struct rcr_counter_set *the_set(void)
{
	return rcr_cpus.sampling.set;
}

/**
 * rcr_stream_open() - a new reader, at "now"
 *
 * Context: may sleep.
 * Return: the reader, or NULL when there is no memory.
 */
struct rcr_stream *rcr_stream_open(void)
{
	struct rcr_stream *s;

	s = kvzalloc(struct_size(s, cursor, nr_cpu_ids), GFP_KERNEL);
	if (!s)
		return NULL;
	s->record = kmalloc(rcr_cpus.record_size, GFP_KERNEL);
	if (!s->record) {
		kvfree(s);
		return NULL;
	}
	mutex_init(&s->lock);
	rcr_stream_to_now(s);
	return s;
}

void rcr_stream_close(struct rcr_stream *s)
{
	mutex_destroy(&s->lock);
	kfree(s->record);
	kvfree(s);
}

static void go_to(struct rcr_cursor *c, u64 position)
{
	c->position = position;
	c->time = U64_MAX;
}

/* The caller holds the lock, or nobody else knows the reader yet. */
void rcr_stream_to_oldest(struct rcr_stream *s)
{
	int cpu;

	for_each_cpu(cpu, &rcr_cpus.mask)
		go_to(&s->cursor[cpu], rcr_ring_oldest(ring_of(cpu)));
}

/* The caller holds the lock, or nobody else knows the reader yet. */
void rcr_stream_to_now(struct rcr_stream *s)
{
	int cpu;

	for_each_cpu(cpu, &rcr_cpus.mask)
		go_to(&s->cursor[cpu], rcr_ring_head(ring_of(cpu)));
}

/* Is there something to read? A hint: needs no lock. */
bool rcr_stream_ready(const struct rcr_stream *s)
{
	int cpu;

	if (!READ_ONCE(s->told))
		return true;
	for_each_cpu(cpu, &rcr_cpus.mask)
		if (READ_ONCE(s->cursor[cpu].position) <
		    rcr_ring_head(ring_of(cpu)))
			return true;
	return false;
}

/* Will there never be anything to read again? */
bool rcr_stream_ended(const struct rcr_stream *s)
{
	return READ_ONCE(s->told) && the_set()->failure.error;
}

static void stamp(struct rcr_set *item)
{
	item->clock_tsc = rdtsc_ordered();
	item->clock_monotonic = ktime_get_ns();
	item->clock_realtime = ktime_to_ns(ktime_mono_to_real(item->clock_monotonic));
}

/* An inert set counts nothing, whatever it was meant to count. */
static u32 counters_counted(void)
{
	return the_set()->failure.error ? 0 : the_set()->count;
}

static void describe(struct rcr_set *item, u32 size)
{
	const struct rcr_counter_set *set = the_set();
	const struct rcr_sampling *sampling = &rcr_cpus.sampling;
	u32 counters = counters_counted();

	item->item.size = size;
	item->item.type = RCR_ITEM_SET;
	item->item.cpu = ~0u;
	item->item.generation = set->generation;
	item->version = RCR_ABI_VERSION;
	item->compat_version = RCR_ABI_COMPAT_VERSION;
	item->error = -set->failure.error;
	item->ncounters = counters;
	item->ncpus = nr_cpu_ids;
	item->record_size = rcr_cpus.record_size;
	item->ring_records = rcr_cpus.capacity;
	item->tsc_khz = tsc_khz;
	item->period_ns = sampling->period;
	stamp(item);
	strscpy(item->source, sampling->source->name, sizeof(item->source));
	if (set->pmu)
		strscpy(item->family, set->pmu->name, sizeof(item->family));
	strscpy(item->reason, set->failure.reason, sizeof(item->reason));
	item->counter_offset = sizeof(*item);
	item->cpus_offset = sizeof(*item) + counters * sizeof(set->counter[0]);
	memcpy((char *)item + item->counter_offset, set->counter,
	       counters * sizeof(set->counter[0]));
	bitmap_to_arr64((u64 *)((char *)item + item->cpus_offset),
			cpumask_bits(&rcr_cpus.mask), nr_cpu_ids);
}

/* Bytes delivered, or -errno; -EINVAL when @count is too small. */
static ssize_t deliver_set(struct rcr_stream *s, char __user *buf, size_t count)
{
	u32 size = sizeof(struct rcr_set) +
		   counters_counted() * sizeof(struct rcr_counter) +
		   BITS_TO_U64(nr_cpu_ids) * sizeof(u64);
	struct rcr_set *item;
	ssize_t ret = size;

	if (count < size)
		return -EINVAL;
	item = kzalloc(size, GFP_KERNEL);
	if (!item)
		return -ENOMEM;
	describe(item, size);
	if (copy_to_user(buf, item, size))
		ret = -EFAULT;
	else
		WRITE_ONCE(s->told, true);
	kfree(item);
	return ret;
}

/* Looks up the time of the next record, if there is one. */
static void look_ahead(struct rcr_cursor *c, const struct rcr_ring *ring)
{
	const struct rcr_record *r;

	if (c->time != U64_MAX || c->position >= rcr_ring_head(ring))
		return;
	/* Of a record overwritten meanwhile any time will do. */
	r = rcr_ring_slot(ring, c->position);
	c->time = READ_ONCE(r->time);
}

/* The CPU whose next record is the oldest, or -1 when no CPU has one. */
static int next_cpu(struct rcr_stream *s)
{
	u64 oldest = U64_MAX;
	int cpu, next = -1;

	for_each_cpu(cpu, &rcr_cpus.mask) {
		look_ahead(&s->cursor[cpu], ring_of(cpu));
		if (s->cursor[cpu].time < oldest) {
			oldest = s->cursor[cpu].time;
			next = cpu;
		}
	}
	return next;
}

static ssize_t deliver_lost(struct rcr_cursor *c, unsigned int cpu,
			    char __user *buf, size_t count)
{
	u64 oldest = rcr_ring_oldest(ring_of(cpu));
	struct rcr_lost lost = {
		.item = {
			.size = sizeof(lost),
			.type = RCR_ITEM_LOST,
			.cpu = cpu,
			.generation = the_set()->generation,
		},
		.position = c->position,
		.count = oldest - c->position,
	};

	if (count < sizeof(lost))
		return -EINVAL;
	if (copy_to_user(buf, &lost, sizeof(lost)))
		return -EFAULT;
	go_to(c, oldest);
	return sizeof(lost);
}

/* Bytes delivered; 0 when there is nothing; or -errno. */
static ssize_t deliver_record(struct rcr_stream *s, char __user *buf, size_t count)
{
	int cpu = next_cpu(s);
	struct rcr_cursor *c;

	if (cpu < 0)
		return 0;
	c = &s->cursor[cpu];
	if (rcr_ring_read(ring_of(cpu), c->position, (u64 *)s->record) ==
	    RCR_RING_LOST)
		return deliver_lost(c, cpu, buf, count);
	if (count < rcr_cpus.record_size)
		return -EINVAL;
	if (copy_to_user(buf, s->record, rcr_cpus.record_size))
		return -EFAULT;
	go_to(c, c->position + 1);
	return rcr_cpus.record_size;
}

/**
 * rcr_stream_read() - delivers whole items, as many as there are and fit
 * @s: the reader
 * @buf: where to
 * @count: bytes there
 *
 * Context: may sleep, but does not wait for records.
 * Return: bytes; 0 when there is nothing now; -EINVAL when the first item does
 * not fit, -EFAULT, -ENOMEM, -ERESTARTSYS.
 */
ssize_t rcr_stream_read(struct rcr_stream *s, char __user *buf, size_t count)
{
	size_t done = 0;
	ssize_t ret;

	if (mutex_lock_interruptible(&s->lock))
		return -ERESTARTSYS;
	do {
		if (!s->told)
			ret = deliver_set(s, buf + done, count - done);
		else if (rcr_stream_ended(s))
			ret = 0;
		else
			ret = deliver_record(s, buf + done, count - done);
		if (ret > 0)
			done += ret;
		cond_resched();
	} while (ret > 0 && !signal_pending(current));
	mutex_unlock(&s->lock);
	return done ? done : ret;
}
