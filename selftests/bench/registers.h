/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * registers.h - the registers of an AMD Family 15h core that a monitor in user space reads: six
 * controls and six counts.
 */
#ifndef RCR_BENCH_REGISTERS_H
#define RCR_BENCH_REGISTERS_H

#define COUNTERS	6
#define REGISTERS	(2 * COUNTERS)

/* Register @i in the order of addresses: control 0, count 0, control 1 and so on. */
#define REGISTER(i)	(0xc0010200 + (i))

#define REGISTER_PATH	"/dev/cpu/%u/msr"

#endif
