// SPDX-License-Identifier: GPL-2.0-only
/*
 * evaluate_all.c [-a] [-f FAMILY] [-n EVALUATIONS] - evaluates all live meters of a family on 64
 * CPUs. selftests/bats/evaluate.bats counts the instructions of evaluate_all() with valgrind.
 *
 * The default is the family with the most live meters in its default set. With -a the set has all
 * counters that any meter of the family needs, even if no machine can count them at once.
 * There are one mark and five samples between evaluations, the most that is usual. Prints the
 * meters and the number of values that were ok.
 */
#include <string.h>
#include <unistd.h>

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/kernel.h>

#include "catalogue.h"
#include "event_of_spec.h"
#include "form_of.h"
#include "meter/value.h"
#include "pmu/pmu.h"
#include "ring/ring_protocol.h"
#include "ring/scale.h"

#define CPUS		64
#define HZ		2000000000ull
#define SCALE		1000000000ull
#define PERIOD		(SCALE / RCR_SCALE_PARTS / 5)
#define RECORDS		64
#define WARM_UP		40
#define METERS		64
#define PLACES		(CPUS + 1)

/* The counters of a set, and the CPUs that share each. */
struct counter {
	struct rcr_event event;
	enum rcr_scope scope;
	bool is_gauge;
};

struct meter {
	const struct catalogue_row *row;
	struct rcr_binding binding;
	unsigned int group_cpus;		/* index in group_cpus[] */
	struct rcr_past past[PLACES];
};

struct cpu {
	struct rcr_ring *ring;
	void *marks;
	struct rcr_scales scales;
	u64 value[RCR_MAX_COUNTERS];
	u64 spent;
};

static struct counter counters[RCR_MAX_COUNTERS];
static struct rcr_record_layout layout;
static struct meter meters[METERS];
static unsigned int live;

static struct cpu cpus[CPUS];
static struct rcr_history history[CPUS];
static struct rcr_workspace workspace;

/* CPUs that share a counter. In view[], place 0 is the machine, followed by the groups. */
static const unsigned int group_cpus[] = { 1, 2, 8, 32 };
static struct rcr_view view[ARRAY_SIZE(group_cpus)][PLACES];
static struct rcr_view_lane view_lane[ARRAY_SIZE(group_cpus)][2 * CPUS];
static bool needed[ARRAY_SIZE(group_cpus)];
static u16 sharing[ARRAY_SIZE(group_cpus)][CPUS];
static u64 tick;
static unsigned long values_ok, values_all;

/* Return the index in @group_cpus. */
static unsigned int group_of_scope(enum rcr_scope scope)
{
	switch (scope) {
	case RCR_SCOPE_CPU:
		return 0;
	case RCR_SCOPE_CORE:
		return 1;
	case RCR_SCOPE_LLC:
		return 2;
	default:
		return 3;
	}
}

static bool find_counter(const char *name, bool *is_gauge)
{
	unsigned int i;

	for (i = 0; i < layout.count; i++) {
		if (strcmp(counters[i].event.name, name))
			continue;
		*is_gauge = counters[i].is_gauge;
		return true;
	}
	return false;
}

/*
 * Return the PMU that counts an event; NULL if the family has none. A unit is named by its PMU and
 * a number.
 */
static const struct rcr_pmu *find_pmu(const struct rcr_family *f, const struct rcr_event *e)
{
	const struct rcr_pmu *pmu;
	unsigned int i, n;

	if (!*e->unit)
		return &f->core;
	for (i = 0; (pmu = rcr_family_pmu(f, i)); i++) {
		n = strlen(pmu->name);
		if (!strncmp(e->unit, pmu->name, n) &&
		    strspn(e->unit + n, "0123456789") == strlen(e->unit + n))
			return pmu;
	}
	return NULL;
}

static void add_counter(const struct rcr_family *f, const struct rcr_event *e)
{
	const struct rcr_pmu *pmu = find_pmu(f, e);

	if (!pmu)
		return;
	if (layout.count == RCR_MAX_COUNTERS)
		ksft_exit_fail_msg("%s needs more than %u counters\n", f->name, RCR_MAX_COUNTERS);
	counters[layout.count] = (struct counter){ *e, pmu->scope, pmu->gauge };
	if (pmu->gauge)
		layout.gauges |= BIT(layout.count);
	layout.count++;
}

/* Expand rows for three memory channels; the counters of four do not fit in a set. */
#define BOXES 0x7

static int parse_events(const struct catalogue_row *row, struct rcr_event *event)
{
	static struct rcr_event_spec spec[RCR_MAX_COUNTERS];
	struct catalogue_way way;
	char why[512];
	int i, n = 0;

	catalogue_expand(row, BOXES, &way);
	if (*way.events)
		n = rcr_event_parse(way.events, spec, RCR_MAX_COUNTERS, why, sizeof(why));
	if (n < 0)
		ksft_exit_fail_msg("%s: %s\n", row->name, why);
	for (i = 0; i < n; i++)
		event[i] = event_of_spec(&spec[i]);
	return n;
}

static bool is_counted(const struct rcr_event *e)
{
	unsigned int i;

	for (i = 0; i < layout.count; i++)
		if (!strcmp(counters[i].event.name, e->name) &&
		    rcr_event_same(&counters[i].event, e))
			return true;
	return false;
}

/* Make the default set, or with @all the set of all counters that its meters could need. */
static void make_set(const struct rcr_family *f, bool all)
{
	struct rcr_event event[RCR_MAX_COUNTERS];
	const struct catalogue_row *row = NULL;
	unsigned int i;
	int n;

	memset(&layout, 0, sizeof(layout));
	for (i = 0; i < rcr_family_defaults(f); i++)
		add_counter(f, &f->default_event[i]);
	while (all && (row = catalogue_next(row, f->name)))
		for (n = parse_events(row, event); n--; )
			if (!is_counted(&event[n]))
				add_counter(f, &event[n]);
}

/* Find the best row of each meter whose counters are all in the set. */
static unsigned int find_live(const struct rcr_family *f)
{
	struct rcr_event event[RCR_MAX_COUNTERS];
	const struct catalogue_row *row = NULL;
	int n;

	for (live = 0; (row = catalogue_next(row, f->name)); ) {
		if (live && !strcmp(meters[live - 1].row->name, row->name))
			continue;
		for (n = parse_events(row, event); n && is_counted(&event[n - 1]); n--)
			;
		if (!n)
			meters[live++].row = row;
	}
	return live;
}

static const struct rcr_family *find_family(const char *name, bool all)
{
	const struct rcr_family *worst = NULL;
	unsigned int i, n, most = 0;

	for (i = 0; rcr_families[i]; i++) {
		if (name && strcmp(rcr_families[i]->name, name))
			continue;
		make_set(rcr_families[i], all);
		n = find_live(rcr_families[i]);
		printf("%s: %u meters\n", rcr_families[i]->name, n);
		if (n <= most)
			continue;
		most = n;
		worst = rcr_families[i];
	}
	if (!worst)
		ksft_exit_fail_msg("no such family, or it has no meters: %s\n", name ?: "any");
	return worst;
}

static unsigned int number_of(const char *name)
{
	unsigned int i;

	for (i = 0; i < layout.count; i++)
		if (!strcmp(counters[i].event.name, name))
			return i;
	return RCR_OPERAND_SPENT;
}

/* Bind as bind.c does: a meter has the places of its widest counter. */
static void bind_meter(struct meter *m)
{
	struct catalogue_way way;
	struct rcr_form *form;
	const u16 *shared[RCR_FORM_OPERANDS] = { };
	u8 number_by[RCR_FORM_OPERANDS] = { };
	unsigned int i, g;

	catalogue_expand(m->row, BOXES, &way);
	form = form_of(way.formula, m->row->digits, HZ, find_counter);
	m->group_cpus = 0;
	for (i = 0; i < rcr_form_terms(form); i++) {
		unsigned int k = form->term[i].operand, number = number_of(form->term[i].name);

		g = number == RCR_OPERAND_SPENT ? 0 : group_of_scope(counters[number].scope);
		number_by[k] = number;
		shared[k] = g ? sharing[g] : NULL;
		m->group_cpus = max(m->group_cpus, g);
	}
	needed[m->group_cpus] = true;
	rcr_binding_init(&m->binding, form, number_by, shared, &layout);
	printf("  %s, at %u places\n", m->row->name, CPUS / group_cpus[m->group_cpus] + 1);
}

static void make_cpu(unsigned int i, u32 record_size)
{
	struct cpu *c = &cpus[i];

	c->ring = calloc(1, sizeof(*c->ring) + RECORDS * record_size);
	c->marks = calloc(1, rcr_scale_bytes(record_size));
	*c->ring = (struct rcr_ring){
		.magic = RCR_RING_MAGIC, .data_offset = sizeof(*c->ring), .capacity = RECORDS,
		.record_size = record_size, .cpu = i, .next = RCR_RING_NEVER,
	};
	rcr_scale_init(c->marks, i, 1, record_size);
	rcr_scales_begin(&c->scales, 0, c->marks, true);
	if (rcr_history_init(&history[i], &layout, SCALE, c->ring, c->marks))
		ksft_exit_fail_msg("no memory\n");
}

static void make_view(struct rcr_view *v, struct rcr_view_lane *lane, unsigned int first,
		      unsigned int n)
{
	unsigned int i;

	*v = (struct rcr_view){
		.lanes = n, .lane = lane, .scale = SCALE, .period = PERIOD, .tsc_hz = HZ,
		.anew = 1,
	};
	for (i = 0; i < n; i++) {
		lane[i].history = &history[first + i];
		lane[i].lane = first + i;
	}
}

static void make_machine(void)
{
	u32 record_size = sizeof(struct rcr_record) + layout.count * 8 +
			  (layout.count + 7) / 8 * 8;
	unsigned int i, g, at;

	if (rcr_scale_use(SCALE) || rcr_workspace_init(&workspace, CPUS, CPUS))
		ksft_exit_fail_msg("no memory\n");
	for (i = 0; i < CPUS; i++)
		make_cpu(i, record_size);
	for (g = 0; g < ARRAY_SIZE(group_cpus); g++) {
		make_view(&view[g][0], view_lane[g], 0, CPUS);
		for (at = 0; at < CPUS; at += group_cpus[g])
			make_view(&view[g][1 + at / group_cpus[g]], &view_lane[g][CPUS + at], at,
				  group_cpus[g]);
		for (i = 0; i < CPUS; i++)
			sharing[g][i] = i / group_cpus[g] * group_cpus[g];
	}
}

static void take_sample(unsigned int cpu, u64 time)
{
	struct cpu *c = &cpus[cpu];
	struct rcr_record *r = rcr_ring_begin(c->ring);
	unsigned int i, group;

	memset(r, 0, c->ring->record_size);
	r->item.type = RCR_ITEM_SAMPLE;
	r->item.size = c->ring->record_size;
	r->position = c->ring->head;
	r->time = time + random() % 3000;
	r->tsc = r->time * 2 + (1ull << 50);
	r->tsc_end = r->tsc + 700 + random() % 100;
	c->spent += 1500 + random() % 400;
	r->spent = c->spent;
	for (i = 0; i < layout.count; i++) {
		group = group_cpus[group_of_scope(counters[i].scope)];
		c->value[i] += random() % (PERIOD * 2);
		r->value[i] = c->value[i];
		if (counters[i].is_gauge)
			r->value[i] = 30000 + random() % 30000;
		((u8 *)&r->value[layout.count])[i] =
			cpu % group ? RCR_STATUS_ELSEWHERE : RCR_STATUS_OK;
	}
	rcr_ring_commit(c->ring);
	if (r->time >= c->scales.due)
		rcr_scales_mark(&c->scales, r);
	rcr_ring_promise(c->ring, time + PERIOD);
}

static void run_machine(void)
{
	unsigned int i, k;

	for (k = 0; k < 5; k++, tick++)
		for (i = 0; i < CPUS; i++)
			take_sample(i, (1000 + tick) * PERIOD);
}

/* Each phase is a separate function, so that profiles show it by name. */
static noinline void update_histories(void)
{
	unsigned int i;

	for (i = 0; i < CPUS; i++)
		rcr_history_update(&history[i], 0);
}

static noinline void update_views(void)
{
	unsigned int g, i;

	rcr_view_update(&view[0][0]);
	for (g = 0; g < ARRAY_SIZE(group_cpus); g++)
		for (i = 1; needed[g] && i <= CPUS / group_cpus[g]; i++)
			rcr_view_update(&view[g][i]);
}

static void update_value(struct meter *m, unsigned int place)
{
	const struct rcr_view *v = place ? &view[m->group_cpus][place] : &view[0][0];
	struct rcr_board_value val;

	rcr_value_update(&m->past[place], &m->binding, v, &workspace, &val);
	values_all++;
	values_ok += val.status == RCR_STATUS_OK;
}

static noinline void update_narrow_places(void)
{
	unsigned int i, k;

	for (i = 0; i < live; i++)
		for (k = 1; k <= CPUS / group_cpus[meters[i].group_cpus]; k++)
			update_value(&meters[i], k);
}

static noinline void update_machine_places(void)
{
	unsigned int i;

	for (i = 0; i < live; i++)
		update_value(&meters[i], 0);
}

static noinline void evaluate_all(void)
{
	update_histories();
	update_views();
	update_narrow_places();
	update_machine_places();
}

/* Evaluate all, but in another order: the compiler would merge this with evaluate_all(). */
static noinline void warm_up(void)
{
	update_histories();
	update_views();
	update_machine_places();
	update_narrow_places();
}

int main(int argc, char **argv)
{
	const struct rcr_family *f;
	const char *name = NULL;
	unsigned int n = 16, i;
	bool all = false;
	int option;

	while ((option = getopt(argc, argv, "af:n:")) != -1) {
		if (option == 'a')
			all = true;
		else if (option == 'f')
			name = optarg;
		else if (option == 'n')
			n = atoi(optarg);
		else
			return 1;
	}
	f = find_family(name, all);
	make_set(f, all);
	find_live(f);
	printf("%s:\n", f->name);
	make_machine();
	for (i = 0; i < live; i++)
		bind_meter(&meters[i]);
	for (i = 0; i < WARM_UP; i++) {
		run_machine();
		warm_up();
	}
	values_ok = 0;
	values_all = 0;
	for (i = 0; i < n; i++) {
		run_machine();
		evaluate_all();
	}
	printf("%lu of %lu values ok\n", values_ok, values_all);
	return values_ok == values_all ? 0 : 1;
}
