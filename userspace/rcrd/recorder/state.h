/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * state.h - what of the flight recorder survives a restart of rcrd, as a text file.
 */
#ifndef RCRD_STATE_H
#define RCRD_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/rcrtool.h>

#include "rule.h"
#include "why.h"

/* Longest state file, bytes. */
#define STATE_MAX (1024 + RULES_MAX * (RULE_LEN + 8))

/* A boot id of the kernel, with the terminating 0. */
#define STATE_BOOT_LEN 40

/**
 * struct state - what is kept in the file
 * @window_ns: length of the window that is armed; 0: off
 * @triggers: mask of enum rcr_trigger; 0 if off
 * @lines: bounds whose crossing is a trigger
 * @seen_ns: CLOCK_MONOTONIC of the latest trigger that was handled, or of the arming
 * @boot: boot id of the kernel whose clock @seen_ns is of
 * @number: windows that were kept ever
 * @missed: triggers since the kept one
 * @kept_bytes: size of the window that is kept; 0: none
 * @fetched: it has been fetched: the next trigger replaces it
 * @kept: text of its trigger
 */
struct state {
	uint64_t window_ns;
	uint32_t triggers;
	struct rule_lines lines;
	uint64_t seen_ns;
	char boot[STATE_BOOT_LEN];
	uint64_t number;
	uint64_t missed;
	uint64_t kept_bytes;
	bool fetched;
	char kept[RCR_MARK_LEN];
};

/* Writes it; returns how many bytes, without the terminating 0. */
size_t state_print(const struct state *s, char text[STATE_MAX]);

/* Reads @text, which ends with a 0. Returns 0, or -1 with the reason: @s is undefined. */
int state_parse(const char *text, struct state *s, struct why *why);

#endif
