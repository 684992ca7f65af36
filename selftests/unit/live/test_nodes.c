// SPDX-License-Identifier: GPL-2.0-only
/* test_nodes.c - the nodes of a machine, and their caches, by the places of a made blackboard. */
#include <errno.h>
#include <string.h>

#include "ksft.h"
#include "live/nodes.h"

#define PLACES	64

static struct rcr_board head;
static struct rcr_board_place place[PLACES];
static struct machine machine;

const struct rcr_board *rcr_board_head(const struct rcr_blackboard *b)
{
	(void)b;
	return &head;
}

const struct rcr_board_place *rcr_board_place(const struct rcr_blackboard *b, unsigned int n)
{
	(void)b;
	return n < head.places ? &place[n] : NULL;
}

int rcr_board_find(const struct rcr_blackboard *b, const char *name, enum rcr_place_kind kind,
		   unsigned int number, struct rcr_meter *meter)
{
	(void)b;
	(void)name;
	(void)kind;
	(void)number;
	(void)meter;
	errno = ENOENT;
	return -1;
}

int rcr_board_read(const struct rcr_blackboard *b, const struct rcr_meter *meter,
		   struct rcr_board_value *value)
{
	(void)b;
	(void)meter;
	(void)value;
	errno = ENODATA;
	return -1;
}

int rcr_control_meters(struct rcr_control *c, struct rcr_meters *meters)
{
	(void)c;
	(void)meters;
	return -1;
}

const struct rcr_meter_state *rcr_meters_find(const struct rcr_meters *m, const char *name)
{
	(void)m;
	(void)name;
	return NULL;
}

static unsigned int add_place(enum rcr_place_kind kind, unsigned int number, unsigned int parent)
{
	place[head.places] = (struct rcr_board_place){ .kind = kind, .number = number, .parent = parent };
	return head.places++;
}

/* Make a machine of @dies with @caches each, of two CPUs; caches are numbered across dies. */
static void make_places(unsigned int dies, unsigned int caches)
{
	unsigned int d, i, cpu, die, llc, whole;

	head.places = 0;
	whole = add_place(RCR_PLACE_MACHINE, 0, 0);
	for (d = 0; d < dies; d++) {
		die = add_place(RCR_PLACE_DIE, d, add_place(RCR_PLACE_PACKAGE, d, whole));
		for (i = 0; i < caches; i++) {
			llc = add_place(RCR_PLACE_LLC, d * caches + i, die);
			for (cpu = 2 * (d * caches + i); cpu < 2 * (d * caches + i + 1); cpu++)
				add_place(RCR_PLACE_CPU, cpu, add_place(RCR_PLACE_CORE, cpu, llc));
		}
	}
	memset(&machine, 0, sizeof(machine));
	nodes_read(&machine, NULL);
}

static void test_dies(void)
{
	make_places(2, 1);
	ksft_test_result(machine.nodes == 2 && machine.caches == 1 && !machine.node_of[0] &&
			 !machine.node_of[1] && machine.node_of[2] == 1 && machine.node_of[3] == 1,
			 "nodes: a die is a node, with its L3\n");
}

static void test_caches(void)
{
	make_places(2, 4);
	ksft_test_result(machine.nodes == 2 && machine.caches == 4 && !machine.node_of[7] &&
			 machine.node_of[8] == 1,
			 "nodes: a die with four L3s is one node, and has four caches\n");
}

/* A virtual machine may have no L3, and its dies no numbers. */
static void test_plain(void)
{
	head.places = 0;
	add_place(RCR_PLACE_CPU, 0, add_place(RCR_PLACE_MACHINE, 0, 0));
	memset(&machine, 0, sizeof(machine));
	nodes_read(&machine, NULL);
	ksft_test_result(machine.nodes == 1 && !machine.caches && !machine.node_of[0],
			 "nodes: without dies there is one node, and without an L3 no cache\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(3);
	test_dies();
	test_caches();
	test_plain();
	ksft_finished();
}
