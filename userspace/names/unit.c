// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * unit.c - converts names and encodings of shared units from libpfm4 to the module.
 *
 * libpfm4 encodes an event of a unit like the control register, followed by up to two filters of
 * the box. Layout of the fields: AMD 42301, MSRC001_024[6,4,2,0]; AMD 55898, ChL3PmcCfg; Intel SDM
 * volume 3B, MSR_UNCORE_PerfEvtSel; Intel 327043 (Xeon E5-2600 Uncore Performance Monitoring
 * Guide), the control of each box.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "unit.h"

#define EDGE		(1ull << 18)
#define INV		(1ull << 23)

#define UMASK		0xff00ull
#define CMASK		0xff000000ull

/* Bits that libpfm4 sets in each code, and the module sets itself: modes, interrupt, enable. */
#define AMD_ALWAYS	0x530000ull
#define NHM_ALWAYS	0x500000ull

/* Event select by which libpfm4 denotes a counter that only counts the clock. */
#define CLOCK		0xff

/*
 * @pmu is the end of libpfm4's name of the PMU, without the number of the box. @clock is the
 * unit that counts event CLOCK of @pmu, if there is such a counter.
 */
struct unit_kind {
	const char *pmu;
	const char *unit;
	uint64_t event;
	uint64_t umask;
	uint64_t flags;
	uint64_t cmask;
	uint64_t always;
	int filters;
	bool has_clock;
	const char *clock;
};

#define BOX(name, module)						\
	.pmu = (name), .unit = (module), .event = 0xff, .umask = UMASK,	\
	.flags = EDGE | INV, .cmask = CMASK

static const struct unit_kind kinds[] = {
	{ .pmu = "amd64_fam15h_nb", .unit = "nb", .event = 0xf000000ffull, .umask = UMASK,
	  .always = AMD_ALWAYS },
	{ .pmu = "amd64_fam19h_zen3_l3", .unit = "l3", .event = 0xff, .umask = UMASK,
	  .always = AMD_ALWAYS },
	{ BOX("nhm_unc", "uncore"), .always = NHM_ALWAYS, .has_clock = true },
	{ BOX("wsm_unc", "uncore"), .always = NHM_ALWAYS, .has_clock = true },
};

/* Units of Xeons: the part of the name after "_unc_". */
static const struct unit_kind xeon_kinds[] = {
	{ BOX("cbo", "cbo"), .filters = 2 },
	/* On Ice Lake-SP and later, the unit mask continues in bits 55:32. */
	{ .pmu = "cha", .unit = "cha", .event = 0xff, .umask = 0xffffff0000ff00ull,
	  .flags = EDGE | INV, .cmask = CMASK, .filters = 2 },
	/* The occupancy selector is in place of the unit mask. */
	{ .pmu = "pcu", .unit = "pcu", .event = 0xff, .umask = 0xc000, .flags = EDGE | INV,
	  .cmask = 0x1f000000, .filters = 1 },
	{ BOX("ubo", "ubox") },
	{ BOX("ha", "ha") },
	{ BOX("imc", "imc"), .has_clock = true, .clock = "imcclk" },
	/* Bit 8 of a link's event select is in bit 21. */
	{ .pmu = "qpi", .unit = "qpi", .event = 0x2000ff, .umask = UMASK,
	  .flags = EDGE | INV, .cmask = CMASK },
	{ BOX("r2pcie", "r2pcie") },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool begins_with(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Returns the part after "snbep_unc_", or NULL. */
static const char *after_xeon_prefix(const char *pmu)
{
	size_t len;

	return events_unit_family(pmu, &len) ? pmu + len : NULL;
}

bool unit_is_of(const char *pmu, const char *family)
{
	size_t len;
	const char *owner = events_unit_family(pmu, &len);

	return owner && !strcmp(family, owner);
}

/* True if @pmu is a box of @kind: "cbo3" is of the kind "cbo", but "r2pcie" not of "r". */
static bool take_kind(const struct unit_kind *kind, const char *pmu, struct unit *u)
{
	const char *number = pmu + strlen(kind->pmu);

	if (!begins_with(pmu, kind->pmu) || number[strspn(number, "0123456789")])
		return false;
	u->kind = kind;
	u->numbered = *number;
	u->number = strtoul(number, NULL, 10);
	snprintf(u->name, sizeof(u->name), "%s%s", kind->unit, number);
	return true;
}

bool unit_from_pmu(const char *pmu, struct unit *u)
{
	const struct unit_kind *table = kinds;
	const char *box = after_xeon_prefix(pmu);
	size_t count = COUNT(kinds), i;

	if (box) {
		table = xeon_kinds;
		count = COUNT(xeon_kinds);
	}
	*u = (struct unit){ .kind = NULL };
	for (i = 0; i < count; i++)
		if (take_kind(&table[i], box ? box : pmu, u))
			return true;
	return false;
}

const char *unit_kind_name(const struct unit *u)
{
	return u->kind->unit;
}

/* Gathers the bits of a field that are in @bits, lowest first. */
static unsigned int gather_bits(uint64_t code, uint64_t bits)
{
	unsigned int value = 0, place = 0;

	for (; bits; bits &= bits - 1, place++)
		if (code & (bits & -bits))
			value |= 1u << place;
	return value;
}

/* Converts an event of a unit's clock counter, if the module has a unit for this counter. */
static int take_clock(const struct unit *u, struct code *c, struct why *why)
{
	if (!u->kind->clock)
		return because(why, "only the unit's clock counter counts it, which rcrtool does not program: choose another event");
	*c = (struct code){ .event = 0 };
	snprintf(c->unit, sizeof(c->unit), "%s%s", u->kind->clock,
		 u->name + strlen(u->kind->unit));
	return 0;
}

static int take_filters(const struct unit *u, const uint64_t *codes, int count,
			struct code *c, struct why *why)
{
	int i;

	for (i = 1; i < count; i++) {
		if (codes[i] && i > u->kind->filters)
			return because(why, "it needs a register besides its control, which is not programmed: choose another event");
		if (codes[i] > 0xffffffff)
			return because(why, "its filter 0x%llx has more than 32 bits",
				       (unsigned long long)codes[i]);
		if (codes[i])
			c->filter[i - 1] = codes[i];
	}
	return 0;
}

int unit_code(const struct unit *u, const uint64_t *codes, int count, struct code *c,
	      struct why *why)
{
	const struct unit_kind *kind = u->kind;
	uint64_t code = codes[0] & ~kind->always;
	uint64_t strange = code & ~(kind->event | kind->umask | kind->flags | kind->cmask);

	if (strange || (codes[0] & kind->always) != kind->always)
		return because(why, "it sets bits 0x%llx of the control register, which are not programmed",
			       (unsigned long long)(strange ? strange : kind->always & ~codes[0]));
	if (kind->has_clock && (code & kind->event) == CLOCK)
		return take_clock(u, c, why);
	*c = (struct code){
		.event = gather_bits(code, kind->event),
		.umask = gather_bits(code, kind->umask),
		.cmask = gather_bits(code, kind->cmask),
		.edge = code & EDGE,
		.inv = code & INV,
	};
	snprintf(c->unit, sizeof(c->unit), "%s", u->name);
	return take_filters(u, codes, count, c, why);
}
