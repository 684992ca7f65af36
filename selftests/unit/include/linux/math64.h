/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_LINUX_MATH64_H
#define UNIT_LINUX_MATH64_H

#include <linux/types.h>

#define DIV64_U64_ROUND_UP(a, b) ({ u64 _b = (b); ((a) + _b - 1) / _b; })

static inline u64 div64_u64(u64 a, u64 b)
{
	return a / b;
}

static inline u64 div64_u64_rem(u64 a, u64 b, u64 *rem)
{
	*rem = a % b;
	return a / b;
}

static inline u64 mul_u64_u64_div_u64(u64 a, u64 b, u64 c)
{
	return (__uint128_t)a * b / c;
}

#endif
