/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_LINUX_BITOPS_H
#define UNIT_LINUX_BITOPS_H

#define hweight8(x) ((unsigned int)__builtin_popcount((unsigned char)(x)))
#define hweight32(x) ((unsigned int)__builtin_popcount(x))
#define __ffs(x) ((unsigned long)__builtin_ctzl(x))

#define for_each_set_bit(bit, word, size)			\
	for ((bit) = 0; (bit) < (size); (bit)++)		\
		if (*(word) & 1ul << (bit))

#define fls(x) ((x) ? 32 - __builtin_clz(x) : 0)

static inline int fls64(unsigned long long x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}

#endif
