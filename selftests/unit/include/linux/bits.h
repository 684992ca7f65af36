/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_LINUX_BITS_H
#define UNIT_LINUX_BITS_H

#define BIT(n) (1ul << (n))
#define BIT_ULL(n) (1ull << (n))
#define GENMASK(h, l) ((~0ul >> (63 - (h))) & (~0ul << (l)))
#define GENMASK_ULL(h, l) ((~0ull >> (63 - (h))) & (~0ull << (l)))

#endif
