// SPDX-License-Identifier: GPL-2.0-only
/*
 * intrude.c CPU COUNTER - writes registers of the module on one CPU while a reader follows all
 * CPUs: changes and restores the control, and sets the count to 0. Compares the statuses of the
 * samples with the times of the writes, by the TSC.
 *
 * Needs source=msr; writes through /dev/cpu/N/msr.
 */
#include <inttypes.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "ksft.h"
#include "stream.h"

#define MAX_SAMPLES	200000
#define BUFFER		(256 * 1024)
#define SECONDS		5

/* The relevant part of a sample of one CPU. */
struct sample {
	unsigned int cpu;
	struct bracket at;
	uint64_t total[RCR_MAX_COUNTERS];
	uint8_t status[RCR_MAX_COUNTERS];
};

struct shared {
	unsigned int count, lost;
	struct sample sample[MAX_SAMPLES];
};

/* TSC before and after a write. */
struct moment {
	uint64_t before, after;
};

static struct shared *shared;
static struct rcr_set *set;
static unsigned int cpu, counter;

static struct moment write_register(uint32_t address, uint64_t val)
{
	struct moment m;
	char path[64];
	ssize_t ret;
	int fd;

	snprintf(path, sizeof(path), "/dev/cpu/%u/msr", cpu);
	fd = open(path, O_WRONLY);
	m.before = rdtsc();
	ret = pwrite(fd, &val, sizeof(val), address);
	m.after = rdtsc();
	close(fd);
	if (ret != sizeof(val))
		ksft_exit_fail_msg("cannot write register %#x\n", address);
	return m;
}

static void keep(const struct rcr_record *r)
{
	struct sample *s = &shared->sample[shared->count];

	if (shared->count == MAX_SAMPLES)
		return;
	s->cpu = r->item.cpu;
	s->at = bracket_of(r);
	memcpy(s->total, r->value, set->ncounters * sizeof(s->total[0]));
	memcpy(s->status, statuses_of(set, r), set->ncounters);
	shared->count++;
}

static void read_stream(int fd)
{
	static char buffer[BUFFER] __attribute__((aligned(8)));
	uint64_t end = monotonic_ns() + SECONDS * 1000000000ull;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	ssize_t got, at;

	while (monotonic_ns() < end) {
		poll(&p, 1, 100);
		got = read(fd, buffer, sizeof(buffer));
		for (at = 0; at < got; at += ((struct rcr_item *)(buffer + at))->size) {
			const struct rcr_item *item = (const void *)(buffer + at);

			if (item->type == RCR_ITEM_SAMPLE)
				keep((const void *)item);
			else if (item->type == RCR_ITEM_LOST)
				shared->lost++;
		}
	}
	exit(0);
}

/* Count the samples of the CPU that began after @from and ended before @to, by status. */
static unsigned int count(uint64_t from, uint64_t to, uint8_t status, bool equal)
{
	unsigned int i, n = 0;

	for (i = 0; i < shared->count; i++) {
		const struct sample *s = &shared->sample[i];

		if (s->cpu == cpu && s->at.begin > from && s->at.end < to)
			n += equal ? s->status[counter] == status :
				     s->status[counter] != status;
	}
	return n;
}

/* Count the statuses, of counters that were not written to, that are not ok. */
static unsigned int others_disturbed(void)
{
	unsigned int i, k, n = 0;

	for (i = 0; i < shared->count; i++)
		for (k = 0; k < set->ncounters; k++)
			if ((shared->sample[i].cpu != cpu || k != counter) &&
			    shared->sample[i].status[k] != RCR_STATUS_OK)
				n++;
	return n;
}

static unsigned int inexact(void)
{
	const struct sample *last[64] = { };
	unsigned int i, k, n = 0;

	for (i = 0; i < shared->count; i++) {
		const struct sample *s = &shared->sample[i];
		const struct sample *b = last[s->cpu % 64];

		for (k = 0; b && k < set->ncounters; k++)
			if (!is_exact(&counters_of(set)[k], s->cpu,
				      b->status[k] == RCR_STATUS_OK &&
				      s->status[k] == RCR_STATUS_OK,
				      b->at, b->total[k], s->at, s->total[k]))
				n++;
		last[s->cpu % 64] = s;
	}
	return n;
}

static void wait_some(void)
{
	usleep(800000);
}

/*
 * Check that the status is foreign from the first sample after @taken to the last one before @back.
 */
static void report_span(const char *what, struct moment taken, struct moment back)
{
	unsigned int foreign = count(taken.after, back.before, RCR_STATUS_FOREIGN, true);
	unsigned int other = count(taken.after, back.before, RCR_STATUS_FOREIGN, false);

	ksft_test_result(foreign > 10 && !other,
			 "intrude: %s: status foreign from the first sample on (%u, %u not)\n",
			 what, foreign, other);
}

static void report_clear(const char *what, struct moment back, uint64_t until)
{
	unsigned int ok = count(back.after, until, RCR_STATUS_OK, true);
	unsigned int other = count(back.after, until, RCR_STATUS_OK, false);

	ksft_test_result(ok > 10 && !other,
			 "intrude: %s: status ok from the first sample on (%u, %u not)\n", what, ok,
			 other);
}

int main(int argc, char **argv)
{
	struct moment taken, back, zeroed, raised, end;
	const struct rcr_counter *c;
	int fd;

	ksft_print_header();
	if (argc != 3)
		ksft_exit_fail_msg("usage: intrude CPU COUNTER\n");
	ksft_set_plan(8);
	cpu = atoi(argv[1]);
	counter = atoi(argv[2]);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	set = open_stream(&fd, O_NONBLOCK);
	if (!set || counter >= set->ncounters)
		ksft_exit_fail_msg("no stream, or no counter %u in the set\n", counter);
	c = &counters_of(set)[counter];
	if (!fork())
		read_stream(fd);

	wait_some();
	taken = write_register(c->control, 0x4300c1);
	wait_some();
	back = write_register(c->control, c->select);
	wait_some();
	zeroed = write_register(c->counter, 0);
	wait_some();
	raised = write_register(c->counter, 1ull << 46);
	wait_some();
	end.before = rdtsc();
	while (wait(NULL) > 0)
		;

	ksft_test_result(shared->count > 200 && !shared->lost,
			 "intrude: no sample is lost (%u read)\n", shared->count);
	report_clear("before the first write", (struct moment){ 0, 0 }, taken.before);
	report_span("after a write to the control", taken, back);
	report_clear("after the control is restored", back, zeroed.before);
	ksft_test_result(count(zeroed.before, raised.before, RCR_STATUS_FOREIGN, true) == 1 &&
			 count(zeroed.before, raised.before, RCR_STATUS_OK, true) > 10,
			 "intrude: after the count is set to 0: status foreign once\n");
	ksft_test_result(count(raised.before, end.before, RCR_STATUS_FOREIGN, true) == 1 &&
			 count(raised.before, end.before, RCR_STATUS_OK, true) > 10,
			 "intrude: after the count is set far ahead: status foreign once\n");
	ksft_test_result(!others_disturbed(),
			 "intrude: other CPUs and other counters stay ok\n");
	ksft_test_result(!inexact(), "intrude: every total is exact (%u are not)\n", inexact());
	ksft_finished();
}
