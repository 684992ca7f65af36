/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compat.h - MSR accessors that always fail, for unit tests.
 */
#ifndef TEST_COMPAT_H
#define TEST_COMPAT_H

#include <linux/errno.h>
#include <linux/types.h>

static inline int rdmsrq_safe(u32 msr, u64 *val)
{
	(void)msr;
	*val = 0;
	return -EIO;
}

static inline int wrmsrq_safe(u32 msr, u64 val)
{
	(void)msr;
	(void)val;
	return -EIO;
}

#endif
