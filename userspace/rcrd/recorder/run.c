// SPDX-License-Identifier: GPL-2.0-or-later
/* run.c - map and copy the rings of a set. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "run.h"

/* Maximum delay between a trigger and the copy of its window, ns. */
#define MARGIN_NS 1000000000ull

/* Slots of a ring for records that are not samples, and for the record being written. */
#define SPARE 17ull

static unsigned int count_rings(const struct rcr_set *set)
{
	unsigned int cpu, count = 0;

	/* A set that counts nothing has no rings, even if it names CPUs. */
	for (cpu = 0; !set->error && cpu < set->ncpus; cpu++)
		count += rcr_set_has_cpu(set, cpu);
	return count;
}

static int map_rings(struct run *run, struct rcr_reader *reader, struct why *why)
{
	const struct rcr_set *set = run->merge.set;
	unsigned int cpu, i = 0;

	for (cpu = 0; i < run->merge.rings; cpu++) {
		if (!rcr_set_has_cpu(set, cpu))
			continue;
		run->map[i] = rcr_map(reader, cpu);
		if (!run->map[i])
			return because(why, "cannot map the ring of CPU %u: %s", cpu,
				       strerror(errno));
		run->merge.ring[i++].cpu = cpu;
	}
	return 0;
}

struct run *run_open(struct rcr_reader *reader, struct why *why)
{
	const struct rcr_set *set = rcr_reader_set(reader);
	struct run *run = calloc(1, sizeof(*run));
	struct rcr_set *own = malloc(set->item.size);
	unsigned int rings = count_rings(set);

	if (run && own) {
		memcpy(own, set, set->item.size);
		run->merge.set = own;
		run->merge.mark = run->mark;
		run->merge.ring = calloc(rings + 1, sizeof(*run->merge.ring));
		run->map = calloc(rings + 1, sizeof(struct rcr_map *));
		run->merge.rings = rings;
		if (run->merge.ring && run->map && !map_rings(run, reader, why))
			return run;
		run_close(run);
		return NULL;
	}
	because(why, "%s", strerror(ENOMEM));
	free(run);
	free(own);
	return NULL;
}

void run_close(struct run *run)
{
	unsigned int i;

	if (!run)
		return;
	run_release(run);
	for (i = 0; run->map && i < run->merge.rings; i++)
		rcr_unmap(run->map[i]);
	free(run->map);
	free(run->merge.ring);
	free((void *)run->merge.set);
	free(run);
}

void run_add_mark(struct run *run, const struct rcr_mark *mark)
{
	struct merge_run *m = &run->merge;
	struct rcr_mark *slot = &run->mark[m->marks % RCR_MARKS];

	*slot = *mark;
	slot->item.size = sizeof(*slot);
	m->marks++;
	if (m->marks - m->marks_first > RCR_MARKS)
		m->marks_first = m->marks - RCR_MARKS;
}

int run_check_window(const struct run *run, uint64_t ns, struct why *why)
{
	const struct rcr_set *set = run->merge.set;
	uint64_t held;

	if (!run->merge.rings || !set->period_ns)
		return because(why, "nothing is counted: run 'rcrctl load default'");
	held = set->ring_records > SPARE ? (set->ring_records - SPARE) * set->period_ns : 0;
	held -= held < MARGIN_NS ? held : MARGIN_NS;
	if (ns <= held)
		return 0;
	return because(why, "at this period the rings hold a window of %llu ms: shorten the window, sample less often, or load rcrtool with ring_records=%llu",
		       (unsigned long long)held / 1000000,
		       (ns + MARGIN_NS + set->period_ns - 1) / set->period_ns + SPARE);
}

/* Locking memory must not cause OOM kills. Returns true if MemAvailable is unknown. */
static bool is_available(size_t bytes)
{
	FILE *in = fopen("/proc/meminfo", "re");
	unsigned long long kib = ~0ull >> 10;
	char line[128];

	while (in && fgets(line, sizeof(line), in))
		if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
			break;
	if (in)
		fclose(in);
	return bytes / 1024 < kib;
}

int run_reserve(struct run *run, struct why *why)
{
	size_t bytes = 0;
	unsigned int i;
	void *at;

	if (run->copy)
		return 0;
	for (i = 0; i < run->merge.rings; i++)
		bytes += rcr_map_bytes(run->map[i]);
	if (!bytes)
		return 0;
	at = MAP_FAILED;
	if (is_available(bytes))
		at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return because(why, "not enough memory for copies of the rings: %zu KiB are needed",
			       bytes / 1024);
	/* mlock() also faults the pages in. */
	if (mlock(at, bytes)) {
		because(why, "cannot lock %zu KiB for copies of the rings (%s): raise LimitMEMLOCK= of rcrd.service, or 'ulimit -l'",
			bytes / 1024, strerror(errno));
		munmap(at, bytes);
		return -1;
	}
	run->copy = at;
	run->copy_bytes = bytes;
	for (i = 0; i < run->merge.rings; i++) {
		run->merge.ring[i].data = at;
		at = (char *)at + rcr_map_bytes(run->map[i]);
	}
	return 0;
}

void run_release(struct run *run)
{
	if (run->copy)
		munmap(run->copy, run->copy_bytes);
	run->copy = NULL;
	run->copy_bytes = 0;
}

bool run_is_past(const struct run *run, uint64_t time)
{
	unsigned int i;

	for (i = 0; i < run->merge.rings; i++)
		if (rcr_map_until(run->map[i]) <= time && !rcr_map_ended(run->map[i]))
			return false;
	return true;
}

void run_copy(struct run *run)
{
	struct merge_ring *r;
	unsigned int i;

	for (i = 0; run->copy && i < run->merge.rings; i++) {
		r = &run->merge.ring[i];
		rcr_map_copy(run->map[i], (void *)r->data, &r->copy);
	}
}
