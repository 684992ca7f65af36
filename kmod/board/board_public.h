/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * board_public.h - the page of blackboard 1 that a site may show to everybody.
 */
#ifndef RCR_BOARD_PUBLIC_H
#define RCR_BOARD_PUBLIC_H

#include <linux/types.h>
#include <linux/rcrboard.h>

struct vm_area_struct;

int rcr_board_public_init(const struct rcr_board *all);
void rcr_board_public_exit(void);
void rcr_board_public_set_meter(const struct rcr_board_meter *meter, const u32 *places,
				const struct rcr_board_place *place);
void rcr_board_public_clear_meter(unsigned int number);
void rcr_board_public_write(unsigned int entry, const struct rcr_board_value *v);
void rcr_board_public_beat(const struct rcr_board *all);
int rcr_board_public_mmap(struct vm_area_struct *vma);

#endif
