// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_tables.c - checks the table of every family for contradictions: two counters on one
 * register, bits that are both set and reserved, counters that do not exist, a missing width or
 * limit.
 */
#include <errno.h>
#include <string.h>

#include <linux/kernel.h>
#include "build_set.h"
#include "ksft.h"
#include "reason_of.h"
#include "pmu/pmu.h"

#define MAX_REGISTERS 2048

static char complaint[256];

/* Keep the first message of a check that failed. */
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
		must(seen[i] != address,
		     "register %#x of %s is in the tables twice", address, what);
	if (*count < MAX_REGISTERS)
		seen[(*count)++] = address;
}

/* Return whether an earlier PMU uses other bits of the same global control. */
static bool shares_global(const struct rcr_family *f, const struct rcr_pmu *p)
{
	const struct rcr_pmu *other;
	unsigned int i;

	for (i = 0; (other = rcr_family_pmu(f, i)) != p; i++)
		if (other->global_control == p->global_control &&
		    other->global_clear == p->global_clear &&
		    other->global_bit + other->counters <= p->global_bit)
			return true;
	return false;
}

static u32 control_of(const struct rcr_box *box, unsigned int n)
{
	return rcr_box_address(box, box->pmu->control0) + n * box->pmu->stride;
}

static u32 count_of(const struct rcr_box *box, unsigned int n)
{
	return rcr_box_address(box, box->pmu->counter0) + n * rcr_pmu_count_stride(box->pmu);
}

static void check_box(const struct rcr_family *f, const struct rcr_box *box, u32 *seen,
		      unsigned int *count)
{
	const struct rcr_pmu *p = box->pmu;
	unsigned int n;

	for (n = 0; n < p->counters; n++) {
		if (!p->is_register)
			check_register(rcr_box_full_address(box, control_of(box, n)), p->name, seen, count);
		check_register(rcr_box_full_address(box, count_of(box, n)), p->name, seen, count);
	}
	for (n = 0; n < p->nfixed; n++)
		check_register(rcr_box_address(box, p->fixed_counter0) + n, p->name, seen, count);
	if (shares_global(f, p))
		return;
	if (p->global_control)
		check_register(rcr_box_full_address(box, rcr_box_address(box, p->global_control)),
			       p->name, seen, count);
	if (p->global_clear)
		check_register(rcr_box_address(box, p->global_clear), p->name, seen, count);
}

static void check_registers(const struct rcr_family *f)
{
	const struct rcr_pmu *pmu;
	static u32 seen[MAX_REGISTERS];
	unsigned int i, n, count = 0;

	for (i = 0; (pmu = rcr_family_pmu(f, i)); i++)
		for (n = 0; n < max(pmu->boxes, 1u); n++)
			check_box(f, &(struct rcr_box){ .pmu = pmu, .number = n },
				  seen, &count);
	must(count < MAX_REGISTERS, "more registers than can be checked");
}

static void check_constraints(const struct rcr_pmu *p)
{
	u32 all = (1u << p->counters) - 1;
	const struct rcr_constraint *c;

	for (c = p->constraint; c && c->bits; c++) {
		must(!(c->event & ~c->bits), "%s: event %#x has bits that are not compared",
		     p->name, c->event);
		must(rcr_pmu_has_event(p, &(struct rcr_event){ .event = c->event }),
		     "%s: event %#x exceeds the largest event", p->name, c->event);
		must(!c->last || (c->last > c->event && !(c->last & ~c->bits)),
		     "%s: invalid end %#x of a range of events", p->name, c->last);
		must((c->umask != 0) == (c->rule == RCR_UMASK_IS || c->rule == RCR_UMASK_HAS),
		     "%s: the unit mask of event %#x contradicts its rule", p->name, c->event);
		must(!(c->counters & ~all), "%s: event %#x is for counters that do not exist",
		     p->name, c->event);
		must(!c->pair || (p->merge && !(c->counters & c->counters << 1)),
		     "%s: event %#x cannot have pairs", p->name, c->event);
	}
}

/* Each bit of a select is in one field, always set, or never set. */
static void check_select(const struct rcr_pmu *p)
{
	const struct rcr_layout *l = rcr_pmu_layout(p);
	const u64 fields[] = { l->event, l->umask, l->cmask, l->edge, l->inv, l->user, l->os,
			       l->guest, l->host, l->enable };
	u64 all = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		must(!(fields[i] & all), "%s: two fields have the same bit", p->name);
		all |= fields[i];
	}
	must(!p->layout || !(all & p->reserved), "%s: a bit of a field is reserved", p->name);
	must(l->enable && !(l->enable & p->reserved),
	     "%s: no enable bit, or a reserved one", p->name);
	must(!(l->enable & RCR_SELECT_INT) && (p->reserved & RCR_SELECT_INT),
	     "%s: the interrupt bit is not reserved", p->name);
	must(!(p->reserved & p->always), "%s: a bit is both always set and reserved", p->name);
	must(!(p->always & all & ~p->reserved), "%s: a bit of a field is always set", p->name);
	must(!~(all | p->always | p->reserved), "%s: bits %#llx are unassigned", p->name,
	     (unsigned long long)~(all | p->always | p->reserved));
}

static void check_boxes(const struct rcr_pmu *p)
{
	char name[RCR_UNIT_LEN + 8];

	snprintf(name, sizeof(name), p->boxes > 1 ? "%s%u" : "%s", p->name, p->boxes - 1);
	must(strlen(name) < RCR_UNIT_LEN, "%s: the name is too long", p->name);
	must(p->boxes <= 1 || p->box_stride || p->box_offset || p->pci,
	     "%s: several boxes without a stride", p->name);
	must(p->boxes > 1 || (!p->box_stride && !p->box_offset),
	     "%s: a single box with a stride", p->name);
	must(!p->boxes_cpuid.leaf == !p->boxes_cpuid.mask &&
	     !p->counters_cpuid.leaf == !p->counters_cpuid.mask,
	     "%s: a CPUID leaf without a mask, or a mask without a leaf", p->name);
}

static void check_global(const struct rcr_pmu *p)
{
	if (p->global_stops)
		must(p->global_control && !p->global_clear,
		     "%s: global_stops needs a global control, and no global clear", p->name);
	else
		must(!p->global_control == !p->global_clear,
		     "%s: one of the two global registers is missing", p->name);
}

/* The registers of a function fit its configuration space, and do not overlap. */
static void check_pci(const struct rcr_family *f, const struct rcr_pmu *p)
{
	unsigned int n = 0;

	if (!p->pci)
		return;
	while (p->pci[n])
		n++;
	must(n == max(p->boxes, 1u), "%s: %u PCI functions for %u boxes", p->name, n, p->boxes);
	must(f->ubox, "%s: no register identifies the package", p->name);
	must(!p->filter[0].address,
	     "%s: a PCI function has a filter, but filters are MSRs", p->name);
	must(p->counters == 1 || (p->stride >= 4 && rcr_pmu_count_stride(p) >= 8),
	     "%s: registers overlap", p->name);
	must(p->control0 + p->counters * p->stride <= 0x100 &&
	     p->counter0 + p->counters * rcr_pmu_count_stride(p) <= 0x100 &&
	     p->global_control < 0x100, "%s: an offset is too large", p->name);
	must(p->reserved >> 32 == 0xffffffff,
	     "%s: the upper half of a 32-bit control is not reserved", p->name);
}

static void check_counters(const struct rcr_pmu *p)
{
	unsigned int i;

	must(p->written <= p->width, "%s: %u writable bits of %u bits", p->name,
	     p->written, p->width);
	must(p->stride || p->counters == 1, "%s: several counters without a stride", p->name);
	must(p->unit == RCR_UNIT_EVENT, "%s: invalid unit %u of events", p->name, p->unit);
	must(!p->unit_register && !p->scale, "%s: a scale or unit register for events", p->name);
	for (i = 0; i < p->nfixed; i++)
		must(p->fixed[i].most, "%s: fixed counter %u has no limit", p->name, i);
}

static void check_pmu(const struct rcr_family *f, const struct rcr_pmu *p)
{
	must(p->name && p->name[0], "a PMU has no name");
	must(p->feature.mask, "%s: no CPUID bit reports the PMU", p->name);
	must(p->scope < RCR_SCOPES, "%s: invalid scope", p->name);
	must(p->counters >= 1 && p->counters <= RCR_FIXED_FIRST,
	     "%s: invalid number of counters %u", p->name, p->counters);
	must(p->width >= 32 && p->width <= 64, "%s: invalid width of %u bits", p->name, p->width);
	must(p->most, "%s: no limit of counts per cycle", p->name);
	check_global(p);
	check_boxes(p);
	if (p->is_register) {
		must(p->counters == 1 && !p->control0 && !p->nfixed,
		     "%s: a free-running register has a control or several counters", p->name);
		return;
	}
	check_pci(f, p);
	check_counters(p);
	check_select(p);
	check_constraints(p);
}

static void check_defaults(const struct rcr_family *f)
{
	const struct rcr_pmu *pmu;
	static struct rcr_counter_set set;
	struct rcr_machine m = { .family = f };
	struct rcr_failure why = { };
	unsigned int i;

	memset(&set, 0, sizeof(set));
	for (i = 0; (pmu = rcr_family_pmu(f, i)); i++)
		rcr_machine_add(&m, pmu, max(pmu->boxes, 1u), pmu->counters, 0);
	must(m.count < RCR_BOXES, "more boxes than RCR_BOXES");
	set.machine = &m;
	must(rcr_family_defaults(f) > 0, "no default events");
	must(!build_set(&set, NULL, f->default_event, rcr_family_defaults(f), &why),
	     "the default set is refused: %s", reason_of(&why));
	must(rcr_family_defaults(f) >= 2 && !strcmp(f->default_event[0].name, "TOT_CYC") &&
	     !strcmp(f->default_event[1].name, "TOT_INS"),
	     "the default set does not begin with cycles and instructions");
}

/* The event that probes for free counters must be allowed on general counters only. */
static void check_unfixed(const struct rcr_pmu *core)
{
	struct rcr_box box = { .pmu = core, .counters = core->counters ?: 8 };
	struct rcr_event e = { .event = core->general_event, .os = true, .user = true };
	struct rcr_demand demand = { };

	rcr_pmu_demand(&box, &e, &demand);
	must(core->general_event && demand.allowed == GENMASK(box.counters - 1, 0),
	     "general event %#x is allowed on counters %#x", core->general_event, demand.allowed);
}

static void check_family(const struct rcr_family *f)
{
	const struct rcr_pmu *pmu;
	unsigned int i;

	complaint[0] = 0;
	must(f->name && f->name[0] && f->vendor, "no name or no vendor");
	must(f->family_first <= f->family_last, "invalid families %#x to %#x", f->family_first,
	     f->family_last);
	must(!f->core.is_register && f->core.scope == RCR_SCOPE_CPU,
	     "the first PMU is not the core's");
	for (i = 0; (pmu = rcr_family_pmu(f, i)); i++)
		check_pmu(f, pmu);
	check_registers(f);
	check_defaults(f);
	check_unfixed(&f->core);
	ksft_test_result(!complaint[0], "%s: %s\n", f->name, complaint[0] ? complaint :
			 "the tables have no contradictions");
}

/* Return whether the first error in a family with this second PMU contains @words. */
static bool finds(const struct rcr_pmu *pmu, const char *words)
{
	const struct rcr_pmu units[] = { *pmu, { } };
	struct rcr_family family = rcr_family_amd_15h;

	family.units[0] = units;
	complaint[0] = 0;
	check_pmu(&family, pmu);
	check_registers(&family);
	if (!strstr(complaint, words))
		ksft_print_msg("\"%s\" instead of \"%s\"\n", complaint, words);
	return strstr(complaint, words);
}

/* Print FAMILY/UNIT without blanks, and a counter's control and count register. */
static void print_counter(const struct rcr_family *f, const char *unit, u32 control,
			  u32 counter)
{
	char name[64];
	char *at;

	snprintf(name, sizeof(name), "%s", f->name);
	for (at = name; *at; at++)
		*at = *at == ' ' ? '_' : *at;
	ksft_print_msg("table %s/%s 0x%x 0x%x\n", name, unit, control, counter);
}

/* Print the lines that coverage.sh compares with the guests' output. */
static void print_box(const struct rcr_family *f, const struct rcr_box *box)
{
	const struct rcr_pmu *p = box->pmu;
	char unit[RCR_UNIT_LEN];
	unsigned int n;

	rcr_box_name(box, unit);
	for (n = 0; n < p->counters; n++)
		print_counter(f, unit, p->is_register ? 0 : rcr_box_full_address(box, control_of(box, n)),
			      rcr_box_full_address(box, count_of(box, n)));
	for (n = 0; n < p->nfixed; n++)
		print_counter(f, "fixed", rcr_box_address(box, p->fixed_control),
			      rcr_box_address(box, p->fixed_counter0) + n);
}

static void print_family(const struct rcr_family *f)
{
	const struct rcr_pmu *pmu;
	unsigned int i, n;

	for (i = 0; (pmu = rcr_family_pmu(f, i)); i++)
		for (n = 0; n < max(pmu->boxes, 1u); n++)
			print_box(f, &(struct rcr_box){ .pmu = pmu, .number = n });
}

/* Test the checks with tables that are wrong in one place each. */
static void check_looks(void)
{
	const struct rcr_pmu nb = *rcr_family_pmu(&rcr_family_amd_15h, 1);
	const struct rcr_layout overlap = { .event = 0xff, .umask = 0x180, .enable = 1 << 22 };
	struct rcr_pmu p[8];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(p); i++)
		p[i] = nb;
	p[0].counter0 = rcr_family_amd_15h.core.counter0;
	p[1].reserved &= ~RCR_SELECT_INT;
	p[2].always |= p[2].reserved;
	p[3] = rcr_family_amd_15h.core;
	p[3].counters = 2;
	p[4].most = 0;
	p[5].boxes = 3;
	p[5].box_stride = 6;
	p[6].layout = &overlap;
	p[7].reserved &= ~BIT_ULL(63);
	ksft_test_result(finds(&p[0], "twice") && finds(&p[1], "interrupt") &&
			 finds(&p[2], "always set and reserved") &&
			 finds(&p[3], "counters that do not exist") &&
			 finds(&p[4], "no limit") && finds(&p[5], "twice") &&
			 finds(&p[6], "the same bit") && finds(&p[7], "unassigned"),
			 "the checks find errors in eight wrong tables\n");
}

int main(void)
{
	unsigned int i, families = 0;

	while (rcr_families[families])
		families++;
	ksft_print_header();
	ksft_set_plan(families + 1);
	for (i = 0; i < families; i++) {
		check_family(rcr_families[i]);
		print_family(rcr_families[i]);
	}
	check_looks();
	ksft_finished();
}
