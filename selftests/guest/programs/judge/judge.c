// SPDX-License-Identifier: GPL-2.0-only
/*
 * judge.c STREAM SNAPSHOTS - recomputes the values of meters from the samples in a recorded stream
 * of /dev/rcrtool, and compares them with the values that snaps.c has recorded, to the last digit.
 *
 * Prints for each meter the number of snapshots that were
 *
 *	judged
 *	wrong		among these
 *	undecided	as an evaluation may not have waited for a silent CPU, or evaluations of an
 *			earlier run in the window are not all known
 *	outside		as their window begins before the stream
 *	obvious		among those judged, explained by the samples that were then the newest
 *	followed	among those judged, with a known previous evaluation, so that highest and
 *			unseen are determined
 */
#include <math.h>

#include "explain.h"
#include "intended.h"

#define SHOWN		6	/* most wrong snapshots of a meter to print */
#define MOST_METERS	1024
#define MOST_WHOLES	4096

struct tally {
	unsigned long judged, wrong, undecided, outside, obvious, followed;
};

/* Records of SNAPSHOTS. */
static char *records;
static size_t records_size;
static const struct snapshot_meter *meters[MOST_METERS];
static unsigned int meter_count;
static int place_of_cpu[RCR_PLACE_CPU + 1][LOG_CPUS];
static bool has_cpu[LOG_CPUS];
static const struct snapshot **snapshots;
static size_t snapshot_count;

static struct tally tally, all;
static unsigned int forms_wrong, forms_right, marks_wrong, marks_right;

/* Explanations of the machine's value in each meter file; other places in it share its samples. */
static struct {
	uint64_t order;
	bool found;
	struct explanation explanation;
} *wholes;
static unsigned int whole_count;

static const struct snapshot_head *next_record(size_t *at)
{
	const struct snapshot_head *head = (const void *)(records + *at);

	if (*at + sizeof(*head) > records_size || *at + head->size > records_size)
		return NULL;
	*at += head->size;
	return head;
}

static bool load_records(const char *path)
{
	FILE *in = fopen(path, "r");

	if (!in || fseek(in, 0, SEEK_END))
		return false;
	records_size = ftell(in);
	rewind(in);
	records = malloc(records_size + 1);
	if (!records || fread(records, 1, records_size, in) != records_size)
		return false;
	fclose(in);
	return true;
}

static void take_cpu(const struct snapshot_cpu *c)
{
	unsigned int kind;

	if (c->cpu >= LOG_CPUS)
		return;
	has_cpu[c->cpu] = true;
	for (kind = 0; kind <= RCR_PLACE_CPU; kind++)
		place_of_cpu[kind][c->cpu] = c->place[kind];
}

static void take_snapshot(const struct snapshot *s)
{
	if (!(snapshot_count & (snapshot_count - 1)))
		snapshots = realloc(snapshots, (snapshot_count ? 2 * snapshot_count : 1) *
					       sizeof(*snapshots));
	if (!snapshots)
		exit(2);
	snapshots[snapshot_count++] = s;
}

static void share_units(void)
{
	static const uint32_t kinds[] = {
		[RCR_SCOPE_CPU] = RCR_PLACE_CPU, [RCR_SCOPE_DIE] = RCR_PLACE_DIE,
		[RCR_SCOPE_PACKAGE] = RCR_PLACE_PACKAGE, [RCR_SCOPE_LLC] = RCR_PLACE_LLC,
		[RCR_SCOPE_CORE] = RCR_PLACE_CORE,
	};
	unsigned int scope, cpu;

	for (scope = 0; scope <= RCR_SCOPE_CORE; scope++)
		for (cpu = 0; cpu < LOG_CPUS; cpu++)
			shared_unit[scope][cpu] = place_of_cpu[kinds[scope]][cpu];
}

/* Compare a mark of the module with those that follow from the samples. */
static void check_mark(const struct log_scale *scale, const struct snapshot_mark *m)
{
	const struct log_marks *marks = &scale->marks[m->cpu];
	const struct log_cpu *c = &samples.cpu[m->cpu];
	int i = sample_until(c, m->time, c->count), k = marks_until(marks, i);

	/* Skip marks from before or after the log. */
	if (!marks->count || m->time < c->sample[marks->sample[0]].time ||
	    m->time > c->sample[c->count - 1].time)
		return;
	if (k && c->sample[marks->sample[k - 1]].time == m->time) {
		marks_right++;
		return;
	}
	if (!marks_wrong++)
		printf("# CPU %u has a mark for %llu ns at %llu, but the rule has none there\n", m->cpu,
		       (unsigned long long)m->scale_ns, (unsigned long long)m->time);
}

/* The marks of a CPU begin with the oldest one recorded that is also in the log. */
static void begin_marks(const struct snapshot_mark *m, bool *begun, int *before)
{
	const struct log_cpu *c = &samples.cpu[m->cpu];
	int i = sample_until(c, m->time, c->count);

	if (*begun)
		return;
	if (i == LOG_NONE || c->sample[i].time != m->time) {
		++*before;
		return;
	}
	mark_samples(use_scale(m->scale_ns), m->cpu, i,
		     *before + (m->is_full ? RCR_SCALE_MARKS : 0));
	*begun = true;
}

static void find_marks(void)
{
	static bool begun[LOG_SCALES][LOG_CPUS];
	static int before[LOG_SCALES][LOG_CPUS];
	const struct snapshot_head *head;
	const struct snapshot_mark *m;
	unsigned int pass, i;
	size_t at;

	for (pass = 0; pass < 2; pass++)
		for (at = 0; (head = next_record(&at));) {
			m = (const void *)head;
			if (head->type != SNAPSHOT_MARK || m->cpu >= LOG_CPUS)
				continue;
			i = use_scale(m->scale_ns) - samples.scale;
			if (pass)
				check_mark(&samples.scale[i], m);
			else
				begin_marks(m, &begun[i][m->cpu], &before[i][m->cpu]);
		}
}

static void take_records(void)
{
	const struct snapshot_head *head;
	size_t at = 0;

	while ((head = next_record(&at))) {
		if (head->type == SNAPSHOT_CPU)
			take_cpu((const void *)head);
		else if (head->type == SNAPSHOT_METER && meter_count < MOST_METERS)
			meters[meter_count++] = (const void *)head;
		else if (head->type == SNAPSHOT_VALUES)
			take_snapshot((const void *)head);
	}
	share_units();
}

static int by_place(const void *a, const void *b)
{
	const struct snapshot *s = *(const struct snapshot *const *)a;
	const struct snapshot *t = *(const struct snapshot *const *)b;

	if (s->serial != t->serial)
		return s->serial < t->serial ? -1 : 1;
	if (s->kind != t->kind)
		return s->kind < t->kind ? -1 : 1;
	if (s->number != t->number)
		return s->number < t->number ? -1 : 1;
	return s->order < t->order ? -1 : s->order > t->order;
}

static void show_number(const char *what, int64_t val, unsigned int digits)
{
	printf(" %s %.*f", what, (int)digits, val / pow(10, digits));
}

static void complain(const struct snapshot_meter *meter, const struct snapshot *s,
		     const struct explanation *e)
{
	const struct rcr_board_value *v = &s->value;
	unsigned int i;

	if (tally.wrong++ >= SHOWN)
		return;
	printf("# %s%s %u/%u at %llu: %s, after %u choices, version %llu\n", meter->name,
	       s->version ? "" : " (file)", s->kind, s->number, (unsigned long long)v->time,
	       mismatch_names[e->why], e->tries, (unsigned long long)s->version);
	printf("#   is");
	show_number("current", v->current_value, meter->digits);
	show_number("average", v->average, meter->digits);
	show_number("sum", v->sum, meter->digits);
	show_number("peak", v->peak, meter->digits);
	show_number("highest", v->highest, meter->digits);
	printf(" unseen %llu window %llu counted %llu status %u %u\n",
	       (unsigned long long)v->unseen, (unsigned long long)(v->time - v->begin),
	       (unsigned long long)v->counted_ns, v->status, v->current_status);
	if (e->why == NO_SAMPLE)
		return;
	printf("#   not");
	show_number("current", e->value.current_value, meter->digits);
	show_number("average", e->value.average, meter->digits);
	show_number("sum", e->value.sum, meter->digits);
	show_number("peak", e->peak, meter->digits);
	show_number("highest", e->highest, meter->digits);
	printf(" unseen %llu window %llu counted %llu status %u %u (run %u, parts %llu to %llu)\n",
	       (unsigned long long)e->unseen,
	       (unsigned long long)(e->place.time - e->place.begin),
	       (unsigned long long)e->value.counted_ns, e->value.status,
	       e->value.current_status, e->place.run,
	       (unsigned long long)e->place.begin_id, (unsigned long long)e->place.complete);
	for (i = 0; i < e->place.lanes; i++) {
		const struct lane *l = &e->place.lane[i];
		const struct log_sample *n = lane_sample(l, l->newest);

		printf("#   CPU %u%s: sample %llu, next by %llu, marks %d to %d, window from %d\n",
		       l->cpu, l->away ? " (away)" : "", n ? (unsigned long long)n->time : 0,
		       (unsigned long long)l->next, l->first, l->head, l->begin);
	}
}

static void begin_place(struct meter_place *m, const struct snapshot *s)
{
	unsigned int cpu;

	m->lanes = 0;
	for (cpu = 0; cpu < LOG_CPUS; cpu++)
		if (has_cpu[cpu] && samples.cpu[cpu].count &&
		    place_of_cpu[s->kind][cpu] == (int)s->number)
			m->cpu[m->lanes++] = cpu;
}

/*
 * Return whether the log of some CPU begins later, or, if there is only one CPU, has ended by then.
 */
static bool is_outside(const struct meter_place *m, uint64_t time)
{
	uint64_t first = 0, last = UINT64_MAX;
	unsigned int i;

	for (i = 0; i < m->lanes; i++) {
		const struct log_cpu *c = &samples.cpu[m->cpu[i]];

		if (c->sample[0].time > first)
			first = c->sample[0].time;
		if (c->sample[c->count - 1].time < last)
			last = c->sample[c->count - 1].time;
	}
	return time < first || (time > last && m->lanes == 1);
}

static bool has_marks(const struct meter_place *m)
{
	unsigned int i;

	for (i = 0; i < m->lanes; i++)
		if (!m->scale->marks[m->cpu[i]].count)
			return false;
	return true;
}

static void keep_whole(const struct snapshot *s, const struct explanation *e, bool found)
{
	if (whole_count == MOST_WHOLES)
		return;
	wholes[whole_count].order = s->order;
	wholes[whole_count].found = found;
	wholes[whole_count++].explanation = *e;
}

/* Judge a place in a meter's file, which was evaluated with the samples of the machine's line. */
static void judge_part(const struct snapshot_meter *meter, const struct meter_place *m,
		       const struct snapshot *s, const struct past *past)
{
	static struct explanation e;
	unsigned int i = whole_count;

	while (i && wholes[i - 1].order > s->order)
		i--;
	if (!i || !wholes[i - 1].found) {
		tally.undecided++;
		return;
	}
	if (!explain_part(m, s, past, &wholes[i - 1].explanation, &e) && e.overdue) {
		tally.undecided++;
		return;
	}
	tally.judged++;
	if (e.why != MATCHES)
		complain(meter, s, &e);
	else
		tally.obvious += !e.cost;
}

/* Print the latest samples and marks up to the time of a snapshot that no choice explains. */
static void show_samples(const struct meter_place *m, uint64_t time)
{
	unsigned int i;
	int k;

	for (i = 0; i < m->lanes; i++) {
		const struct log_cpu *c = &samples.cpu[m->cpu[i]];
		const struct log_marks *marks = &m->scale->marks[m->cpu[i]];
		int at = sample_until(c, time, c->count), n = marks_until(marks, at);

		printf("#   CPU %u: sample %d, marks %d:", m->cpu[i], at, n);
		for (k = n > 2 ? n - 2 : 0; k < n + 2 && k < marks->count; k++)
			printf(" %d", marks->sample[k]);
		printf(", samples (run):");
		for (k = at > 2 ? at - 2 : 0; k < at + 4 && k < c->count; k++)
			printf(" %llu (%u)", (unsigned long long)c->sample[k].time,
			       c->sample[k].run);
		printf("\n");
	}
}

static void judge_snapshot(const struct snapshot_meter *meter, const struct meter_place *m,
			   const struct snapshot *s, struct past *past)
{
	static struct explanation e;
	bool follows_past = follows(s, past), found;

	if (!(s->has & HAS_TIME)) {
		judge_part(meter, m, s, past);
		return;
	}
	if (!m->lanes || !has_marks(m) || is_outside(m, s->value.time)) {
		tally.outside++;
		return;
	}
	found = explain_snapshot(m, s, past, &e);
	if (!s->version && !s->kind)
		keep_whole(s, &e, found);
	if (!found && (e.outside || e.overdue)) {
		tally.outside += e.outside;
		tally.undecided += !e.outside;
		return;
	}
	tally.judged++;
	tally.followed += follows_past;
	if (!found)
		complain(meter, s, &e);
	else
		tally.obvious += !e.cost;
	if (!found && e.why == NO_SAMPLE && tally.wrong <= SHOWN)
		show_samples(m, s->value.time);
}

static const struct snapshot_meter *find_meter(uint32_t serial)
{
	unsigned int i;

	for (i = 0; i < meter_count; i++)
		if (meters[i]->serial == serial)
			return meters[i];
	return NULL;
}

static void show_tally(const char *name, const struct tally *t)
{
	printf("%s: %lu judged, %lu wrong, %lu undecided, %lu outside, %lu obvious, %lu followed\n",
	       name, t->judged, t->wrong, t->undecided, t->outside, t->obvious, t->followed);
}

static void end_meter(const struct snapshot_meter *meter)
{
	show_tally(meter->name, &tally);
	all.judged += tally.judged;
	all.wrong += tally.wrong;
	all.undecided += tally.undecided;
	all.outside += tally.outside;
	all.obvious += tally.obvious;
	all.followed += tally.followed;
}

static void begin_meter(struct meter_place *m, const struct snapshot_meter *meter,
			struct meter_form *form)
{
	uint64_t hz = samples.run[0].set->tsc_khz * 1000ull;
	int known;

	memset(&tally, 0, sizeof(tally));
	whole_count = 0;
	*form = meter->form;
	number_operands(form);
	m->form = form;
	m->scale = use_scale(meter->scale_ns);
	bind_meter(m);
	known = check_intended(meter->name, form, meter->digits, hz);
	forms_right += known == 1;
	forms_wrong += !known;
	if (!known)
		printf("# %s does not compute the quantity of its name\n", meter->name);
}

static bool is_next_place(const struct snapshot *s, const struct snapshot *before)
{
	return s->serial != before->serial || s->kind != before->kind ||
	       s->number != before->number;
}

static void judge_all(void)
{
	const struct snapshot_meter *meter = NULL;
	static struct meter_form form;
	static struct meter_place m;
	struct past past = { };
	size_t i;

	for (i = 0; i < snapshot_count; i++) {
		const struct snapshot *s = snapshots[i], *before = i ? snapshots[i - 1] : NULL;

		if (!before || s->serial != before->serial) {
			if (meter)
				end_meter(meter);
			meter = find_meter(s->serial);
			if (meter)
				begin_meter(&m, meter, &form);
		}
		if (!meter)
			continue;
		if (!before || is_next_place(s, before)) {
			begin_place(&m, s);
			past = (struct past){ };
		}
		judge_snapshot(meter, &m, s, &past);
	}
	if (meter)
		end_meter(meter);
}

int main(int argc, char **argv)
{
	unsigned int cpu, run;

	wholes = calloc(MOST_WHOLES, sizeof(*wholes));
	if (argc != 3 || !wholes || !load_log(argv[1]) || !load_records(argv[2]))
		return 1;
	take_records();
	find_marks();
	qsort(snapshots, snapshot_count, sizeof(*snapshots), by_place);
	printf("stream: %u runs, %u times lost, %u late\n", samples.runs, samples.lost,
	       samples.late);
	for (cpu = 0; cpu < LOG_CPUS; cpu++)
		for (run = 0; run < samples.runs; run++)
			if (samples.cpu[cpu].count)
				printf("# CPU %u: run %u begins with sample %d of %d\n", cpu, run,
				       samples.cpu[cpu].of_run[run], samples.cpu[cpu].count);
	judge_all();
	printf("forms: %u as intended, %u wrong\n", forms_right, forms_wrong);
	printf("marks: %u by the rule, %u wrong\n", marks_right, marks_wrong);
	show_tally("all", &all);
	return 0;
}
