// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_boxes.c - units with several boxes, whose control registers have their own layout. The
 * family is fictitious, so that all layouts are tested independently of the tables.
 */
#include <errno.h>
#include <string.h>

#include "build_set.h"
#include "ksft.h"
#include "reason_of.h"
#include "pmu/pmu.h"

static const struct rcr_layout wide = {
	.event = 0x1800003f000000ffull,		/* 60:59, 37:32, 7:0 */
	.umask = 0x0f00ff00,			/* 27:24, 15:8 */
	.enable = BIT_ULL(31),
};

static const struct rcr_pmu core = {
	.name = "core",
	.control0 = 0x100,
	.counter0 = 0x200,
	.stride = 1,
	.counters = 2,
	.width = 48,
	.written = 48,
	.most = 1,
	.reserved = 0xfffffcf000280000ull | RCR_SELECT_INT,
};

static const struct rcr_pmu channel = {
	.name = "ch",
	.boxes = 12,
	.box_stride = 0x20,
	.layout = &wide,
	.scope = RCR_SCOPE_PACKAGE,
	.control0 = 0x1000,
	.counter0 = 0x1001,
	.stride = 2,
	.counters = 4,
	.width = 48,
	.written = 48,
	.most = 1,
	.reserved = ~(0x1800003f000000ffull | 0x0f00ff00 | BIT_ULL(31)),
	.global_control = 0x1010,
	.global_stops = BIT_ULL(8),
};

static const struct rcr_pmu cache = {
	.name = "cache",
	.scope = RCR_SCOPE_LLC,
	.control0 = 0x3000,
	.counter0 = 0x3001,
	.stride = 2,
	.counters = 6,
	.width = 48,
	.written = 48,
	.most = 1,
	.reserved = ~(0xff00000000ffffull | BIT_ULL(22)),
	.always = 0xff000000000000ull,
};

static const struct rcr_family family = { .name = "made up" };
static struct rcr_machine machine = { .family = &family };

static struct rcr_event event(const char *unit, unsigned int code, unsigned int umask)
{
	struct rcr_event e = {
		.name = "E", .event = code, .umask = umask, .os = true, .user = true,
	};

	strcpy(e.unit, unit);
	return e;
}

static void test_layout(void)
{
	struct rcr_event e = event("ch0", 0xffff, 0xfff);

	ksft_test_result(rcr_pmu_select(&channel, &e) == 0x1800003f8f00ffffull,
			 "16 bits of event and 12 of unit mask go where the layout has them\n");
	e = event("ch0", 0x8142, 0x731);
	ksft_test_result(rcr_pmu_select(&channel, &e) == 0x1000000187003142ull &&
			 !rcr_pmu_unsupported(&channel, &e),
			 "each bit of an event goes to its own bit of the control\n");
	e.umask = 0x1000;
	ksft_test_result(!strcmp(rcr_pmu_unsupported(&channel, &e), "umask"),
			 "a unit mask that is too large is refused\n");
	e = event("cache", 0x100, 0);
	ksft_test_result(!rcr_pmu_has_event(&cache, &e),
			 "an event that is too large for 8 bits is refused\n");
	e = event("cache", 0x04, 0xff);
	ksft_test_result(rcr_pmu_select(&cache, &e) == 0xff00000040ff04ull,
			 "bits that must be set are set\n");
}

static void test_impossible(void)
{
	struct rcr_event e = event("ch0", 1, 0);

	e.cmask = 1;
	ksft_test_result(!strcmp(rcr_pmu_unsupported(&channel, &e), "cmask"),
			 "a field without bits takes no value\n");
	e.cmask = 0;
	e.edge = true;
	ksft_test_result(!strcmp(rcr_pmu_unsupported(&channel, &e), "edge"), "a flag without a bit is refused\n");
	e.edge = false;
	e.os = false;
	ksft_test_result(!strcmp(rcr_pmu_unsupported(&channel, &e), "user"),
			 "a unit without modes refuses an event of one mode\n");
}

static bool is_box(const char *unit, unsigned int index)
{
	struct rcr_event e = event(unit, 1, 0);

	return rcr_machine_box(&machine, &e) == &machine.box[index];
}

static void test_names(void)
{
	static struct rcr_counter_set set;
	struct rcr_event e = event("ch", 1, 0);
	struct rcr_failure f = { };

	set.machine = &machine;
	ksft_test_result(is_box("", 0) && is_box("core", 0) && is_box("ch0", 1) &&
			 is_box("ch11", 12) && is_box("cache", 13),
			 "boxes have numbers, a single box has none\n");
	ksft_test_result(build_set(&set, NULL, &e, 1, &f) == -EINVAL &&
			 strstr(reason_of(&f), "name one of ch0 to ch11"), "%s\n", reason_of(&f));
	e = event("ch12", 1, 0);
	ksft_test_result(build_set(&set, NULL, &e, 1, &f) == -EINVAL,
			 "%s\n", reason_of(&f));
}

static void test_registers(void)
{
	struct rcr_event e = event("ch3", 1, 0);
	struct rcr_register reg;

	rcr_pmu_register(&machine.box[4], &e, 2, &reg);
	ksft_test_result(reg.control == 0x1064 && reg.counter == 0x1065 &&
			 reg.enable == BIT_ULL(31), "each box has its registers\n");
	ksft_test_result(rcr_box_address(&machine.box[4], channel.global_control) == 0x1070 &&
			 reg.global == BIT_ULL(8) && !reg.global_on,
			 "each box has its global control, whose bit must be clear\n");
	rcr_pmu_register(&machine.box[13], &e, 2, &reg);
	ksft_test_result(!reg.global && !reg.global_on,
			 "a unit without a global control has no bit in it\n");
}

/* A set uses at most as many counters of a box as the box has. */
static void test_set(void)
{
	static struct rcr_counter_set set;
	struct rcr_event events[7] = { };
	struct rcr_failure f = { };
	unsigned int i;

	for (i = 0; i < 7; i++)
		events[i] = event(i < 4 ? "ch1" : "ch11", i, 0);
	set.machine = &machine;
	ksft_test_result(!build_set(&set, NULL, events, 7, &f) && set.boxes == 2 &&
			 set.box[0] == &machine.box[2] && set.box[1] == &machine.box[12] &&
			 set.box_of[3] == 0 && set.box_of[4] == 1 &&
			 set.scope[RCR_SCOPE_PACKAGE] == 0x7f,
			 "a set numbers the boxes that it uses\n");
	strcpy(events[4].unit, "ch1");
	memset(&set, 0, sizeof(set));
	set.machine = &machine;
	ksft_test_result(build_set(&set, NULL, events, 7, &f) == -ENOSPC &&
			 strstr(reason_of(&f), "5 events of ch1"), "%s\n", reason_of(&f));
}

/* CPUID Fn8000_0022 of a Zen 4 with 12 channels, with 4, and of others. */
static void test_told(void)
{
	const struct rcr_pmu *df = &rcr_zen4_boxes[1], *umc = &rcr_zen4_boxes[2];

	ksft_test_result(umc->boxes_cpuid.mask == ~0u && umc->counters_cpuid.mask == 0x3f0000 &&
			 df->counters_cpuid.mask == 0xfc00,
			 "Zen 4: CPUID has a bit for each controller and the number of counters\n");
	ksft_test_result(rcr_pmu_counters(umc, 12, 48 << 16) == 4 &&
			 rcr_pmu_counters(umc, 4, 16 << 16) == 4 &&
			 !rcr_pmu_counters(umc, 12, 60 << 16) && !rcr_pmu_counters(umc, 12, 0),
			 "controllers are not used if CPUID contradicts the table\n");
	ksft_test_result(rcr_pmu_counters(df, 1, 8 << 10) == 8 &&
			 rcr_pmu_counters(df, 1, 20 << 10) == 16 &&
			 !rcr_pmu_counters(df, 1, 0) && rcr_pmu_counters(&core, 1, 0) == 2,
			 "no more counters of a unit are used than the table has\n");
}

int main(void)
{
	rcr_machine_add(&machine, &core, 1, 2, 0);
	rcr_machine_add(&machine, &channel, 12, 4, 0);
	rcr_machine_add(&machine, &cache, 1, 6, 0);
	ksft_print_header();
	ksft_set_plan(5 + 3 + 3 + 3 + 2 + 3);
	test_layout();
	test_impossible();
	test_names();
	test_registers();
	test_set();
	test_told();
	ksft_finished();
}
