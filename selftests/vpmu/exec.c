// SPDX-License-Identifier: GPL-2.0-only
/*
 * exec.c - the events that exec mode counts, and the totals that each consists of: see exec.h.
 *
 * Events by AMD 42301 (BKDG for Family 15h Models 00h-0Fh), section 3.24 and the
 * northbridge's after it, by the PPRs of the later families as in amd.c, and by
 * the Intel SDM as in intel.c.
 */
#include "exec.h"
#include "memory.h"
#include "model.h"

#define FLOPS_ROW(bit)		{ 0x003, 1u << (bit), VPMU_FLOPS + (bit) }
#define LAST_ROW		{ 0, 0, VPMU_TOTALS }

#define FLOPS_BY_PRECISION \
	FLOPS_ROW(0), FLOPS_ROW(1), FLOPS_ROW(2), FLOPS_ROW(3), \
	FLOPS_ROW(4), FLOPS_ROW(5), FLOPS_ROW(6), FLOPS_ROW(7)

/* From Zen 3 on an event counts single and double precision together. */
#define FLOPS_BOTH(bit) \
	{ 0x003, 1u << (bit), VPMU_FLOPS + (bit) }, \
	{ 0x003, 1u << (bit), VPMU_FLOPS + (bit) + VPMU_FLOPS_DOUBLE }

#define AMD_CORE \
	{ 0x029, 0x01, VPMU_LOADS }, \
	{ 0x029, 0x02, VPMU_STORES }, \
	{ 0x040, 0x00, VPMU_LOADS }, \
	{ 0x040, 0x00, VPMU_STORES }, \
	{ 0x040, 0x00, VPMU_NOT_CACHED }, \
	{ 0x076, 0x00, VPMU_CYCLES }, \
	{ 0x0c0, 0x00, VPMU_INSNS }, \
	{ 0x0c2, 0x00, VPMU_BRANCHES }, \
	{ 0x0cb, 0x01, VPMU_X87_INSNS }, \
	{ 0x0cb, 0x04, VPMU_SSE_INSNS }

const struct vpmu_exec_event vpmu_exec_fam15h[] = {
	FLOPS_BY_PRECISION,
	AMD_CORE,
	{ 0x041, 0x01, VPMU_L1_MISSES },
	{ 0x041, 0x03, VPMU_STREAM_LINES },	/* in both bits of the mask */
	{ 0x042, 0x01, VPMU_L1_MISSES },	/* refills, by the L2 or beyond */
	{ 0x043, 0x00, VPMU_L2_MISSES },	/* refills from beyond */
	{ 0x046, 0x07, VPMU_TLB_MISSES },	/* of data, any size of page */
	{ 0x06c, 0x01, VPMU_OTHER_FILLS },	/* responses to refills: exclusive or shared */
	{ 0x06c, 0x02, VPMU_MODIFIED_FILLS },
	{ 0x07d, 0x02, VPMU_L1_MISSES },	/* requests to the L2 for data */
	{ 0x07e, 0x02, VPMU_L2_MISSES },
	{ 0x07f, 0x01, VPMU_L2_MISSES },	/* its fills */
	{ 0x07f, 0x02, VPMU_L2_BACKS },
	LAST_ROW
};

const struct vpmu_exec_event vpmu_exec_fam17h[] = {
	FLOPS_BY_PRECISION,
	AMD_CORE,
	LAST_ROW
};

/* The events by width are left out on Zen 3, where no test counts them. */
const struct vpmu_exec_event vpmu_exec_fam19h[] = {
	FLOPS_BOTH(0), FLOPS_BOTH(1), FLOPS_BOTH(2), FLOPS_BOTH(3),
	{ 0x008, 0x04, VPMU_SCALAR_OPS },
	{ 0x008, 0x38, VPMU_PACKED_OPS },	/* of 128, 256 and 512 bits */
	AMD_CORE,
	LAST_ROW
};

/* 00h with unit mask 3 is the event that rate.h gives the third fixed counter. */
const struct vpmu_exec_event vpmu_exec_nehalem[] = {
	{ 0x00, 0x03, VPMU_CYCLES },
	{ 0x0b, 0x01, VPMU_LOADS },
	{ 0x0b, 0x02, VPMU_STORES },
	{ 0x3c, 0x00, VPMU_CYCLES },
	{ 0xc0, 0x00, VPMU_INSNS },
	{ 0xc4, 0x00, VPMU_BRANCHES },
	LAST_ROW
};

/* Sandy Bridge-EP has other events for loads and stores, which are left out. */
const struct vpmu_exec_event vpmu_exec_snbep[] = {
	{ 0x00, 0x03, VPMU_CYCLES },
	{ 0x3c, 0x00, VPMU_CYCLES },
	{ 0xc0, 0x00, VPMU_INSNS },
	{ 0xc4, 0x00, VPMU_BRANCHES },
	LAST_ROW
};

#define TO_NODE(node)		{ 0x1e0, 1u << (node), VPMU_TO_NODE + (node) }

static const struct vpmu_exec_event northbridge[] = {
	{ 0x0e0, 0x01, VPMU_ROW_HITS },
	{ 0x0e0, 0x02, VPMU_ROW_MISSES },
	{ 0x0e0, 0x04, VPMU_ROW_CONFLICTS },
	TO_NODE(0), TO_NODE(1), TO_NODE(2), TO_NODE(3),
	TO_NODE(4), TO_NODE(5), TO_NODE(6), TO_NODE(7),
	{ 0x1f0, 0x42, VPMU_MEMORY_READS },	/* all, those of 64 bytes */
	{ 0x1f0, 0x11, VPMU_MEMORY_WRITES },
	{ 0x4e0, 0x01, VPMU_L3_READS },
	{ 0x4e0, 0x04, VPMU_L3_WRITES },
	{ 0x4e1, 0x01, VPMU_L3_READ_MISSES },
	{ 0x4e1, 0x04, VPMU_L3_WRITE_MISSES },
	{ 0x4e2, 0x08, VPMU_L3_PUTS },
	{ 0, 0, VPMU_UNIT_TOTALS }
};

static bool row_matches(const struct vpmu_exec_event *row, uint32_t event,
			uint32_t umask)
{
	return row->event == event && (!row->umask || (row->umask & umask));
}

static uint64_t total_of(const uint64_t *total, uint32_t which)
{
	if (which == VPMU_CYCLES && vpmu_work_cycles)
		return total[VPMU_INSNS] + total[VPMU_WAITS];
	return total[which];
}

static uint64_t sum_totals(const struct vpmu_exec_event *row, const uint64_t *total,
			   const struct vpmu_event *e)
{
	uint64_t count = 0;

	for (; row->total < VPMU_TOTALS; row++)
		if (row_matches(row, e->event, e->umask))
			count += total_of(total, row->total);
	return count;
}

uint64_t vpmu_exec_count(const struct vpmu_cpu *cpu,
			 const struct vpmu_event *event, uint64_t tsc)
{
	const struct vpmu_exec_event *rows = cpu->family->exec;
	struct vpmu_exec *x = cpu->exec;
	uint64_t count = 0;
	unsigned int mode;

	if (!rows)
		return 0;
	vpmu_exec_settle(x, tsc);
	for (mode = 0; mode < 2; mode++)
		if (event->modes & (1u << mode))
			count += sum_totals(rows, x->total[mode], event);
	return count;
}

uint64_t vpmu_exec_unit_count(unsigned int node, uint32_t event, uint32_t umask)
{
	const struct vpmu_exec_event *row;
	uint64_t count = 0;

	for (row = northbridge; row->total < VPMU_UNIT_TOTALS; row++)
		if (row_matches(row, event, umask))
			count += vpmu_unit_total(node, row->total);
	return count;
}
