// SPDX-License-Identifier: GPL-2.0-only
/*
 * steady.c - follows the stream until SIGINT or SIGTERM. Prints how many totals decreased, how many
 * ticks are not accounted for, and the CPUs on which every counter was ok and had grown at the end.
 */
#include <signal.h>
#include <stdio.h>

#include "stream.h"

#define MAX_CPUS 64

struct cpu {
	uint64_t total[RCR_MAX_COUNTERS], first[RCR_MAX_COUNTERS];
	uint64_t tick, position;
	bool seen, good;
};

static struct cpu cpus[MAX_CPUS];
static struct rcr_set *set;
static unsigned long back, wrong, lost;
static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static void take(const struct rcr_record *r)
{
	struct cpu *c = &cpus[r->item.cpu];
	unsigned int i;

	if (c->seen && r->position != c->position + 1)
		lost++;
	else if (c->seen && r->item.type == RCR_ITEM_SAMPLE &&
		 r->tick != c->tick + 1 + r->overruns + r->skipped)
		wrong++;
	c->position = r->position;
	if (r->item.type != RCR_ITEM_SAMPLE)
		return;
	c->good = true;
	for (i = 0; i < set->ncounters; i++) {
		if (!c->seen)
			c->first[i] = r->value[i];
		back += c->seen && r->value[i] < c->total[i];
		c->total[i] = r->value[i];
		c->good &= statuses_of(set, r)[i] == RCR_STATUS_OK &&
			   r->value[i] > c->first[i];
	}
	c->tick = r->tick;
	c->seen = true;
}

int main(void)
{
	static char buffer[1 << 20] __attribute__((aligned(8)));
	struct sigaction action = { .sa_handler = stop };
	struct pollfd p = { .events = POLLIN };
	ssize_t got, at;
	unsigned int i;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	set = open_stream(&p.fd, O_NONBLOCK);
	if (!set)
		return 1;
	while (!stopped) {
		poll(&p, 1, 200);
		got = read(p.fd, buffer, sizeof(buffer));
		for (at = 0; at < got; at += ((struct rcr_item *)(buffer + at))->size) {
			struct rcr_item *item = (struct rcr_item *)(buffer + at);

			if (item->type >= RCR_ITEM_SAMPLE && item->cpu < MAX_CPUS)
				take((struct rcr_record *)item);
		}
	}
	printf("back %lu, ticks wrong %lu, lost %lu, counting", back, wrong, lost);
	for (i = 0; i < MAX_CPUS; i++)
		if (cpus[i].good)
			printf(" %u", i);
	puts("");
	return 0;
}
