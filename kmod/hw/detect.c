// SPDX-License-Identifier: GPL-2.0-only
/*
 * detect.c - choose the table of the CPU's family, and detect its boxes by CPUID. An unknown
 * CPU has no table: registers are never guessed.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <asm/processor.h>

#include "compat/compat.h"
#include "hw.h"
#include "pmu/pmu.h"

static bool is_family(const struct rcr_family *f, const struct cpuinfo_x86 *c)
{
	return !strcmp(c->x86_vendor_id, f->vendor) &&
	       c->x86 >= f->family_first && c->x86 <= f->family_last &&
	       (!f->models[0] || (c->x86_model && memchr(f->models, c->x86_model, RCR_MODELS)));
}

/* Masked bits of a CPUID register; 0 if the CPU does not have the leaf. */
static u32 read_cpuid(const struct rcr_cpuid *c)
{
	u32 r[4];

	/* Leaf 0 or 8000_0000 returns the highest leaf of its range. */
	if (!c->leaf || cpuid_eax(c->leaf & 0x80000000) < c->leaf)
		return 0;
	cpuid_count(c->leaf, 0, &r[RCR_EAX], &r[RCR_EBX], &r[RCR_ECX], &r[RCR_EDX]);
	return r[c->reg] & c->mask;
}

/*
 * Number of boxes of a PMU. If CPUID has no bit per box, controls are read, which has no side
 * effect and faults for a missing box.
 */
static unsigned int count_boxes(const struct rcr_pmu *pmu)
{
	struct rcr_box box = { .pmu = pmu };
	u64 control;

	if (pmu->boxes_cpuid.leaf)
		return min(pmu->boxes, hweight32(read_cpuid(&pmu->boxes_cpuid)));
	if (pmu->boxes <= 1)
		return 1;
	for (; box.number < pmu->boxes; box.number++)
		if (rdmsrq_safe(rcr_box_address(&box, pmu->control0), &control))
			break;
	return box.number;
}

/*
 * Read the scale of a unit: energy in units of 2^-n J, n in bits 12:8 (AMD and Intel);
 * temperatures in degrees below the limit in bits 23:16. Return: false if a register is missing,
 * which is possible because CPUID does not enumerate all units.
 */
static bool read_unit(const struct rcr_pmu *pmu, u8 *scale)
{
	u64 unit = 0, count;

	*scale = 0;
	if (!pmu->unit_register)
		return true;
	if (rdmsrq_safe(pmu->unit_register, &unit) ||
	    rdmsrq_safe(pmu->counter0, &count))
		return false;
	*scale = pmu->gauge ? unit >> 16 & 0xff : pmu->scale ?: unit >> 8 & 0x1f;
	return true;
}

/* A package with fewer memory channels does not always have the first ones. */
static void add_functions(struct rcr_machine *m, const struct rcr_pmu *pmu)
{
	struct rcr_box box = { .pmu = pmu, .counters = pmu->counters };

	for (; pmu->pci[box.number]; box.number++)
		if (rcr_pci_box_probe(pmu, box.number, m->family->ubox))
			rcr_machine_add_box(m, &box);
}

static void add_pmu(struct rcr_machine *m, const struct rcr_pmu *pmu)
{
	unsigned int boxes, counters;
	u8 scale;

	if (!read_cpuid(&pmu->feature))
		return;
	boxes = count_boxes(pmu);
	counters = rcr_pmu_counters(pmu, boxes, read_cpuid(&pmu->counters_cpuid));
	if (counters && read_unit(pmu, &scale))
		rcr_machine_add(m, pmu, boxes, counters, scale);
}

static void add_family(struct rcr_machine *m, const struct rcr_family *f)
{
	const struct rcr_pmu *pmu;
	unsigned int i;

	m->family = f;
	m->count = 0;
	for (i = 0; (pmu = rcr_family_pmu(f, i)); i++)
		if (pmu->pci)
			add_functions(m, pmu);
		else
			add_pmu(m, pmu);
}

/**
 * rcr_machine_detect() - detect the counters of this machine
 * @m: filled in
 * @hidden: set if the family is known but CPUID does not enumerate its counters, as in a
 *	virtual machine without a PMU
 *
 * Return: true if the CPU is supported.
 */
bool rcr_machine_detect(struct rcr_machine *m, bool *hidden)
{
	const struct rcr_family *const *f;

	*hidden = false;
	for (f = rcr_families; *f; f++) {
		if (!is_family(*f, &boot_cpu_data))
			continue;
		*hidden = !read_cpuid(&(*f)->core.feature);
		if (!*hidden) {
			add_family(m, *f);
			return true;
		}
	}
	return false;
}

/* Undo rcr_machine_detect(). Called when nothing is counted any more. */
void rcr_machine_release(void)
{
	rcr_pci_box_put_all();
}
