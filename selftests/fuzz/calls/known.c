// SPDX-License-Identifier: GPL-2.0-only
/*
 * known.c - programs that use the interfaces correctly, or with errors that random changes seldom
 * produce. make.c derives others from them.
 */
#include <linux/rcrboard.h>
#include <linux/rcrtool.h>

#include "calls.h"
#include "make.h"

#define COSTLY	5	/* number of slow programs, the last ones of known[] */

static void append_op(struct program *p, struct op op)
{
	if (p->count < OPS)
		p->op[p->count++] = op;
}

static void add_request(struct program *p, unsigned int cmd, struct attr a, struct attr b,
			struct attr c)
{
	struct op op = { .kind = OP_REQUEST, .target = cmd };

	if (a.type)
		op.attr[op.attrs++] = a;
	if (b.type)
		op.attr[op.attrs++] = b;
	if (c.type)
		op.attr[op.attrs++] = c;
	append_op(p, op);
}

/* Dump a list, with the descriptor in @slot, which permits it to an ordinary user. */
static void add_dump(struct program *p, unsigned int cmd, unsigned int slot)
{
	struct op op = { .kind = OP_REQUEST, .target = cmd, .flags = 1, .attrs = 1 };

	op.attr[0] = attr(RCR_A_DEVICE, slot, NULL);
	append_op(p, op);
}

static void add_open(struct program *p, unsigned int slot, unsigned int target, unsigned int flags)
{
	append_op(p, (struct op){
		.kind = OP_OPEN, .slot = slot, .target = target, .flags = flags,
	});
}

static void add_op(struct program *p, unsigned int kind, unsigned int slot, unsigned int flags,
		   uint64_t a)
{
	append_op(p, (struct op){ .kind = kind, .slot = slot, .flags = flags, .a = a });
}

static const struct attr no_attr;

static void read_stream(struct program *p)
{
	add_open(p, 0, 0, 0);
	add_op(p, OP_READ, 0, 0, 8192);
	add_op(p, OP_WAIT, 0, 0, 2900);
	add_op(p, OP_POLL, 0, 0, 1);
	add_op(p, OP_READ, 0, 0, 65536);
	add_op(p, OP_SEEK, 0, 0, 0);
	add_op(p, OP_READ, 0, 0, 65536);
	add_op(p, OP_MAP, 0, 4 << 1 | 1 << 4, 0);
}

static void read_files(struct program *p)
{
	unsigned int i;

	for (i = 0; i < OPS / 2; i++) {
		add_open(p, i, 2 + below(PATHS - 2), 0);
		add_op(p, OP_READ, i, 0, 65536);
	}
}

static void change_set(struct program *p)
{
	add_request(p, RCR_CMD_ADD, attr(RCR_A_EVENT, 0, texts[11 + below(10)]), no_attr, no_attr);
	add_request(p, RCR_CMD_FINALIZE, attr(RCR_A_GENERATION, 0, NULL), no_attr, no_attr);
	add_request(p, RCR_CMD_HALT, attr(RCR_A_NAME, 0, "A"), no_attr, no_attr);
	add_request(p, RCR_CMD_CONTINUE, no_attr, no_attr, no_attr);
	add_request(p, RCR_CMD_REASSIGN, attr(RCR_A_NAME, 0, "A"),
		    attr(RCR_A_EVENT, 0, "A=event:0xc1"), no_attr);
	add_request(p, RCR_CMD_REWRITE, no_attr, no_attr, no_attr);
	add_request(p, RCR_CMD_WHERE, attr(RCR_A_EVENT, 0, "A=event:0x3,umask:1"), no_attr,
		    no_attr);
	add_request(p, RCR_CMD_LOOK, no_attr, no_attr, no_attr);
}

static void hold_set(struct program *p)
{
	add_open(p, 1, 0, 0);
	add_request(p, RCR_CMD_ADD, attr(RCR_A_EVENT, 0, "K=event:0xc5"), no_attr, no_attr);
	add_request(p, RCR_CMD_FINALIZE, attr(RCR_A_HOLD, 1, NULL), no_attr, no_attr);
	add_dump(p, RCR_CMD_COUNTERS, 1);
	add_op(p, OP_READ, 1, 0, 65536);
	add_op(p, OP_CLOSE, 1, 0, 0);
	add_request(p, RCR_CMD_PERIOD, attr(RCR_A_PERIOD_NS, 1000000, NULL), no_attr, no_attr);
	add_request(p, RCR_CMD_RESET, no_attr, no_attr, no_attr);
}

static void use_meters(struct program *p)
{
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "m1"),
		    attr(RCR_A_FORM, 0, "rate(A)"), attr(RCR_A_DIGITS, 3, NULL));
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "posted"),
		    attr(RCR_A_PUBLIC, 0, NULL), no_attr);
	add_request(p, RCR_CMD_METER_POST, attr(RCR_A_NAME, 0, "posted"),
		    attr(RCR_A_VALUE, 42, NULL), attr(RCR_A_PLACE, 0, NULL));
	add_request(p, RCR_CMD_METER_MAXIMUM, attr(RCR_A_NAME, 0, "m1"),
		    attr(RCR_A_MAXIMUM, 1000, NULL), attr(RCR_A_OVER, RCR_PLACE_CPU, NULL));
	add_dump(p, RCR_CMD_METERS, 0);
	add_open(p, 3, 9, 0);
	add_op(p, OP_READ, 3, 0, 4096);
	add_request(p, RCR_CMD_METER_REMOVE, attr(RCR_A_NAME, 0, "m1"), no_attr, no_attr);
}

static void wake_meter(struct program *p)
{
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "mem_bw"), no_attr, no_attr);
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "m2"),
		    attr(RCR_A_FORM, 0, "A / B"), attr(RCR_A_EVENT, 0, "B=event:0xc0"));
	add_request(p, RCR_CMD_METER_MAXIMUM, attr(RCR_A_NAME, 0, "m2"),
		    attr(RCR_A_MAXIMUM, 1000, NULL), attr(RCR_A_CONTENTION, 900, NULL));
	add_request(p, RCR_CMD_METER_RESET, no_attr, no_attr, no_attr);
	add_open(p, 3, 8, 0);
	add_op(p, OP_READ, 3, 0, 4096);
	add_open(p, 2, 11, 0);
	add_op(p, OP_READ, 2, 0, 4096);
}

static void subscribe(struct program *p)
{
	add_open(p, 0, 1, 1);
	add_op(p, OP_MAP, 0, 1 << 1, 0);
	add_op(p, OP_MAP, 0, 1 << 1 | 1 << 4, 0);
	add_op(p, OP_SUBSCRIBE, 0, 0, 1);
	append_op(p, (struct op){ .kind = OP_SUBSCRIBE, .target = 1 });
	add_op(p, OP_WAIT, 0, 0, 2900);
}

/* Watch a meter and remove it. */
static void watch_meter(struct program *p)
{
	add_open(p, 0, 1, 1);
	add_op(p, OP_MAP, 0, 1 << 1, 0);
	add_op(p, OP_MAP, 0, 1 << 1 | 1 << 4, 0);
	add_op(p, OP_WATCH, 0, 4, 1);
	add_op(p, OP_WAIT, 0, 0, 2900);
	add_op(p, OP_POLL, 0, 0, 1);
	add_op(p, OP_READ, 0, 0, 4096);
	add_request(p, RCR_CMD_METER_REMOVE, attr(RCR_A_NAME, 0, "posted"), no_attr, no_attr);
}

/* Cross a bound by posting a value, and remove the meter while it is watched. */
static void cross_bound(struct program *p)
{
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "posted"), no_attr, no_attr);
	add_open(p, 0, 1, 1);
	add_op(p, OP_MAP, 0, 1 << 1 | 1 << 4, 0);
	add_op(p, OP_WATCH, 0, 4, 0);
	add_request(p, RCR_CMD_METER_POST, attr(RCR_A_NAME, 0, "posted"),
		    attr(RCR_A_VALUE, 1 + below(100), NULL), attr(RCR_A_PLACE, 0, NULL));
	add_op(p, OP_READ, 0, 0, 4096);
	add_request(p, RCR_CMD_METER_REMOVE, attr(RCR_A_NAME, 0, "posted"), no_attr, no_attr);
	add_op(p, OP_READ, 0, 0, 4096);
}

/* Blocking reads without data, which the timer of perform.c interrupts. */
static void wait_in_vain(struct program *p)
{
	add_open(p, 0, 1, 1 | 4);
	add_op(p, OP_MAP, 0, 1 << 1 | 1 << 4, 0);
	add_op(p, OP_WATCH, 0, 4, 3);
	add_op(p, OP_READ, 0, 0, 40);
	add_open(p, 1, 0, 4);
	add_op(p, OP_READ, 1, 0, 8192);
	add_op(p, OP_READ, 1, 0, 8192);
	append_op(p, (struct op){ .kind = OP_SEEK, .slot = 1, .flags = 1, .a = 8 });
}

/* Read a meter as a perf event. */
static void count_meter(struct program *p)
{
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "posted"), no_attr, no_attr);
	add_request(p, RCR_CMD_METER_POST, attr(RCR_A_NAME, 0, "posted"),
		    attr(RCR_A_VALUE, 42, NULL), attr(RCR_A_PLACE, 0, NULL));
	add_open(p, 0, 1, 0);
	add_op(p, OP_MAP, 0, 1 << 1 | 1 << 4, 0);
	add_op(p, OP_EVENT, 1, 0, below(6));
	add_op(p, OP_READ, 1, 0, 32);
	append_op(p, (struct op){ .kind = OP_SWITCH, .slot = 1, .target = 1 });
	add_op(p, OP_READ, 1, 0, 32);
}

/* Read the files of a meter in sysfs. */
static void read_names(struct program *p)
{
	unsigned int i;

	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "m1"),
		    attr(RCR_A_FORM, 0, "rate(A)"), attr(RCR_A_DIGITS, below(3), NULL));
	for (i = 0; i < 3; i++) {
		add_open(p, i, 14 + below(10), 0);
		add_op(p, OP_READ, i, 0, 4096);
	}
	add_request(p, RCR_CMD_METER_REMOVE, attr(RCR_A_NAME, 0, "m1"), no_attr, no_attr);
}

/* Open files as one user, and use them as another with fewer rights. */
static void hand_over(struct program *p)
{
	add_open(p, 0, 0, 0);
	add_open(p, 1, 1, 1);
	add_op(p, OP_USER, 0, 0, 0);
	add_op(p, OP_MAP, 1, 1 << 1 | 1 << 4, 0);
	add_op(p, OP_WATCH, 1, 4, 1);
	add_request(p, RCR_CMD_FINALIZE, attr(RCR_A_HOLD, 0, NULL), no_attr, no_attr);
	add_open(p, 1, 1, 1);
	add_op(p, OP_WATCH, 1, 4, 1);
}

/* Keep files, mappings and an event open for the next program, which may change the set. */
static void keep_open(struct program *p)
{
	add_open(p, 0, 0, 0);
	add_op(p, OP_MAP, 0, 4 << 1 | 1 << 4, 0);
	add_open(p, 1, 1, 1);
	add_op(p, OP_MAP, 1, 1 << 1 | 1 << 4, 0);
	add_op(p, OP_WATCH, 1, 4, 1);
	add_op(p, OP_EVENT, 2, 0, 0);
	add_op(p, OP_READ, 0, 0, 8192);
	add_op(p, OP_KEEP, 0, 0, 0);
}

/* Take a CPU offline and online while its ring is read. */
static void lose_cpu(struct program *p)
{
	add_open(p, 0, 0, 0);
	add_open(p, 1, 6, 0);
	add_op(p, OP_CPU, 0, 0, 0);
	add_op(p, OP_READ, 0, 0, 65536);
	add_request(p, RCR_CMD_LOOK, no_attr, no_attr, no_attr);
	add_op(p, OP_CPU, 0, 1, 0);
	add_op(p, OP_READ, 0, 0, 65536);
	add_op(p, OP_READ, 1, 0, 65536);
}

/* Reload the module. Fails while another worker or the mapping of this program uses it. */
static void reload_module(struct program *p)
{
	add_op(p, OP_RELOAD, 0, 0, 0);
	add_open(p, 0, 1, 0);
	add_op(p, OP_MAP, 0, 1 << 1, 0);
	add_op(p, OP_CLOSE, 0, 0, 0);
	add_op(p, OP_RELOAD, 0, 0, 0);
	add_op(p, OP_CHANGE_MAP, 0, 3, 0);
	add_op(p, OP_RELOAD, 0, 0, 0);
	add_request(p, RCR_CMD_LOOK, no_attr, no_attr, no_attr);
}

/* Return: @a with @more copies. */
static struct attr with_copies(struct attr a, unsigned int more)
{
	a.more = more;
	return a;
}

/* Return: an attribute of another form than its type requires. */
static struct attr attr_of_form(unsigned int type, uint8_t form, uint64_t number, const char *text)
{
	struct attr a = attr(type, number, text);

	a.form = form;
	return a;
}

/* Change the request that was added last. */
static void set_request(struct program *p, unsigned int flags, uint64_t a, uint64_t b)
{
	struct op *op = &p->op[p->count - 1];

	op->flags |= flags;
	op->a = a;
	op->b = b;
}

/* Select types of items and read them. */
static void choose_items(struct program *p)
{
	add_open(p, 0, 0, 0);
	add_op(p, OP_ITEMS, 0, 0, 1);
	add_request(p, RCR_CMD_MARK, attr(RCR_A_KIND, RCR_MARK_TEXT, NULL),
		    attr(RCR_A_TEXT, 0, "moment"), no_attr);
	add_op(p, OP_POLL, 0, 0, 1);
	add_op(p, OP_READ, 0, 0, 65536);
	add_op(p, OP_ITEMS, 0, 0, 0);
	add_op(p, OP_READ, 0, 0, 65536);
	add_op(p, OP_ITEMS, 0, ITEMS_PAD, 0);
}

/* Fill the set, and dump it in several messages. */
static void fill_set(struct program *p)
{
	static const char *const names[] = {
		"S=software:context-switches", "Switch=software:context-switches",
		"Context-switches=software:context-switches", "Context=event:0x76,umask:0xf0",
	};

	add_request(p, RCR_CMD_ADD, with_copies(attr(RCR_A_EVENT, 0, "W=software:page-faults"), 40),
		    no_attr, no_attr);
	add_request(p, RCR_CMD_ADD,
		    with_copies(attr(RCR_A_EVENT, 0,
				     "H=pmu:5,config:1,config1:2,config2:3,scope:package,slow"),
				10 + below(19)), no_attr, no_attr);
	add_dump(p, RCR_CMD_COUNTERS, 0);
	set_request(p, REQUEST_NARROW, 0, 0);
	add_request(p, RCR_CMD_FINALIZE, no_attr, no_attr, no_attr);
	add_request(p, RCR_CMD_REMOVE, no_attr, no_attr, no_attr);
	add_request(p, RCR_CMD_ADD,
		    with_copies(attr(RCR_A_EVENT, 0, names[below(4)]), 31), no_attr, no_attr);
	add_request(p, RCR_CMD_FINALIZE, no_attr, no_attr, no_attr);
	add_dump(p, RCR_CMD_COUNTERS, 0);
	set_request(p, REQUEST_NARROW, 0, 0);
}

/* Add meters until none is free, and dump them in several messages. */
static void fill_meters(struct program *p)
{
	static const char *const units[] = { "1", "B/s", "instructions", "joules" };

	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "full"),
		    attr_of_form(RCR_A_FORM, FORM_TERMS, 1 + below(4) + (below(3) << 8), NULL),
		    attr(RCR_A_UNIT, 0, units[below(4)]));
	set_request(p, REQUEST_MORE, 0, 70);
	add_dump(p, RCR_CMD_METERS, 0);
	set_request(p, REQUEST_NARROW, 0, 0);
	add_request(p, RCR_CMD_METER_REMOVE, attr(RCR_A_NAME, 0, "full"), no_attr, no_attr);
	set_request(p, REQUEST_MORE, 0, 70);
}

/* Forms that librcr does not make: too many terms, an invalid kind, an invalid reduction. */
static void wrong_forms(struct program *p)
{
	static const uint64_t numbers[] = { 33, 33 << 8, 1 | 3 << 23, 1 | 7 << 16, 1 | 1 << 22 };
	unsigned int i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "m1"),
			    attr_of_form(RCR_A_FORM, FORM_TERMS, numbers[i], NULL), no_attr);
}

/* Add a meter that lacks a counter, then its counter. */
static void wake_up(struct program *p)
{
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "m2"),
		    attr(RCR_A_FORM, 0, "rate(F)"), no_attr);
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "m2"),
		    attr(RCR_A_EVENT, 0, "F=software:context-switches"), no_attr);
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "nobody"),
		    attr(RCR_A_EVENT, 0, "F=software:context-switches"), no_attr);
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "posted"), no_attr, no_attr);
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "posted"),
		    attr(RCR_A_EVENT, 0, "F=software:context-switches"), no_attr);
	add_open(p, 0, 1, 0);
	add_op(p, OP_MAP, 0, 1 << 1 | 1 << 4, 0);
	add_op(p, OP_EVENT, 1, 0, 0);
}

/* Read a crossing into an invalid or too small buffer, and pass a structure of another size. */
static void cross_wrong(struct program *p)
{
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "posted"), no_attr, no_attr);
	add_open(p, 0, 1, 1);
	add_op(p, OP_MAP, 0, 1 << 1 | 1 << 4, 0);
	add_op(p, OP_WATCH, 0, 4, 0);
	add_request(p, RCR_CMD_METER_POST, attr(RCR_A_NAME, 0, "posted"),
		    attr(RCR_A_VALUE, 7, NULL), attr(RCR_A_PLACE, 0, NULL));
	add_op(p, OP_READ, 0, 1, 4096);
	add_op(p, OP_READ, 0, 0, 8);
	append_op(p, (struct op){ .kind = OP_WATCH, .slot = 0, .flags = 4 | WATCH_SIZED, .c = 1 });
}

/* Pass structures of the sizes that older and newer programs use. */
static void wrong_sizes(struct program *p)
{
	unsigned int i;

	add_open(p, 0, 0, 0);
	add_open(p, 1, 1, 1);
	for (i = 1; i < 4; i++) {
		append_op(p, (struct op){ .kind = OP_ITEMS, .flags = ITEMS_SIZED, .c = i });
		append_op(p, (struct op){
			.kind = OP_WATCH, .slot = 1, .flags = WATCH_SIZED, .c = i,
		});
	}
}

/* Hold a set without a counter of the base set, which returns when the hold ends. */
static void hold_less(struct program *p)
{
	add_open(p, 1, 0, 0);
	add_request(p, RCR_CMD_REMOVE, attr(RCR_A_NAME, 0, "B"), no_attr, no_attr);
	add_request(p, RCR_CMD_FINALIZE, attr(RCR_A_HOLD, 1, NULL), no_attr, no_attr);
	add_dump(p, RCR_CMD_COUNTERS, 1);
	add_request(p, RCR_CMD_REMOVE, attr(RCR_A_NAME, 0, "A"), no_attr, no_attr);
	add_request(p, RCR_CMD_ADD, attr(RCR_A_EVENT, 0, "E=register:aperf"), no_attr, no_attr);
	add_open(p, 0, 3, 0);
	add_op(p, OP_READ, 0, 0, 65536);
}

/* Read the state and the stream of an inert module. */
static void count_nothing(struct program *p)
{
	add_open(p, 0, 0, 0);
	add_request(p, RCR_CMD_RESET, no_attr, no_attr, no_attr);
	add_request(p, RCR_CMD_LOOK, no_attr, no_attr, no_attr);
	add_op(p, OP_READ, 0, 0, 65536);
	add_open(p, 1, 2, 0);
	add_op(p, OP_READ, 1, 0, 65536);
	add_op(p, OP_MAP, 0, 4 << 1, 0);
}

/* Send requests of another version, and one with a reserved field that is not 0. */
static void other_version(struct program *p)
{
	add_request(p, RCR_CMD_LOOK, no_attr, no_attr, no_attr);
	set_request(p, REQUEST_VERSION, 1, 0);
	add_request(p, RCR_CMD_ADD, attr(RCR_A_EVENT, 0, texts[11]), no_attr, no_attr);
	set_request(p, REQUEST_VERSION, 1, 0);
	add_dump(p, RCR_CMD_COUNTERS, 0);
	set_request(p, REQUEST_VERSION, 3, 0);
	add_dump(p, RCR_CMD_METERS, 0);
	set_request(p, REQUEST_VERSION, 1, 0);
	add_dump(p, RCR_CMD_COUNTERS, 0);
	set_request(p, REQUEST_RESERVED, 0, 0);
}

/* Return: an event with one attribute in addition to name and type. */
static struct attr event_with(unsigned int type, unsigned int which, uint64_t value)
{
	return attr_of_form(RCR_A_EVENT, FORM_FIELDS, type | 8ull << which | value << 24, "R");
}

/* Events that librcr does not make. */
static void wrong_events(struct program *p)
{
	add_request(p, RCR_CMD_ADD,
		    event_with(RCR_EVENT_SOFTWARE, RCR_EVENT_A_FLAGS, RCR_EVENT_SLOW), no_attr,
		    no_attr);
	add_request(p, RCR_CMD_ADD, event_with(RCR_EVENT_SOFTWARE, RCR_EVENT_A_UMASK, 1), no_attr,
		    no_attr);
	add_request(p, RCR_CMD_ADD, event_with(RCR_EVENT_HARDWARE, RCR_EVENT_A_CONFIG, 0x10000),
		    no_attr, no_attr);
	add_request(p, RCR_CMD_ADD, event_with(RCR_EVENT_PMU, RCR_EVENT_A_SCOPE, 99), no_attr,
		    no_attr);
	add_request(p, RCR_CMD_ADD, event_with(7, RCR_EVENT_A_PMU, 1), no_attr, no_attr);
	add_request(p, RCR_CMD_ADD, attr(RCR_A_EVENT, 0, "R=event:0x76"),
		    attr(RCR_A_EVENT, 0, "R=event:0xc0"), no_attr);
	add_request(p, RCR_CMD_WHERE, with_copies(attr(RCR_A_EVENT, 0, "R=event:0x76"), 1), no_attr,
		    no_attr);
	add_request(p, RCR_CMD_ADD, attr_of_form(RCR_A_EVENT, FORM_FIELDS, random_number(), "R"),
		    no_attr, no_attr);
}

/* Add watches until the descriptor is full. */
static void fill_watches(struct program *p)
{
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "posted"), no_attr, no_attr);
	add_open(p, 0, 1, 1);
	add_op(p, OP_MAP, 0, 1 << 1 | 1 << 4, 0);
	add_op(p, OP_WATCH, 0, 4 | WATCH_MORE, 0);
	add_request(p, RCR_CMD_METER_REMOVE, attr(RCR_A_NAME, 0, "posted"), no_attr, no_attr);
	add_open(p, 2, 5, 0);
	add_op(p, OP_POLL, 2, 0, 1);
}

unsigned int make_known(struct program *p, unsigned int n)
{
	static void (*const known[])(struct program *p) = {
		read_stream, read_files, change_set, hold_set, use_meters, wake_meter,
		subscribe, watch_meter, cross_bound, wait_in_vain, count_meter, read_names,
		hand_over, keep_open, choose_items, hold_less, count_nothing, other_version, wrong_events, wrong_forms,
		wrong_sizes, cross_wrong, wake_up, lose_cpu, reload_module, fill_set, fill_meters,
		fill_watches,
	};
	unsigned int all = sizeof(known) / sizeof(known[0]);

	p->count = 0;
	if (n < all)
		known[n](p);
	return all;
}

/* Make a random one of the known programs; the COSTLY ones less often. */
void make_some_known(struct program *p)
{
	unsigned int all = make_known(p, ~0u);

	make_known(p, below(all - (below(4) ? COSTLY : 0)));
}
