/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * board.h - the blackboard, for the verbs that read meters.
 */
#ifndef RCRCTL_BOARD_H
#define RCRCTL_BOARD_H

#include "rcr_board.h"

/* Where it is: the device; RCR_BOARD names another place. */
const char *board_path(void);

/* Opens it; NULL after a sentence. */
struct rcr_blackboard *board_open(void);

/* Finds a meter at a place; the exit status, after a sentence where it is not there. */
int board_find(const struct rcr_blackboard *b, const char *name, enum rcr_place_kind kind,
	       unsigned int number, struct rcr_meter *meter);

/* Of a meter that was found: what it is. False where it has gone. */
bool board_describe(const struct rcr_blackboard *b, const struct rcr_meter *meter,
		    struct rcr_board_meter *m);

/* Reads "node1", "node:1", "machine"; false where that is no place. */
bool board_parse_place(const char *text, enum rcr_place_kind *kind, unsigned int *number);

/* Writes "node1", "machine". */
char *board_place_text(const struct rcr_board_place *place, char text[32]);

/* "sum"; of an enum rcr_time_type. */
const char *board_time_name(uint32_t type);
bool board_parse_time_name(const char *name, uint32_t *type);

#endif
