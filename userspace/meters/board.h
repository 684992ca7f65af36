/* SPDX-License-Identifier: GPL-2.0-or-later */
/* board.h - access to the blackboard, for the verbs that read meters. */
#ifndef METERS_BOARD_H
#define METERS_BOARD_H

#include "rcr_board.h"

/* Path of the board: the environment variable RCR_BOARD, or the device. */
const char *board_path(void);

/* Opens the board; returns NULL after reporting an error. */
struct rcr_blackboard *board_open(void);

/* Finds a meter at a place; returns the exit status, after reporting an error. */
int board_find(const struct rcr_blackboard *b, const char *name, enum rcr_place_kind kind,
	       unsigned int number, struct rcr_meter *meter);

/* Reads the description of a meter; false if the meter no longer exists. */
bool board_describe(const struct rcr_blackboard *b, const struct rcr_meter *meter,
		    struct rcr_board_meter *m);

/* Parses "node1", "node:1", "machine"; false if it is not a place. */
bool board_parse_place(const char *text, enum rcr_place_kind *kind, unsigned int *number);

/* Writes "node1", "machine". */
char *board_place_text(const struct rcr_board_place *place, char text[32]);

/* Name of an enum rcr_time_type, such as "sum". */
const char *board_time_name(uint32_t type);
bool board_parse_time_name(const char *name, uint32_t *type);

#endif
