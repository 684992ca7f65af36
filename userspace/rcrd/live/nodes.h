/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes.h - the machine as models see it: its nodes, which are its dies, and their limits, from
 * blackboard 1.
 */
#ifndef RCRD_NODES_H
#define RCRD_NODES_H

#include "model/machine.h"
#include "rcr_board.h"
#include "rcr_meters.h"

/* Sets the CPUs and the nodes, with the kernel's numbers of dies; limits stay as they are. */
void nodes_read(struct machine *m, const struct rcr_blackboard *board);

/**
 * nodes_take_limits() - set what the memory of each node can do, its knee, and its controllers
 * @m: the machine; a node without a limit has none any longer
 * @board: blackboard 1
 * @control: connection to the module
 *
 * The maximum of the meter mem_bw of each node or, if there is none or the meter sleeps, an equal
 * part of that of the machine.
 */
void nodes_take_limits(struct machine *m, const struct rcr_blackboard *board,
		       struct rcr_control *control);

#endif
