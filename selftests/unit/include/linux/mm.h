/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_LINUX_MM_H
#define UNIT_LINUX_MM_H

#include <linux/align.h>

#define PAGE_ALIGN(x) ALIGN(x, 4096ul)

#endif
