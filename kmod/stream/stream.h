/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stream.h - readers of the merged stream of all rings.
 */
#ifndef RCR_STREAM_H
#define RCR_STREAM_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/rcrtool.h>
#include "order.h"
#include "ring/run.h"

struct vm_area_struct;

/* A stream of all CPUs, for rcr_stream_open(). */
#define RCR_ALL_CPUS (-1)

/**
 * struct rcr_cursor - position of a reader in one ring
 * @position: number of the next record to read
 * @gap: RCR_ITEM_GAP was delivered since the CPU's latest record
 */
struct rcr_cursor {
	u64 position;
	bool gap;
};

/**
 * struct rcr_stream - one reader, which threads may share
 * @lock: serializes reads; protects all members below, unless noted
 * @run_lock: taken in addition to @lock to change @run; rcr_stream_mmap() takes it alone
 * @only: the CPU to read, or RCR_ALL_CPUS; constant
 * @run: the run being read, with a reference; see @run_lock
 * @items: bit n: deliver items of enum rcr_item_type n; written under @lock, read without
 * @sees_places: opened with CAP_PERFMON; constant
 * @asks: has mapped places, so that ticks write them; set once, atomically
 * @described: the RCR_ITEM_SET of @run was delivered
 * @record: buffer for the record being delivered, record_size bytes; NULL: out of memory
 * @mark: position of the next mark to read
 * @order: selects the CPU whose record is next
 * @cursor: position in each ring, by CPU number
 */
struct rcr_stream {
	struct mutex lock;	/* protects all below */
	spinlock_t run_lock;	/* protects run */
	int only;
	struct rcr_run *run;
	u64 items;
	bool sees_places;
	bool asks;
	bool described;
	struct rcr_record *record;
	u64 mark;
	struct rcr_order order;
	struct rcr_cursor cursor[];
};

static inline bool rcr_stream_follows(const struct rcr_stream *s, int cpu)
{
	return s->only == RCR_ALL_CPUS || s->only == cpu;
}

#define for_each_followed_cpu(cpu, s)			\
	for_each_cpu(cpu, &(s)->run->cpus)		\
		if (rcr_stream_follows(s, cpu))

static inline bool rcr_stream_wants(const struct rcr_stream *s, unsigned int type)
{
	return READ_ONCE(s->items) & BIT_ULL(type);
}

/* False for a reader of marks and sets only. Context: any. */
static inline bool rcr_stream_reads_rings(const struct rcr_stream *s)
{
	return READ_ONCE(s->items) & RCR_ITEMS_OF_RINGS;
}

static inline struct rcr_ring *rcr_stream_ring(const struct rcr_stream *s, int cpu)
{
	return s->run->ring[cpu].ring;
}

/* True if there is a record at the reader's position in a CPU's ring. */
static inline bool rcr_stream_has_record(const struct rcr_stream *s, int cpu)
{
	return s->cursor[cpu].position <
	       rcr_ring_head(rcr_stream_ring(s, cpu));
}

struct rcr_stream *rcr_stream_open(int only);
void rcr_stream_close(struct rcr_stream *s);
int rcr_stream_seek(struct rcr_stream *s, bool oldest);
int rcr_stream_set_items(struct rcr_stream *s, u64 types);
bool rcr_stream_ready(struct rcr_stream *s);
ssize_t rcr_stream_read(struct rcr_stream *s, char __user *buf, size_t count);
int rcr_stream_mmap(struct rcr_stream *s, struct vm_area_struct *vma);

/* set_item.c: the RCR_ITEM_SET of a run */
u32 rcr_set_item_size(const struct rcr_run *run);
void rcr_set_item_fill(const struct rcr_run *run, struct rcr_set *item);

#endif
