/* SPDX-License-Identifier: GPL-2.0-or-later */
/* domain.h - number of the agent; Install replaces it if another agent has it. */
#define RCR 300
