/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes.h - read the nodes of the machine, which are its dies, and their limits from blackboard 1.
 */
#ifndef RCRD_NODES_H
#define RCRD_NODES_H

#include "model/machine.h"
#include "rcr_board.h"
#include "rcr_meters.h"

/* Sets the CPUs and nodes, numbered like the kernel's dies. Does not change the limits. */
void nodes_read(struct machine *m, const struct rcr_blackboard *board);

/**
 * nodes_take_limits() - set capacity, knee and number of memory controllers from the meter mem_bw
 * @m: the machine
 * @board: blackboard 1
 * @control: connection to the module
 *
 * The capacity of a node is the node's maximum of the meter or, if it has none or the meter sleeps,
 * an equal part of the maximum of the machine. Without either, the capacity becomes unknown.
 */
void nodes_take_limits(struct machine *m, const struct rcr_blackboard *board,
		       struct rcr_control *control);

#endif
