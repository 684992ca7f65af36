/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state.h - text file with the state of the flight recorder that survives a restart of rcrd. */
#ifndef RCRD_STATE_H
#define RCRD_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/rcrtool.h>

#include "trigger/rule.h"
#include "why.h"

/* Longest state file, bytes. */
#define STATE_MAX (1024 + RULES_MAX * (RULE_LEN + 8))

/* Length of a kernel's boot id, including the terminating 0. */
#define STATE_BOOT_LEN 40

/**
 * struct state - contents of the state file
 * @window_ns: length of the window, ns; 0: the recorder is off
 * @triggers: mask of enum rcr_trigger; 0: the recorder is off
 * @lines: bounds whose crossing is a trigger
 * @seen_ns: CLOCK_MONOTONIC of the last mark that was read or, if later, of arming the recorder, ns
 * @boot: boot id of the kernel that @seen_ns belongs to
 * @number: number of windows kept so far
 * @missed: number of triggers that were not recorded since the recorder was armed or last recorded
 * @kept_bytes: size of the kept window, bytes; 0: none
 * @fetched: the kept window was fetched, so that the next trigger replaces it
 * @kept: text of the trigger of the kept window
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

/* Formats the state. Returns the length in bytes, without the terminating 0. */
size_t state_print(const struct state *s, char text[STATE_MAX]);

/* Parses @text, terminated by 0. Returns 0, or -1 with @why filled in and @s undefined. */
int state_parse(const char *text, struct state *s, struct why *why);

#endif
