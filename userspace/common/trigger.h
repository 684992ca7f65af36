/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trigger.h - the names of what triggers the flight recorder.
 */
#ifndef COMMON_TRIGGER_H
#define COMMON_TRIGGER_H

#include <stdint.h>

/* What rcrd's flight recorder can be armed for, as bits of a mask. */
enum rcr_trigger {
	RCR_TRIGGER_MARK	= 1,	/* a moment is marked with CAP_SYS_RAWIO */
	RCR_TRIGGER_OOM		= 2,	/* a process is killed for want of memory */
	RCR_TRIGGER_CROSSING	= 4,	/* a meter crosses a bound that rcrd watches */
};

#define TRIGGER_NAMES 3

/**
 * struct trigger_name - a trigger as people write it
 * @name: the word
 * @trigger: one bit of enum rcr_trigger
 */
struct trigger_name {
	const char *name;
	uint32_t trigger;
};

extern const struct trigger_name trigger_names[TRIGGER_NAMES];

/* Reads "mark,oom"; 0 if a word is no trigger. */
uint32_t triggers_parse(const char *text);

/* Room for the names of all triggers. */
#define TRIGGERS_LEN 32

/* Writes "mark,oom". */
const char *triggers_text(uint32_t triggers, char text[TRIGGERS_LEN]);

#endif
