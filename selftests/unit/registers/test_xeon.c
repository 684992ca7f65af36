// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_xeon.c - the tables of Intel's Xeons against known answers: Intel's event lists for what
 * each counter can count, TACC Stats for values of control registers.
 */
#include <errno.h>
#include <string.h>

#include <linux/kernel.h>
#include "build_set.h"
#include "ksft.h"
#include "reason_of.h"
#include "pmu/pmu.h"

static const struct rcr_family *const snb = &rcr_family_intel_snb;
static const struct rcr_family *const ivb = &rcr_family_intel_ivb;
static const struct rcr_family *const hsw = &rcr_family_intel_hsw;
static const struct rcr_family *const bdw = &rcr_family_intel_bdw;
static const struct rcr_family *const skx = &rcr_family_intel_skx;
static const struct rcr_family *const icx = &rcr_family_intel_icx;
static const struct rcr_family *const spr = &rcr_family_intel_spr;

static struct rcr_event event(const char *name, const char *unit, unsigned int code,
			      unsigned int umask)
{
	struct rcr_event e = { .event = code, .umask = umask, .os = true, .user = true };

	snprintf(e.name, sizeof(e.name), "%s", name);
	snprintf(e.unit, sizeof(e.unit), "%s", unit);
	return e;
}

/* Make a machine with all units that a family can have, and @counters per core. */
static struct rcr_machine machine_of(const struct rcr_family *f, unsigned int counters)
{
	const struct rcr_pmu *pmu;
	struct rcr_machine m = { .family = f };
	unsigned int i;

	for (i = 0; (pmu = rcr_family_pmu(f, i)); i++)
		rcr_machine_add(&m, pmu, pmu->boxes ?: 1, i ? pmu->counters : counters, 0);
	return m;
}

static void test_constraints(void)
{
	static const struct {
		const struct rcr_family *const *family;
		unsigned int event, umask, counters;
	} cases[] = {
		{ &snb, 0xa3, 0x02, 0x04 }, { &snb, 0xa3, 0x06, 0x04 }, { &snb, 0xa3, 0x04, 0x0f },
		{ &snb, 0x48, 0x01, 0x04 }, { &snb, 0xc0, 0x01, 0x02 }, { &snb, 0xcd, 0x02, 0x08 },
		{ &snb, 0xcd, 0x01, 0 }, { &snb, 0xd3, 0x01, 0x0f }, { &snb, 0xb7, 0x01, 0 },
		{ &snb, 0x11, 0x02, 0xff }, { &snb, 0xd4, 0x01, 0xff }, { &snb, 0x100, 0, 0 },
		{ &ivb, 0x48, 0x01, 0x04 }, { &ivb, 0x48, 0x02, 0xff }, { &ivb, 0xa3, 0x0c, 0x04 },
		{ &hsw, 0xbc, 0x11, 0x0f }, { &hsw, 0xb1, 0x02, 0xff }, { &hsw, 0xcd, 0x01, 0 },
		{ &bdw, 0xc7, 0x3c, 0x0f }, { &bdw, 0xa3, 0x08, 0x04 }, { &bdw, 0x51, 0x01, 0xff },
		{ &skx, 0xc7, 0xff, 0xff }, { &skx, 0xc6, 0x01, 0 }, { &skx, 0xd4, 0x04, 0x0f },
		{ &skx, 0xa3, 0x14, 0x0f }, { &skx, 0xa3, 0x04, 0xff }, { &skx, 0xc0, 0x01, 0x02 },
		{ &icx, 0x51, 0x01, 0x0f }, { &icx, 0xa3, 0x14, 0xff }, { &icx, 0xa3, 0x01, 0x0f },
		{ &icx, 0x00, 0x04, 0x80000 }, { &icx, 0xb7, 0x01, 0 }, { &icx, 0xc5, 0x00, 0xff },
		{ &icx, 0xf4, 0x04, 0x0f }, { &icx, 0x5e, 0x01, 0xff },
		{ &spr, 0x3c, 0x01, 0xff }, { &spr, 0x3c, 0x00, 0x200ff }, { &spr, 0x12, 0x0e, 0x0f },
		{ &spr, 0xa4, 0x04, 0x01 }, { &spr, 0xa4, 0x01, 0xff }, { &spr, 0x2a, 0x01, 0 },
		{ &spr, 0xb7, 0x02, 0xff }, { &spr, 0xc2, 0x04, 0 },
	};
	unsigned int i, wrong = 0;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct rcr_family *f = *cases[i].family;
		const struct rcr_box core = { .pmu = &f->core, .counters = f->core.counters };
		struct rcr_event e = event("E", "", cases[i].event, cases[i].umask);
		struct rcr_demand d;

		rcr_pmu_demand(&core, &e, &d);
		if (d.allowed == cases[i].counters)
			continue;
		wrong++;
		ksft_print_msg("%s event %#x umask %#x: %#x, not %#x\n", f->name, cases[i].event,
			       cases[i].umask, d.allowed, cases[i].counters);
	}
	ksft_test_result(!wrong, "%u events go on the counters that can count them\n", i);
}

/* With hyper-threading each thread has four of the eight counters of a core. */
static void test_defaults(void)
{
	const struct rcr_family *const families[] = { snb, ivb, hsw, bdw, skx, icx, spr };
	static struct rcr_counter_set set;
	struct rcr_failure f = { };
	unsigned int i, wrong = 0;

	for (i = 0; i < ARRAY_SIZE(families); i++) {
		struct rcr_machine m = machine_of(families[i], 4);

		memset(&set, 0, sizeof(set));
		set.machine = &m;
		if (build_set(&set, NULL, families[i]->default_event,
			      rcr_family_defaults(families[i]), &f)) {
			wrong++;
			ksft_print_msg("%s: %s\n", families[i]->name, reason_of(&f));
		}
	}
	ksft_test_result(!wrong, "each family's default set fits half a core's counters\n");
}

/* Return whether a counter has these addresses of control, count and global control. */
static bool is_at(const struct rcr_family *f, const struct rcr_event *e, unsigned int counter,
		  u32 control, u32 count, u32 global, u64 select)
{
	struct rcr_machine m = machine_of(f, 8);
	const struct rcr_box *box = rcr_machine_box(&m, e);
	struct rcr_register r;

	if (!box)
		return false;
	rcr_pmu_register(box, e, counter, &r);
	if (r.control == control && r.counter == count && r.select == select &&
	    rcr_box_address(box, box->pmu->global_control) == global)
		return true;
	ksft_print_msg("%s: control %#x count %#x select %#llx\n", e->unit, r.control, r.counter,
		       (unsigned long long)r.select);
	return false;
}

static void test_boxes(void)
{
	struct rcr_event lookup = event("E", "cbo7", 0x34, 0x03);
	struct rcr_event tor = event("E", "cha0", 0x36, 0xc816fe01);
	struct rcr_event pcu = event("E", "pcu", 0x80, 0x2);
	struct rcr_event uclk = event("E", "uclk", 0, 0);

	ksft_test_result(is_at(snb, &lookup, 1, 0xdf1, 0xdf7, 0xde4, 0x400334) &&
			 is_at(hsw, &lookup, 1, 0xe72, 0xe79, 0xe70, 0x400334),
			 "slice 7 of Sandy Bridge-EP and Haswell-EP has its registers\n");
	ksft_test_result(is_at(icx, &tor, 0, 0xe01, 0xe08, 0xe00, 0xc816fe00400136),
			 "Ice Lake-SP: the unit mask extends into the upper half\n");
	strcpy(tor.unit, "cha18");
	tor.umask = 1;
	ksft_test_result(is_at(icx, &tor, 0, 0xf0b, 0xf12, 0xf0a, 0x400136),
			 "slice 18 of Ice Lake-SP has its registers\n");
	strcpy(tor.unit, "cha39");
	ksft_test_result(is_at(icx, &tor, 3, 0xbaa, 0xbb1, 0xba6, 0x400136),
			 "slice 39 of Ice Lake-SP has its registers\n");
	ksft_test_result(is_at(snb, &pcu, 3, 0xc33, 0xc39, 0xc24, 0x408080) &&
			 is_at(bdw, &pcu, 3, 0x714, 0x71a, 0x710, 0x408080),
			 "power control: the occupancy field replaces the unit mask\n");
	ksft_test_result(is_at(snb, &uclk, 0, 0xc08, 0xc09, 0, 0x400000),
			 "the clock of the uncore has its registers\n");
}

/* Check a box in PCI space: registers have an offset, readers also need the function (@told). */
static bool is_function(const struct rcr_family *f, const struct rcr_event *e,
			unsigned int counter, u32 told, u64 select)
{
	struct rcr_machine m = machine_of(f, 8);
	const struct rcr_box *box = rcr_machine_box(&m, e);
	struct rcr_register r;

	return box && is_at(f, e, counter, 0xd8 + 4 * counter, 0xa0 + 8 * counter, 0xf4, select) &&
	       (rcr_pmu_register(box, e, counter, &r), rcr_box_full_address(box, r.control) == told);
}

static void test_functions(void)
{
	struct rcr_event drs = event("E", "qpi1", 0x102, 0x08);
	struct rcr_event cas = event("E", "imc2", 0x04, 0x03);
	struct rcr_event ha = event("E", "ha", 0x01, 0x03);
	struct rcr_event r2 = event("E", "r2pcie", 0x25, 0x01);
	struct rcr_event ubox = event("E", "ubox", 0x41, 0x08);
	const struct rcr_box *box;
	struct rcr_machine m = machine_of(ivb, 8), sandy = machine_of(snb, 8);
	struct rcr_demand d;

	ksft_test_result(is_function(snb, &drs, 3, 0x3c4200e4, 0x600802) &&
			 is_function(bdw, &drs, 0, 0x6f3300d8, 0x600802),
			 "bit 8 of an event of the links is in bit 21\n");
	ksft_test_result(is_function(snb, &cas, 1, 0x3cb400dc, 0x400304) &&
			 is_function(ivb, &cas, 1, 0x0eb000dc, 0x400304) &&
			 is_function(hsw, &cas, 1, 0x2fb400dc, 0x400304),
			 "memory channels have the PCI functions of their family\n");
	ksft_test_result(is_function(snb, &ha, 0, 0x3c4600d8, 0x400301) &&
			 !is_function(ivb, &ha, 0, 0, 0),
			 "home agents are numbered only if there are two\n");
	cas.inv = true;
	ksft_test_result(!rcr_pmu_unsupported(rcr_machine_box(&m, &drs)->pmu, &drs) &&
			 !strcmp(rcr_pmu_unsupported(rcr_machine_box(&m, &cas)->pmu, &cas), "inv"),
			 "Ivy Bridge-EP does not invert\n");
	ubox.inv = true;
	ksft_test_result(!strcmp(rcr_pmu_unsupported(rcr_machine_box(&m, &ubox)->pmu, &ubox), "inv") &&
			 !rcr_pmu_unsupported(rcr_machine_box(&sandy, &ubox)->pmu, &ubox),
			 "the U-box of Sandy Bridge-EP inverts, that of Ivy Bridge-EP does not\n");
	box = rcr_machine_box(&m, &r2);
	rcr_pmu_demand(box, &r2, &d);
	ksft_test_result(d.allowed == 0x1,
			 "an event of the first counter is refused on other counters\n");
	r2.event = 0x10f;
	ksft_test_result(!rcr_pmu_has_event(box->pmu, &r2),
			 "units other than the links have 8 bits of event\n");
}

static const struct rcr_pmu *pmu_of(const struct rcr_family *f, const char *name)
{
	unsigned int i;

	for (i = 0; strcmp(rcr_family_pmu(f, i)->name, name); i++)
		;
	return rcr_family_pmu(f, i);
}

/* A package that has four of eight channels keeps their numbers. */
static void test_gaps(void)
{
	const struct rcr_pmu *imc = pmu_of(hsw, "imc");
	const struct rcr_box channels[] = {
		{ imc, 0, 4 }, { imc, 1, 4 }, { imc, 4, 4 }, { imc, 5, 4 },
	};
	static struct rcr_counter_set set;
	struct rcr_machine m = { .family = hsw };
	struct rcr_event e = event("E", "imc", 0x04, 0x03);
	struct rcr_failure f = { };
	unsigned int n;

	rcr_machine_add(&m, &hsw->core, 1, 8, 0);
	for (n = 0; n < ARRAY_SIZE(channels); n++)
		rcr_machine_add_box(&m, &channels[n]);
	set.machine = &m;
	ksft_test_result(build_set(&set, NULL, &e, 1, &f) == -EINVAL &&
			 strstr(reason_of(&f), "there are 4 units 'imc': name one of imc0 to imc5, some of which are missing"),
			 "%s\n", reason_of(&f));
	strcpy(e.unit, "imc2");
	ksft_test_result(build_set(&set, NULL, &e, 1, &f) == -EINVAL, "%s\n", reason_of(&f));
	strcpy(e.unit, "imc4");
	memset(&set, 0, sizeof(set));
	set.machine = &m;
	ksft_test_result(!build_set(&set, NULL, &e, 1, &f) && set.slow == 1 &&
			 set.counter[0].control == 0x2fd000d8 && set.counter[0].counter == 0x2fd000a0 &&
			 set.reg[0].control == 0xd8 && set.reg[0].counter == 0xa0,
			 "channel 4 is read outside of the tick\n");
}

static int build(const struct rcr_family *family, struct rcr_counter_set *set,
		 const struct rcr_event *events, unsigned int count, struct rcr_failure *f)
{
	static struct rcr_machine m;

	m = machine_of(family, 8);
	*f = (struct rcr_failure){ };
	memset(set, 0, sizeof(*set));
	set->machine = &m;
	return build_set(set, NULL, events, count, f);
}

static void test_filters(void)
{
	struct rcr_event events[3] = { event("A", "cbo1", 0x34, 0x03), event("B", "cbo1", 0x35, 0x03),
				       event("C", "cbo2", 0x34, 0x03) };
	static struct rcr_counter_set set;
	struct rcr_failure f;

	events[0].filter[0] = 0x7c0000;
	events[2].filter[0] = 0x40000;
	ksft_test_result(!build(snb, &set, events, 3, &f) &&
			 set.reg[0].filter[0].address == 0xd34 &&
			 set.reg[0].filter[0].bits == 0x7c0000 &&
			 set.reg[1].filter[0].bits == 0x7c0000 &&
			 set.reg[2].filter[0].address == 0xd54 &&
			 set.reg[2].filter[0].bits == 0x40000 && !set.reg[2].filter[1].bits,
			 "all counters of a unit share its filter\n");
	events[1].filter[0] = 0x40000;
	ksft_test_result(build(snb, &set, events, 3, &f) == -EINVAL &&
			 strstr(reason_of(&f), "A and B need different filters"),
			 "two filters of a unit are refused: %s\n",
			 reason_of(&f));
	events[1].filter[0] = 0x20;
	ksft_test_result(build(snb, &set, events, 2, &f) == -EINVAL && strstr(reason_of(&f), "'filter'"),
			 "filter bits that a unit lacks are refused: %s\n", reason_of(&f));
	events[1].filter[0] = 0;
	events[1].filter[1] = 1;
	ksft_test_result(build(snb, &set, events, 2, &f) == -EINVAL && strstr(reason_of(&f), "'filter1'") &&
			 !build(ivb, &set, events, 2, &f) && set.reg[0].filter[1].address == 0xd3a,
			 "the second filter register exists from Ivy Bridge-EP on\n");
	strcpy(events[0].unit, "");
	ksft_test_result(build(snb, &set, events, 1, &f) == -EINVAL,
			 "a filter of a core event is refused: %s\n", reason_of(&f));
}

static void test_energy(void)
{
	struct rcr_event ram = { .name = "R", .unit = "energy-ram", .is_register = true };
	struct rcr_machine m = machine_of(bdw, 8);
	const struct rcr_box *box = rcr_machine_box(&m, &ram);

	ksft_test_result(box && box->pmu->scale == 16 && box->pmu->counter0 == 0x619 &&
			 !pmu_of(spr, "energy-ram")->scale,
			 "DRAM of Haswell-EP to Ice Lake-SP has a unit of its own\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(1 + 1 + 6 + 7 + 3 + 5 + 1);
	test_constraints();
	test_defaults();
	test_boxes();
	test_functions();
	test_gaps();
	test_filters();
	test_energy();
	ksft_finished();
}
