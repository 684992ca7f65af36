// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * signals.c - events of each family that are signals of models. Sources: AMD 42301 section 3.24
 * (northbridge of Family 15h) and PMCx043, PMCx06C, PMCx076, PMCx0C0.
 */
#include <string.h>

#include "code.h"
#include "model/signals.h"
#include "rcr.h"

static const struct signal_row {
	const char *family;
	enum signal signal;
	const char *event;
} rows[] = {
	{ "AMD Fam15h", SIGNAL_CYCLES, "event:0x76" },
	{ "AMD Fam15h", SIGNAL_INSTRUCTIONS, "event:0xc0" },
	{ "AMD Fam15h", SIGNAL_REQUESTS, "event:0x43" },
	{ "AMD Fam15h", SIGNAL_MODIFIED, "event:0x6c,umask:0x2a" },
	{ "AMD Fam15h", SIGNAL_MISSES, "nb:event:0x4e1,umask:0xf7" },
	{ "AMD Fam15h", SIGNAL_READS, "nb:event:0x1f0,umask:0x62" },
	{ "AMD Fam15h", SIGNAL_WRITES, "nb:event:0x1f0,umask:0x19" },
	{ "AMD Fam15h", SIGNAL_WAITING, "nb:event:0x1e2,umask:0xff" },
	{ "AMD Fam15h", SIGNAL_WAITED, "nb:event:0x1e3,umask:0xff" },
	{ "AMD Fam15h", SIGNAL_CONFLICTS, "nb:event:0xe0,umask:0x24" },
	{ "AMD Fam15h", SIGNAL_ROWS, "nb:event:0xe0,umask:0x3f" },
	{ "AMD Fam15h", SIGNAL_LOCAL, "nb:event:0x1e0,umask:0x00,pernode" },
	{ "AMD Fam15h", SIGNAL_REMOTE, "nb:event:0x1e0,umask:0x0f,pernode" },
	{ "AMD Fam15h", SIGNAL_DEVICES, "nb:event:0x1e1,umask:0x00,pernode" },
};

#define ROWS	(sizeof(rows) / sizeof(rows[0]))

#define READS_AND_WRITES	(SIGNAL_BIT(SIGNAL_READS) | SIGNAL_BIT(SIGNAL_WRITES))

static const char *const names[SIGNALS] = {
	[SIGNAL_CYCLES] = "cycles",
	[SIGNAL_INSTRUCTIONS] = "instructions",
	[SIGNAL_REQUESTS] = "requests to the L3",
	[SIGNAL_MODIFIED] = "lines that another core had modified",
	[SIGNAL_MISSES] = "L3 misses",
	[SIGNAL_READS] = "memory reads",
	[SIGNAL_WRITES] = "memory writes",
	[SIGNAL_WAITING] = "cycles of reads under way",
	[SIGNAL_WAITED] = "reads under way",
	[SIGNAL_CONFLICTS] = "row conflicts",
	[SIGNAL_ROWS] = "row accesses",
	[SIGNAL_LOCAL] = "accesses to local memory",
	[SIGNAL_REMOTE] = "accesses to remote memory",
	[SIGNAL_DEVICES] = "accesses of devices",
	[SIGNAL_LINES] = "row accesses, or memory reads and writes",
};

const char *signal_name(enum signal signal)
{
	return names[signal];
}

const char *signal_event(const char *family, enum signal signal)
{
	unsigned int i;

	if (signal == SIGNAL_LINES)
		signal = SIGNAL_ROWS;
	for (i = 0; i < ROWS; i++)
		if (rows[i].signal == signal && !strcmp(rows[i].family, family))
			return rows[i].event;
	return NULL;
}

/* A counter of one mode, or with a counter mask, counts something else. */
static bool is_event(const struct rcr_counter *c, const char *event)
{
	struct code wanted;

	if (!code_parse(event, &wanted))
		return false;
	if (c->scope == RCR_SCOPE_CPU ? *wanted.unit : !*wanted.unit)
		return false;
	return code_is_counted(&wanted, c->select);
}

static enum signal signal_of(const char *family, const struct rcr_counter *c)
{
	unsigned int i;

	for (i = 0; i < ROWS; i++)
		if (!strcmp(rows[i].family, family) && is_event(c, rows[i].event))
			return rows[i].signal;
	return SIGNALS;
}

void signals_bind(struct signals *s, const struct rcr_set *set)
{
	unsigned int i;

	s->has = 0;
	for (i = 0; i < set->ncounters && i < RCR_MAX_COUNTERS; i++) {
		s->of[i] = signal_of(set->family, rcr_set_counter(set, i));
		if (s->of[i] < SIGNALS)
			s->has |= SIGNAL_BIT(s->of[i]);
	}
	if (s->has & SIGNAL_BIT(SIGNAL_ROWS) || (s->has & READS_AND_WRITES) == READS_AND_WRITES)
		s->has |= SIGNAL_BIT(SIGNAL_LINES);
}
