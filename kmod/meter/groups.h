/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * groups.h - the parts of the machine that meters are told of, and their CPUs.
 */
#ifndef RCR_GROUPS_H
#define RCR_GROUPS_H

#include <linux/types.h>
#include <linux/rcrboard.h>

struct cpumask;

/**
 * struct rcr_group - a part of the machine
 * @kind: enum rcr_place_kind
 * @number: see struct rcr_board_place
 * @parent: number of the group that it is a part of
 * @lanes: how many of its CPUs are sampled
 * @lane: which, as rcr_groups_cpu() numbers them
 */
struct rcr_group {
	u32 kind;
	u32 number;
	u32 parent;
	unsigned int lanes;
	u16 *lane;
};

int rcr_groups_init(const struct cpumask *sampled);
void rcr_groups_exit(void);
bool rcr_groups_update(void);
unsigned int rcr_groups_lanes(void);
int rcr_groups_cpu(unsigned int lane);
unsigned int rcr_groups_count(void);
unsigned int rcr_groups_max(void);
const struct rcr_group *rcr_groups_get(unsigned int n);
const u16 *rcr_groups_first(u32 kind);

#endif
