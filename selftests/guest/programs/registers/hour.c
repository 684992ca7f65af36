// SPDX-License-Identifier: GPL-2.0-only
/*
 * hour.c - checks the energy of more than an hour, in which the 32-bit register wraps over twenty
 * times: advances the energy of the virtual PMU (vpmu/power.h) by slightly less than a wrap, reads
 * a sample, and so on. The set must be register:energy-pkg alone, at a period of half a second.
 */
#include <inttypes.h>

#include "ksft.h"
#include "stream.h"

#define FORWARD_MSR	0x52435201
#define FORWARDS	40

static void forward(uint64_t ticks)
{
	int fd = open("/dev/cpu/0/msr", O_WRONLY);

	if (fd < 0 || pwrite(fd, &ticks, sizeof(ticks), FORWARD_MSR) != sizeof(ticks))
		ksft_exit_fail_msg("cannot advance the energy: %s\n", strerror(errno));
	close(fd);
}

static bool is_wanted(const struct rcr_record *r)
{
	return r->item.type == RCR_ITEM_SAMPLE && r->item.cpu == 0 &&
	       (r->value[1] & 0xff) == RCR_STATUS_OK;
}

/* Read the next sample of CPU 0 in which the energy has status ok. */
static void next_sample(int fd, struct rcr_record *head, uint64_t *total)
{
	static char buffer[RCR_READ_MIN] __attribute__((aligned(8)));
	static ssize_t got, at;
	const struct rcr_record *r;

	do {
		if (at >= got) {
			got = read(fd, buffer, sizeof(buffer));
			at = 0;
		}
		if (got <= 0)
			ksft_exit_fail_msg("the stream ends\n");
		r = (const void *)(buffer + at);
		at += r->item.size;
	} while (!is_wanted(r));
	*head = *r;
	*total = r->value[0];
}

/* Read a sample whose registers were all read after @tsc. */
static void sample_after(int fd, uint64_t tsc, struct rcr_record *head, uint64_t *total)
{
	do
		next_sample(fd, head, total);
	while (head->tsc < tsc);
}

int main(void)
{
	struct rcr_record first, last;
	uint64_t from, to, rate, ticks, least, most, counted;
	struct rcr_set *set;
	unsigned int i;
	int fd;

	ksft_print_header();
	ksft_set_plan(2);
	set = open_stream(&fd, 0);
	if (!set || set->ncounters != 1 || counters_of(set)->unit != RCR_UNIT_NANOJOULE)
		ksft_exit_fail_msg("the set must be register:energy-pkg alone\n");
	rate = rate_of(counters_of(set), 0);
	ticks = ((1ull << 32) * 9 / 10 << VPMU_RATE_SHIFT) / rate;
	next_sample(fd, &first, &from);
	for (i = 0; i < FORWARDS; i++) {
		forward(ticks);
		sample_after(fd, rdtsc(), &last, &to);
	}
	counted = counts_of(counters_of(set), to) - counts_of(counters_of(set), from);
	least = vpmu_count(rate, last.tsc + FORWARDS * ticks) - vpmu_count(rate, first.tsc_end);
	most = vpmu_count(rate, last.tsc_end + FORWARDS * ticks) - vpmu_count(rate, first.tsc);
	ksft_test_result(counted >= least && counted <= most + 1,
			 "hour: the energy is that of the formula (%" PRIu64 " units, %" PRIu64 " to %" PRIu64 ")\n",
			 counted, least, most);
	ksft_test_result(counted >> 32 >= 20 &&
			 FORWARDS * ticks / set->tsc_khz / 1000 >= 3600,
			 "hour: the register wraps at least 20 times in an hour (%" PRIu64 " in %" PRIu64 " s)\n", counted >> 32,
			 FORWARDS * ticks / set->tsc_khz / 1000);
	ksft_finished();
}
