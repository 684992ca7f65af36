/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_LINUX_LIMITS_H
#define UNIT_LINUX_LIMITS_H

#include_next <linux/limits.h>
#include <stdint.h>

#define S64_MAX INT64_MAX
#define S64_MIN INT64_MIN

#endif
