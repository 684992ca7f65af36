/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trigger.h - names of the flight recorder's triggers. */
#ifndef COMMON_TRIGGER_H
#define COMMON_TRIGGER_H

#include <stdint.h>

/* Triggers that rcrd's flight recorder can be armed for, as bits of a mask. */
enum rcr_trigger {
	RCR_TRIGGER_MARK	= 1,	/* a mark made with CAP_SYS_RAWIO */
	RCR_TRIGGER_OOM		= 2,	/* a process is killed by the OOM killer */
	RCR_TRIGGER_CROSSING	= 4,	/* a meter crosses a bound that rcrd watches */
};

#define TRIGGER_NAMES 3

/**
 * struct trigger_name - name of a trigger
 * @name: the name
 * @trigger: one bit of enum rcr_trigger
 */
struct trigger_name {
	const char *name;
	uint32_t trigger;
};

extern const struct trigger_name trigger_names[TRIGGER_NAMES];

/* Parses "mark,oom"; returns 0 if a name is unknown. */
uint32_t triggers_parse(const char *text);

/* Buffer size for the names of all triggers. */
#define TRIGGERS_LEN 32

/* Formats a mask as "mark,oom". */
const char *triggers_text(uint32_t triggers, char text[TRIGGERS_LEN]);

#endif
