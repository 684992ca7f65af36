/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tsc.h - reads the time stamp counter of the guest, ordered with the reads around it.
 */
#ifndef RCR_GUEST_TSC_H
#define RCR_GUEST_TSC_H

#include <stdint.h>

static inline uint64_t rdtsc(void)
{
	uint32_t low, high;

	/* Fence both sides, so that no instruction moves out of the bracket. */
	__asm__ volatile("lfence; rdtsc; lfence" : "=a"(low), "=d"(high) :: "memory");
	return (uint64_t)high << 32 | low;
}

#endif
