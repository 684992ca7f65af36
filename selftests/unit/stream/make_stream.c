// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_stream.c - writes a stream as the module would, for tests of rcrstat.
 *
 *	make_stream WORD...
 *
 * The words are executed in order. Words that describe a set apply to the following sets:
 *
 *	cpus=N			CPUs 0 to N-1, N up to 256 (default: 4)
 *	name=COUNTER:NAME	name of a counter
 *	family=TEXT		kind of PMU (default: test)
 *	select=COUNTER:SELECT	control register of a counter, in hex
 *	scope=COUNTER:SCOPE	enum rcr_scope of a counter; no CPU reads it if it is shared
 *	unit=COUNTER:UNIT	enum rcr_unit of a counter
 *	owner=COUNTER:CPU	the CPU begins to read a shared counter, or stops when this is
 *				repeated; if there were samples, it begins with a gap
 *	set			write a set; totals restart at 0, the clock does not
 *	next			write a set in which all counters keep their totals
 *	inert			write a set that counts nothing
 *	run=MS			advance the clock by MS, with a sample of each CPU every 10 ms
 *	tick=CPU		write a sample of one CPU, at the next tick
 *	silent=CPU		write no samples of the CPU until this is repeated
 *	status=CPU:COUNTER:N	status of a counter in the following samples (default: 1); its
 *				total grows only between two samples with status 1
 *	task=CPU:TGID		process that the following samples interrupt; 0: idle
 *	cgroup=CPU:ID		control group of the interrupted tasks
 *	foreign=CPU:COUNTER	set the status to 3, or back to 1 when this is repeated
 *	add=CPU:COUNTER:N	add N, which may be negative, to the total
 *	lost=CPU:RECORDS	report lost records of the CPU
 *	begin=JOB, end=JOB, text=TEXT, verdict=TEXT
 *				write a mark, 3.21 ms before the next tick
 *	lost-marks=N		report N lost marks with the next mark
 *	node=TEXT		part of the identity of the node, such as producer=node17
 *	default-node=TEXT	likewise, of a node whose identity is not configured
 *
 * Counts are random numbers, which are the same in each run.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define MAKER_CPUS 256
#define MAKER_COUNTERS 6
#include "stream_maker.h"

#define PERIOD_MS 10

static struct made_set set;
static uint64_t now_ms = 1000;
static unsigned int cpus = 4;
static uint64_t total[MAKER_CPUS][MAKER_COUNTERS];
static bool silent[MAKER_CPUS];
static unsigned int task[MAKER_CPUS];
static unsigned long long cgroup[MAKER_CPUS];
static unsigned char status[MAKER_CPUS][MAKER_COUNTERS];
static bool was_ok[MAKER_CPUS][MAKER_COUNTERS];
static bool gap[MAKER_CPUS][MAKER_COUNTERS];
static bool sampled;
static unsigned int lost_marks;

static void put(const void *item, size_t size)
{
	if (fwrite(item, size, 1, stdout) != 1)
		exit(EXIT_FAILURE);
}

static void begin(void)
{
	static const char *const names[MAKER_COUNTERS] = {
		"TOT_CYC", "TOT_INS", "RETIRED_FLOPS", "L1_DCM", "TLB_DM", "BR_MSP",
	};
	unsigned int i;

	memset(status, RCR_STATUS_OK, sizeof(status));
	set = make_set();
	set.set.item.generation = 0;
	set.set.period_ns = PERIOD_MS * 1000000;
	for (i = 0; i < MAKER_COUNTERS; i++) {
		strcpy(set.counter[i].name, names[i]);
		set.counter[i].select = 0x430076 + i;
	}
}

static void put_set(unsigned int error)
{
	unsigned int cpu;

	set.set.item.generation++;
	set.set.error = error;
	set.set.reason.code = error ? RCR_REASON_HIDDEN : RCR_REASON_NONE;
	memset(set.cpus, 0, sizeof(set.cpus));
	for (cpu = 0; cpu < cpus; cpu++)
		set.cpus[cpu / 64] |= 1ull << cpu % 64;
	put(&set, sizeof(set));
}

static void begin_totals(void)
{
	memset(total, 0, sizeof(total));
	memset(was_ok, 0, sizeof(was_ok));
}

static enum rcr_status status_of(unsigned int cpu, unsigned int counter)
{
	return gap[cpu][counter] ? RCR_STATUS_GAP : status[cpu][counter];
}

/* Add a random count to each total, unless this sample or the previous one was not ok. */
static void count(unsigned int cpu)
{
	static const uint64_t most[MAKER_COUNTERS] = {
		50000000, 30000000, 4000000, 90000, 700, 10,
	};
	uint64_t counted;
	unsigned int i;
	bool ok;

	for (i = 0; i < MAKER_COUNTERS; i++) {
		counted = random_number() % most[i];
		ok = status_of(cpu, i) == RCR_STATUS_OK;
		if (ok && was_ok[cpu][i])
			total[cpu][i] += counted;
		was_ok[cpu][i] = ok;
	}
}

static void put_sample(unsigned int cpu)
{
	struct made_record r = make_sample(cpu, now_ms, 0, 0);
	unsigned int i;

	count(cpu);
	r.record.item.generation = set.set.item.generation;
	r.record.tgid = task[cpu];
	r.record.cgroup = cgroup[cpu];
	for (i = 0; i < MAKER_COUNTERS; i++) {
		set_total(&r, i, total[cpu][i]);
		set_status(&r, i, status_of(cpu, i));
		gap[cpu][i] = false;
	}
	sampled = true;
	put(&r, sizeof(r));
}

static void put_time(unsigned int ms)
{
	unsigned int cpu;

	for (; ms >= PERIOD_MS; ms -= PERIOD_MS) {
		for (cpu = 0; cpu < cpus; cpu++)
			if (!silent[cpu])
				put_sample(cpu);
		now_ms += PERIOD_MS;
	}
}

static void put_lost(unsigned int cpu, unsigned int records)
{
	struct rcr_lost lost = {
		.item = { sizeof(lost), RCR_ITEM_LOST, 0, cpu,
			  set.set.item.generation },
		.count = records,
	};

	put(&lost, sizeof(lost));
}

static void put_mark(enum rcr_mark_kind kind, const char *text)
{
	struct rcr_mark mark = make_mark(now_ms * 1000000 - 3210000, kind, text);

	mark.item.generation = set.set.item.generation;
	mark.lost = lost_marks;
	lost_marks = 0;
	put(&mark, sizeof(mark));
}

static void put_node(unsigned int flags, const char *text)
{
	union {
		struct rcr_node node;
		char bytes[512];
	} part = { };

	part.node.item = (struct rcr_item){
		.size = (sizeof(part.node) + strlen(text) + 8) / 8 * 8, .type = RCR_ITEM_NODE,
		.flags = flags, .cpu = ~0u, .generation = set.set.item.generation,
	};
	if (part.node.item.size > sizeof(part))
		exit(EXIT_FAILURE);
	strcpy(part.bytes + sizeof(part.node), text);
	put(&part, part.node.item.size);
}

static bool obey_node(const char *word)
{
	if (!strncmp(word, "node=", 5))
		put_node(0, word + 5);
	else if (!strncmp(word, "default-node=", 13))
		put_node(RCR_NODE_DEFAULT, word + 13);
	else
		return false;
	return true;
}

static bool obey_mark(const char *word)
{
	if (!strncmp(word, "begin=", 6))
		put_mark(RCR_MARK_BEGIN, word + 6);
	else if (!strncmp(word, "end=", 4))
		put_mark(RCR_MARK_END, word + 4);
	else if (!strncmp(word, "verdict=", 8))
		put_mark(RCR_MARK_VERDICT, word + 8);
	else if (!strncmp(word, "text=", 5))
		put_mark(RCR_MARK_TEXT, word + 5);
	else
		return sscanf(word, "lost-marks=%u", &lost_marks) == 1 || obey_node(word);
	return true;
}

static bool obey_add(const char *word)
{
	unsigned int cpu, counter;
	long long more;

	if (sscanf(word, "add=%u:%u:%lld", &cpu, &counter, &more) != 3)
		return obey_mark(word);
	if (cpu >= MAKER_CPUS || counter >= MAKER_COUNTERS)
		return false;
	total[cpu][counter] += more;
	return true;
}

static bool obey_status(const char *word)
{
	unsigned int cpu, counter, number = 0;

	if (sscanf(word, "foreign=%u:%u", &cpu, &counter) != 2 &&
	    sscanf(word, "status=%u:%u:%u", &cpu, &counter, &number) != 3)
		return obey_add(word);
	if (cpu >= MAKER_CPUS || counter >= MAKER_COUNTERS)
		return false;
	if (!number)
		number = status[cpu][counter] == RCR_STATUS_OK ? RCR_STATUS_FOREIGN :
								 RCR_STATUS_OK;
	status[cpu][counter] = number;
	return true;
}

/* Handle owner= and scope=; pass other words on. */
static bool obey_shared(const char *word)
{
	unsigned int counter, number, cpu;

	if (sscanf(word, "owner=%u:%u", &counter, &number) == 2) {
		if (counter >= MAKER_COUNTERS || number >= MAKER_CPUS)
			return false;
		status[number][counter] ^= RCR_STATUS_OK ^ RCR_STATUS_ELSEWHERE;
		gap[number][counter] = sampled && status[number][counter] == RCR_STATUS_OK;
		return true;
	}
	if (sscanf(word, "scope=%u:%u", &counter, &number) != 2 ||
	    counter >= MAKER_COUNTERS)
		return obey_status(word);
	set.counter[counter].scope = number;
	for (cpu = 0; cpu < MAKER_CPUS; cpu++)
		status[cpu][counter] = number ? RCR_STATUS_ELSEWHERE : RCR_STATUS_OK;
	return true;
}

static bool obey_two(const char *word)
{
	unsigned int cpu, number;
	unsigned long long id;
	char name[RCR_NAME_LEN];

	if (sscanf(word, "lost=%u:%u", &cpu, &number) == 2)
		put_lost(cpu, number);
	else if (sscanf(word, "task=%u:%u", &cpu, &number) == 2 && cpu < MAKER_CPUS)
		task[cpu] = number;
	else if (sscanf(word, "cgroup=%u:%llu", &cpu, &id) == 2 && cpu < MAKER_CPUS)
		cgroup[cpu] = id;
	else if (sscanf(word, "unit=%u:%u", &cpu, &number) == 2 && cpu < MAKER_COUNTERS)
		set.counter[cpu].unit = number;
	else if (!strncmp(word, "family=", 7))
		snprintf(set.set.family, sizeof(set.set.family), "%s", word + 7);
	else if (sscanf(word, "select=%u:%x", &number, &cpu) == 2 && number < MAKER_COUNTERS)
		set.counter[number].select = cpu;
	else if (sscanf(word, "name=%u:%63s", &number, name) == 2 &&
		 number < MAKER_COUNTERS)
		strcpy(set.counter[number].name, name);
	else
		return obey_shared(word);
	return true;
}

static bool obey_set(const char *word)
{
	bool next = !strcmp(word, "next"), inert = !strcmp(word, "inert");

	if (!next && !inert && strcmp(word, "set"))
		return false;
	if (!next)
		begin_totals();
	put_set(inert ? 16 : 0);
	return true;
}

static bool obey(const char *word)
{
	unsigned int number;

	if (obey_set(word))
		return true;
	if (sscanf(word, "run=%u", &number) == 1)
		put_time(number);
	else if (sscanf(word, "cpus=%u", &number) == 1 && number && number <= MAKER_CPUS)
		cpus = number;
	else if (sscanf(word, "tick=%u", &number) == 1 && number < MAKER_CPUS)
		put_sample(number);
	else if (sscanf(word, "silent=%u", &number) == 1 && number < MAKER_CPUS)
		silent[number] ^= true;
	else
		return obey_two(word);
	return true;
}

int main(int argc, char **argv)
{
	int i;

	begin();
	for (i = 1; i < argc; i++)
		if (!obey(argv[i])) {
			fprintf(stderr, "make_stream: unknown word \"%s\"\n", argv[i]);
			return EXIT_FAILURE;
		}
	return fclose(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
