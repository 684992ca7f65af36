/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_LINUX_BITOPS_H
#define UNIT_LINUX_BITOPS_H

#define hweight8(x) ((unsigned int)__builtin_popcount((unsigned char)(x)))

#endif
