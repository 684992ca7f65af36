// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * windows.c - counts of a stream by windows, nodes and processes.
 *
 * A count belongs to the time between two records of a CPU, and is spread evenly over it: over
 * parts of two windows where a record was lost. The process that the later record found has the
 * whole count, which is wrong where tasks were switched within the tick.
 */
#include <stdlib.h>
#include <string.h>

#include "model/windows.h"
#include "rcr.h"

#define OPEN	2	/* windows that still grow */
#define LONGEST_NS	3600000000000ull	/* period of a set; a longer one is damage */

/**
 * struct last_record - newest sample of a CPU
 * @valid: there is one, of the newest set
 * @record: copy of it
 */
struct last_record {
	bool valid;
	struct rcr_record *record;
};

/**
 * struct windows - the windows
 * @machine: the machine
 * @signals: of the newest set
 * @generation: of that set
 * @bound: a set was seen
 * @length: of a window, ns; 0: the period of the set is not one
 * @asked: @length that was asked for
 * @take: called for each complete window
 * @to: its first argument
 * @open: window n % OPEN, for the two newest numbers n
 * @newest: number of the newest window
 * @last: newest sample of each CPU
 */
struct windows {
	const struct machine *machine;
	struct signals signals;
	uint32_t generation;
	bool bound;
	uint64_t length, asked;
	window_take take;
	void *to;
	struct window *open[OPEN];
	uint64_t newest;
	struct last_record *last;
};

/* Counts between two records of a CPU, by signal. */
struct span {
	uint64_t begin, end;	/* ns */
	double sum[SIGNALS];
	uint32_t seen, invalid;
	double tsc;
	unsigned int node;
	uint32_t tgid;
};

struct windows *windows_open(const struct machine *machine, uint64_t length, window_take take,
			     void *to)
{
	struct windows *w = calloc(1, sizeof(*w));
	unsigned int i;

	if (!w)
		return NULL;
	*w = (struct windows){ .machine = machine, .asked = length, .take = take, .to = to };
	w->last = calloc(machine->cpus, sizeof(*w->last));
	for (i = 0; i < OPEN; i++)
		w->open[i] = calloc(1, sizeof(*w->open[i]));
	if (w->last && w->open[0] && w->open[1])
		return w;
	windows_close(w);
	return NULL;
}

void windows_close(struct windows *w)
{
	unsigned int i;

	if (!w)
		return;
	for (i = 0; w->last && i < w->machine->cpus; i++)
		free(w->last[i].record);
	for (i = 0; i < OPEN; i++)
		free(w->open[i]);
	free(w->last);
	free(w);
}

const struct signals *windows_signals(const struct windows *w)
{
	return &w->signals;
}

static void begin_window(struct windows *w, uint64_t number)
{
	struct window *new = w->open[number % OPEN];

	/* Entries of processes are set when they are taken. */
	memset(new->node, 0, w->machine->nodes * sizeof(*new->node));
	new->begin = number * w->length;
	new->length = w->length;
	new->processes = 0;
	new->lost = 0;
	new->missing = ~w->signals.has;
}

/* Deliver windows older than the two that end with @number. */
static void advance_windows(struct windows *w, uint64_t number)
{
	const struct window *oldest;

	/* After a long pause there is nothing between. */
	if (number > w->newest + OPEN) {
		windows_flush(w);
		w->newest = number;
		begin_window(w, number - 1);
		begin_window(w, number);
		return;
	}
	while (w->newest < number) {
		oldest = w->open[(w->newest + 1) % OPEN];
		if (oldest->length)
			w->take(w->to, oldest);
		begin_window(w, ++w->newest);
	}
}

void windows_flush(struct windows *w)
{
	unsigned int i;

	for (i = 1; i <= OPEN; i++) {
		struct window *each = w->open[(w->newest + i) % OPEN];

		if (w->length && each->length)
			w->take(w->to, each);
		each->length = 0;
	}
}

static struct window_process *process_in(struct window *w, uint32_t tgid, unsigned int node)
{
	unsigned int i;

	for (i = 0; i < w->processes; i++)
		if (w->process[i].tgid == tgid && w->process[i].node == node)
			return &w->process[i];
	if (w->processes == WINDOW_PROCESSES)
		return NULL;
	w->process[w->processes] = (struct window_process){ .tgid = tgid, .node = node };
	return &w->process[w->processes++];
}

static void add_to_process(struct window *w, const struct span *s, double part)
{
	struct window_process *p = s->tgid ? process_in(w, s->tgid, s->node) : NULL;
	unsigned int i;

	if (!p)
		return;
	p->time += s->tsc * part;
	for (i = 0; i < SIGNALS_OF_CPU; i++)
		p->sum[i] += s->sum[i] * part;
}

/* Return the part of a span in the time of @length from @begin on. */
static double overlap_part(const struct span *s, double begin, double length)
{
	double from = s->begin > begin ? s->begin : begin;
	double to = s->end < begin + length ? s->end : begin + length;

	return to > from ? (to - from) / (s->end - s->begin) : 0;
}

static void add_to_slices(struct window *w, const struct span *s)
{
	double length = (double)w->length / w->slices, part;
	unsigned int i;

	for (i = 0; i < w->slices; i++) {
		struct window_slice *slice = &w->node[s->node].slice[i];

		part = overlap_part(s, w->begin + i * length, length);
		if (part <= 0)
			continue;
		if (s->tgid)
			slice->busy += part * (s->end - s->begin) / length;
		slice->requests += s->sum[SIGNAL_REQUESTS] * part;
		slice->misses += s->sum[SIGNAL_MISSES] * part;
		/* A count of a longer time does not show how this slice differs. */
		if (s->seen & SIGNAL_BIT(SIGNAL_MISSES) && s->end - s->begin < 1.5 * length)
			slice->whole += part * (s->end - s->begin) / length;
	}
}

static void add_to_window(struct window *w, const struct span *s)
{
	struct window_node *node = &w->node[s->node];
	double part = overlap_part(s, w->begin, w->length);
	unsigned int i;

	if (!w->length || part <= 0)
		return;
	for (i = 0; i < SIGNALS; i++)
		node->sum[i] += s->sum[i] * part;
	node->invalid |= s->invalid | w->missing;
	if (s->seen >> SIGNALS_OF_CPU)
		node->covered += part * (s->end - s->begin);
	add_to_process(w, s, part);
	add_to_slices(w, s);
}

/* A counter that another CPU of the node counts has no count here, and lacks nothing. */
static bool is_elsewhere(const struct rcr_set *set, const struct rcr_record *r, unsigned int i)
{
	return rcr_record_status(set, r, i) == RCR_STATUS_ELSEWHERE;
}

static void add_lines(const struct windows *w, struct span *s)
{
	bool by_rows = w->signals.has & SIGNAL_BIT(SIGNAL_ROWS);
	uint32_t parts = by_rows ? SIGNAL_BIT(SIGNAL_ROWS) :
				   SIGNAL_BIT(SIGNAL_READS) | SIGNAL_BIT(SIGNAL_WRITES);

	s->sum[SIGNAL_LINES] = by_rows ? s->sum[SIGNAL_ROWS] :
					 s->sum[SIGNAL_READS] + s->sum[SIGNAL_WRITES];
	if (s->invalid & parts)
		s->invalid |= SIGNAL_BIT(SIGNAL_LINES);
}

static void count_span(const struct windows *w, const struct rcr_set *set,
		       const struct rcr_record *from, const struct rcr_record *to, struct span *s)
{
	struct rcr_part part;
	unsigned int i;

	*s = (struct span){
		.begin = from->time, .end = to->time, .tsc = to->tsc - from->tsc,
		.node = w->machine->node_of[to->item.cpu], .tgid = to->tgid,
	};
	for (i = 0; i < set->ncounters && i < RCR_MAX_COUNTERS; i++) {
		enum signal signal = w->signals.of[i];

		if (signal == SIGNALS || is_elsewhere(set, to, i))
			continue;
		if (!rcr_part(set, from, to, i, &part)) {
			s->invalid |= SIGNAL_BIT(signal);
			continue;
		}
		s->seen |= SIGNAL_BIT(signal);
		s->sum[signal] += part.count;
	}
	add_lines(w, s);
}

/* At least two periods, and a multiple of them. */
static uint64_t window_length(uint64_t asked, uint64_t period)
{
	if (!period || period > LONGEST_NS)
		return 0;
	return asked < 2 * period ? 2 * period : asked / period * period;
}

/* A slice is not shorter than a period. */
static unsigned int count_slices(uint64_t length, uint64_t period)
{
	return length && length / period < WINDOW_SLICES ? length / period : WINDOW_SLICES;
}

static void bind_set(struct windows *w, const struct rcr_set *set)
{
	unsigned int i;

	windows_flush(w);
	for (i = 0; i < w->machine->cpus; i++) {
		free(w->last[i].record);
		w->last[i] = (struct last_record){ };
	}
	signals_bind(&w->signals, set);
	w->bound = true;
	w->generation = set->item.generation;
	w->length = window_length(w->asked, set->period_ns);
	w->newest = 0;
	for (i = 0; i < OPEN; i++) {
		w->open[i]->slices = count_slices(w->length, set->period_ns);
		w->open[i]->length = 0;
	}
}

static void store_sample(struct last_record *last, const struct rcr_record *r)
{
	struct rcr_record *room = realloc(last->record, r->item.size);

	/* The size of the item is what librcr has checked; that of the set can be less. */
	last->valid = room;
	if (!room)
		return;
	memcpy(room, r, r->item.size);
	last->record = room;
}

static void take_record(struct windows *w, const struct rcr_set *set, const struct rcr_record *r)
{
	struct last_record *last = &w->last[r->item.cpu];
	uint64_t number = (r->time - 1) / w->length;
	struct span s;
	unsigned int i;

	if (number > w->newest)
		advance_windows(w, number);
	if (last->valid && r->time > last->record->time && r->tsc > last->record->tsc) {
		count_span(w, set, last->record, r, &s);
		for (i = 0; i < OPEN; i++)
			add_to_window(w->open[i], &s);
	}
	store_sample(last, r);
}

void windows_take(struct windows *w, const struct rcr_set *set, const struct rcr_item *item)
{
	const struct rcr_record *r = (const void *)item;

	if (item->type == RCR_ITEM_SET || !w->bound || item->generation != w->generation)
		bind_set(w, set);
	if (!w->length)
		return;
	if (item->type == RCR_ITEM_LOST)
		w->open[w->newest % OPEN]->lost += ((const struct rcr_lost *)item)->count;
	if (item->type == RCR_ITEM_SAMPLE && item->cpu < w->machine->cpus && r->time)
		take_record(w, set, r);
}
