/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_LINUX_ALIGN_H
#define UNIT_LINUX_ALIGN_H

#define ALIGN(x, a) (((x) + (a) - 1) / (a) * (a))

#endif
