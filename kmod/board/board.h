/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * board.h - blackboard 1: meters in memory that user space maps.
 */
#ifndef RCR_BOARD_H
#define RCR_BOARD_H

#include <linux/types.h>
#include <linux/rcrboard.h>

struct vm_area_struct;

int rcr_board_init(unsigned int lanes, unsigned int groups);
void rcr_board_exit(void);

int rcr_board_grow(unsigned int meter, unsigned int entries);
void rcr_board_place(unsigned int n, u32 kind, u32 number, u32 parent);
void rcr_board_begin_change(void);
void rcr_board_end_change(void);
void rcr_board_set_meter(const struct rcr_board_meter *meter, const u32 *places);
void rcr_board_clear_meter(unsigned int number);
unsigned int rcr_board_first_entry(unsigned int meter);
void rcr_board_write(unsigned int entry, const struct rcr_board_value *v);
int rcr_board_load(unsigned int entry, u32 serial, struct rcr_board_value *v);
void rcr_board_heartbeat(u32 state, u64 period_ns);

u32 rcr_board_serial(u32 entry);
unsigned int rcr_board_meter_of(u32 entry, unsigned int *which);
int rcr_board_mmap_all(struct vm_area_struct *vma);

#endif
