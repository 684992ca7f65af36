// SPDX-License-Identifier: GPL-2.0-only
/*
 * wakes.c often | seldom - readers that sleep until there are records: they lose none, are woken in
 * time, and not once for each CPU. Needs the module loaded with a period of 1 ms and rings of 8192
 * records (often), or with a period of 300 ms (seldom).
 */
#include <sys/mman.h>
#include <sys/resource.h>

#include "ksft.h"
#include "stream.h"

#define MAX_CPUS 64

/* Ticks for which a reader follows the stream, of 1 ms and of 300 ms. */
#define OFTEN 3000
#define SELDOM 10

/* The module wakes readers at most every 10 ms; allow for 1 ms of jitter. */
#define APART_NS 9000000ull

/* A reader is woken every 10 ms; allow as much again until it runs. */
#define MOST_NS 20000000ull

static char buffer[1 << 20] __attribute__((aligned(8)));

/* Times of the oldest and newest samples that are read between two sleeps. */
static struct batch {
	uint64_t oldest, newest;
} batch[OFTEN];

static unsigned int batches;
static uint64_t position[MAX_CPUS], first_tick, last_tick;
static unsigned long wrong;

static const struct rcr_item *item_at(ssize_t at)
{
	return (const struct rcr_item *)(buffer + at);
}

static void take(const struct rcr_record *r, struct batch *b)
{
	unsigned int cpu = r->item.cpu % MAX_CPUS;

	if (position[cpu] && r->position != position[cpu])
		wrong++;
	position[cpu] = r->position + 1;
	if (r->item.type != RCR_ITEM_SAMPLE)
		return;
	if (!first_tick)
		first_tick = r->tick;
	last_tick = r->tick;
	if (!b->oldest)
		b->oldest = r->time;
	b->newest = r->time;
}

static void take_all(ssize_t got, struct batch *b)
{
	ssize_t at;

	for (at = 0; at < got; at += item_at(at)->size) {
		if (item_at(at)->type == RCR_ITEM_LOST)
			wrong++;
		else if (item_at(at)->type >= RCR_ITEM_SAMPLE)
			take((const void *)item_at(at), b);
	}
}

static int compare_spans(const void *a, const void *b)
{
	const struct batch *x = a, *y = b;
	uint64_t p = x->newest - x->oldest, q = y->newest - y->oldest;

	return (p > q) - (p < q);
}

static long times_slept(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return used.ru_nvcsw;
}

static void test_often(void)
{
	struct pollfd p = { .events = POLLIN };
	struct rcr_set *set = open_stream(&p.fd, O_NONBLOCK);
	uint64_t begin = monotonic_ns(), most, middle;
	long slept = times_slept();

	while (batches < OFTEN && last_tick - first_tick < OFTEN) {
		poll(&p, 1, -1);
		take_all(read(p.fd, buffer, sizeof(buffer)), &batch[batches++]);
	}
	slept = times_slept() - slept;
	most = (monotonic_ns() - begin) / APART_NS + 2;
	ksft_test_result(!wrong && last_tick - first_tick >= OFTEN,
			 "wakes: a sleeping reader gets every record (%u reads, %lu holes)\n", batches, wrong);
	ksft_test_result(slept && (uint64_t)slept <= most,
			 "wakes: a sleeping reader is not woken for each CPU (%ld times, at most %llu)\n", slept,
			 (unsigned long long)most);
	qsort(batch, batches, sizeof(*batch), compare_spans);
	middle = batch[batches / 2].newest - batch[batches / 2].oldest;
	ksft_test_result(middle <= MOST_NS,
			 "wakes: a sleeping reader is woken before 20 ms of records are waiting (%llu us)\n",
			 (unsigned long long)middle / 1000);
	close(p.fd);
	free(set);
}

/* Return the latest recorded tick of all CPUs. */
static uint64_t newest_tick(struct rcr_ring *const *ring, unsigned int cpus)
{
	const struct rcr_record *r;
	uint64_t newest = 0, head;
	unsigned int i;

	for (i = 0; i < cpus; i++) {
		head = __atomic_load_n(&ring[i]->head, __ATOMIC_ACQUIRE);
		if (!head)
			continue;
		r = (const void *)((char *)ring[i] + ring[i]->data_offset +
				   (head - 1) % ring[i]->capacity * ring[i]->record_size);
		if (r->tick > newest)
			newest = r->tick;
	}
	return newest;
}

/*
 * The record of the first CPU in a tick must not wake readers, as those of other CPUs are still
 * missing; that of the last CPU must, even shortly after another wake-up.
 */
static void test_seldom(void)
{
	unsigned int cpus = sysconf(_SC_NPROCESSORS_ONLN), ticks = 0, late = 0, i;
	struct rcr_ring *ring[MAX_CPUS];
	struct batch unused = { };
	int fd;
	struct rcr_set *set = open_stream(&fd, 0);
	uint64_t before;

	for (i = 0; i < cpus; i++) {
		ring[i] = mmap(NULL, set->ring_bytes, PROT_READ, MAP_SHARED, fd,
			       i * set->ring_bytes);
		if (ring[i] == MAP_FAILED)
			ksft_exit_fail_msg("cannot map the ring of CPU %u: %s\n", i, strerror(errno));
	}
	while (ticks < SELDOM) {
		before = last_tick;
		take_all(read(fd, buffer, sizeof(buffer)), &unused);
		if (last_tick == before)
			continue;
		ticks++;
		late += newest_tick(ring, cpus) != last_tick;
	}
	ksft_test_result(!wrong && late <= SELDOM / 3,
			 "wakes: a sleeping reader is woken in the tick that it reads, not in the next (%u of %u late)\n",
			 late, ticks);
	close(fd);
	free(set);
}

int main(int argc, char **argv)
{
	bool seldom = argc == 2 && !strcmp(argv[1], "seldom");

	ksft_print_header();
	ksft_set_plan(seldom ? 1 : 3);
	if (seldom)
		test_seldom();
	else
		test_often();
	ksft_finished();
}
