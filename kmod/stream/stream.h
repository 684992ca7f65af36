/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stream.h - a reader of the rings of all CPUs.
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
 * @position: the record it reads next
 * @gap: the silence of the CPU has been reported to the reader
 */
struct rcr_cursor {
	u64 position;
	bool gap;
};

/**
 * struct rcr_stream - a reader
 * @lock: held while it reads, as threads may share it; protects all below
 * @run_lock: also held while @run changes, for mmap()
 * @only: the one CPU that it reads, or RCR_ALL_CPUS
 * @run: the run that it reads, a reference
 * @items: types of items that it delivers, bit n for enum rcr_item_type n
 * @sees_places: it was opened with CAP_PERFMON
 * @told: whether the item of its set has been delivered
 * @record: copy of the record being delivered
 * @mark: position of the mark it reads next
 * @order: order of the next records
 * @cursor: by CPU number
 */
struct rcr_stream {
	struct mutex lock;	/* all below */
	spinlock_t run_lock;	/* run */
	int only;
	struct rcr_run *run;
	u64 items;
	bool sees_places;
	bool told;
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

/* A reader of marks and sets only does not. Any context. */
static inline bool rcr_stream_reads_rings(const struct rcr_stream *s)
{
	return READ_ONCE(s->items) & RCR_ITEMS_OF_RINGS;
}

static inline struct rcr_ring *rcr_stream_ring(const struct rcr_stream *s, int cpu)
{
	return s->run->ring[cpu].ring;
}

/* Is there a record at the reader's position in a CPU's ring? */
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

/* set_item.c: the item that describes a run's set */
u32 rcr_describe_size(const struct rcr_run *run);
void rcr_describe(const struct rcr_run *run, struct rcr_set *item);

#endif
