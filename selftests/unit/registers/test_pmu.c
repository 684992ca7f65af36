// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_pmu.c - encoding, placement and width arithmetic, against known answers
 * of the LDMS MSR sampler paper and of the manuals.
 */
#include <errno.h>
#include <string.h>

#include <linux/kernel.h>
#include "build_set.h"
#include "ksft.h"
#include "reason_of.h"
#include "set/assign.h"
#include "pmu/pmu.h"
#include "source/source.h"
#include "pmu/width.h"

static const struct rcr_family *f15h = &rcr_family_amd_15h;
static const struct rcr_family *zen = &rcr_family_amd_17h;
static const struct rcr_family *zen4 = &rcr_family_amd_perfmon_v2;
static const struct rcr_family *nhm = &rcr_family_intel_nhm;
static const struct rcr_family *ex = &rcr_family_intel_nhm_ex;

static struct rcr_event event(unsigned int code, unsigned int umask)
{
	return (struct rcr_event){
		.name = "E", .event = code, .umask = umask, .os = true, .user = true,
	};
}

static u64 select_of(unsigned int code, unsigned int umask)
{
	struct rcr_event e = event(code, umask);

	return rcr_pmu_select(&f15h->core, &e);
}

static struct rcr_box box_of(const struct rcr_pmu *pmu, unsigned int number)
{
	return (struct rcr_box){ pmu, number, pmu->counters, 0 };
}

static u32 allowed_for(const struct rcr_family *f, const struct rcr_event *e)
{
	const struct rcr_box core = box_of(&f->core, 0);
	struct rcr_demand demand;

	rcr_pmu_demand(&core, e, &demand);
	return demand.allowed;
}

static u32 allowed_on(const struct rcr_family *f, unsigned int code, unsigned int umask)
{
	struct rcr_event e = event(code, umask);

	return allowed_for(f, &e);
}

static u32 allowed_of(unsigned int code, unsigned int umask)
{
	return allowed_on(f15h, code, umask);
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
	ksft_test_result(rcr_pmu_select(&f15h->core, &e) == 0x103c612d8ull,
			 "counter mask, invert, edge and OS set their bits\n");
	ksft_test_result(!(f15h->core.reserved & ~0xfffffcf000380000ull) &&
			 !(select_of(0xfff, 0xff) & f15h->core.reserved),
			 "reserved bits are not set\n");
}

static void test_allowed(void)
{
	static const struct {
		unsigned int event, umask, counters;
	} cases[] = {
		{ 0x003, 0xff, 0x08 },	/* retired flops: PERF_CTL[3] */
		{ 0x000, 0x01, 0x38 },	/* pipe assignment, unit mask of one pipe group */
		{ 0x000, 0x11, 0x08 },	/* unit mask of both pipe groups */
		{ 0x004, 0x01, 0x38 }, { 0x004, 0x03, 0x08 },
		{ 0x076, 0x00, 0x07 },	/* cycles: PERF_CTL[2:0] */
		{ 0x07d, 0x01, 0x07 },	/* L2 requests */
		{ 0x0c0, 0x00, 0x3f },	/* instructions: any */
		{ 0x0cb, 0x04, 0x3f }, { 0x041, 0x01, 0x3f }, { 0x046, 0x07, 0x07 },
		{ 0x02e, 0x00, 0x09 }, { 0x1c0, 0x00, 0x38 }, { 0x0d1, 0x00, 0x07 },
		{ 0x1d6, 0x00, 0x3f }, { 0x187, 0x00, 0x01 }, { 0x031, 0x01, 0x07 },
		{ 0x031, 0x03, 0x00 },	/* only one unit mask bit is allowed */
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

/* Return the counters that an event takes when it is placed on @c. */
static u32 taken_by(const struct rcr_need *need, unsigned int c)
{
	return (need->pair ? 3u : 1u) << c;
}

/* Reference implementation: try every assignment. */
static bool placeable(const struct rcr_need *need, unsigned int events, u32 used)
{
	unsigned int c;

	if (!events)
		return true;
	for (c = 0; c < 6; c++)
		if ((need[0].allowed & (1u << c)) && !(used & taken_by(&need[0], c)) &&
		    placeable(need + 1, events - 1, used | taken_by(&need[0], c)))
			return true;
	return false;
}

static bool is_placement(const struct rcr_need *need, const u8 *counter, unsigned int n)
{
	u32 used = 0, takes;
	unsigned int i;

	for (i = 0; i < n; i++) {
		takes = taken_by(&need[i], counter[i]);
		if (!(need[i].allowed & (1u << counter[i])) || (used & takes))
			return false;
		used |= takes;
	}
	return true;
}

/* With @pairs, one event in four takes two counters, the first of which is even. */
static void test_place(bool pairs)
{
	unsigned int i, k, n, wrong = 0, placed = 0, refused = 0;
	struct rcr_need need[7];
	u8 counter[7];
	int ret;

	srand(15);
	for (i = 0; i < 20000; i++) {
		n = 1 + rand() % 7;
		for (k = 0; k < n; k++) {
			need[k].pair = pairs && rand() % 4 == 0;
			need[k].allowed = rand() & (need[k].pair ? 0x15 : rand() & 0x3f);
		}
		ret = rcr_place(need, n, counter);
		placed += !ret;
		refused += ret == -ENOSPC;
		if (!ret != placeable(need, n, 0) ||
		    (!ret && !is_placement(need, counter, n)))
			wrong++;
	}
	ksft_test_result(!wrong && placed > 1000 && refused > 1000,
			 "%s: sets that fit are placed, others are refused (%u and %u of 20000)\n",
			 pairs ? "pairs" : "single counters", placed, refused);
}

static int build(struct rcr_counter_set *set, const struct rcr_family *family,
		 const struct rcr_counter_set *before,
		 const struct rcr_event *events, unsigned int count,
		 struct rcr_failure *f)
{
	const struct rcr_pmu *pmu;
	static struct rcr_machine machine;
	unsigned int i;

	memset(set, 0, sizeof(*set));
	memset(f, 0, sizeof(*f));
	memset(&machine, 0, sizeof(machine));
	machine.family = family;
	for (i = 0; (pmu = rcr_family_pmu(family, i)); i++)
		rcr_machine_add(&machine, pmu, max(pmu->boxes, 1u), pmu->counters, 0);
	set->machine = &machine;
	return build_set(set, before, events, count, f);
}

/* An event that is in both sets keeps its counter and goes on counting. */
static void test_change(void)
{
	static struct rcr_counter_set before, set;
	struct rcr_event events[6] = { event(0x76, 0), event(0xc0, 0), event(0x41, 1) };
	struct rcr_failure f;
	unsigned int i;

	for (i = 0; i < 3; i++)
		events[i].name[0] = 'A' + i;
	build(&before, f15h, NULL, events, 3, &f);
	before.halted = 2;
	events[3] = event(0x003, 0xff);
	events[0] = event(0x46, 7);
	ksft_test_result(!build(&set, f15h, &before, events, 4, &f),
			 "a second set is placed in the free counters\n");
	rcr_counter_set_inherit(&set, &before);
	ksft_test_result(set.from[0] == RCR_FROM_NONE && set.from[1] == 1 &&
			 set.from[2] == 2 && set.from[3] == RCR_FROM_NONE &&
			 set.counter[1].counter == before.counter[1].counter &&
			 set.halted == 2,
			 "an event of both sets keeps its counter and stays halted\n");
	events[1].pinned = true;
	events[1].counter = 3;
	ksft_test_result(build(&set, f15h, &before, events, 4, &f) == -ENOSPC &&
			 strstr(reason_of(&f), "B and E both need counter 3"),
			 "two events on one register are refused: %s\n", reason_of(&f));
	events[0] = event(0x76, 0);
	events[0].pinned = true;
	events[0].counter = 3;
	ksft_test_result(build(&set, f15h, NULL, events, 1, &f) == -EINVAL &&
			 strstr(reason_of(&f), "counter 3 of AMD Fam15h cannot count"),
			 "an event on a counter that cannot count it is refused: %s\n", reason_of(&f));
	events[0].counter = 200;
	ksft_test_result(build(&set, f15h, NULL, events, 1, &f) == -EINVAL,
			 "a counter that does not exist is refused: %s\n", reason_of(&f));
}

static void test_set(void)
{
	static struct rcr_counter_set set;
	struct rcr_failure f;
	struct rcr_event seven[7];
	unsigned int i;

	ksft_test_result(!build(&set, f15h, NULL, f15h->default_event,
				rcr_family_defaults(f15h), &f) &&
			 set.count == 6 &&
			 !strcmp(set.counter[2].name, "RETIRED_FLOPS") &&
			 set.counter[2].control == 0xc0010206 &&
			 set.counter[2].counter == 0xc0010207 &&
			 set.counter[2].width == 48,
			 "the default set fits, and RETIRED_FLOPS is on PERF_CTL3\n");
	for (i = 0; i < 7; i++)
		seven[i] = event(0xc0, i);
	ksft_test_result(build(&set, f15h, NULL, seven, 7, &f) == -ENOSPC &&
			 strstr(reason_of(&f), "counts 6 at once"),
			 "seven events are refused: %s\n", reason_of(&f));
	seven[0] = event(0x003, 1);
	seven[1] = event(0x003, 2);
	ksft_test_result(build(&set, f15h, NULL, seven, 2, &f) == -ENOSPC,
			 "two events for one counter are refused: %s\n",
			 reason_of(&f));
	seven[0] = event(0xe0, 1);
	ksft_test_result(build(&set, f15h, NULL, seven, 1, &f) == -EINVAL,
			 "a northbridge event is refused: %s\n", reason_of(&f));
}

static void test_families(void)
{
	struct rcr_event e = event(0xc0, 0), shared = event(0x2f, 1);
	static struct rcr_counter_set set;
	struct rcr_failure f;
	const struct rcr_box nhm_core = box_of(&nhm->core, 0);
	const struct rcr_box zen_core = box_of(&zen->core, 0);
	const struct rcr_box zen4_core = box_of(&zen4->core, 0);
	struct rcr_register reg;

	ksft_test_result(allowed_on(zen, 0x76, 0) == 0x3f && allowed_on(zen, 0x003, 0xff) == 0x15 &&
			 !allowed_on(zen, 0xfff, 0),
			 "Zen: every counter counts any event, even counters count pairs\n");
	ksft_test_result(allowed_on(nhm, 0xc0, 0) == 0x1000f &&
			 allowed_on(nhm, 0xc0, 1) == 0xf && allowed_on(nhm, 0x3c, 0) == 0x2000f &&
			 allowed_on(nhm, 0x00, 3) == 0x40000 && allowed_on(nhm, 0x51, 1) == 0x3 &&
			 !allowed_on(nhm, 0xb7, 1) && !allowed_on(nhm, 0x100, 0),
			 "Nehalem: a fixed counter counts only its event, two count L1D\n");
	e.cmask = 1;
	ksft_test_result(allowed_for(nhm, &e) == 0xf,
			 "Nehalem: a fixed counter cannot count an event with a counter mask\n");
	e.cmask = 0;
	e.os = false;
	rcr_pmu_register(&nhm_core, &e, RCR_FIXED_FIRST + 1, &reg);
	ksft_test_result(reg.control == 0x38d && reg.counter == 0x30a &&
			 reg.select == 0x20 && reg.mask == 0xf0 && reg.enable == 0x30 &&
			 reg.global == 1ull << 33 && reg.written == 48,
			 "Nehalem: the second fixed counter has its registers\n");
	ksft_test_result(!build(&set, nhm, NULL, nhm->default_event, rcr_family_defaults(nhm), &f) &&
			 set.count == 6,
			 "Nehalem: six events fit on four general and two fixed counters\n");
	ksft_test_result(!build(&set, ex, NULL, ex->default_event, rcr_family_defaults(ex), &f),
			 "Nehalem-EX: six events fit on four general and two fixed counters\n");
	strcpy(shared.unit, "uncore");
	ksft_test_result(!build(&set, nhm, NULL, &shared, 1, &f) &&
			 build(&set, ex, NULL, &shared, 1, &f) == -EINVAL,
			 "Nehalem-EX: the uncore of a Nehalem is refused: %s\n", reason_of(&f));
	rcr_pmu_register(&zen_core, &e, 2, &reg);
	ksft_test_result(reg.control == 0xc0010204 && reg.counter == 0xc0010205 &&
			 !reg.global, "Zen: without PerfMonV2 a counter has no global bit\n");
	rcr_pmu_register(&zen4_core, &e, 2, &reg);
	ksft_test_result(reg.global == 4, "Zen 4: with PerfMonV2 each counter has a global bit\n");
}

static void test_pairs(void)
{
	struct rcr_event flops = event(0x003, 0xff), events[5];
	const struct rcr_box zen4_core = box_of(&zen4->core, 0);
	const struct rcr_box f15h_core = box_of(&f15h->core, 0);
	static struct rcr_counter_set set;
	struct rcr_register reg, upper;
	struct rcr_failure f;
	unsigned int i;

	rcr_pmu_register(&zen4_core, &flops, 2, &reg);
	ksft_test_result(reg.control == 0xc0010204 && reg.select == 0x43ff03 &&
			 reg.global == 0xc && reg.general == 0xc &&
			 rcr_pmu_upper(&reg, &upper) &&
			 upper.control == 0xc0010206 && upper.counter == 0xc0010207 &&
			 upper.select == 0xf004000ffull,
			 "Zen: a pair is two counters, of which the upper one merges\n");
	rcr_pmu_register(&f15h_core, &flops, 3, &reg);
	ksft_test_result(!rcr_pmu_upper(&reg, &upper), "Fam15h has no pairs\n");
	for (i = 0; i < 5; i++)
		events[i] = event(0xc0 + i, 0);
	events[4] = flops;
	ksft_test_result(!build(&set, zen4, NULL, events, 5, &f) && set.general == 0x3f,
			 "a pair and four others fill six counters\n");
	events[3] = event(0x003, 0x0f);
	ksft_test_result(build(&set, zen4, NULL, events, 5, &f) == -ENOSPC,
			 "two pairs and three others do not fit: %s\n", reason_of(&f));
	flops = event(0xc0, 0);
	flops.host = true;
	ksft_test_result(rcr_pmu_select(&zen4->core, &flops) == 0x200004300c0ull &&
			 build(&set, nhm, NULL, &flops, 1, &f) == -EINVAL,
			 "host mode has a bit on AMD, and is refused on Nehalem: %s\n",
			 reason_of(&f));
}

/* Known answers of the LDMS MSR sampler and its manual page. */
static void test_northbridge(void)
{
	const struct rcr_pmu *nb = rcr_family_pmu(f15h, 1);
	const struct rcr_box nb_box = box_of(nb, 0);
	struct rcr_event events[5] = { event(0x4e1, 0xf7), event(0x1e0, 0x0f) };
	static struct rcr_counter_set set;
	struct rcr_register reg;
	struct rcr_failure f;
	unsigned int i;

	ksft_test_result(rcr_pmu_select(nb, &events[0]) == 85903603681,
			 "L3_CACHE_MISSES is 85903603681\n");
	events[1].per_node = true;
	rcr_pmu_register(&nb_box, &events[1], 1, &reg);
	ksft_test_result((reg.select ^ reg.per_node << 0) == 0x1100400ee0 &&
			 (reg.select ^ reg.per_node << 1) == 0x1100400de0 &&
			 reg.control == 0xc0010242 && reg.counter == 0xc0010243,
			 "RW_DRAM_EXT is 0x1100400ee0 on node 0 and 0x1100400de0 on node 1\n");
	for (i = 0; i < 5; i++) {
		events[i] = event(0x1e0 + i, 1);
		strcpy(events[i].unit, "nb");
	}
	ksft_test_result(!build(&set, f15h, NULL, events, 4, &f) && !set.general &&
			 set.scope[RCR_SCOPE_DIE] == 0xf && set.counter[0].scope == RCR_SCOPE_DIE,
			 "four northbridge events take no core counters\n");
	ksft_test_result(build(&set, f15h, NULL, events, 5, &f) == -ENOSPC,
			 "a fifth northbridge event is refused: %s\n", reason_of(&f));
	events[0] = event(0x76, 0);
	strcpy(events[0].unit, "nb");
	ksft_test_result(build(&set, f15h, NULL, events, 1, &f) == -EINVAL,
			 "an event of a core is refused: %s\n", reason_of(&f));
	events[1].cmask = 1;
	ksft_test_result(build(&set, f15h, NULL, events + 1, 1, &f) == -EINVAL,
			 "a counter mask is refused: %s\n", reason_of(&f));
	events[0] = event(0, 0);
	strcpy(events[0].unit, "aperf");
	events[0].is_register = true;
	ksft_test_result(!build(&set, f15h, NULL, events, 1, &f) && !set.general &&
			 set.counter[0].counter == 0xe8 && !set.counter[0].control,
			 "a free-running register takes no counter\n");
	strcpy(events[2].unit, "l3");
	ksft_test_result(build(&set, f15h, NULL, events + 2, 1, &f) == -EINVAL,
			 "a unit that does not exist is refused: %s\n", reason_of(&f));
}

/* A total grows only between two samples that are both ok. */
static void test_reading(void)
{
	enum { K = RCR_MAX_COUNTERS - 1 };
	struct rcr_cpu_counters c = { };
	const struct rcr_reading *r = &c.reading[K];

	rcr_reading_begin(&c, K, 100);
	rcr_reading_take(&c, K, RCR_STATUS_OK, 150, 50, 1000);
	ksft_test_result(r->total == 50 && c.status[K] == RCR_STATUS_OK && !c.changed,
			 "a counter counts from its first value on\n");
	rcr_reading_take(&c, K, RCR_STATUS_FOREIGN, 0, 0, 1000);
	rcr_reading_take(&c, K, RCR_STATUS_OK, 900, 750, 1000);
	ksft_test_result(r->total == 50 && c.status[K] == RCR_STATUS_OK && r->last == 900,
			 "a counter gets a new baseline after it was foreign\n");
	rcr_reading_take(&c, K, RCR_STATUS_OK, 10, 1001, 1000);
	ksft_test_result(r->total == 50 && c.status[K] == RCR_STATUS_FOREIGN,
			 "more than a counter can count is foreign\n");
	rcr_reading_take(&c, K, RCR_STATUS_OK, 20, 10, 1000);
	rcr_reading_take(&c, K, RCR_STATUS_OK, 30, 10, 1000);
	ksft_test_result(r->total == 60, "the total continues after a counter was foreign\n");
	rcr_reading_begin(&c, K, 5000);
	rcr_reading_take(&c, K, RCR_STATUS_OK, 5100, 100, 1000);
	ksft_test_result(r->total == 60 && c.status[K] == RCR_STATUS_GAP,
			 "a counter that restarts reports the gap\n");
	rcr_reading_take(&c, K, RCR_STATUS_OK, 5107, 7, 1000);
	rcr_reading_take(&c, K, RCR_STATUS_OK, 5110, 3, 1000);
	ksft_test_result(r->total == 63 && c.status[K] == RCR_STATUS_OK,
			 "a counter that restarts adds to its previous total\n");
	rcr_reading_take(&c, K, RCR_STATUS_OK, 5000, 5000 - 5110ull, rcr_width_limit(1000, 0));
	ksft_test_result(r->total == 63 && c.status[K] == RCR_STATUS_FOREIGN && r->last == 5000,
			 "reading: a 64-bit count that steps back is foreign, and adds nothing\n");
	rcr_reading_take(&c, K, RCR_STATUS_OK, 5001, 1, rcr_width_limit(1000, 0));
	rcr_reading_take(&c, K, RCR_STATUS_OK, 5003, 2, rcr_width_limit(1000, 0));
	ksft_test_result(r->total == 65 && c.status[K] == RCR_STATUS_OK,
			 "reading: after a step back the count continues from a new baseline\n");
}

/* Take a value with @status; return whether this is a change of status. */
static bool changes(struct rcr_cpu_counters *c, unsigned int i, u8 status)
{
	c->changed = 0;
	rcr_reading_take(c, i, status, 1, 0, 1000);
	return c->changed;
}

static void test_changes(void)
{
	struct rcr_cpu_counters c = { };
	bool right = true;

	right &= !changes(&c, 3, RCR_STATUS_BUSY) && !rcr_readings_ok(&c);
	right &= changes(&c, 3, RCR_STATUS_OK) && rcr_readings_ok(&c) == 8;
	right &= !changes(&c, 3, RCR_STATUS_OK) && !changes(&c, 0, RCR_STATUS_ELSEWHERE);
	ksft_test_result(right, "changes: a different status is a change, the first one is not\n");
	rcr_reading_interrupt(&c, 3);
	rcr_reading_interrupt(&c, 4);
	right = rcr_readings_ok(&c) == 0 && changes(&c, 3, RCR_STATUS_OK) &&
		c.status[3] == RCR_STATUS_GAP;
	right &= changes(&c, 3, RCR_STATUS_OK) && c.status[3] == RCR_STATUS_OK;
	right &= !changes(&c, 4, RCR_STATUS_OK) && c.status[4] == RCR_STATUS_OK;
	ksft_test_result(right,
			 "changes: a gap and its end are changes, except before any sample\n");
}

static void test_width(void)
{
	ksft_test_result(rcr_width_delta(5, (1ull << 48) - 3, 48) == 8,
			 "a count of 48 bits wraps\n");
	ksft_test_result(rcr_width_delta(5, 0xfffffffd, 32) == 8, "a count of 32 bits wraps\n");
	ksft_test_result(rcr_width_delta(5, ~0ull - 2, 64) == 8, "a count of 64 bits wraps\n");
	ksft_test_result(rcr_width_delta(7, 7, 48) == 0, "the delta of equal counts is 0\n");
	ksft_test_result(rcr_width_delta(6, 7, 48) == (1ull << 48) - 1,
			 "a count that decreases by one is nearly a full wrap\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(5 + 21 + 2 + 4 + 5 + 9 + 5 + 8 + 2 + 8 + 5);
	test_select();
	test_allowed();
	test_place(false);
	test_place(true);
	test_set();
	test_change();
	test_families();
	test_pairs();
	test_northbridge();
	test_reading();
	test_changes();
	test_width();
	ksft_finished();
}
