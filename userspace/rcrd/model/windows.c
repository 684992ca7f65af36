// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * windows.c - counts of a stream by windows, nodes and processes.
 *
 * A count belongs to the time between two records of a CPU, and is spread evenly over it: over
 * parts of two windows where a record was lost. Slow counters are read at times of their own. The
 * process that the later record found has the whole count, which is wrong where tasks were switched
 * within the tick.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/windows.h"
#include "rcr.h"

/* Windows that still grow; more with slow counters, whose counts come later. */
#define OPEN		2
#define OPEN_SLOW	4
/* Of the distance of two reads of slow counters: */
#define LONGEST_READ	0.5	/* part that each may take */
#define MOST_LONGER	0.1	/* part that one may take longer than the other one */
/* And all windows that grow: a CPU without a sample is offline. */
#define GONE_NS		1000000000ull
#define CHECK_NS	250000000ull	/* between two checks for such CPUs */
#define LONGEST_NS	3600000000000ull	/* period of a set; a longer one is damage */

/**
 * struct last_record - newest sample of a CPU
 * @valid: there is one, of the newest set
 * @counted: the CPU is one of struct windows.counted
 * @record: copy of it
 */
struct last_record {
	bool valid, counted;
	struct rcr_record *record;
};

/**
 * struct windows - the windows
 * @machine: the machine
 * @signals: of the newest set
 * @generation: of that set
 * @boxes: memory controllers of a node that were known then
 * @bound: a set was seen
 * @length: of a window, ns; 0: the period of the set is not one
 * @asked: @length that was asked for
 * @take: called for each complete window
 * @to: its first argument
 * @opens: windows that still grow
 * @open: window n % @opens, for the newest numbers n
 * @newest: number of the newest window
 * @last: newest sample of each CPU
 * @last_slow: of each CPU: sample whose slow counters the next counts of these begin with
 * @counted: CPUs of each node that have a sample of the newest set, and are not offline
 * @checked: when that was checked, ns
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

/* Counts between two records of a CPU, by signal. */
struct span {
	uint64_t begin, end;	/* ns */
	double sum[SIGNALS];
	uint32_t seen, invalid;
	double tsc;
	unsigned int node;
	uint32_t tgid;
	bool slow;		/* of slow counters */
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
 * Nothing is missing of a node when a CPU of it is offline. The node of a CPU is known once it has
 * been online, and may change.
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

	/* Entries of processes are set when they are taken. */
	memset(new->node, 0, w->machine->nodes * sizeof(*new->node));
	new->begin = number * w->length;
	new->length = w->length;
	new->processes = 0;
	new->lost = 0;
	new->missing = ~w->signals.has;
	new->at_home = w->signals.at_home;
}

/* Deliver windows older than those that end with @number. */
static void advance_windows(struct windows *w, uint64_t number)
{
	const struct window *oldest;
	unsigned int i;

	/* After a long pause there is nothing between. */
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

/* Return the part of a span in the time of @length from @begin on. */
static double overlap_part(const struct span *s, double begin, double length)
{
	double from = s->begin > begin ? s->begin : begin;
	double to = s->end < begin + length ? s->end : begin + length;

	return to > from ? (to - from) / (s->end - s->begin) : 0;
}

/* The part of a node's counts of @signals that a CPU has: all if units count them that it reads. */
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
		/* A count of a longer time, or of another one, does not show how this differs. */
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
	node->covered += part * (s->end - s->begin) * part_of_node(all, s, all->signals.cover);
	add_to_process(w, s, part);
	add_to_slices(w, s, part_of_node(all, s, SIGNAL_BIT(SIGNAL_MISSES)));
}

/* A counter that another CPU of the node counts has no count here, and lacks nothing. */
static bool is_elsewhere(const struct rcr_set *set, const struct rcr_record *r, unsigned int i)
{
	return rcr_record_status(set, r, i) == RCR_STATUS_ELSEWHERE;
}

/* Signals that lines are the sum of; 0: only the cycles in which memory transfers are counted. */
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
	/* Without lines, the cycles of memory are judged. */
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

/* Add the counts of the set's slow counters, or of the others. */
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

/* When the slow counters of a record were read, ns; 0: never, or not within the time before it. */
static uint64_t slow_time(const struct rcr_set *set, const struct rcr_record *r)
{
	const struct rcr_slow *slow = rcr_record_slow(set, r);
	double ago;

	if (!slow || !slow->tsc || !set->tsc_khz)
		return 0;
	/* The registers were read that late. */
	ago = ((double)r->tsc - slow->tsc / 2 - slow->tsc_end / 2) / set->tsc_khz * 1e6 - r->late;
	return ago > -1e9 && ago < r->time ? r->time - (int64_t)ago : 0;
}

/* TSC cycles that it took to read the slow counters of a record. */
static double slow_cycles(const struct rcr_set *set, const struct rcr_record *r)
{
	const struct rcr_slow *slow = rcr_record_slow(set, r);

	return slow ? slow->tsc_end - slow->tsc : 0;
}

/*
 * Do the counts of all counters belong to times of one length? If not, ratios of them are wrong.
 * When both reads take as long they do, though one counter's time is later than another one's.
 */
static bool is_one_length(const struct rcr_set *set, const struct rcr_record *from,
			  const struct rcr_record *to, const struct span *s)
{
	double length = (double)(s->end - s->begin) / 1e6 * set->tsc_khz;
	double first = slow_cycles(set, from), second = slow_cycles(set, to);

	return first < LONGEST_READ * length && second < LONGEST_READ * length &&
	       fabs(second - first) < MOST_LONGER * length;
}

/* The counts between two reads of the slow counters; false if they are not to be used. */
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

/* Of all counters of a set, ns: slow ones are read in a multiple of its period. */
static uint64_t longest_period(const struct rcr_set *set)
{
	return set->slow && set->slow_period_ns > set->period_ns ? set->slow_period_ns :
								   set->period_ns;
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
	/* The size of the item is what librcr has checked; that of the set can be less. */
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

/* A read that takes longer than the one before is left out: a later one has its counts, too. */
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
