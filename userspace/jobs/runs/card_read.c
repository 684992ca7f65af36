// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * card_read.c - reads a card exactly as card_write.c writes it: any other order of keys or white
 * space makes it invalid.
 *
 * Pure: no input, no output, no clock. Also compiled into the unit tests.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runs/card.h"

#define CARD_TEXT	128
#define CARD_EVENTS	RATE_EVENTS

/**
 * struct card_cursor - position in the text of a card
 * @at: the next character
 * @bad: the text is no card
 */
struct card_cursor {
	const char *at;
	bool bad;
};

/**
 * struct card - contents of a card, without its ticks
 * @run: the run
 * @boot: boot id of the kernel
 * @load: number of the module
 * @cpus: list of CPUs; empty: all that are sampled
 * @sets: sets that had a sample
 * @lost: records that were lost
 * @events: entries of @total and @counter
 * @total: its totals
 * @counter: their counters
 */
struct card {
	struct run run;
	char boot[CARD_BOOT_LEN];
	uint64_t load;
	char cpus[CPULIST_TEXT];
	uint64_t sets;
	uint64_t lost;
	unsigned int events;
	struct run_total total[CARD_EVENTS];
	struct rcr_counter counter[CARD_EVENTS];
};

/* Skips @word if the text continues with it; returns whether it did. */
static bool try_word(struct card_cursor *c, const char *word)
{
	size_t len = strlen(word);

	if (c->bad || strncmp(c->at, word, len))
		return false;
	c->at += len;
	return true;
}

static void take_word(struct card_cursor *c, const char *word)
{
	c->bad |= !try_word(c, word);
}

static uint64_t take_number(struct card_cursor *c)
{
	unsigned long long value;
	char *end;

	if (c->bad || *c->at < '0' || *c->at > '9') {
		c->bad = true;
		return 0;
	}
	errno = 0;
	value = strtoull(c->at, &end, 10);
	c->bad |= errno;
	c->at = end;
	return value;
}

/* Takes a number, which must be below @limit. */
static unsigned int take_small(struct card_cursor *c, unsigned int limit)
{
	uint64_t value = take_number(c);

	c->bad |= value >= limit;
	return value;
}

/* Takes a time in ns. Larger values, beyond 36 years of uptime, are invalid. */
static uint64_t take_card_time(struct card_cursor *c)
{
	uint64_t value = take_number(c);

	c->bad |= value >> 60;
	return value;
}

static int64_t take_signed(struct card_cursor *c)
{
	bool negative = try_word(c, "-");
	int64_t value = take_number(c) & INT64_MAX;

	return negative ? -value : value;
}

static double take_share(struct card_cursor *c)
{
	unsigned int whole = take_small(c, 2), part;

	take_word(c, ".");
	part = take_small(c, 1000000);
	c->bad |= whole && part;
	return whole + part / 1e6;
}

static bool take_bool(struct card_cursor *c)
{
	if (try_word(c, "true"))
		return true;
	take_word(c, "false");
	return false;
}

/* Takes the rest of an escape sequence; \u encodes a single byte. */
static char take_escape(struct card_cursor *c)
{
	char hex[3] = { };

	if (try_word(c, "u00")) {
		if (!strchr("0123456789abcdef", c->at[0]) || !c->at[0] ||
		    !strchr("0123456789abcdef", c->at[1]) || !c->at[1]) {
			c->bad = true;
			return 0;
		}
		memcpy(hex, c->at, 2);
		c->at += 2;
		c->bad |= !strtoul(hex, NULL, 16);
		return strtoul(hex, NULL, 16);
	}
	c->bad |= *c->at != '"' && *c->at != '\\';
	return c->bad ? 0 : *c->at++;
}

static void take_string(struct card_cursor *c, char *text, size_t size)
{
	size_t len = 0;
	char next;

	take_word(c, "\"");
	while (!c->bad && *c->at != '"') {
		next = *c->at++;
		if (next == '\\')
			next = take_escape(c);
		else if ((unsigned char)next < ' ')
			c->bad = true;
		if (len + 1 < size)
			text[len++] = next;
		else
			c->bad = true;
	}
	text[len] = 0;
	take_word(c, "\"");
}

/* Takes a string; null becomes an empty text. */
static void take_optional(struct card_cursor *c, char *text, size_t size)
{
	*text = 0;
	if (!try_word(c, "null"))
		take_string(c, text, size);
}

static bool take_optional_number(struct card_cursor *c, uint64_t *value)
{
	if (try_word(c, "null"))
		return false;
	*value = take_number(c);
	return !c->bad;
}

static void take_state(struct card_cursor *c, struct run *run)
{
	struct run each = { };
	char state[CARD_TEXT];

	take_string(c, state, sizeof(state));
	run->uncertain = !strcmp(state, "uncertain");
	for (each.state = 0; each.state < RUN_STATES; each.state++)
		if (!strcmp(state, run_state_name(&each)))
			break;
	run->state = run->uncertain ? RUN_RUNNING : each.state;
	c->bad |= run->state == RUN_STATES;
}

static void take_head(struct card_cursor *c, struct card *card)
{
	struct run *run = &card->run;
	char name[RUN_NAME_LEN];
	uint64_t uid = 0;
	bool ended;

	take_word(c, "{\"rcrtool_job\": 1, \"name\": ");
	take_string(c, name, sizeof(name));
	take_word(c, ", \"id\": ");
	take_string(c, run->id, sizeof(run->id));
	take_word(c, ", \"number\": ");
	run->number = take_small(c, 1u << 31);
	take_word(c, ", \"serial\": ");
	run->serial = take_small(c, 1u << 31);
	take_word(c, ", \"boot\": ");
	take_string(c, card->boot, sizeof(card->boot));
	take_word(c, ", \"load\": ");
	card->load = take_number(c);
	take_word(c, ", \"begin\": ");
	run->begin_wall = take_number(c);
	take_word(c, ", \"begin_monotonic\": ");
	run->begin = take_card_time(c);
	run->end = UINT64_MAX;
	take_word(c, ", \"end\": ");
	ended = take_optional_number(c, &run->end_wall);
	take_word(c, ", \"end_monotonic\": ");
	take_optional_number(c, &run->end);
	take_word(c, ", \"state\": ");
	take_state(c, run);
	c->bad |= ended != (run->state != RUN_RUNNING) || ended != (run->end != UINT64_MAX);
	take_word(c, ", \"cpus\": ");
	take_optional(c, card->cpus, sizeof(card->cpus));
	take_word(c, ", \"cpu_count\": ");
	run->cpus = take_small(c, CPU_LIMIT + 1);
	take_word(c, ", \"uid\": ");
	run->has_uid = take_optional_number(c, &uid);
	run->uid = uid;
	take_word(c, ", \"shared\": ");
	run->shared = take_small(c, 1u << 31);
	take_word(c, ", \"completeness\": ");
	take_share(c);
	take_word(c, ", \"generation\": ");
	run->generation = take_number(c);
	take_word(c, ", \"mark\": ");
	run->mark = take_number(c);
	take_word(c, ", \"sets\": ");
	card->sets = take_number(c);
	take_word(c, ", \"lost\": ");
	card->lost = take_number(c);
}

/* Takes an estimate, which cards of earlier versions lack. */
static void take_estimate(struct card_cursor *c, struct run_total *total)
{
	if (!try_word(c, ", \"estimate\": "))
		return;
	total->has_estimate = take_optional_number(c, &total->estimate);
	take_word(c, ", \"estimate_error\": ");
	c->bad |= take_optional_number(c, &total->error) != total->has_estimate;
	take_word(c, ", \"estimate_reason\": ");
	take_optional(c, total->estimate_reason, sizeof(total->estimate_reason));
}

static void take_card_event(struct card_cursor *c, struct run_total *total, struct rcr_counter *k)
{
	take_word(c, "{\"name\": ");
	take_string(c, total->name, sizeof(total->name));
	memcpy(k->name, total->name, sizeof(k->name));
	take_word(c, ", \"total\": ");
	total->known = take_optional_number(c, &total->count);
	take_word(c, ", \"completeness\": ");
	total->completeness = take_share(c);
	take_word(c, ", \"reason\": ");
	take_optional(c, total->reason, sizeof(total->reason));
	take_estimate(c, total);
	take_word(c, ", \"shared\": ");
	total->shared = take_bool(c);
	take_word(c, ", \"unit\": ");
	total->unit = take_small(c, UINT16_MAX);
	k->unit = total->unit;
	take_word(c, ", \"gauge\": ");
	total->gauge = take_bool(c);
	take_word(c, ", \"slow\": ");
	total->slow = take_bool(c);
	take_word(c, ", \"scope\": ");
	k->scope = take_small(c, UINT16_MAX);
	take_word(c, ", \"width\": ");
	k->width = take_small(c, 1u << 31);
	take_word(c, ", \"select\": ");
	k->select = take_number(c);
	take_word(c, ", \"control\": ");
	k->control = take_number(c);
	take_word(c, ", \"counter\": ");
	k->counter = take_number(c);
	take_word(c, "}");
}

static void take_card_events(struct card_cursor *c, struct card *card)
{
	take_word(c, ", \"events\": [\n");
	while (!c->bad && *c->at == '{') {
		if (card->events == CARD_EVENTS) {
			c->bad = true;
			return;
		}
		take_card_event(c, &card->total[card->events], &card->counter[card->events]);
		card->events++;
		if (!try_word(c, ",\n"))
			break;
	}
	take_word(c, "\n]");
}

static struct rate_tick take_card_tick(struct card_cursor *c)
{
	struct rate_tick t = { .valid = true };

	take_word(c, "{\"tick\": ");
	t.tick = take_number(c);
	take_word(c, ", \"time\": ");
	t.time = take_card_time(c);
	take_word(c, ", \"tsc\": ");
	t.tsc = take_number(c);
	take_word(c, ", \"tsc_end\": ");
	t.tsc_end = take_number(c);
	take_word(c, ", \"slow_tsc\": ");
	t.slow_tsc = take_number(c);
	take_word(c, "}");
	return t;
}

/* Returns the index of the event's counter in the current set, or RCR_MAX_COUNTERS. */
static unsigned int counter_of_event(const struct rate_run *rate, unsigned int event)
{
	unsigned int i;

	for (i = 0; i < rate->set->ncounters; i++)
		if (rate->of_counter[i] == event)
			return i;
	return RCR_MAX_COUNTERS;
}

/* @goes_on: the card is of the current set, so the next record completes a step. */
static void take_cell(struct card_cursor *c, struct rate_run *rate, unsigned int cpu,
		      unsigned int event, bool goes_on)
{
	struct rate_cell *cell = &rate->event[event].cell[cpu];
	unsigned int counter = counter_of_event(rate, event), status;
	uint64_t total;

	take_word(c, "[");
	cell->count = take_number(c);
	take_word(c, ", ");
	cell->unclear = take_number(c);
	take_word(c, ", ");
	cell->time = take_number(c);
	take_word(c, ", ");
	cell->lag = take_signed(c);
	take_word(c, ", ");
	cell->status = take_small(c, UINT8_MAX + 1);
	if (try_word(c, ", ")) {
		total = take_number(c);
		take_word(c, ", ");
		status = take_small(c, UINT8_MAX + 1);
		if (goes_on && counter < RCR_MAX_COUNTERS) {
			rate->cpu[cpu].total[counter] = total;
			rate->cpu[cpu].status[counter] = status;
			rate->cpu[cpu].has_before = true;
			rate->cpu[cpu].torn = true;
		}
	}
	take_word(c, "]");
}

static void take_card_cpu(struct card_cursor *c, struct rate_run *rate, unsigned int events,
			  bool goes_on)
{
	unsigned int cpu, i;

	take_word(c, "{\"cpu\": ");
	cpu = take_small(c, rate->ncpus);
	take_word(c, ", \"first\": ");
	if (c->bad)
		return;
	rate->cpu[cpu].first = take_card_tick(c);
	take_word(c, ", \"last\": ");
	rate->cpu[cpu].last = take_card_tick(c);
	take_word(c, ", \"changes\": ");
	rate->cpu[cpu].last.changes = take_number(c);
	c->bad |= rate->cpu[cpu].first.time < rate->begin ||
		  rate->cpu[cpu].last.time < rate->cpu[cpu].first.time ||
		  rate->cpu[cpu].last.tsc < rate->cpu[cpu].first.tsc;
	take_word(c, ", \"cells\": [");
	for (i = 0; i < events && !c->bad; i++) {
		if (i)
			take_word(c, ", ");
		take_cell(c, rate, cpu, i, goes_on);
	}
	take_word(c, "]}");
}

static void take_ticks(struct card_cursor *c, struct rate_run *rate, unsigned int events,
		       bool goes_on)
{
	take_word(c, ", \"ticks\": [\n");
	while (!c->bad && *c->at == '{') {
		take_card_cpu(c, rate, events, goes_on);
		if (!try_word(c, ",\n"))
			break;
	}
	take_word(c, "\n]}\n");
	c->bad |= *c->at;
}

/* Adds the events of the card, in the same order, before those of the current set. */
static bool restore_events(struct runs *r, struct rate_run *rate, const struct card *card)
{
	struct rate_event *e;
	unsigned int i;

	for (i = 0; i < rate->count; i++)
		free(rate->event[i].cell);
	rate->count = 0;
	for (i = 0; i < card->events; i++) {
		e = &rate->event[i];
		*e = (struct rate_event){
			.counter = card->counter[i],
			.scope = card->counter[i].scope < RATE_SCOPES ? card->counter[i].scope :
									 RATE_SCOPES - 1,
			.gauge = card->total[i].gauge, .slow = card->total[i].slow,
			.cell = calloc(rate->ncpus + 1, sizeof(*e->cell)),
		};
		if (!e->cell)
			return false;
		rate->count++;
	}
	return !rate_set(rate, r->set);
}

static void restore_cpus(struct run *run, const char *list)
{
	bool cpu[CPU_LIMIT] = { };
	unsigned int i;

	if (!*list || !cpulist_parse(list, cpu)) {
		run->cpus = 0;
		return;
	}
	for (i = 0; i < run->rate->ncpus; i++)
		run->rate->wanted[i] = cpu[i];
}

/* Restores the counts of an unfinished run, which continues to count. */
static bool restore_rate(struct card_cursor *c, struct runs *r, struct run *run,
			 const struct card *card, bool goes_on)
{
	if (!runs_open(r, run) || !restore_events(r, run->rate, card))
		return false;
	restore_cpus(run, card->cpus);
	run->rate->sets = card->sets;
	run->rate->lost = card->lost;
	run->rate->in_set = goes_on && card->sets;
	take_ticks(c, run->rate, card->events, goes_on);
	return !c->bad;
}

/* Time of the latest record of a run; 0: there was none. */
static uint64_t last_time(const struct rate_run *rate)
{
	uint64_t latest = 0;
	unsigned int cpu;

	for (cpu = 0; cpu < rate->ncpus; cpu++)
		if (rate->cpu[cpu].last.valid && rate->cpu[cpu].last.time > latest)
			latest = rate->cpu[cpu].last.time;
	return latest;
}

/* Ends a run of an earlier boot at its last record; its CLOCK_MONOTONIC times become 0. */
static void end_earlier_boot(struct runs *r, struct run *run)
{
	uint64_t end;

	if (run->rate) {
		end = last_time(run->rate);
		end = end > run->begin ? end : run->begin;
		run->rate->end = end;
		runs_end(r, run, end, RUN_RESTARTED);
		run->end_wall = run->begin_wall + (end - run->begin);
		runs_flush(r, UINT64_MAX);
	}
	run->begin = 0;
	run->end = 0;
}

/* Makes the run of a card; reads the ticks, the rest of the text, if it has not ended. */
static struct run *make_card_run(struct card_cursor *c, struct runs *r, const struct card *card,
				 const struct card_source *source)
{
	bool same_boot = !strcmp(card->boot, source->boot);
	bool goes_on = same_boot && card->load == source->load &&
		       card->run.generation == r->set->item.generation;
	struct run *run;
	unsigned int serial;

	/* Cards may share a serial number if the clock was set back: assign a new one. */
	if (card->run.serial > r->serial)
		r->serial = card->run.serial;
	run = runs_make(r, card->run.id);
	if (!run)
		return NULL;
	serial = run->serial;
	*run = card->run;
	run->serial = serial;
	run->restored = true;
	run->total = calloc(card->events + 1, sizeof(*run->total));
	if (run->total) {
		run->totals = card->events;
		memcpy(run->total, card->total, card->events * sizeof(*run->total));
	}
	if (run->state == RUN_RUNNING && !restore_rate(c, r, run, card, goes_on)) {
		runs_forget(r, run);
		return NULL;
	}
	run->uncertain |= run->state == RUN_RUNNING && !goes_on;
	if (goes_on && run->mark > r->mark)
		r->mark = run->mark;
	if (!same_boot)
		end_earlier_boot(r, run);
	else if (run->rate && last_time(run->rate) > r->time)
		r->time = last_time(run->rate);
	return run;
}

/**
 * card_peek() - read the serial number of a card's run, and whether it has ended
 * @text: the head of a card
 * @serial: filled in
 * @ended: filled in
 *
 * Returns false if the text is no card.
 */
bool card_peek(const char *text, unsigned int *serial, bool *ended)
{
	struct card_cursor c = { .at = text };
	struct card *card = calloc(1, sizeof(*card));

	if (!card)
		return false;
	take_head(&c, card);
	*serial = card->run.serial;
	*ended = card->run.state != RUN_RUNNING;
	free(card);
	return !c.bad;
}

/**
 * card_read() - read the card of a run
 * @text: the card
 * @r: the runs, which have a set; the run is added, and counted if it has not ended
 * @source: source of the records that will be added
 *
 * Cards must be read in the order of their serial numbers.
 *
 * Returns the run, or NULL if the text is no card, or memory ran out.
 */
struct run *card_read(const char *text, struct runs *r, const struct card_source *source)
{
	struct card_cursor c = { .at = text };
	struct card *card = calloc(1, sizeof(*card));
	struct run *run = NULL;

	if (!card)
		return NULL;
	take_head(&c, card);
	take_card_events(&c, card);
	if (!c.bad)
		run = make_card_run(&c, r, card, source);
	free(card);
	return run;
}
