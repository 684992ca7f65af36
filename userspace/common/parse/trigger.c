// SPDX-License-Identifier: GPL-2.0-or-later
/* trigger.c - names of the flight recorder's triggers. */
#include <string.h>

#include "parse/trigger.h"

const struct trigger_name trigger_names[TRIGGER_NAMES] = {
	{ "mark", RCR_TRIGGER_MARK },
	{ "oom", RCR_TRIGGER_OOM },
	{ "crossing", RCR_TRIGGER_CROSSING },
};

static uint32_t find_trigger(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < TRIGGER_NAMES; i++)
		if (strlen(trigger_names[i].name) == len &&
		    !memcmp(trigger_names[i].name, name, len))
			return trigger_names[i].trigger;
	return 0;
}

uint32_t triggers_parse(const char *text)
{
	uint32_t all = 0, one;
	size_t len;

	for (;;) {
		len = strcspn(text, ",");
		one = find_trigger(text, len);
		if (!one)
			return 0;
		all |= one;
		if (!text[len])
			return all;
		text += len + 1;
	}
}

const char *triggers_text(uint32_t triggers, char text[TRIGGERS_LEN])
{
	size_t i;

	*text = 0;
	for (i = 0; i < TRIGGER_NAMES; i++) {
		if (!(triggers & trigger_names[i].trigger))
			continue;
		if (*text)
			strcat(text, ",");
		strcat(text, trigger_names[i].name);
	}
	return text;
}
