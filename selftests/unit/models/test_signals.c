// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_signals.c - the events of each family that models read: the module accepts them, and each is
 * exactly one signal; a labelled recording that is rewritten with the counters of another family
 * gives the same verdicts.
 */
#include <stdlib.h>
#include <string.h>

#include "control/event.h"
#include "ksft.h"
#include "labelled_machine.h"
#include "model/engine.h"
#include "rcr.h"
#include "table.h"

#define WINDOW_NS	20000000
#define CHANGES		64

static const char *families[32];
static unsigned int family_count;

static void find_families(void)
{
	const struct family_names *n;
	unsigned int i;

	for (i = 0; event_table(i); i++)
		for (n = event_table(i)->names; n && n->family; n++)
			if (signal_next(NULL, n->family))
				families[family_count++] = n->family;
}

/* Format the event of a row for box @box as a user writes it. */
static void text_of(const struct signal_row *row, unsigned int box, char *text, size_t size)
{
	const char *from;
	size_t used = 0;

	if (!strchr(row->event, '='))
		used = snprintf(text, size, "X=");
	for (from = row->event; *from && used < size - 8; from++)
		used += *from == '#' ? snprintf(text + used, size - used, "%u", box) :
				       snprintf(text + used, size - used, "%c", *from);
	text[used] = 0;
}

static bool row_is(const struct signal_row *row, bool right, const char *what)
{
	if (!right)
		ksft_print_msg("%s of %s, %s: %s\n", signal_name(row->signal), row->family,
			       row->event ? row->event : "like another one", what);
	return right;
}

static bool parse_row(const struct signal_row *row, unsigned int box, struct rcr_event_spec *e)
{
	char text[256], why[RCR_SENTENCE_LEN];

	text_of(row, box, text, sizeof(text));
	return rcr_event_parse(text, e, 1, why, sizeof(why)) == 1;
}

static void test_texts(void)
{
	unsigned int i, bad = 0, rows = 0;
	const struct signal_row *row;
	struct rcr_event_spec e;

	for (i = 0; i < family_count; i++)
		for (row = NULL; (row = signal_next(row, families[i])); rows++) {
			if (!row->event) {
				bad += !row_is(row, row->like != row->signal, "of itself");
				continue;
			}
			bad += !row_is(row, parse_row(row, 0, &e) && strlen(e.name) < RCR_NAME_LEN,
				       "not an event");
			/* The set shows only names, so events of numbered boxes need one. */
			bad += !row_is(row, !strchr(row->event, '#') == !strchr(row->event, '='),
				       "must have a name if and only if it has numbered boxes");
		}
	ksft_test_result(!bad && rows, "signals: each of %u events of %u families can be parsed\n",
			 rows, family_count);
}

/* Describe a counter of the event as the module does. */
static void make_counter(const struct signal_row *row, unsigned int box, struct rcr_counter *c)
{
	struct rcr_event_spec e;

	parse_row(row, box, &e);
	memset(c, 0, sizeof(*c));
	snprintf(c->name, sizeof(c->name), "%s", e.name);
	c->select = (e.config & 0xff) | (e.config & 0xf00) << 24 | (uint64_t)e.umask << 8;
	c->scope = RCR_SCOPE_PACKAGE;
	if (!*e.unit) {
		c->scope = RCR_SCOPE_CPU;
		c->select |= 0x430000;
	} else if (!strncmp(e.unit, "umc", 3)) {
		c->select |= 1ull << 31;
	} else if (!strcmp(e.unit, "l3")) {
		c->scope = RCR_SCOPE_LLC;
		c->select |= 0x0300c00000400000;
	} else {
		c->select |= 0x400000;
	}
}

static struct {
	struct rcr_set set;
	struct rcr_counter counter[RCR_MAX_COUNTERS];
} made;

static void begin_set(const char *family)
{
	memset(&made, 0, sizeof(made));
	made.set.counter_offset = sizeof(made.set);
	made.set.counter_size = sizeof(made.counter[0]);
	snprintf(made.set.family, sizeof(made.set.family), "%s", family);
}

static bool is_exact_match(const struct signal_row *row)
{
	struct signals s;

	begin_set(row->family);
	make_counter(row, 3, &made.counter[made.set.ncounters++]);
	signals_bind(&s, &made.set, 0);
	if (s.of[0] != row->signal)
		return false;
	/* A counter with another unit mask or event must not be the signal. */
	made.counter[0].select ^= 1 << 8;
	signals_bind(&s, &made.set, 0);
	if (s.of[0] == row->signal && !strchr(row->event, ','))
		return false;
	made.counter[0].select ^= 1 << 8 | 1 << 5;
	signals_bind(&s, &made.set, 0);
	return s.of[0] != row->signal;
}

static void test_one_signal(void)
{
	const struct signal_row *row, *other;
	unsigned int i, bad = 0, rows = 0;
	struct rcr_counter a, b;

	for (i = 0; i < family_count; i++)
		for (row = NULL; (row = signal_next(row, families[i]));) {
			if (!row->event)
				continue;
			rows++;
			bad += !row_is(row, is_exact_match(row), "its counter is not recognized, or another one is");
			make_counter(row, 0, &a);
			for (other = row; (other = signal_next(other, families[i]));) {
				if (!other->event)
					continue;
				make_counter(other, 0, &b);
				bad += !row_is(row, strcmp(row->event, other->event) &&
					       (a.select != b.select || a.scope != b.scope ||
						strcmp(a.name, b.name)), "another row has the same event");
			}
		}
	ksft_test_result(!bad && rows, "signals: a counter of each of %u events is exactly one signal\n", rows);
}

/* Return whether a set of all events of a family except @without lacks its signal. */
static bool lacks_one(const char *family, const struct signal_row *without)
{
	const struct signal_row *row = NULL;
	struct signals s;

	begin_set(family);
	while ((row = signal_next(row, family)))
		if (row->event && row != without)
			make_counter(row, 0, &made.counter[made.set.ncounters++]);
	signals_bind(&s, &made.set, 0);
	return !(s.has & SIGNAL_BIT(without->signal));
}

static void test_complete(void)
{
	const struct signal_row *row;
	unsigned int i, bad = 0;
	struct signals s;

	for (i = 0; i < family_count; i++)
		for (row = NULL; (row = signal_next(row, families[i]));)
			if (row->event)
				bad += !row_is(row, lacks_one(families[i], row), "it is not needed");
	ksft_test_result(!bad, "signals: a signal of several events needs all of them\n");

	/* The lines of a node are unknown while one of twelve controllers is not counted. */
	begin_set("AMD PerfMonV2");
	for (row = NULL; (row = signal_next(row, "AMD PerfMonV2")) && row->signal != SIGNAL_ROWS;)
		;
	for (i = 0; i < 11; i++)
		make_counter(row, i, &made.counter[made.set.ncounters++]);
	signals_bind(&s, &made.set, 12);
	bad = s.has & SIGNAL_BIT(SIGNAL_LINES);
	make_counter(row, 11, &made.counter[made.set.ncounters++]);
	signals_bind(&s, &made.set, 12);
	ksft_test_result(!bad && s.has & SIGNAL_BIT(SIGNAL_LINES),
			 "signals: lines need the counts of all memory controllers\n");
}

/* Append the events that are printed for a missing signal, for box 0. */
static void append_printed(const char *family, enum signal signal, char *all, size_t room)
{
	const char *event = signal_event(family, signal);
	size_t used = strlen(all);

	used += snprintf(all + used, room - used, " ");
	for (; event && *event && used < room - 1; event++)
		all[used++] = *event == '#' ? '0' : *event;
	all[used] = 0;
}

/* Return whether @signal borrows the events of another signal. */
static bool is_like(const char *family, enum signal signal)
{
	const struct signal_row *row = NULL;

	while ((row = signal_next(row, family)))
		if (row->signal == signal)
			return !row->event;
	return true;
}

static void test_printed(void)
{
	struct rcr_event_spec events[64];
	unsigned int i, bad = 0, rows = 0;
	char all[4096], why[RCR_SENTENCE_LEN];
	enum signal signal;
	int count;

	for (i = 0; i < family_count; i++) {
		*all = 0;
		for (signal = 0; signal < SIGNALS_COUNTED; signal++)
			if (!is_like(families[i], signal))
				append_printed(families[i], signal, all, sizeof(all));
		count = rcr_event_parse(all, events, 64, why, sizeof(why));
		if (count <= 0)
			ksft_print_msg("%s: %s\n", families[i], why);
		bad += count <= 0;
		rows += count > 0 ? count : 0;
	}
	ksft_test_result(!bad && rows, "signals: %u missing events can be added in their printed form\n",
			 rows);
}

/* Add a counter of @event for each box in @boxes; "#" stands for its number. */
static void add_counters(const char *family, const char *event, uint64_t boxes)
{
	const struct signal_row row = { .family = family, .event = event };
	unsigned int n;

	for (n = 0; n < 64; n++)
		if (boxes >> n & 1)
			make_counter(&row, n, &made.counter[made.set.ncounters++]);
}

#define ZEN4_LINES	"CAS#=umc#:event:0x0a"
#define ZEN4_PRECHARGE	"PRECHARGE#=umc#:event:0x06"
#define ZEN4_BUSY	"DATA_CLK#=umc#:event:0x14"
#define ZEN4_CLOCKS	"MEM_CLK#=umc#:event:0x00"
#define HSW_READS	"CAS_RD#=imc#:event:0x04,umask:0x03"
#define HSW_WRITES	"CAS_WR#=imc#:event:0x04,umask:0x0c"
#define HSW_WAITING	"RPQ_OCC#=imc#:event:0x80"
#define HSW_WAITED	"RPQ_INS#=imc#:event:0x10"
#define HSW_LOCAL	"HOME_LOCAL#=ha#:event:0x01,umask:0x05"
#define HSW_REMOTE	"HOME_REMOTE#=ha#:event:0x01,umask:0x0a"

/* Which signals a set of two events has, by the boxes that count each of them. */
static void test_part_of_boxes(void)
{
	static const struct {
		const char *family, *event[2];
		uint64_t boxes[2];
		unsigned int known;
		uint32_t has, lacks;
	} cases[] = {
		/* Conflicts of one controller must not be divided by the lines of all. */
		{ "AMD PerfMonV2", { ZEN4_LINES, ZEN4_PRECHARGE }, { 0xf, 0xf }, 0,
		  SIGNAL_BIT(SIGNAL_LINES) | SIGNAL_BIT(SIGNAL_CONFLICTS), 0 },
		{ "AMD PerfMonV2", { ZEN4_LINES, ZEN4_PRECHARGE }, { 0xf, 0x1 }, 0,
		  SIGNAL_BIT(SIGNAL_LINES), SIGNAL_BIT(SIGNAL_CONFLICTS) },
		{ "AMD PerfMonV2", { ZEN4_LINES, ZEN4_PRECHARGE }, { 0xf, 0x7 }, 4,
		  SIGNAL_BIT(SIGNAL_LINES), SIGNAL_BIT(SIGNAL_CONFLICTS) },
		/* Load needs the busy cycles and the clocks of the same controllers. */
		{ "AMD PerfMonV2", { ZEN4_BUSY, ZEN4_CLOCKS }, { 0xf, 0x1 }, 4,
		  SIGNAL_BIT(SIGNAL_BUSY) | SIGNAL_BIT(SIGNAL_LOAD), 0 },
		{ "AMD PerfMonV2", { ZEN4_BUSY, ZEN4_CLOCKS }, { 0x1, 0x1 }, 4,
		  SIGNAL_BIT(SIGNAL_CLOCKS), SIGNAL_BIT(SIGNAL_BUSY) | SIGNAL_BIT(SIGNAL_LOAD) },
		{ "Intel Haswell", { HSW_READS, HSW_WRITES }, { 0x33, 0x31 }, 0,
		  SIGNAL_BIT(SIGNAL_READS), SIGNAL_BIT(SIGNAL_WRITES) | SIGNAL_BIT(SIGNAL_LINES) },
		/* Both events of a ratio need the same boxes, though not all of them. */
		{ "Intel Haswell", { HSW_WAITING, HSW_WAITED }, { 0x3, 0x3 }, 4,
		  SIGNAL_BIT(SIGNAL_WAITING) | SIGNAL_BIT(SIGNAL_WAITED), 0 },
		{ "Intel Haswell", { HSW_WAITING, HSW_WAITED }, { 0x1, 0x3 }, 4,
		  SIGNAL_BIT(SIGNAL_WAITED), SIGNAL_BIT(SIGNAL_WAITING) },
		{ "Intel Haswell", { HSW_WAITING, HSW_WAITED }, { 0x1, 0x2 }, 4, 0,
		  SIGNAL_BIT(SIGNAL_WAITED) | SIGNAL_BIT(SIGNAL_WAITING) },
		{ "Intel Haswell", { HSW_LOCAL, HSW_REMOTE }, { 0x3, 0x1 }, 4,
		  SIGNAL_BIT(SIGNAL_LOCAL), SIGNAL_BIT(SIGNAL_REMOTE) },
		{ "Intel Haswell", { HSW_LOCAL, HSW_REMOTE }, { 0x3, 0x3 }, 4,
		  SIGNAL_BIT(SIGNAL_LOCAL) | SIGNAL_BIT(SIGNAL_REMOTE), 0 },
	};
	unsigned int i, bad = 0;
	struct signals s;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin_set(cases[i].family);
		add_counters(cases[i].family, cases[i].event[0], cases[i].boxes[0]);
		add_counters(cases[i].family, cases[i].event[1], cases[i].boxes[1]);
		signals_bind(&s, &made.set, cases[i].known);
		if (!(cases[i].has & ~s.has) && !(cases[i].lacks & s.has))
			continue;
		ksft_print_msg("%s and %s: %#x\n", cases[i].event[0], cases[i].event[1], s.has);
		bad++;
	}
	ksft_test_result(!bad, "signals: events of different boxes are not combined into a signal, of %u cases\n", i);
}

static bool is_signal(const char *event, uint16_t scope, uint64_t more, enum signal signal)
{
	struct signals s;

	begin_set("AMD PerfMonV2");
	add_counters("AMD PerfMonV2", event, 1);
	if (scope)
		made.counter[0].scope = scope;
	made.counter[0].select |= more;
	signals_bind(&s, &made.set, 0);
	return s.of[0] == signal;
}

/* Counters that resemble a signal but count in one mode only, or in another unit. */
static void test_lookalikes(void)
{
	uint64_t guest = 1ull << 40, host = 1ull << 41;
	struct signals s;
	bool ok;

	ok = is_signal("X=event:0xc0", 0, 0, SIGNAL_INSTRUCTIONS) &&
	     is_signal("X=event:0xc0", 0, guest | host, SIGNAL_INSTRUCTIONS) &&
	     !is_signal("X=event:0xc0", 0, guest, SIGNAL_INSTRUCTIONS) &&
	     !is_signal("X=event:0xc0", 0, host, SIGNAL_INSTRUCTIONS);
	ksft_test_result(ok, "signals: a counter restricted to guests or to the host is not a signal\n");
	ok = is_signal("X=l3:event:0x04,umask:0x01", 0, 0, SIGNAL_MISSES) &&
	     !is_signal("X=df:event:0x04,umask:0x01", RCR_SCOPE_PACKAGE, 0, SIGNAL_MISSES);
	/* The kernel's driver counts a single L3 of a package. */
	made.counter[0].select = 0x0104;
	signals_bind(&s, &made.set, 0);
	ok = ok && s.of[0] == SIGNAL_MISSES;
	ksft_test_result(ok, "signals: a counter of the data fabric is not mistaken for one of the L3\n");
	begin_set("AMD PerfMonV2");
	add_counters("AMD PerfMonV2", "TOT_INS=event:0xc0", 1);
	add_counters("AMD PerfMonV2", "PAPI_TOT_INS=event:0xc0", 1);
	signals_bind(&s, &made.set, 0);
	ksft_test_result(s.of[0] == SIGNAL_INSTRUCTIONS && s.of[1] == SIGNALS,
			 "signals: an event with two names is counted once\n");
}

/* Errata of the events of signals, from the vendors' event lists and the kernel. */
static void test_errata(void)
{
	static const struct {
		const char *family;
		enum signal signal;
		const char *erratum;
	} known[] = {
		{ "Intel Sandy Bridge", SIGNAL_MODIFIED, "BJ122" },
		{ "Intel Ivy Bridge", SIGNAL_MODIFIED, "BV98" },
		{ "Intel Haswell", SIGNAL_MODIFIED, "HSD29" },
		{ "Intel Broadwell", SIGNAL_MODIFIED, "BDM100" },
		{ "Intel Broadwell", SIGNAL_MODIFIED, "BDE70" },
		{ "Intel Skylake-SP", SIGNAL_REQUESTS, "SKL057" },
		{ "Intel Skylake-SP", SIGNAL_MISSES, "SKL057" },
		/* No erratum, but the vendor does not list the event. */
		{ "Intel Ivy Bridge", SIGNAL_WAITING, "IVT" },
		{ "Intel Haswell", SIGNAL_WAITING, "HSX" },
		{ "Intel Broadwell", SIGNAL_WAITING, "BDX" },
	};
	unsigned int i, bad = 0;
	struct signals s;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		begin_set(known[i].family);
		signals_bind(&s, &made.set, 0);
		if (s.doubt[known[i].signal] && strstr(s.doubt[known[i].signal], known[i].erratum))
			continue;
		ksft_print_msg("%s lacks %s\n", known[i].family, known[i].erratum);
		bad++;
	}
	ksft_test_result(!bad, "signals: errata of events make their signals doubtful, of %u\n", i);
}

/* Map a heading of the example to its family. */
static const char *heading_family(const char *line)
{
	static const char *const of[][2] = {
		{ "# AMD Family 15h", "AMD Fam15h" }, { "# Zen 4", "AMD PerfMonV2" },
		{ "# Nehalem", "Intel Nehalem" }, { "# Sandy Bridge-EP", "Intel Haswell" },
		{ "# Skylake-SP", "Intel Skylake-SP" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(of) / sizeof(of[0]); i++)
		if (!strncmp(line, of[i][0], strlen(of[i][0])))
			return of[i][1];
	return NULL;
}

/* Count the events of a group, and return how many are not a signal of the family. */
static unsigned int count_others(const char *family, char *group, unsigned int *events)
{
	struct signal_row row = { .family = family };
	unsigned int others = 0;
	struct signals s;
	char *word, *rest;

	for (word = strtok_r(group, ";\n", &rest); word; word = strtok_r(NULL, ";\n", &rest)) {
		row.event = word;
		begin_set(family);
		make_counter(&row, 0, &made.counter[made.set.ncounters++]);
		signals_bind(&s, &made.set, 0);
		++*events;
		if (s.of[0] == SIGNALS)
			ksft_print_msg("%s: %s is not a signal\n", family, word);
		others += s.of[0] == SIGNALS;
	}
	return others;
}

static void test_example(void)
{
	unsigned int bad = 0, groups = 0, events = 0;
	const char *family = NULL;
	FILE *f = fopen(EXAMPLE, "r");
	char line[1024], *value;

	while (f && fgets(line, sizeof(line), f)) {
		family = heading_family(line) ? heading_family(line) : family;
		value = strchr(line, '=');
		if (strncmp(line, "# group.", 8) || !value)
			continue;
		groups++;
		bad += !family || count_others(family, value + 2, &events);
	}
	if (f)
		fclose(f);
	ksft_test_result(!bad && groups == 10,
			 "signals: %u events of the example's %u groups are signals\n", events, groups);
}

/* The changes of states, and the last state of the finding "lines". */
struct changes {
	unsigned int count;
	struct verdict v[CHANGES];
	enum verdict_state lines;
};

static void take_change(void *to, const struct verdict *v)
{
	struct changes *c = to;

	if (c->count < CHANGES)
		c->v[c->count++] = *v;
}

static void judge(const char *bytes, size_t size, const struct machine *m, struct changes *c)
{
	static struct bounds bounds;
	struct engine *e;
	size_t at;

	bounds_init(&bounds);
	c->count = 0;
	e = engine_open(m, &bounds, WINDOW_NS, take_change, c);
	for (at = 0; at < size; at += ((const struct rcr_item *)(bytes + at))->size)
		engine_item(e, (const void *)bytes, (const void *)(bytes + at));
	engine_flush(e);
	c->lines = engine_state(e, FINDING_LINES, 0);
	engine_close(e);
}

/* Rewrite a labelled recording with the events of a Zen 4, which has none for devices. */
static void make_zen4(char *bytes, size_t size)
{
	static const struct {
		const char *name;
		uint64_t select;
		uint16_t scope;
	} zen4[LABELLED_COUNTERS] = {
		[LABELLED_CYCLES] = { "TOT_CYC", 0x430076, RCR_SCOPE_CPU },
		[LABELLED_INSTRUCTIONS] = { "TOT_INS", 0x4300c0, RCR_SCOPE_CPU },
		[LABELLED_L2_MISSES] = { "FILLS", 0x43de44, RCR_SCOPE_CPU },
		[LABELLED_MODIFIED] = { "FROM_CACHES", 0x431444, RCR_SCOPE_CPU },
		[LABELLED_L3_MISSES] = { "MISSES", 0x0300c00000400104, RCR_SCOPE_LLC },
		[LABELLED_READS] = { "CAS_RD0", 0x8000010a, RCR_SCOPE_PACKAGE },
		[LABELLED_WRITES] = { "CAS_WR0", 0x8000020a, RCR_SCOPE_PACKAGE },
		[LABELLED_LATENCY] = { "LATENCY", 0x0300c000004003ac, RCR_SCOPE_LLC },
		[LABELLED_REQUESTS] = { "SAMPLES", 0x0300c000004003ad, RCR_SCOPE_LLC },
		[LABELLED_CONFLICT] = { "PRECHARGE0", 0x80000006, RCR_SCOPE_PACKAGE },
		[LABELLED_ROWS] = { "CAS0", 0x8000000a, RCR_SCOPE_PACKAGE },
		[LABELLED_LOCAL] = { "LOCAL", 0x0300c000004001ad, RCR_SCOPE_LLC },
		[LABELLED_FAR] = { "REMOTE", 0x0300c000004002ad, RCR_SCOPE_LLC },
		[LABELLED_IO] = { "OTHER", 0x0300c000004004ad, RCR_SCOPE_LLC },
	};
	struct rcr_set *set = (void *)bytes;
	struct rcr_counter *c = (void *)(bytes + set->counter_offset);
	unsigned int i;
	size_t at;

	strcpy(set->family, "AMD PerfMonV2");
	for (i = 0; i < LABELLED_COUNTERS; i++) {
		strcpy(c[i].name, zen4[i].name);
		c[i].select = zen4[i].select;
		c[i].scope = zen4[i].scope;
	}
	/* A Zen 4 counts latency in units of ten cycles. */
	for (at = 0; at < size; at += ((const struct rcr_item *)(bytes + at))->size) {
		struct rcr_record *r = (void *)(bytes + at);

		if (r->item.type == RCR_ITEM_SAMPLE)
			r->value[LABELLED_LATENCY] /= 10;
	}
}

static bool are_same(const struct changes *a, const struct changes *b)
{
	unsigned int i;

	for (i = 0; i < a->count && a->count == b->count; i++)
		if (a->v[i].finding != b->v[i].finding || a->v[i].node != b->v[i].node ||
		    a->v[i].state != b->v[i].state || a->v[i].since != b->v[i].since)
			return false;
	return a->count == b->count;
}

static void test_zen4(void)
{
	struct labelled_options o = {
		.seed = 29, .nodes = 2, .node_cpus = 4, .ticks = 1500, .period_ns = 2000000,
		.noise = 0.1,
	};
	static struct changes first, second;
	static struct machine machine;
	unsigned int bad = 0, found = 0, doubts = 0, i;
	struct labelled_truth t;
	size_t size;
	char *bytes;

	for (o.kind = 0; o.kind < LABELLED_KINDS; o.kind++) {
		if (o.kind == LABELLED_CHASE || o.kind == LABELLED_DEVICE)
			continue;
		bytes = labelled_bytes(&o, &t, &size);
		labelled_machine(&machine, &o);
		judge(bytes, size, &machine, &first);
		make_zen4(bytes, size);
		judge(bytes, size, &machine, &second);
		free(bytes);
		found += second.count;
		for (i = 0; i < second.count; i++)
			doubts += !second.v[i].doubt != (second.v[i].finding != FINDING_LINES);
		doubts += first.lines != VERDICT_OK || second.lines != VERDICT_UNKNOWN;
		if (are_same(&first, &second))
			continue;
		ksft_print_msg("%s: %u changes, not %u\n", labelled_name(o.kind), second.count,
			       first.count);
		bad++;
	}
	ksft_test_result(!bad && found,
			 "signals: the events of a Zen 4 give the verdicts of a Family 15h, of %u changes\n", found);
	ksft_test_result(!doubts, "signals: on a Zen 4 lines are doubtful, and unknown instead of ok\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(13);
	find_families();
	test_texts();
	test_printed();
	test_one_signal();
	test_complete();
	test_part_of_boxes();
	test_lookalikes();
	test_errata();
	test_example();
	test_zen4();
	ksft_finished();
}
