// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_pmu.c - encoding, placement and width arithmetic, against known answers
 * of the LDMS MSR sampler paper and of the manuals.
 */
#include <errno.h>
#include <string.h>

#include "counter_set.h"
#include "ksft.h"
#include "place.h"
#include "pmu/pmu.h"
#include "width.h"

static const struct rcr_pmu *f15h = &rcr_pmu_amd_f15h;

static struct rcr_event event(unsigned int code, unsigned int umask)
{
	return (struct rcr_event){
		.name = "E", .event = code, .umask = umask, .os = true, .user = true,
	};
}

static u64 select_of(unsigned int code, unsigned int umask)
{
	struct rcr_event e = event(code, umask);

	return rcr_pmu_select(f15h, &e);
}

static u32 allowed_of(unsigned int code, unsigned int umask)
{
	struct rcr_event e = event(code, umask);

	return rcr_pmu_allowed(f15h, &e);
}

static void test_select(void)
{
	struct rcr_event e = event(0x1d8, 0x12);

	ksft_test_result(select_of(0x003, 0xff) == 4456195,
			 "RETIRED_FLOPS is 4456195, as in figure 1 of the paper\n");
	ksft_test_result(select_of(0x076, 0x00) == 4391030, "TOT_CYC is 4391030\n");
	ksft_test_result(select_of(0xfff, 0xff) == 0xf0043ffffull,
			 "the upper four bits of the event go to 35:32\n");
	e.cmask = 3;
	e.inv = true;
	e.edge = true;
	e.user = false;
	ksft_test_result(rcr_pmu_select(f15h, &e) == 0x103c612d8ull,
			 "counter mask, invert, edge and OS have their bits\n");
	ksft_test_result(!(f15h->reserved & ~0xfffffcf000380000ull) &&
			 !(select_of(0xfff, 0xff) & f15h->reserved),
			 "no reserved bit is set\n");
}

static void test_allowed(void)
{
	static const struct {
		unsigned int event, umask, counters;
	} cases[] = {
		{ 0x003, 0xff, 0x08 },	/* retired flops: PERF_CTL[3] */
		{ 0x000, 0x01, 0x38 },	/* pipe assignment, one pipe group */
		{ 0x000, 0x11, 0x08 },	/* both */
		{ 0x004, 0x01, 0x38 }, { 0x004, 0x03, 0x08 },
		{ 0x076, 0x00, 0x07 },	/* cycles: PERF_CTL[2:0] */
		{ 0x07d, 0x01, 0x07 },	/* L2 requests */
		{ 0x0c0, 0x00, 0x3f },	/* instructions: any */
		{ 0x0cb, 0x04, 0x3f }, { 0x041, 0x01, 0x3f }, { 0x046, 0x07, 0x07 },
		{ 0x02e, 0x00, 0x09 }, { 0x1c0, 0x00, 0x38 }, { 0x0d1, 0x00, 0x07 },
		{ 0x1d6, 0x00, 0x3f }, { 0x187, 0x00, 0x01 }, { 0x031, 0x01, 0x07 },
		{ 0x031, 0x03, 0x00 },	/* one unit mask bit at a time */
		{ 0x0e0, 0x01, 0x00 },	/* northbridge: no core counter */
		{ 0x4e1, 0xf7, 0x00 }, { 0x1f0, 0x64, 0x00 },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ksft_test_result(allowed_of(cases[i].event, cases[i].umask) ==
				 cases[i].counters,
				 "event 0x%03x umask 0x%02x goes on counters 0x%02x\n",
				 cases[i].event, cases[i].umask, cases[i].counters);
}

/* Tries every assignment: slow, and plainly right. */
static bool placeable(const u32 *allowed, unsigned int events, u32 used)
{
	unsigned int c;

	if (!events)
		return true;
	for (c = 0; c < 6; c++)
		if ((allowed[0] & ~used & (1u << c)) &&
		    placeable(allowed + 1, events - 1, used | 1u << c))
			return true;
	return false;
}

static bool is_placement(const u32 *allowed, const u8 *counter, unsigned int n)
{
	u32 used = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (!(allowed[i] & (1u << counter[i])) || (used & (1u << counter[i])))
			return false;
		used |= 1u << counter[i];
	}
	return true;
}

static void test_place(void)
{
	unsigned int i, k, n, wrong = 0, placed = 0, refused = 0;
	u32 allowed[7];
	u8 counter[7];
	int ret;

	srand(15);
	for (i = 0; i < 20000; i++) {
		n = 1 + rand() % 7;
		for (k = 0; k < n; k++)
			allowed[k] = rand() & rand() & 0x3f;
		ret = rcr_place(allowed, n, counter);
		placed += !ret;
		refused += ret == -ENOSPC;
		if (!ret != placeable(allowed, n, 0) ||
		    (!ret && !is_placement(allowed, counter, n)))
			wrong++;
	}
	ksft_test_result(!wrong && placed > 1000 && refused > 1000,
			 "what can be placed is placed, what cannot is refused (%u and %u of 20000)\n",
			 placed, refused);
}

static void test_set(void)
{
	struct rcr_counter_set set = { };
	struct rcr_failure f = { };
	struct rcr_event seven[7];
	unsigned int i;

	ksft_test_result(!rcr_counter_set_build(&set, f15h, f15h->default_event,
						f15h->defaults, &f) &&
			 set.count == 6 &&
			 !strcmp(set.counter[2].name, "RETIRED_FLOPS") &&
			 set.counter[2].control == 0xc0010206 &&
			 set.counter[2].counter == 0xc0010207 &&
			 set.counter[2].width == 48,
			 "the default set fits, and RETIRED_FLOPS is on PERF_CTL3\n");
	for (i = 0; i < 7; i++)
		seven[i] = event(0xc0, i);
	memset(&f, 0, sizeof(f));
	ksft_test_result(rcr_counter_set_build(&set, f15h, seven, 7, &f) == -ENOSPC &&
			 strstr(f.reason, "counts 6 at once"),
			 "seven events are refused: %s\n", f.reason);
	seven[0] = event(0x003, 1);
	seven[1] = event(0x003, 2);
	memset(&f, 0, sizeof(f));
	ksft_test_result(rcr_counter_set_build(&set, f15h, seven, 2, &f) == -ENOSPC,
			 "two events for one counter are refused: %s\n",
			 f.reason);
	seven[0] = event(0xe0, 1);
	memset(&f, 0, sizeof(f));
	ksft_test_result(rcr_counter_set_build(&set, f15h, seven, 1, &f) == -EINVAL,
			 "a northbridge event is refused: %s\n", f.reason);
}

static u32 allowed_on(const struct rcr_pmu *pmu, unsigned int code, unsigned int umask)
{
	struct rcr_event e = event(code, umask);

	return rcr_pmu_allowed(pmu, &e);
}

static void test_families(void)
{
	const struct rcr_pmu *zen = &rcr_pmu_amd_f17h, *nhm = &rcr_pmu_intel_nhm;
	struct rcr_event e = event(0xc0, 0);
	struct rcr_counter_set set = { };
	struct rcr_failure f = { };
	struct rcr_register reg;

	ksft_test_result(allowed_on(zen, 0x76, 0) == 0x3f && !allowed_on(zen, 0x003, 0xff) &&
			 !allowed_on(zen, 0xfff, 0),
			 "Zen: any event on any counter, but none that needs a pair\n");
	ksft_test_result(allowed_on(nhm, 0xc0, 0) == 0x1000f &&
			 allowed_on(nhm, 0xc0, 1) == 0xf && allowed_on(nhm, 0x3c, 0) == 0x2000f &&
			 allowed_on(nhm, 0x00, 3) == 0x40000 && allowed_on(nhm, 0x51, 1) == 0x3 &&
			 !allowed_on(nhm, 0xb7, 1) && !allowed_on(nhm, 0x100, 0),
			 "Nehalem: fixed counters count their one thing, L1D is on two\n");
	e.cmask = 1;
	ksft_test_result(rcr_pmu_allowed(nhm, &e) == 0xf,
			 "Nehalem: a counter mask cannot be on a fixed counter\n");
	e.cmask = 0;
	e.os = false;
	rcr_pmu_register(nhm, &e, RCR_FIXED_FIRST + 1, &reg);
	ksft_test_result(reg.control == 0x38d && reg.counter == 0x30a &&
			 reg.select == 0x20 && reg.mask == 0xf0 && reg.enable == 0x30 &&
			 reg.global == 1ull << 33, "Nehalem: the second fixed counter\n");
	ksft_test_result(!rcr_counter_set_build(&set, nhm, nhm->default_event, nhm->defaults, &f) &&
			 set.count == 6, "Nehalem: six events fit on four and two fixed\n");
	rcr_pmu_register(zen, &e, 2, &reg);
	ksft_test_result(reg.control == 0xc0010204 && reg.counter == 0xc0010205 &&
			 !reg.global, "Zen: without PerfMonV2 no global bit\n");
	rcr_pmu_register(&rcr_pmu_amd_perfmon_v2, &e, 2, &reg);
	ksft_test_result(reg.global == 4, "Zen 4: with it, one a counter\n");
}

static void test_width(void)
{
	ksft_test_result(rcr_width_delta(5, (1ull << 48) - 3, 48) == 8,
			 "48 bits wrap\n");
	ksft_test_result(rcr_width_delta(5, 0xfffffffd, 32) == 8, "32 bits wrap\n");
	ksft_test_result(rcr_width_delta(5, ~0ull - 2, 64) == 8, "64 bits wrap\n");
	ksft_test_result(rcr_width_delta(7, 7, 48) == 0, "no step is no delta\n");
	ksft_test_result(rcr_width_delta(6, 7, 48) == (1ull << 48) - 1,
			 "one back is nearly all the way round\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(5 + 21 + 1 + 4 + 7 + 5);
	test_select();
	test_allowed();
	test_place();
	test_set();
	test_families();
	test_width();
	ksft_finished();
}
