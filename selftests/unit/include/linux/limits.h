/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_LINUX_LIMITS_H
#define UNIT_LINUX_LIMITS_H

#include_next <linux/limits.h>
#include <limits.h>
#include <stdint.h>

#define U64_MAX UINT64_MAX
#define U32_MAX UINT32_MAX
#define S32_MAX ((s32)(U32_MAX >> 1))
#define S32_MIN ((s32)(-S32_MAX - 1))
#define U16_MAX UINT16_MAX
#define U8_MAX UINT8_MAX
#define S64_MAX INT64_MAX
#define S64_MIN INT64_MIN

#endif
