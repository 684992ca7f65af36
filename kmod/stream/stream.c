// SPDX-License-Identifier: GPL-2.0-only
/*
 * stream.c - merges the rings of all CPUs into one stream of items for each reader.
 *
 * Records are delivered in time order. A reader never advances past an item that was not
 * copied to its buffer, each lost record is counted in an RCR_ITEM_LOST, and a reader
 * switches to the next run only when it has read the current one completely.
 */
#include <linux/capability.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "compat/compat.h"
#include "ring/scale.h"
#include "stream.h"

/* Move all cursors to the oldest records, or to the position of the next ones. */
static void move_cursors(struct rcr_stream *s, bool oldest)
{
	const struct rcr_marks *marks = &s->run->marks;
	int cpu;

	for_each_followed_cpu(cpu, s) {
		const struct rcr_ring *ring = rcr_stream_ring(s, cpu);

		s->cursor[cpu].position = oldest ? rcr_ring_oldest(ring) : rcr_ring_head(ring);
	}
	s->mark = oldest ? rcr_marks_oldest(marks) : rcr_marks_head(marks);
	rcr_order_reset(s);
}

static int alloc_record(struct rcr_stream *s)
{
	s->record = kmalloc(s->run->record_size, GFP_KERNEL_ACCOUNT);
	return s->record ? 0 : -ENOMEM;
}

/**
 * rcr_stream_open() - create a reader, positioned at the end of the stream
 * @only: the CPU to read, or RCR_ALL_CPUS
 *
 * Context: may sleep.
 * Return: the reader; NULL if out of memory.
 */
struct rcr_stream *rcr_stream_open(int only)
{
	struct rcr_stream *s;

	s = kvzalloc(struct_size(s, cursor, nr_cpu_ids), GFP_KERNEL_ACCOUNT);
	if (!s)
		return NULL;
	mutex_init(&s->lock);
	spin_lock_init(&s->run_lock);
	s->only = only;
	s->items = RCR_ITEMS_ALL;
	s->sees_places = perfmon_capable();
	s->run = rcr_run_get_current();
	if (rcr_order_alloc(&s->order) || alloc_record(s)) {
		rcr_stream_close(s);
		return NULL;
	}
	move_cursors(s, false);
	return s;
}

void rcr_stream_close(struct rcr_stream *s)
{
	if (s->asks)
		atomic_long_dec(&rcr_ring_readers.places);
	rcr_run_put(s->run);
	mutex_destroy(&s->lock);
	rcr_order_free(&s->order);
	kfree(s->record);
	kvfree(s);
}

/**
 * rcr_stream_seek() - move to the beginning or the end of the stream
 * @s: the reader
 * @oldest: true: to the oldest records; false: to the position of the next ones
 *
 * Context: may sleep.
 * Return: 0 or -ERESTARTSYS.
 */
int rcr_stream_seek(struct rcr_stream *s, bool oldest)
{
	if (mutex_lock_interruptible(&s->lock))
		return -ERESTARTSYS;
	move_cursors(s, oldest);
	mutex_unlock(&s->lock);
	return 0;
}

static bool has_mark(const struct rcr_stream *s)
{
	return rcr_stream_wants(s, RCR_ITEM_MARK) &&
	       s->mark < rcr_marks_head(&s->run->marks);
}

/* True if the next mark is older than @oldest, the time of the next record. */
static bool is_mark_due(struct rcr_stream *s, u64 oldest)
{
	return has_mark(s) &&
	       rcr_marks_time(&s->run->marks, s->mark) < oldest;
}

static bool is_read(const struct rcr_stream *s)
{
	int cpu;

	if (has_mark(s))
		return false;
	if (!rcr_stream_reads_rings(s))
		return true;
	for_each_followed_cpu(cpu, s)
		if (rcr_stream_has_record(s, cpu))
			return false;
	return true;
}

/* True if the run has ended and the reader has read all of it. */
static bool is_finished(const struct rcr_stream *s)
{
	/* Pairs with the smp_store_release() of run.c: no record is written after it. */
	return smp_load_acquire(&s->run->ended) && is_read(s);
}

/**
 * rcr_stream_set_items() - select the types of items that a reader delivers
 * @s: the reader
 * @types: bit n for enum rcr_item_type n
 *
 * A reader that did not read the rings before starts at their ends.
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if @types is 0 or contains an unknown type; -ERESTARTSYS.
 */
int rcr_stream_set_items(struct rcr_stream *s, u64 types)
{
	u64 mark;

	if (!types || (types & ~RCR_ITEMS_ALL))
		return -EINVAL;
	if (mutex_lock_interruptible(&s->lock))
		return -ERESTARTSYS;
	if (!rcr_stream_reads_rings(s) && (types & RCR_ITEMS_OF_RINGS)) {
		mark = s->mark;
		move_cursors(s, false);
		s->mark = mark;
	}
	WRITE_ONCE(s->items, types);
	mutex_unlock(&s->lock);
	/* A thread that sleeps in read() must check for the new types. */
	rcr_ring_wake_all();
	return 0;
}

static bool has_item(struct rcr_stream *s)
{
	struct rcr_next l;

	if (!s->record || !s->described)
		return true;
	rcr_order_next(s, &l);
	return is_mark_due(s, l.oldest) || l.next >= 0 || is_finished(s);
}

/**
 * rcr_stream_ready() - check whether a read would deliver an item
 * @s: the reader
 *
 * The result is a hint, as the state can change before the read.
 *
 * Context: process; does not sleep.
 * Return: true if there is an item, or while another thread reads.
 */
bool rcr_stream_ready(struct rcr_stream *s)
{
	bool ready;

	if (!mutex_trylock(&s->lock))
		return true;
	ready = has_item(s);
	mutex_unlock(&s->lock);
	return ready;
}

/* Switch from a run that has ended to the first record of the current one. */
static int switch_run(struct rcr_stream *s)
{
	struct rcr_run *old = s->run;

	spin_lock(&s->run_lock);
	s->run = rcr_run_get_current();
	/* Position 0: records that are overwritten already are reported as lost. */
	memset(s->cursor, 0, nr_cpu_ids * sizeof(s->cursor[0]));
	s->mark = 0;
	s->described = !rcr_stream_wants(s, RCR_ITEM_SET);
	spin_unlock(&s->run_lock);
	rcr_order_reset(s);
	rcr_run_put(old);
	kfree(s->record);
	return alloc_record(s);
}

/* Return value for an item of a type that the reader does not deliver. */
#define SKIPPED	(-ENODATA)

/* Return: bytes copied; SKIPPED; -EINVAL if @count is too small; -EFAULT. */
static ssize_t put_item(const struct rcr_stream *s, const struct rcr_item *item,
			char __user *buf, size_t count)
{
	if (!rcr_stream_wants(s, item->type))
		return SKIPPED;
	if (count < item->size)
		return -EINVAL;
	if (copy_to_user(buf, item, item->size))
		return -EFAULT;
	return item->size;
}

/* True if the reader advances past the item. */
static bool is_consumed(ssize_t ret)
{
	return ret > 0 || ret == SKIPPED;
}

static ssize_t deliver_set(struct rcr_stream *s, char __user *buf, size_t count)
{
	u32 size = rcr_set_item_size(s->run);
	struct rcr_set *item;
	ssize_t ret;

	if (count < size)
		return -EINVAL;
	item = kzalloc(size, GFP_KERNEL);
	if (!item)
		return -ENOMEM;
	rcr_set_item_fill(s->run, item);
	ret = put_item(s, &item->item, buf, count);
	s->described = is_consumed(ret);
	kfree(item);
	return ret;
}

static void init_item(const struct rcr_stream *s, struct rcr_item *item, u32 size,
		      u16 type, int cpu)
{
	item->size = size;
	item->type = type;
	item->cpu = cpu;
	item->generation = s->run->set.generation;
}

static ssize_t deliver_mark(struct rcr_stream *s, char __user *buf, size_t count)
{
	struct rcr_mark mark;
	ssize_t ret;

	rcr_marks_next(&s->run->marks, s->mark, &mark);
	init_item(s, &mark.item, sizeof(mark), RCR_ITEM_MARK, ~0);
	ret = put_item(s, &mark.item, buf, count);
	if (is_consumed(ret))
		s->mark = mark.position + 1;
	return ret;
}

static ssize_t deliver_gap(struct rcr_stream *s, const struct rcr_next *l,
			   char __user *buf, size_t count)
{
	struct rcr_gap gap = { .time = l->oldest };
	ssize_t ret;

	init_item(s, &gap.item, sizeof(gap), RCR_ITEM_GAP, l->silent);
	ret = put_item(s, &gap.item, buf, count);
	if (is_consumed(ret))
		s->cursor[l->silent].gap = true;
	return ret;
}

static ssize_t deliver_lost(struct rcr_stream *s, int cpu, char __user *buf,
			    size_t count)
{
	struct rcr_cursor *c = &s->cursor[cpu];
	u64 oldest = rcr_ring_oldest(rcr_stream_ring(s, cpu));
	struct rcr_lost lost = {
		.position = c->position, .count = oldest - c->position,
	};
	ssize_t ret;

	init_item(s, &lost.item, sizeof(lost), RCR_ITEM_LOST, cpu);
	ret = put_item(s, &lost.item, buf, count);
	if (is_consumed(ret)) {
		c->position = oldest;
		rcr_order_update(s, cpu);
	}
	return ret;
}

static ssize_t deliver_record(struct rcr_stream *s, int cpu, char __user *buf,
			      size_t count)
{
	struct rcr_cursor *c = &s->cursor[cpu];
	ssize_t ret;

	c->gap = false;
	if (rcr_ring_read(rcr_stream_ring(s, cpu), c->position, (u64 *)s->record) ==
	    RCR_RING_LOST)
		return deliver_lost(s, cpu, buf, count);
	ret = put_item(s, &s->record->item, buf, count);
	if (is_consumed(ret)) {
		c->position++;
		rcr_order_update(s, cpu);
	}
	return ret;
}

/* Deliver the next item. Return: bytes copied; 0 if there is none; SKIPPED or -errno. */
static ssize_t deliver_next(struct rcr_stream *s, char __user *buf, size_t count)
{
	struct rcr_next l;
	int err;

	if (!s->record || is_finished(s)) {
		err = switch_run(s);
		if (err)
			return err;
	}
	if (!s->described)
		return deliver_set(s, buf, count);
	rcr_order_next(s, &l);
	if (is_mark_due(s, l.oldest))
		return deliver_mark(s, buf, count);
	if (l.next < 0)
		return 0;
	if (l.silent >= 0)
		return deliver_gap(s, &l, buf, count);
	return deliver_record(s, l.next, buf, count);
}

/**
 * rcr_stream_read() - copy as many complete items as are available and fit
 * @s: the reader
 * @buf: buffer in user space
 * @count: bytes in @buf
 *
 * Context: may sleep, but does not wait for records.
 * Return: bytes copied; 0 if there is no item; -EINVAL if the first item does not fit;
 * -EFAULT, -ENOMEM, -ERESTARTSYS.
 */
ssize_t rcr_stream_read(struct rcr_stream *s, char __user *buf, size_t count)
{
	size_t done = 0;
	ssize_t ret;

	if (mutex_lock_interruptible(&s->lock))
		return -ERESTARTSYS;
	do {
		ret = deliver_next(s, buf + done, count - done);
		if (ret > 0)
			done += ret;
		cond_resched();
	} while (is_consumed(ret) && !signal_pending(current));
	mutex_unlock(&s->lock);
	if (ret == SKIPPED)
		ret = -ERESTARTSYS;
	return done ? done : ret;
}

/*
 * Places show which thread runs where: require the same permission as perf. Ticks write them from
 * the reader's first mapping until its release, which is after its last munmap().
 */
static int map_places(struct rcr_stream *s, struct rcr_ring_memory *m,
		      struct vm_area_struct *vma)
{
	int err = s->sees_places ? rcr_ring_alloc_places(m) : -EPERM;

	err = err ?: rcr_ring_mmap(m->places, vma);
	if (!err && !xchg(&s->asks, true))
		atomic_long_inc(&rcr_ring_readers.places);
	return err;
}

static int map_rings(struct rcr_stream *s, struct rcr_run *run,
		     struct vm_area_struct *vma)
{
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT, begin = 0, cpu;
	size_t bytes = rcr_ring_bytes(run->capacity, run->record_size);

	if (offset >= RCR_MAP_PLACES) {
		begin = RCR_MAP_PLACES;
		bytes = rcr_ring_bytes(run->capacity, sizeof(struct rcr_place));
	} else if (offset >= RCR_MAP_MARKS) {
		begin = RCR_MAP_MARKS;
		bytes = rcr_scale_bytes(run->record_size);
	}
	cpu = (offset - begin) / bytes;
	if ((offset - begin) % bytes || vma->vm_end - vma->vm_start != bytes)
		return -EINVAL;
	if (cpu >= nr_cpu_ids || !cpumask_test_cpu(cpu, &run->cpus) ||
	    !rcr_stream_follows(s, cpu))
		return -EINVAL;
	if (begin == RCR_MAP_PLACES)
		return map_places(s, &run->ring[cpu], vma);
	return rcr_ring_mmap(begin == RCR_MAP_MARKS ? run->ring[cpu].marks : run->ring[cpu].ring,
			     vma);
}

/**
 * rcr_stream_mmap() - map a ring of the reader's run read-only
 * @s: the reader
 * @vma: the mapping; its offset selects the type of ring and the CPU
 *
 * Does not take @s->lock: rcr_stream_read() can hold it while a page fault waits for the mmap
 * lock, which the caller of this function holds.
 *
 * Context: may sleep; under the mmap lock.
 * Return: 0; -EACCES for a writable or executable mapping; -EPERM for places without
 * CAP_PERFMON at open(); -EINVAL if offset or size match no ring; -ENOMEM.
 */
int rcr_stream_mmap(struct rcr_stream *s, struct vm_area_struct *vma)
{
	struct rcr_run *run;
	int ret;

	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EACCES;
	/* VM_SHARED is cleared in a shared mapping of a file that is open read-only. */
	if (!(vma->vm_flags & VM_MAYSHARE))
		return -EINVAL;
	rcr_vm_flags_clear(vma, VM_MAYWRITE | VM_MAYEXEC);
	spin_lock(&s->run_lock);
	run = rcr_run_get(s->run);
	spin_unlock(&s->run_lock);
	ret = map_rings(s, run, vma);
	rcr_run_put(run);
	return ret;
}
