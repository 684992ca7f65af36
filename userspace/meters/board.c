// SPDX-License-Identifier: GPL-2.0-or-later
/* board.c - access to the blackboard, for the verbs that read meters. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "message.h"
#include "parse/number.h"

const char *board_path(void)
{
	const char *path = getenv("RCR_BOARD");

	return path && *path ? path : RCR_BOARD_DEVICE;
}

struct rcr_blackboard *board_open(void)
{
	/* With NULL, librcr opens the device or the public board. */
	const char *path = getenv("RCR_BOARD");
	struct rcr_blackboard *b = rcr_board_open(path && *path ? path : NULL);
	char text[256];

	if (!b)
		fail("%s", rcr_board_open_error(path && *path ? path : NULL, errno, text,
						sizeof(text)));
	return b;
}

static int report_find_error(const char *name, enum rcr_place_kind kind, unsigned int number)
{
	switch (errno) {
	case ENOENT:
		return fail("unknown meter '%s': see 'rcrctl meter ls -a'", name);
	case ENODATA:
		return fail("meter '%s' has no values: 'rcrctl meter ls -a' shows the reason",
			    name);
	case ENXIO:
		return fail("meter '%s' has no value for %s %u: see 'rcrctl meter show %s'",
			    name, rcr_place_kind_name(kind), number, name);
	case EAGAIN:
		return fail("the list of meters keeps changing: try again");
	}
	return fail("%s: %s", name, strerror(errno));
}

int board_find(const struct rcr_blackboard *b, const char *name, enum rcr_place_kind kind,
	       unsigned int number, struct rcr_meter *meter)
{
	if (!rcr_board_find(b, name, kind, number, meter))
		return EXIT_SUCCESS;
	return report_find_error(name, kind, number);
}

bool board_describe(const struct rcr_blackboard *b, const struct rcr_meter *meter,
		    struct rcr_board_meter *m)
{
	static struct rcr_board_meter all[RCR_METERS_MAX];
	int count = rcr_board_meters(b, all, RCR_METERS_MAX), i;

	for (i = 0; i < count; i++)
		if (all[i].serial == meter->serial) {
			*m = all[i];
			return true;
		}
	return false;
}

bool board_parse_place(const char *text, enum rcr_place_kind *kind, unsigned int *number)
{
	size_t len = strcspn(text, ":0123456789");
	const char *digits = text + len + (text[len] == ':');
	uint64_t n = 0;
	char word[16];

	snprintf(word, sizeof(word), "%.*s", (int)len, text);
	if (rcr_place_kind_parse(word, kind))
		return false;
	if (text[len] && !number_parse_range(digits, 0, UINT32_MAX, &n))
		return false;
	*number = n;
	return text[len] || *kind == RCR_PLACE_MACHINE;
}

char *board_place_text(const struct rcr_board_place *place, char text[32])
{
	if (!place)
		snprintf(text, 32, "unknown");
	else if (place->kind == RCR_PLACE_MACHINE)
		snprintf(text, 32, "machine");
	else
		snprintf(text, 32, "%s%u", rcr_place_kind_name(place->kind), place->number);
	return text;
}

static const char *const time_names[] = {
	[RCR_TIME_CURRENT] = "current",
	[RCR_TIME_SUM] = "sum",
	[RCR_TIME_AVERAGE] = "average",
	[RCR_TIME_PEAK] = "peak",
};

const char *board_time_name(uint32_t type)
{
	return type < sizeof(time_names) / sizeof(time_names[0]) ? time_names[type] : "unknown";
}

bool board_parse_time_name(const char *name, uint32_t *type)
{
	uint32_t i;

	for (i = 0; i < sizeof(time_names) / sizeof(time_names[0]); i++)
		if (!strcmp(name, time_names[i])) {
			*type = i;
			return true;
		}
	return false;
}
