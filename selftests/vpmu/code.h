/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * code.h - guest code that changes while it is translated.
 *
 * QEMU 7.2 watches a page for changes of its code from when a block of it is done. What
 * another vCPU writes there before, while the block is translated, is lost: the old
 * instructions run for ever. (From 8.1 on the page is locked first: "accel/tcg: Always lock
 * pages before translation".) Linux changes its own code under way with an int3 for a
 * moment, and a CPU for which that stays never gets past it: so guests stopped for good
 * at boot, or where perf or the scheduler flips a static key, once in minutes.
 *
 * So the page is remembered before, and the block is looked at again when it is watched.
 */
#ifndef RCR_VPMU_CODE_H
#define RCR_VPMU_CODE_H

#include "qemu/osdep.h"
#include "cpu.h"

/**
 * struct vpmu_code - what is translated, as it was before
 * @host: where it is, NULL: not in memory
 * @bytes: of it in its first page, from @host on
 * @was: they
 *
 * A block that goes on in another page is one instruction, whose first byte is here.
 */
struct vpmu_code {
	const void *host;
	size_t bytes;
	uint8_t was[TARGET_PAGE_SIZE];
};

static inline void vpmu_code_remember(struct vpmu_code *code, target_ulong pc,
				      const void *host)
{
	code->host = host;
	code->bytes = TARGET_PAGE_SIZE - (pc & ~TARGET_PAGE_MASK);
	if (host)
		memcpy(code->was, host, code->bytes);
}

/* Are the first @size bytes others now? */
static inline bool vpmu_code_changed(const struct vpmu_code *code, size_t size)
{
	return code->host && memcmp(code->was, code->host, MIN(size, code->bytes));
}

#endif
