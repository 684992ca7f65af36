// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_machine.c - the facts of a machine as lines of a recording: they are read back as written,
 * and an invalid line changes nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "ksft.h"
#include "model/machine.h"

#define LINES	256

static struct machine machine, copy;
static char *line[LINES];
static unsigned int lines;

static void keep_line(void *to, const char *text)
{
	(void)to;
	if (lines == LINES)
		ksft_exit_fail_msg("the machine has too many lines\n");
	line[lines++] = strdup(text);
}

static void write_lines(unsigned int cpus)
{
	while (lines)
		free(line[--lines]);
	machine_write(&machine, cpus, keep_line, NULL);
}

/* Write the machine, and read it back into @copy. Return the number of refused lines. */
static unsigned int copy_machine(unsigned int cpus)
{
	unsigned int refused = 0, i;

	write_lines(cpus);
	memset(&copy, 0, sizeof(copy));
	for (i = 0; i < lines; i++)
		refused += !machine_take(&copy, line[i]);
	return refused;
}

static void test_round_trip(void)
{
	static const double numbers[] = {
		0.1, 1.0 / 3, 1e9 / 64, 123456789.123456789, 1 / 1e9, 1 / 3e8,
		999999999999999872.0, 0,
	};
	unsigned int cpu, n, bad = 0;

	machine = (struct machine){ .cpus = 256, .nodes = 8, .boxes = 12, .caches = 16 };
	for (cpu = 0; cpu < machine.cpus; cpu++)
		machine.node_of[cpu] = cpu < 100 ? cpu % 8 : cpu / 4 % 8;
	for (n = 0; n < machine.nodes; n++) {
		machine.capacity[n] = numbers[n];
		machine.latency[n] = numbers[7 - n];
	}
	bad = copy_machine(256);
	ksft_test_result(!bad && lines == 2 + 8 + 7 + 7 && !memcmp(&machine, &copy, sizeof(copy)),
			 "machine: interleaved CPUs and all numbers are read back exactly\n");
}

static void test_most(void)
{
	unsigned int cpu, n, bad;

	/* All CPU lists have the maximum length. */
	machine = (struct machine){ .cpus = MACHINE_CPUS, .nodes = 2 };
	for (cpu = 0; cpu < MACHINE_CPUS; cpu++)
		machine.node_of[cpu] = cpu % 3 == 2;
	bad = copy_machine(MACHINE_CPUS) || memcmp(&machine, &copy, sizeof(copy));
	machine.nodes = MACHINE_NODES;
	for (cpu = 0; cpu < MACHINE_CPUS; cpu++)
		machine.node_of[cpu] = cpu % MACHINE_NODES;
	for (n = 0; n < MACHINE_NODES; n++)
		machine.capacity[n] = n + 1;
	bad += copy_machine(MACHINE_CPUS) || memcmp(&machine, &copy, sizeof(copy));
	/* More than one cache per node is all that models ask for. */
	machine.caches = 128;
	bad += copy_machine(MACHINE_CPUS) || copy.caches != 64;
	ksft_test_result(!bad, "machine: the maximum of CPUs and nodes is read back exactly\n");
}

/* node_of[] has entries beyond the CPUs of the recording. */
static void test_fewer(void)
{
	machine = (struct machine){ .cpus = MACHINE_CPUS, .nodes = 2 };
	machine.node_of[1] = 1;
	machine.node_of[3] = 1;
	machine.node_of[4] = 1;
	copy_machine(4);
	ksft_test_result(lines == 2 && !strcmp(line[0], "machine.cpus.0=0,2") &&
			 !strcmp(line[1], "machine.cpus.1=1,3") && copy.cpus == 4,
			 "machine: only CPUs of the recording and known numbers are written\n");
}

static void test_refused(void)
{
	static const char *const wrong[] = {
		"", "machine", "machine.", "machine.cpus", "machine.cpus.0", "machine.cpus.0=",
		"machine.cpus.=0", "machine.cpus.x=0", "machine.cpus.-1=0", "machine.cpus.+1=0",
		"machine.cpus. 1=0", "machine.cpus.64=0", "machine.cpus.100=0", "machine.cpus.0=8192",
		"machine.cpus.0=0-8192", "machine.cpus.0=3-1", "machine.cpus.0=1,", "machine.cpus.0=1,x",
		"machine.cpus.0=1 2", "machine.cpus.0 =1", "machine.cpus.0==1", "Machine.cpus.0=1",
		"machine.cpu.0=1", "machine.cpuss.0=1", "xmachine.cpus.0=1", "machine.lines.0=",
		"machine.lines.0=0", "machine.lines.0=-1", "machine.lines.0=1e18", "machine.lines.0=nan",
		"machine.lines.0=inf", "machine.lines.0=1x", "machine.lines.0=1 ", "machine.lines.64=1",
		"machine.lines.0=1e999", "machine.lines.0= 5", "machine.lines.0=+5",
		"machine.lines.0=.5", "machine.latency.0=", "machine.latency.0=fast",
		"machine.latency.0=-200", "machine.latency.64=200", "machine.latencyxxxxxxx.0=200",
		"machine.caches.0=0", "machine.caches.0=65", "machine.boxes.0=x", "machine.knee.0=0", "machine.lines.0=1e-310", "producer=rcrd", "tag.machine.cpus.0=1",
	};
	static struct machine before;
	unsigned int bad = 0, i;

	machine = (struct machine){ .cpus = 4, .nodes = 2, .node_of = { 0, 1, 0, 1 } };
	machine.capacity[0] = 5;
	machine.latency[0] = 6;
	before = machine;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		if (!machine_take(&machine, wrong[i]) && !memcmp(&machine, &before, sizeof(before)))
			continue;
		ksft_print_msg("\"%s\" is taken\n", wrong[i]);
		machine = before;
		bad++;
	}
	ksft_test_result(!bad, "machine: %u invalid lines are refused and change nothing\n", i);
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(4);
	test_round_trip();
	test_most();
	test_fewer();
	test_refused();
	while (lines)
		free(line[--lines]);
	ksft_finished();
}
