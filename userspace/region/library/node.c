// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * node.c - counters that CPUs share, such as those of memory controllers and last level caches.
 * Their counts cannot be attributed to a thread, so they are the node's, taken from rcrtool's rings
 * between start and stop of a section.
 *
 * A section must last two sampling periods to contain two samples. The first section of a set reads
 * the rings at its start; later ones only if the longest section so far was long enough. Between
 * RCR_Initialize() and the end, nothing here uses the program's heap, or makes a system call, other
 * than mmap() for the first section of a set.
 */
#include <errno.h>
#include <string.h>

#include "library/region.h"
#include "rcr.h"

/* Most CPUs that read shared counters for others. */
#define NODE_READERS	64

/* Largest sample, bytes. */
#define NODE_SAMPLE_SIZE	1024

/* Most records to search for a sample of the right time. */
#define NODE_SEARCH	16

/**
 * struct node_sample - a sample of a reader, with the node's counters
 * @position: position of the record in the ring
 * @tsc: TSC of the sample
 * @slow_tsc: TSC of its slow counters
 * @changes: number of changes of a status, as in the record
 * @valid: mask of the counters that are ok, bit n for counter n of the node
 * @elsewhere: mask of the counters that another CPU reads
 * @total: totals of the counters
 */
struct node_sample {
	uint64_t position;
	uint64_t tsc;
	uint64_t slow_tsc;
	uint64_t changes;
	uint32_t valid;
	uint32_t elsewhere;
	uint64_t total[REGION_NODE_COUNTERS];
};

/* By reader: its newest sample before the start of a section, and before its end. */
struct region_node_start {
	struct node_sample from[NODE_READERS];
	struct node_sample to[NODE_READERS];
};

/**
 * struct region_node - the node's counters; written by RCR_Initialize(). Children of fork() inherit
 *	the rings
 * @error: errno why there are none; ESTALE: the set was changed, so that they ended
 * @set: the set; NULL: there are no counters
 * @reader: the stream, until region_node_open() closes it
 * @cut: the set has more than REGION_NODE_COUNTERS counters of the node
 * @counters: entries of @counter
 * @counter: indices of the node's counters in @set
 * @readers: number of CPUs that read the counters
 * @ring: by reader: its ring
 * @elsewhere: by reader: mask of the counters that other CPUs read
 */
static struct region_node {
	int error;
	const struct rcr_set *set;
	struct rcr_reader *reader;
	bool cut;
	unsigned int counters;
	unsigned int counter[REGION_NODE_COUNTERS];
	unsigned int readers;
	struct rcr_map *ring[NODE_READERS];
	uint32_t elsewhere[NODE_READERS];
} region_node;

uint64_t region_long_section = UINT64_MAX;

static bool is_node_scope(unsigned int scope)
{
	return scope == RCR_SCOPE_DIE || scope == RCR_SCOPE_PACKAGE || scope == RCR_SCOPE_LLC;
}

/* Reads the sample at a position of the ring; returns false if there is none, or no longer. */
static bool read_node_sample(const struct rcr_map *ring, uint64_t position,
			     struct node_sample *to)
{
	const struct rcr_set *set = region_node.set;
	union {
		struct rcr_record record;
		uint64_t room[NODE_SAMPLE_SIZE / sizeof(uint64_t)];
	} copy;
	const struct rcr_slow *slow;
	enum rcr_status status;
	unsigned int i;

	if (rcr_map_read(ring, position, &copy) != 1 || copy.record.item.type != RCR_ITEM_SAMPLE)
		return false;
	slow = rcr_record_slow(set, &copy.record);
	*to = (struct node_sample){
		.position = position,
		.tsc = copy.record.tsc,
		.slow_tsc = slow ? slow->tsc : 0,
		.changes = copy.record.changes,
	};
	for (i = 0; i < region_node.counters; i++) {
		status = rcr_record_status(set, &copy.record, region_node.counter[i]);
		to->valid |= (status == RCR_STATUS_OK) << i;
		to->elsewhere |= (status == RCR_STATUS_ELSEWHERE) << i;
		to->total[i] = rcr_record_total(set, &copy.record, region_node.counter[i]);
	}
	return true;
}

/* Reads the newest sample of a ring at or before @tsc. */
static bool read_newest_sample(const struct rcr_map *ring, uint64_t tsc, struct node_sample *to)
{
	uint64_t head = rcr_map_head(ring);
	unsigned int i;

	for (i = 0; i < NODE_SEARCH && head; i++)
		if (read_node_sample(ring, --head, to) && to->tsc <= tsc)
			return true;
	return false;
}

/* Replaces a sample before @tsc by the first one after it, if that is still in the ring. */
static void move_into_section(const struct rcr_map *ring, uint64_t tsc, struct node_sample *from)
{
	struct node_sample next;
	unsigned int i;

	for (i = 1; i <= NODE_SEARCH; i++) {
		if (read_node_sample(ring, from->position + i, &next) && next.tsc >= tsc) {
			*from = next;
			return;
		}
	}
}

/* Lists the counters of the set that belong to the node. */
static void choose_node_counters(struct region_node *n)
{
	const struct rcr_counter *c;
	unsigned int i;

	for (i = 0; (c = rcr_set_counter(n->set, i)); i++) {
		if (!is_node_scope(c->scope) || rcr_set_is_gauge(n->set, i) ||
		    strlen(c->name) >= REGION_TEXT_LEN)
			continue;
		n->cut = n->counters == REGION_NODE_COUNTERS;
		if (n->cut)
			return;
		n->counter[n->counters++] = i;
	}
}

/* Maps the ring of a CPU if it reads any counter of the node; returns 0 or an errno. */
static int map_node_reader(struct region_node *n, unsigned int cpu)
{
	struct rcr_map *ring = rcr_map(n->reader, cpu);
	struct node_sample sample;
	int error = 0;

	if (!ring)
		return errno;
	if (rcr_map_until(ring) == RCR_RING_NEVER)
		goto unmap;
	if (!read_newest_sample(ring, UINT64_MAX, &sample)) {
		error = EAGAIN;
		goto unmap;
	}
	if (sample.elsewhere == (1u << n->counters) - 1)
		goto unmap;
	if (n->readers == NODE_READERS) {
		error = E2BIG;
		goto unmap;
	}
	n->elsewhere[n->readers] = sample.elsewhere;
	n->ring[n->readers++] = ring;
	return 0;
unmap:
	rcr_unmap(ring);
	return error;
}

/*
 * Maps the rings of the CPUs that read counters of the node, but no others, to save memory. Counts
 * are only those of the node if all of these rings are mapped. Returns 0 or an errno.
 */
static int map_node_readers(struct region_node *n)
{
	unsigned int cpu;
	int error = 0;

	for (cpu = 0; cpu < n->set->ncpus && !error; cpu++)
		if (rcr_set_has_cpu(n->set, cpu))
			error = map_node_reader(n, cpu);
	return error || n->readers ? error : ENODATA;
}

/* Copies the set, which is freed with the reader. */
static bool keep_node_set(struct region_node *n)
{
	void *copy = region_map_memory(n->set->item.size);

	if (copy)
		n->set = memcpy(copy, n->set, n->set->item.size);
	return copy;
}

void region_node_open(void)
{
	struct region_node *n = &region_node;

	n->reader = rcr_open(NULL);
	if (!n->reader) {
		n->error = errno;
		return;
	}
	n->set = rcr_reader_set(n->reader);
	if (!n->set->error && n->set->record_size <= NODE_SAMPLE_SIZE)
		choose_node_counters(n);
	n->error = n->counters ? map_node_readers(n) : ENODATA;
	if (!n->error && !keep_node_set(n))
		n->error = ENOMEM;
	while (n->error && n->readers)
		rcr_unmap(n->ring[--n->readers]);
	/* The rings stay mapped; leave the descriptor to the program. */
	rcr_close(n->reader);
	if (n->readers)
		region_long_section = 2 * n->set->period_ns * (n->set->tsc_khz / 1e6);
}

/* True once the set was replaced: these rings end, and those of the new set are not mapped. */
static bool has_node_ended(struct region_node *n)
{
	if (!rcr_map_ended(n->ring[0]))
		return false;
	n->error = ESTALE;
	return true;
}

bool region_node_start(struct region_set *r)
{
	struct region_node *n = &region_node;
	unsigned int i;

	if (!n->readers || (r->calls && !r->closed) || has_node_ended(n))
		return false;
	if (!r->node_start)
		r->node_start = region_map_memory(sizeof(*r->node_start));
	for (i = 0; i < n->readers && r->node_start; i++)
		if (!read_newest_sample(n->ring[i], UINT64_MAX, &r->node_start->from[i]))
			return false;
	return r->node_start;
}

/*
 * Adds the counts of a counter between two samples, over all CPUs that read it. If readers skip
 * ticks, their intervals differ: counts are scaled to the interval of the first reader.
 */
static void add_node_count(struct region_set *r, unsigned int i,
			   const struct node_sample *from, const struct node_sample *to)
{
	bool slow = rcr_set_is_slow(region_node.set, region_node.counter[i]);
	uint64_t count = 0, cycles = 0, own;
	unsigned int k;

	for (k = 0; k < region_node.readers; k++) {
		if (region_node.elsewhere[k] >> i & 1)
			continue;
		/* Counting was interrupted on this CPU: the sum of the others is incomplete. */
		if (!(from[k].valid & to[k].valid & 1u << i) || to[k].changes != from[k].changes)
			return;
		own = slow ? to[k].slow_tsc - from[k].slow_tsc : to[k].tsc - from[k].tsc;
		if (!own)
			return;
		cycles = cycles ? cycles : own;
		count += (unsigned __int128)(to[k].total[i] - from[k].total[i]) * cycles / own;
	}
	r->node[i].count += count;
	r->node[i].cycles += cycles;
}

void region_node_stop(struct region_set *r, uint64_t stop_tsc)
{
	struct node_sample *from = r->node_start->from, *to = r->node_start->to;
	struct region_node *n = &region_node;
	unsigned int i;

	if (stop_tsc - r->start_tsc < region_long_section || has_node_ended(n))
		return;
	for (i = 0; i < n->readers; i++) {
		move_into_section(n->ring[i], r->start_tsc, &from[i]);
		/* The CPU went offline, and another one now reads the unit's counters. */
		if (rcr_map_until(n->ring[i]) == RCR_RING_NEVER)
			return;
		if (!read_newest_sample(n->ring[i], stop_tsc, &to[i]) ||
		    to[i].position <= from[i].position)
			return;
	}
	for (i = 0; i < n->counters; i++)
		add_node_count(r, i, from, to);
}

void region_node_describe(struct region_header *h)
{
	const struct region_node *n = &region_node;
	unsigned int i;

	h->node_error = n->cut && !n->error ? EOVERFLOW : n->error;
	h->node_counters = n->readers ? n->counters : 0;
	for (i = 0; i < h->node_counters; i++)
		strcpy(h->node_counter[i], rcr_set_counter(n->set, n->counter[i])->name);
	/* No meter can be computed if boxes of a unit were left out: omit the family then. */
	if (h->node_counters && !n->cut)
		strcpy(h->family, n->set->family);
}
