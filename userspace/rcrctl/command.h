/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.h - runs a command, which gets the signals that rcrctl gets meanwhile. */
#ifndef RCRCTL_COMMAND_H
#define RCRCTL_COMMAND_H

#include <signal.h>

/* Blocks what ends a program, and SIGCHLD: @signals; the mask of before is in @before. */
void command_block_signals(sigset_t *signals, sigset_t *before);

/*
 * Runs @args[0] with the mask @before, and forwards SIGTERM and SIGHUP to it. Returns its exit
 * status, 128 and the signal that ended it, or what env(1) returns if it was not started.
 */
int command_run(char **args, const sigset_t *signals, const sigset_t *before);

#endif
