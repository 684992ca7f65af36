/* SPDX-License-Identifier: GPL-2.0-only */
#include_next <linux/perf_event.h>
