// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * windows.c - sum the counts of a stream by window, node and process.
 *
 * A count belongs to the time between two records of a CPU, and is distributed evenly over that
 * time, which may extend over several windows if a record was lost. Slow counters have read times
 * of their own. The whole count goes to the process that the later record found, which is wrong if
 * the CPU switched tasks in between.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/windows.h"
#include "rcr.h"

/* Windows that are open at a time; slow counters need more, because their counts come later. */
#define OPEN		2
#define OPEN_SLOW	4
/* Limits for reads of slow counters, as fractions of the time between two reads: */
#define LONGEST_READ	0.5	/* duration of a read */
#define MOST_LONGER	0.1	/* difference between the durations of the two reads */
/* A CPU without a sample for this time, plus the open windows, is considered offline. */
#define GONE_NS		1000000000ull
#define CHECK_NS	250000000ull	/* interval of checks for offline CPUs */
#define LONGEST_NS	3600000000000ull	/* longest valid period of a set */

/**
 * struct last_record - newest sample of a CPU
 * @valid: @record is a sample of the current set
 * @counted: the CPU is included in @counted of struct windows
 * @record: copy of the sample
 */
struct last_record {
	bool valid, counted;
	struct rcr_record *record;
};

/**
 * struct windows - open windows of a stream
 * @machine: the machine
 * @signals: signals of the current set
 * @generation: generation of the current set
 * @boxes: @boxes of @machine when the signals were bound
 * @bound: there is a current set
 * @length: length of a window, ns; 0: the set has no valid period
 * @asked: length passed to windows_open(), ns
 * @take: called for each complete window
 * @to: first argument of @take
 * @opens: number of open windows
 * @open: the open windows; number n is in entry n % @opens
 * @newest: number of the newest window
 * @last: newest sample of each CPU
 * @last_slow: by CPU: sample from which the next counts of slow counters are taken
 * @counted: by node: online CPUs that have a sample of the current set
 * @checked: time of the last check for offline CPUs, ns
 */
struct windows {
	const struct machine *machine;
	struct signals signals;
	uint32_t generation;
	unsigned int boxes;
	bool bound;
	uint64_t length, asked;
	window_take take;
	void *to;
	unsigned int opens;
	struct window *open[OPEN_SLOW];
	uint64_t newest;
	struct last_record *last, *last_slow;
	unsigned int counted[MACHINE_NODES];
	uint64_t checked;
};

/**
 * struct span - counts between two records of a CPU
 * @begin: time of the first record, or of its read of slow counters, ns
 * @end: time of the second one, ns
 * @sum: counts, by signal
 * @seen: bit n: there is a valid count of enum signal n
 * @invalid: bit n: there is an invalid count of enum signal n
 * @tsc: length, TSC cycles; 0 for slow counters
 * @node: node of the CPU
 * @tgid: process that the second record found; 0: none, or slow counters
 * @slow: the counts are those of slow counters
 */
struct span {
	uint64_t begin, end;
	double sum[SIGNALS];
	uint32_t seen, invalid;
	double tsc;
	unsigned int node;
	uint32_t tgid;
	bool slow;
};

struct windows *windows_open(const struct machine *machine, uint64_t length, window_take take,
			     void *to)
{
	struct windows *w = calloc(1, sizeof(*w));
	unsigned int i;

	if (!w)
		return NULL;
	*w = (struct windows){
		.machine = machine, .asked = length, .take = take, .to = to, .opens = OPEN,
	};
	w->last = calloc(machine->cpus, sizeof(*w->last));
	w->last_slow = calloc(machine->cpus, sizeof(*w->last_slow));
	for (i = 0; i < OPEN_SLOW; i++)
		w->open[i] = calloc(1, sizeof(*w->open[i]));
	if (w->last && w->last_slow && w->open[0] && w->open[1] && w->open[2] && w->open[3])
		return w;
	windows_close(w);
	return NULL;
}

static void free_records(struct last_record *last, unsigned int cpus)
{
	unsigned int i;

	for (i = 0; last && i < cpus; i++) {
		free(last[i].record);
		last[i] = (struct last_record){ };
	}
}

void windows_close(struct windows *w)
{
	unsigned int i;

	if (!w)
		return;
	free_records(w->last, w->machine->cpus);
	free_records(w->last_slow, w->machine->cpus);
	for (i = 0; i < OPEN_SLOW; i++)
		free(w->open[i]);
	free(w->last);
	free(w->last_slow);
	free(w);
}

const struct signals *windows_signals(const struct windows *w)
{
	return &w->signals;
}

/*
 * Recount the online CPUs of each node, since nothing is missing from offline ones. The node of a
 * CPU is known only after it has been online, and may change then.
 */
static void drop_offline(struct windows *w, uint64_t time)
{
	uint64_t gone = GONE_NS + w->opens * w->length;
	unsigned int i;

	if (time - w->checked < CHECK_NS)
		return;
	w->checked = time;
	memset(w->counted, 0, sizeof(w->counted));
	for (i = 0; i < w->machine->cpus; i++) {
		struct last_record *last = &w->last[i];

		last->counted = last->valid && last->record->time + gone > time;
		w->counted[w->machine->node_of[i]] += last->counted;
	}
}

static void count_cpu(struct windows *w, unsigned int cpu)
{
	if (!w->last[cpu].counted)
		w->counted[w->machine->node_of[cpu]]++;
	w->last[cpu].counted = true;
}

static void begin_window(struct windows *w, uint64_t number)
{
	struct window *new = w->open[number % w->opens];

	/* Entries of @process are initialized when they are allocated. */
	memset(new->node, 0, w->machine->nodes * sizeof(*new->node));
	new->begin = number * w->length;
	new->length = w->length;
	new->processes = 0;
	new->lost = 0;
	new->missing = ~w->signals.has;
	new->at_home = w->signals.at_home;
}

/* Open windows up to @number, and deliver those that this completes. */
static void advance_windows(struct windows *w, uint64_t number)
{
	const struct window *oldest;
	unsigned int i;

	/* After a long pause, deliver all open windows and skip the empty ones in between. */
	if (number > w->newest + w->opens) {
		windows_flush(w);
		w->newest = number;
		for (i = w->opens; i-- && number >= i;)
			begin_window(w, number - i);
		return;
	}
	while (w->newest < number) {
		oldest = w->open[(w->newest + 1) % w->opens];
		if (oldest->length)
			w->take(w->to, oldest);
		begin_window(w, ++w->newest);
	}
}

void windows_flush(struct windows *w)
{
	unsigned int i;

	for (i = 1; i <= w->opens; i++) {
		struct window *each = w->open[(w->newest + i) % w->opens];

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
	p->invalid |= s->invalid;
	for (i = 0; i < SIGNALS_OF_CPU; i++)
		p->sum[i] += s->sum[i] * part;
}

/* Return the fraction of a span that overlaps @length ns from @begin on. */
static double overlap_part(const struct span *s, double begin, double length)
{
	double from = s->begin > begin ? s->begin : begin;
	double to = s->end < begin + length ? s->end : begin + length;

	return to > from ? (to - from) / (s->end - s->begin) : 0;
}

/* Fraction of a node's counts of @signals that a CPU provides: all of those of shared units. */
static double part_of_node(const struct windows *w, const struct span *s, uint32_t signals)
{
	if (!(s->seen & signals))
		return 0;
	if (w->signals.shared & signals || !w->counted[s->node])
		return 1;
	return 1.0 / w->counted[s->node];
}

static void add_to_slices(struct window *w, const struct span *s, double of_misses)
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
		/* Counts that extend over several slices do not show how these differ. */
		if (!s->slow && s->end - s->begin < 1.5 * length)
			slice->whole += of_misses * part * (s->end - s->begin) / length;
	}
}

static void add_to_window(const struct windows *all, struct window *w, const struct span *s)
{
	struct window_node *node = &w->node[s->node];
	double part = overlap_part(s, w->begin, w->length);
	unsigned int i;

	if (!w->length || part <= 0)
		return;
	for (i = 0; i < SIGNALS; i++)
		node->sum[i] += s->sum[i] * part;
	node->invalid |= s->invalid | w->missing;
	node->has_samples |= !s->slow;
	node->covered += part * (s->end - s->begin) * part_of_node(all, s, all->signals.cover);
	add_to_process(w, s, part);
	add_to_slices(w, s, part_of_node(all, s, SIGNAL_BIT(SIGNAL_MISSES)));
}

/* Another CPU of the node reads this counter: its count is not missing here. */
static bool is_elsewhere(const struct rcr_set *set, const struct rcr_record *r, unsigned int i)
{
	return rcr_record_status(set, r, i) == RCR_STATUS_ELSEWHERE;
}

/* Signals that SIGNAL_LINES is the sum of; 0 if the set does not count lines. */
static uint32_t parts_of_lines(uint32_t has)
{
	uint32_t both = SIGNAL_BIT(SIGNAL_READS) | SIGNAL_BIT(SIGNAL_WRITES);

	if (has & SIGNAL_BIT(SIGNAL_ROWS))
		return SIGNAL_BIT(SIGNAL_ROWS);
	return (has & both) == both ? both : 0;
}

static void add_lines(const struct windows *w, struct span *s)
{
	uint32_t parts = parts_of_lines(w->signals.has);
	bool by_rows = parts & SIGNAL_BIT(SIGNAL_ROWS);

	s->sum[SIGNAL_LINES] = by_rows ? s->sum[SIGNAL_ROWS] :
					 s->sum[SIGNAL_READS] + s->sum[SIGNAL_WRITES];
	if (s->invalid & parts)
		s->invalid |= SIGNAL_BIT(SIGNAL_LINES);
	/* The load is derived from the lines or, if they are not counted, from busy cycles. */
	if (parts && s->invalid & parts)
		s->invalid |= SIGNAL_BIT(SIGNAL_LOAD);
}

static void add_alike(const struct windows *w, struct span *s)
{
	unsigned int i, like;

	for (i = 0; i < SIGNALS; i++) {
		like = w->signals.like[i];
		if (like == SIGNALS)
			continue;
		s->sum[i] = s->sum[like] * w->signals.like_weight[i];
		if (s->invalid & SIGNAL_BIT(like))
			s->invalid |= SIGNAL_BIT(i);
	}
}

/* Add the counts of the slow counters of the set or, if not @slow, of all other counters. */
static void add_counts(const struct windows *w, const struct rcr_set *set,
		       const struct rcr_record *from, const struct rcr_record *to, bool slow,
		       struct span *s)
{
	struct rcr_part part;
	unsigned int i;

	for (i = 0; i < set->ncounters && i < RCR_MAX_COUNTERS; i++) {
		enum signal signal = w->signals.of[i];

		if (signal == SIGNALS || rcr_set_is_slow(set, i) != slow ||
		    is_elsewhere(set, to, i))
			continue;
		if (!rcr_part(set, from, to, i, &part)) {
			s->invalid |= SIGNAL_BIT(signal);
			continue;
		}
		s->seen |= SIGNAL_BIT(signal);
		s->sum[signal] += part.count * w->signals.weight[i];
		if (signal == SIGNAL_MODIFIED)
			s->sum[SIGNAL_TRANSFER] += part.count * w->signals.cost[i];
	}
	add_lines(w, s);
	add_alike(w, s);
}

static void count_span(const struct windows *w, const struct rcr_set *set,
		       const struct rcr_record *from, const struct rcr_record *to, struct span *s)
{
	*s = (struct span){
		.begin = from->time, .end = to->time, .tsc = to->tsc - from->tsc,
		.node = w->machine->node_of[to->item.cpu], .tgid = to->tgid,
	};
	add_counts(w, set, from, to, false, s);
}

/* Time at which the slow counters of a record were read, ns; 0: they were not, or not plausible. */
static uint64_t slow_time(const struct rcr_set *set, const struct rcr_record *r)
{
	const struct rcr_slow *slow = rcr_record_slow(set, r);
	double ago;

	if (!slow || !slow->tsc || !set->tsc_khz)
		return 0;
	/* @tsc was read @late ns after @time. */
	ago = ((double)r->tsc - slow->tsc / 2 - slow->tsc_end / 2) / set->tsc_khz * 1e6 - r->late;
	return ago > -1e9 && ago < r->time ? r->time - (int64_t)ago : 0;
}

/* Duration of the read of a record's slow counters, TSC cycles. */
static double slow_cycles(const struct rcr_set *set, const struct rcr_record *r)
{
	const struct rcr_slow *slow = rcr_record_slow(set, r);

	return slow ? slow->tsc_end - slow->tsc : 0;
}

/*
 * Ratios of counts are valid only if all counters counted for the same length of time. They did if
 * both reads took equally long, although counters that are read later counted later.
 */
static bool is_one_length(const struct rcr_set *set, const struct rcr_record *from,
			  const struct rcr_record *to, const struct span *s)
{
	double length = (double)(s->end - s->begin) / 1e6 * set->tsc_khz;
	double first = slow_cycles(set, from), second = slow_cycles(set, to);

	return first < LONGEST_READ * length && second < LONGEST_READ * length &&
	       fabs(second - first) < MOST_LONGER * length;
}

/* Collect the counts between two reads of the slow counters. Returns false if they are unusable. */
static bool count_slow(const struct windows *w, const struct rcr_set *set,
		       const struct rcr_record *from, const struct rcr_record *to, struct span *s)
{
	*s = (struct span){
		.begin = slow_time(set, from), .end = slow_time(set, to),
		.node = w->machine->node_of[to->item.cpu], .slow = true,
	};
	if (s->end <= s->begin || !is_one_length(set, from, to, s))
		return false;
	add_counts(w, set, from, to, true, s);
	return true;
}

/* Longest period of a set's counters, ns: slow ones are read every few periods. */
static uint64_t longest_period(const struct rcr_set *set)
{
	return set->slow && set->slow_period_ns > set->period_ns ? set->slow_period_ns :
								   set->period_ns;
}

/* A multiple of the period, at least two of them; 0 if the period is invalid. */
static uint64_t window_length(uint64_t asked, uint64_t period)
{
	if (!period || period > LONGEST_NS)
		return 0;
	return asked < 2 * period ? 2 * period : asked / period * period;
}

/* As many slices as possible that are not shorter than a period. */
static unsigned int count_slices(uint64_t length, uint64_t period)
{
	return length && length / period < WINDOW_SLICES ? length / period : WINDOW_SLICES;
}

static void bind_set(struct windows *w, const struct rcr_set *set)
{
	unsigned int i;

	windows_flush(w);
	free_records(w->last, w->machine->cpus);
	free_records(w->last_slow, w->machine->cpus);
	memset(w->counted, 0, sizeof(w->counted));
	w->boxes = w->machine->boxes;
	signals_bind(&w->signals, set, w->boxes);
	w->bound = true;
	w->generation = set->item.generation;
	w->length = set->period_ns ? window_length(w->asked, longest_period(set)) : 0;
	w->newest = 0;
	w->opens = set->slow ? OPEN_SLOW : OPEN;
	for (i = 0; i < w->opens; i++) {
		w->open[i]->slices = count_slices(w->length, set->period_ns);
		w->open[i]->length = 0;
	}
}

static void copy_record(struct last_record *last, const struct rcr_record *r)
{
	/* librcr has checked the size of the item; the record size of the set may be smaller. */
	struct rcr_record *room = realloc(last->record, r->item.size);

	last->valid = room;
	if (!room)
		return;
	memcpy(room, r, r->item.size);
	last->record = room;
}

static void spread_span(struct windows *w, const struct span *s)
{
	unsigned int i;

	for (i = 0; i < w->opens; i++)
		add_to_window(w, w->open[i], s);
}

/* Skip a read that took longer than the last one: the next read includes its counts. */
static void take_slow(struct windows *w, const struct rcr_set *set, const struct rcr_record *r)
{
	struct last_record *last = &w->last_slow[r->item.cpu];
	struct span s;

	if (!slow_time(set, r))
		return;
	if (last->valid && count_slow(w, set, last->record, r, &s))
		spread_span(w, &s);
	else if (last->valid && slow_cycles(set, r) >= slow_cycles(set, last->record))
		return;
	copy_record(last, r);
}

static void take_record(struct windows *w, const struct rcr_set *set, const struct rcr_record *r)
{
	struct last_record *last = &w->last[r->item.cpu];
	uint64_t number = (r->time - 1) / w->length;
	struct span s;

	if (number > w->newest) {
		advance_windows(w, number);
		drop_offline(w, r->time);
	}
	count_cpu(w, r->item.cpu);
	if (last->valid && r->time > last->record->time && r->tsc > last->record->tsc) {
		count_span(w, set, last->record, r, &s);
		spread_span(w, &s);
	}
	if (set->slow)
		take_slow(w, set, r);
	copy_record(last, r);
}

void windows_take(struct windows *w, const struct rcr_set *set, const struct rcr_item *item)
{
	const struct rcr_record *r = (const void *)item;

	if (item->type == RCR_ITEM_SET || !w->bound || item->generation != w->generation ||
	    w->boxes != w->machine->boxes)
		bind_set(w, set);
	if (!w->length)
		return;
	if (item->type == RCR_ITEM_LOST)
		w->open[w->newest % w->opens]->lost += ((const struct rcr_lost *)item)->count;
	if (item->type == RCR_ITEM_SAMPLE && item->cpu < w->machine->cpus && r->time)
		take_record(w, set, r);
}
