/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exit_status.h - exit statuses of programs that run a command, the same as for env(1). */
#ifndef COMMON_EXIT_STATUS_H
#define COMMON_EXIT_STATUS_H

#define EXIT_NOT_STARTED	125
#define EXIT_NOT_EXECUTABLE	126
#define EXIT_NOT_FOUND		127

#endif
