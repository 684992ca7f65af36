// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_units.c - CPUs grouped by a fake sysfs: two packages of two dies of two cores of two
 * threads. Core numbers restart in each die, and CPU 15 is offline.
 */
#define MAKER_CPUS 16
#define MAKER_COUNTERS 2
#include "interval/interval.h"
#include "ksft.h"
#include "stream_maker.h"
#include "sysfs_tree.h"
#include "topology.h"
#include "interval/units.h"

static struct made_set set;
static struct intervals v;

static void put_cache(unsigned int cpu, unsigned int index, unsigned int level,
		      unsigned int id)
{
	char text[16];

	snprintf(text, sizeof(text), "%u\n", level);
	put(text, "devices/system/cpu/cpu%u/cache/index%u/level", cpu, index);
	snprintf(text, sizeof(text), "%u\n", id);
	put(text, "devices/system/cpu/cpu%u/cache/index%u/id", cpu, index);
}

/* The last-level cache does not have the highest index; each core has its own. */
static void put_caches(unsigned int cpu)
{
	put_cache(cpu, 0, 1, cpu);
	put_cache(cpu, 1, 3, 10 + cpu % 8);
	put_cache(cpu, 2, 2, cpu);
}

static void make_tree(void)
{
	unsigned int cpu;

	/* Threads of a core are 8 apart, as on most machines. */
	for (cpu = 0; cpu < 15; cpu++) {
		put_id(cpu, "physical_package_id", cpu % 8 / 4);
		put_id(cpu, "die_id", cpu % 4 / 2);
		put_id(cpu, "core_id", cpu % 2);
		put_caches(cpu);
	}
	put("", "devices/system/cpu/cpu15/online");
	put("0-3,8-11\n", "devices/system/node/node0/cpulist");
	put("4-7,12-14\n", "devices/system/node/node1/cpulist");
	put("\n", "devices/system/node/node2/cpulist");
	put("x", "devices/system/node/possible");
}

static void start(const bool *wanted)
{
	intervals_free(&v);
	set = make_set();
	set.cpus[0] = 0xffff;
	intervals_init(&v, &set.set, 10000000, wanted);
}

/* Print units as "name:cpu cpu,name:cpu cpu". */
static void are(enum grouping per, const char *from, const char *expected)
{
	char line[1024];
	FILE *f = fmemopen(line, sizeof(line), "w");
	struct units u;
	unsigned int i, j;

	if (units_init(&u, &v, per, from))
		ksft_exit_fail_msg("no memory\n");
	for (i = 0; i < u.count; i++) {
		fprintf(f, "%s%s:", i ? "," : "", u.unit[i].name);
		for (j = 0; j < u.unit[i].cpus; j++)
			fprintf(f, "%s%u", j ? " " : "",
				v.cpu[unit_member(&u.unit[i], j)].cpu);
	}
	fclose(f);
	units_free(&u);
	ksft_test_result(!strcmp(line, expected), "%s\n", line);
}

static void test_tree(void)
{
	start(NULL);
	are(PER_PACKAGE, root,
	    "package0:0 1 2 3 8 9 10 11,package1:4 5 6 7 12 13 14,unknown:15");
	are(PER_DIE, root,
	    "package0/die0:0 1 8 9,package0/die1:2 3 10 11,package1/die0:4 5 12 13,package1/die1:6 7 14,unknown:15");
	are(PER_CORE, root,
	    "package0/die0/core0:0 8,package0/die0/core1:1 9,package0/die1/core0:2 10,package0/die1/core1:3 11,package1/die0/core0:4 12,package1/die0/core1:5 13,package1/die1/core0:6 14,package1/die1/core1:7,unknown:15");
	are(PER_LLC, root,
	    "llc10:0 8,llc11:1 9,llc12:2 10,llc13:3 11,llc14:4 12,llc15:5 13,llc16:6 14,llc17:7,unknown:15");
	are(PER_NODE, root, "node0:0 1 2 3 8 9 10 11,node1:4 5 6 7 12 13 14,unknown:15");
	are(PER_ALL, root, "all:0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
}

static void test_some(void)
{
	bool wanted[MAKER_CPUS] = { [2] = true, [6] = true, [10] = true };

	start(wanted);
	are(PER_CORE, root, "package0/die1/core0:2 10,package1/die1/core0:6");
	are(PER_CPU, root, "cpu2:2,cpu6:6,cpu10:10");
}

/* Virtual machines and old kernels have fewer files. */
static void test_less(void)
{
	bool wanted[MAKER_CPUS] = { true, true };

	start(wanted);
	are(PER_NODE, "/nonexistent", "node0:0 1");
	are(PER_PACKAGE, "/nonexistent", "unknown:0 1");
	put("-1\n", "less/devices/system/cpu/cpu0/topology/die_id");
	put("3\n", "less/devices/system/cpu/cpu0/topology/physical_package_id");
	put("65535\n", "less/devices/system/cpu/cpu0/topology/core_id");
	put("3\n", "less/devices/system/cpu/cpu1/topology/physical_package_id");
	put("x\n", "less/devices/system/cpu/cpu1/topology/core_id");
	strcat(root, "/less");
	are(PER_CORE, root, "package3/die0/core65535:0,unknown:1");
	are(PER_DIE, root, "package3/die0:0 1");
	root[strlen(root) - strlen("/less")] = 0;
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(6 + 2 + 4);
	begin_tree();
	make_tree();
	test_tree();
	test_some();
	test_less();
	remove_tree();
	intervals_free(&v);
	ksft_finished();
}
