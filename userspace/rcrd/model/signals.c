// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * signals.c - find the counters of a set that provide the signals of the models, by the tables of
 * the CPU families.
 *
 * A set describes a counter by its control register and its scope, but not by its unit. If a family
 * has several units of the same scope, or several boxes of a unit, the rows of the table have names
 * and match only counters with these names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "model/signals.h"
#include "rcr.h"

#define FIXED_COUNTER	0x309	/* Intel SDM volume 4, IA32_FIXED_CTR0: 0309h and on */
#define SELECT_ENABLE	(1ull << 22)
#define ROWS_MAX	64	/* rows of a family */
#define EVENT_TEXT	256

#define READS_AND_WRITES	(SIGNAL_BIT(SIGNAL_READS) | SIGNAL_BIT(SIGNAL_WRITES))
#define BUSY_AND_CLOCKS		(SIGNAL_BIT(SIGNAL_BUSY) | SIGNAL_BIT(SIGNAL_CLOCKS))
#define ALL_LINES		(READS_AND_WRITES | SIGNAL_BIT(SIGNAL_ROWS))
/* Sums over all boxes: counts of only some of the boxes would be too low to find contention. */
#define OF_ALL_BOXES		(ALL_LINES | SIGNAL_BIT(SIGNAL_CONFLICTS) | SIGNAL_BIT(SIGNAL_BUSY))

static const char *const names[SIGNALS] = {
	[SIGNAL_CYCLES] = "cycles",
	[SIGNAL_INSTRUCTIONS] = "instructions",
	[SIGNAL_REQUESTS] = "requests to the L3",
	[SIGNAL_MODIFIED] = "lines that another core had modified",
	[SIGNAL_TRANSFER] = "lines that another core had modified",
	[SIGNAL_MISSES] = "L3 misses",
	[SIGNAL_READS] = "memory reads",
	[SIGNAL_WRITES] = "memory writes",
	[SIGNAL_WAITING] = "cycles of reads in flight",
	[SIGNAL_WAITED] = "reads in flight",
	[SIGNAL_CONFLICTS] = "row conflicts",
	[SIGNAL_ROWS] = "row accesses",
	[SIGNAL_LOCAL] = "accesses to local memory",
	[SIGNAL_REMOTE] = "accesses to remote memory",
	[SIGNAL_DEVICES] = "accesses of devices",
	[SIGNAL_BUSY] = "cycles in which memory transfers data",
	[SIGNAL_CLOCKS] = "cycles of memory",
	[SIGNAL_UNDER_WAY] = "cycles of all reads in flight",
	[SIGNAL_LINES] = "row accesses, or memory reads and writes",
	[SIGNAL_LOAD] = "row accesses, or memory reads and writes",
};

/* Suggested counter names, for events without one. */
static const char *const counters[SIGNALS_COUNTED] = {
	[SIGNAL_CYCLES] = "CYCLES",
	[SIGNAL_INSTRUCTIONS] = "INSTRUCTIONS",
	[SIGNAL_REQUESTS] = "L3_REQUESTS",
	[SIGNAL_MODIFIED] = "MODIFIED",
	[SIGNAL_TRANSFER] = "MODIFIED",
	[SIGNAL_MISSES] = "L3_MISSES",
	[SIGNAL_READS] = "READS",
	[SIGNAL_WRITES] = "WRITES",
	[SIGNAL_WAITING] = "WAITING",
	[SIGNAL_WAITED] = "WAITED",
	[SIGNAL_CONFLICTS] = "CONFLICTS",
	[SIGNAL_ROWS] = "ROWS",
	[SIGNAL_LOCAL] = "LOCAL",
	[SIGNAL_REMOTE] = "REMOTE",
	[SIGNAL_DEVICES] = "DEVICES",
	[SIGNAL_BUSY] = "BUSY",
	[SIGNAL_CLOCKS] = "CLOCKS",
	[SIGNAL_UNDER_WAY] = "UNDER_WAY",
};

const char *signal_name(enum signal signal)
{
	return names[signal];
}

/* Give each event a name; further events of the same signal have a number in it. */
static void append_event(char *text, const struct signal_row *row, unsigned int number)
{
	size_t used = strlen(text);
	char name[16] = "";

	if (!strchr(row->event, '=') && number)
		snprintf(name, sizeof(name), "%s%u=", counters[row->signal], number);
	else if (!strchr(row->event, '='))
		snprintf(name, sizeof(name), "%s=", counters[row->signal]);
	snprintf(text + used, EVENT_TEXT - used, "%s%s%s", used ? " " : "", name, row->event);
}

/* Append the events of a signal. Returns their number. */
static unsigned int append_events(const char *family, enum signal signal, char *text)
{
	const struct signal_row *row = NULL;
	unsigned int count = 0;

	while ((row = signal_next(row, family))) {
		if (row->signal != signal)
			continue;
		if (!row->event)
			return append_events(family, row->like, text);
		append_event(text, row, count++);
	}
	return count;
}

const char *signal_event(const char *family, enum signal signal)
{
	static char text[EVENT_TEXT];

	*text = 0;
	if (signal != SIGNAL_LINES && signal != SIGNAL_LOAD) {
		append_events(family, signal, text);
	} else if (!append_events(family, SIGNAL_ROWS, text)) {
		append_events(family, SIGNAL_READS, text);
		append_events(family, SIGNAL_WRITES, text);
	}
	return *text ? text : NULL;
}

/* Check whether a counter, such as "CAS12", has the name of a row, "CAS#=umc#:event:0x0a". */
static bool is_named(const char *name, const char *event)
{
	size_t len = strcspn(event, "#");

	return !strncmp(name, event, len) && name[len] &&
	       !name[len + strspn(name + len, "0123456789")];
}

/* Parse the event of a row, without its name and its "#". */
static bool parse_signal_event(const char *event, struct code *code)
{
	const char *equals = strchr(event, '='), *from;
	char text[EVENT_TEXT];
	size_t len = 0;

	for (from = equals ? equals + 1 : event; *from && len < sizeof(text) - 1; from++)
		if (*from != '#')
			text[len++] = *from;
	text[len] = 0;
	return code_parse(text, code);
}

/*
 * A fixed counter of Intel counts a single event. Its control register is shared by all fixed
 * counters, with four bits for each.
 */
static bool is_fixed(const struct rcr_counter *c, const struct code *wanted)
{
	static const unsigned int events[] = { 0xc0, 0x3c };
	uint64_t n = c->counter - FIXED_COUNTER;

	return n < 2 && !*wanted->unit && wanted->event == events[n] && !wanted->umask &&
	       (c->select >> 4 * n & 3) == 3;
}

/*
 * Controls of AMD's data fabric have the same fields as those of the L3. A package with a single L3
 * has L3 counters of package scope, but their enable bit is clear in the set.
 */
static bool is_fabric(const struct rcr_counter *c)
{
	return c->scope != RCR_SCOPE_LLC && c->select & SELECT_ENABLE;
}

/* A counter with a restricted mode, or with a counter mask, does not match. */
static bool is_event(const struct rcr_counter *c, const char *event)
{
	struct code wanted;
	uint64_t select = c->select;

	if (!parse_signal_event(event, &wanted) ||
	    (strchr(event, '#') && !is_named(c->name, event)))
		return false;
	if (c->scope == RCR_SCOPE_CPU ? *wanted.unit : !*wanted.unit)
		return false;
	if (!strcmp(wanted.unit, "l3") && is_fabric(c))
		return false;
	if (c->scope == RCR_SCOPE_CPU && c->counter - FIXED_COUNTER < 2)
		return is_fixed(c, &wanted);
	/* Bit 31 is the enable bit of AMD memory controllers, and no part of the event. */
	if (!strcmp(wanted.unit, "umc"))
		select &= ~(1ull << 31);
	return code_is_counted(&wanted, select);
}

/**
 * struct found - rows of a family and the counters found for them
 * @rows: number of rows
 * @row: the rows
 * @boxes: by row: bit n is set if box n has a counter for it; bit 0 if boxes have no numbers
 */
struct found {
	unsigned int rows;
	const struct signal_row *row[ROWS_MAX];
	uint64_t boxes[ROWS_MAX];
};

/* The bit in @boxes for the number at the end of a counter's name. */
static uint64_t box_bit(const char *name, const char *event)
{
	return 1ull << (strchr(event, '#') ? atoi(name + strcspn(event, "#")) & 63 : 0);
}

static void find_counters(struct signals *s, const struct rcr_set *set, struct found *f)
{
	unsigned int i, k;

	for (i = 0; i < set->ncounters && i < RCR_MAX_COUNTERS; i++) {
		const struct rcr_counter *c = rcr_set_counter(set, i);

		s->of[i] = SIGNALS;
		for (k = 0; k < f->rows && s->of[i] == SIGNALS; k++) {
			const struct signal_row *row = f->row[k];
			uint64_t box;

			if (!row->event || !is_event(c, row->event))
				continue;
			box = box_bit(c->name, row->event);
			/* A set may count an event twice, by two names. */
			if (f->boxes[k] & box)
				continue;
			f->boxes[k] |= box;
			s->of[i] = row->signal;
			s->weight[i] = row->weight > 0 ? row->weight : 1;
			s->cost[i] = row->cost > 0 ? row->cost : 1;
			if (c->scope != RCR_SCOPE_CPU)
				s->shared |= SIGNAL_BIT(row->signal);
		}
	}
}

/* The boxes of the row's unit in which the set has any counter. */
static uint64_t unit_boxes(const struct found *f, const struct signal_row *row)
{
	const char *unit = strchr(row->event, '=') + 1;
	size_t len = strcspn(unit, "#") + 1;
	uint64_t boxes = 0;
	unsigned int k;

	for (k = 0; k < f->rows; k++) {
		const char *event = f->row[k]->event;

		if (event && strchr(event, '#') && !strncmp(strchr(event, '=') + 1, unit, len))
			boxes |= f->boxes[k];
	}
	return boxes;
}

/* A sum over boxes needs a counter in each; @boxes: memory controllers per node, 0: unknown. */
static bool has_all_boxes(const struct found *f, unsigned int k, unsigned int boxes)
{
	const struct signal_row *row = f->row[k];

	if (!f->boxes[k])
		return false;
	if (!strchr(row->event, '#') || !(SIGNAL_BIT(row->signal) & OF_ALL_BOXES))
		return true;
	return f->boxes[k] == unit_boxes(f, row) &&
	       (unsigned int)__builtin_popcountll(f->boxes[k]) >= boxes;
}

static uint64_t signal_boxes(const struct found *f, enum signal signal)
{
	uint64_t boxes = 0;
	unsigned int k;

	for (k = 0; k < f->rows; k++)
		if (f->row[k]->signal == signal)
			boxes |= f->boxes[k];
	return boxes;
}

/* Signals that are divided by one another must come from the same boxes. */
static uint32_t find_unpaired(const struct found *f)
{
	static const enum signal pairs[][2] = {
		{ SIGNAL_WAITING, SIGNAL_WAITED }, { SIGNAL_LOCAL, SIGNAL_REMOTE },
	};
	uint32_t unpaired = 0;
	unsigned int i;

	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		uint64_t a = signal_boxes(f, pairs[i][0]), b = signal_boxes(f, pairs[i][1]);

		if (b & ~a)
			unpaired |= SIGNAL_BIT(pairs[i][0]);
		if (a & ~b)
			unpaired |= SIGNAL_BIT(pairs[i][1]);
	}
	return unpaired;
}

static void take_rows(struct signals *s, const struct found *f, unsigned int boxes)
{
	uint32_t incomplete = find_unpaired(f);
	unsigned int k;

	for (k = 0; k < f->rows; k++) {
		const struct signal_row *row = f->row[k];

		if (row->doubt)
			s->doubt[row->signal] = row->doubt;
		if (!row->event) {
			s->like[row->signal] = row->like;
			s->like_weight[row->signal] = row->weight > 0 ? row->weight : 1;
			continue;
		}
		s->has |= SIGNAL_BIT(row->signal);
		if (!has_all_boxes(f, k, boxes))
			incomplete |= SIGNAL_BIT(row->signal);
		s->at_home |= row->at_home && f->boxes[k];
	}
	s->has &= ~incomplete;
}

static void add_derived(struct signals *s)
{
	unsigned int i;

	if (s->has & SIGNAL_BIT(SIGNAL_ROWS) || (s->has & READS_AND_WRITES) == READS_AND_WRITES)
		s->has |= SIGNAL_BIT(SIGNAL_LINES);
	for (i = 0; i < SIGNALS; i++)
		if (s->like[i] < SIGNALS && s->has & SIGNAL_BIT(s->like[i]))
			s->has |= SIGNAL_BIT(i);
	if (s->has & SIGNAL_BIT(SIGNAL_LINES) || (s->has & BUSY_AND_CLOCKS) == BUSY_AND_CLOCKS)
		s->has |= SIGNAL_BIT(SIGNAL_LOAD);
	if (s->has & SIGNAL_BIT(SIGNAL_MODIFIED))
		s->has |= SIGNAL_BIT(SIGNAL_TRANSFER);
}

/* The highest number of boxes that have a counter for a row of these signals. */
static unsigned int count_boxes(const struct found *f, uint32_t of)
{
	unsigned int k, most = 0, boxes;

	for (k = 0; k < f->rows; k++) {
		boxes = __builtin_popcountll(f->boxes[k]);
		if (SIGNAL_BIT(f->row[k]->signal) & of && boxes > most)
			most = boxes;
	}
	return most;
}

/* All channels have the same clock: extrapolate from the channels in which it is counted. */
static void scale_clocks(struct signals *s, const struct found *f)
{
	unsigned int clocks = count_boxes(f, SIGNAL_BIT(SIGNAL_CLOCKS)), i;
	unsigned int busy = count_boxes(f, SIGNAL_BIT(SIGNAL_BUSY));

	if (!busy)
		busy = count_boxes(f, ALL_LINES);
	for (i = 0; i < RCR_MAX_COUNTERS && clocks && busy; i++)
		if (s->of[i] == SIGNAL_CLOCKS)
			s->weight[i] *= (double)busy / clocks;
}

/* Prefer counts of memory, which one CPU reads; a node may have several L3s with a reader each. */
static uint32_t find_cover(const struct signals *s)
{
	static const uint32_t kinds[] = {
		SIGNAL_BIT(SIGNAL_ROWS), SIGNAL_BIT(SIGNAL_READS), SIGNAL_BIT(SIGNAL_BUSY),
	};
	unsigned int i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (s->has & s->shared & kinds[i])
			return kinds[i];
	return s->shared ? s->shared : s->has & ~(SIGNAL_BIT(SIGNALS_OF_CPU) - 1);
}

void signals_bind(struct signals *s, const struct rcr_set *set, unsigned int boxes)
{
	const struct signal_row *row = NULL;
	struct found f = { };

	*s = (struct signals){ };
	memset(s->of, SIGNALS, sizeof(s->of));
	memset(s->like, SIGNALS, sizeof(s->like));
	while (f.rows < ROWS_MAX && (row = signal_next(row, set->family)))
		f.row[f.rows++] = row;
	find_counters(s, set, &f);
	take_rows(s, &f, boxes);
	add_derived(s);
	scale_clocks(s, &f);
	s->cover = find_cover(s);
}
