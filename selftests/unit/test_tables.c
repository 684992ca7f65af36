// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_tables.c - looks at the table of every family for what a manual cannot
 * mean: two counters on one register, bits that are set and reserved, counters
 * that are not there, a width or a limit that was forgotten.
 */
#include <errno.h>
#include <string.h>

#include "counter_set.h"
#include "ksft.h"
#include "pmu/pmu.h"

#define MAX_REGISTERS 256

static char complaint[256];

/* Remembers the first thing that is wrong. */
__attribute__((format(printf, 2, 3)))
static bool must(bool right, const char *format, ...)
{
	va_list args;

	if (right || complaint[0])
		return right;
	va_start(args, format);
	vsnprintf(complaint, sizeof(complaint), format, args);
	va_end(args);
	return false;
}

static void check_register(u32 address, const char *what, u32 *seen, unsigned int *count)
{
	unsigned int i;

	for (i = 0; i < *count; i++)
		must(seen[i] != address, "register %#x is there twice (%s)", address, what);
	if (*count < MAX_REGISTERS)
		seen[(*count)++] = address;
}

static void check_registers(const struct rcr_family *f)
{
	u32 seen[MAX_REGISTERS];
	unsigned int i, n, count = 0;

	for (i = 0; i < RCR_PMUS && f->pmu[i]; i++) {
		const struct rcr_pmu *p = f->pmu[i];

		for (n = 0; n < p->counters; n++) {
			if (!p->is_register)
				check_register(p->control0 + n * p->stride, p->name, seen, &count);
			check_register(p->counter0 + n * p->stride, p->name, seen, &count);
		}
		for (n = 0; n < p->nfixed; n++)
			check_register(p->fixed_counter0 + n, p->name, seen, &count);
		if (p->global_control)
			check_register(p->global_control, p->name, seen, &count);
		if (p->global_clear)
			check_register(p->global_clear, p->name, seen, &count);
	}
}

static void check_constraints(const struct rcr_pmu *p)
{
	u32 all = (1u << p->counters) - 1;
	const struct rcr_constraint *c;

	for (c = p->constraint; c && c->bits; c++) {
		must(!(c->event & ~c->bits), "%s: event %#x has bits that are not compared",
		     p->name, c->event);
		must(c->event <= p->max_event, "%s: event %#x is larger than any", p->name,
		     c->event);
		must(!(c->counters & ~all), "%s: event %#x is for counters that are not there",
		     p->name, c->event);
		must(!c->pair || (p->merge && !(c->counters & c->counters << 1)),
		     "%s: event %#x cannot have pairs", p->name, c->event);
	}
}

static void check_select(const struct rcr_pmu *p)
{
	u64 fields = 0xffff | RCR_SELECT_ENABLE |
		     (u64)(p->max_event >> 8) << RCR_SELECT_EVENT_HIGH_SHIFT;

	must(!(p->reserved & fields & ~0xffull << RCR_SELECT_UMASK_SHIFT),
	     "%s: bits of event or enable are reserved", p->name);
	must(p->reserved & RCR_SELECT_INT, "%s: the interrupt could be set", p->name);
	must(!(p->reserved & p->always), "%s: a bit is always set and reserved", p->name);
	must(!(p->always & (0xffff | RCR_SELECT_INT)), "%s: a bit of an event is always set",
	     p->name);
}

static void check_pmu(const struct rcr_pmu *p)
{
	unsigned int i;

	must(p->name && p->name[0] && strlen(p->name) < RCR_UNIT_LEN, "a PMU has no name");
	must(p->feature.mask, "%s: nothing says whether it is there", p->name);
	must(p->scope < RCR_SCOPES, "%s: an unknown scope", p->name);
	must(p->counters >= 1 && p->counters <= RCR_FIXED_FIRST, "%s: %u counters", p->name,
	     p->counters);
	must(p->width >= 32 && p->width <= 64, "%s: %u bits", p->name, p->width);
	must(p->most, "%s: no limit of what it counts in a cycle", p->name);
	must(!p->global_control == !p->global_clear, "%s: half of the global registers", p->name);
	if (p->is_register) {
		must(p->counters == 1 && !p->control0 && !p->nfixed, "%s: a register is one",
		     p->name);
		return;
	}
	must(p->written && p->written <= p->width, "%s: %u of %u bits can be written", p->name,
	     p->written, p->width);
	must(p->stride || p->counters == 1, "%s: all counters are one", p->name);
	must(p->unit == RCR_UNIT_EVENT, "%s: events are no %u", p->name, p->unit);
	for (i = 0; i < p->nfixed; i++)
		must(p->fixed[i].most, "%s: fixed counter %u has no limit", p->name, i);
	check_select(p);
	check_constraints(p);
}

static void check_defaults(const struct rcr_family *f)
{
	static struct rcr_counter_set set;
	struct rcr_machine m = { .family = f };
	struct rcr_failure why = { };

	memset(&set, 0, sizeof(set));
	while (m.count < RCR_PMUS && f->pmu[m.count]) {
		m.pmu[m.count] = f->pmu[m.count];
		m.count++;
	}
	set.machine = &m;
	set.count = f->defaults;
	memcpy(set.event, f->default_event, f->defaults * sizeof(*f->default_event));
	must(f->defaults > 0, "nothing is counted by default");
	must(!rcr_counter_set_build(&set, NULL, GENMASK(f->defaults - 1, 0), &why),
	     "the default set: %s", why.reason);
}

static void check_family(const struct rcr_family *f)
{
	unsigned int i;

	complaint[0] = 0;
	must(f->name && f->name[0] && f->vendor, "no name or no vendor");
	must(f->family_first <= f->family_last, "families %#x to %#x", f->family_first,
	     f->family_last);
	must(f->pmu[0] && !f->pmu[0]->is_register && f->pmu[0]->scope == RCR_SCOPE_CPU,
	     "the first PMU is not the core's");
	for (i = 0; i < RCR_PMUS && f->pmu[i]; i++)
		check_pmu(f->pmu[i]);
	check_registers(f);
	check_defaults(f);
	ksft_test_result(!complaint[0], "%s: %s\n", f->name, complaint[0] ? complaint :
			 "its tables can be true");
}

/* The look itself: a table that is wrong in one place is found out. */
static void check_looks(void)
{
	struct rcr_pmu core = *rcr_family_amd_15h.pmu[0], nb = *rcr_family_amd_15h.pmu[1];
	struct rcr_family family = rcr_family_amd_15h;
	unsigned int found = 0;

	family.pmu[0] = &core;
	family.pmu[1] = &nb;
	nb.counter0 = core.counter0;
	complaint[0] = 0;
	check_registers(&family);
	found += !!strstr(complaint, "twice");
	core.reserved &= ~RCR_SELECT_INT;
	complaint[0] = 0;
	check_pmu(&core);
	found += !!strstr(complaint, "interrupt");
	nb.always |= nb.reserved;
	complaint[0] = 0;
	check_pmu(&nb);
	found += !!strstr(complaint, "always set and reserved");
	core.counters = 2;
	core.reserved |= RCR_SELECT_INT;
	complaint[0] = 0;
	check_pmu(&core);
	found += !!strstr(complaint, "counters that are not there");
	core = *rcr_family_amd_15h.pmu[0];
	core.most = 0;
	complaint[0] = 0;
	check_pmu(&core);
	found += !!strstr(complaint, "no limit");
	ksft_test_result(found == 5, "five wrong tables are found out (%u)\n", found);
}

int main(void)
{
	unsigned int i, families = 0;

	while (rcr_families[families])
		families++;
	ksft_print_header();
	ksft_set_plan(families + 1);
	for (i = 0; i < families; i++)
		check_family(rcr_families[i]);
	check_looks();
	ksft_finished();
}
