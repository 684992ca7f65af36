// SPDX-License-Identifier: GPL-2.0-only
/*
 * known.c - programs that use the interfaces as they are meant, or are refused in a way
 * that chance seldom finds. make.c makes others from them.
 */
#include <linux/rcrboard.h>
#include <linux/rcrtool.h>

#include "calls.h"
#include "make.h"

#define COSTLY	5	/* of the known programs */

static void add(struct program *p, struct op op)
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
	add(p, op);
}

/* A list; by a user who may not read it, with a descriptor of the device, if @slot has one. */
static void add_dump(struct program *p, unsigned int cmd, unsigned int slot)
{
	struct op op = { .kind = OP_REQUEST, .target = cmd, .flags = 1, .attrs = 1 };

	op.attr[0] = attr(RCR_A_DEVICE, slot, NULL);
	add(p, op);
}

static void add_open(struct program *p, unsigned int slot, unsigned int target, unsigned int flags)
{
	add(p, (struct op){ .kind = OP_OPEN, .slot = slot, .target = target, .flags = flags });
}

static void add_op(struct program *p, unsigned int kind, unsigned int slot, unsigned int flags,
		   uint64_t a)
{
	add(p, (struct op){ .kind = kind, .slot = slot, .flags = flags, .a = a });
}

static const struct attr no;

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
	add_request(p, RCR_CMD_ADD, attr(RCR_A_EVENT, 0, texts[11 + below(10)]), no, no);
	add_request(p, RCR_CMD_FINALIZE, attr(RCR_A_GENERATION, 0, NULL), no, no);
	add_request(p, RCR_CMD_HALT, attr(RCR_A_NAME, 0, "A"), no, no);
	add_request(p, RCR_CMD_CONTINUE, no, no, no);
	add_request(p, RCR_CMD_REASSIGN, attr(RCR_A_NAME, 0, "A"),
		    attr(RCR_A_EVENT, 0, "A=event:0xc1"), no);
	add_request(p, RCR_CMD_REWRITE, no, no, no);
	add_request(p, RCR_CMD_WHERE, attr(RCR_A_EVENT, 0, "A=event:0x3,umask:1"), no, no);
	add_request(p, RCR_CMD_LOOK, no, no, no);
}

static void hold_set(struct program *p)
{
	add_open(p, 1, 0, 0);
	add_request(p, RCR_CMD_ADD, attr(RCR_A_EVENT, 0, "K=event:0xc5"), no, no);
	add_request(p, RCR_CMD_FINALIZE, attr(RCR_A_HOLD, 1, NULL), no, no);
	add_dump(p, RCR_CMD_COUNTERS, 1);
	add_op(p, OP_READ, 1, 0, 65536);
	add_op(p, OP_CLOSE, 1, 0, 0);
	add_request(p, RCR_CMD_PERIOD, attr(RCR_A_PERIOD_NS, 1000000, NULL), no, no);
	add_request(p, RCR_CMD_RESET, no, no, no);
}

static void use_meters(struct program *p)
{
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "m1"),
		    attr(RCR_A_FORM, 0, "rate(A)"), attr(RCR_A_DIGITS, 3, NULL));
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "posted"),
		    attr(RCR_A_PUBLIC, 0, NULL), no);
	add_request(p, RCR_CMD_METER_POST, attr(RCR_A_NAME, 0, "posted"),
		    attr(RCR_A_VALUE, 42, NULL), attr(RCR_A_PLACE, 0, NULL));
	add_request(p, RCR_CMD_METER_MAXIMUM, attr(RCR_A_NAME, 0, "m1"),
		    attr(RCR_A_MAXIMUM, 1000, NULL), attr(RCR_A_OVER, RCR_PLACE_CPU, NULL));
	add_dump(p, RCR_CMD_METERS, 0);
	add_open(p, 3, 9, 0);
	add_op(p, OP_READ, 3, 0, 4096);
	add_request(p, RCR_CMD_METER_REMOVE, attr(RCR_A_NAME, 0, "m1"), no, no);
}

static void wake_meter(struct program *p)
{
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "mem_bw"), no, no);
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "m2"),
		    attr(RCR_A_FORM, 0, "A / B"), attr(RCR_A_EVENT, 0, "B=event:0xc0"));
	add_request(p, RCR_CMD_METER_MAXIMUM, attr(RCR_A_NAME, 0, "m2"),
		    attr(RCR_A_MAXIMUM, 1000, NULL), attr(RCR_A_CONTENTION, 900, NULL));
	add_request(p, RCR_CMD_METER_RESET, no, no, no);
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
	add(p, (struct op){ .kind = OP_SUBSCRIBE, .target = 1 });
	add_op(p, OP_WAIT, 0, 0, 2900);
}

/* What crosses at once: a posted value. */
static void watch(struct program *p)
{
	add_open(p, 0, 1, 1);
	add_op(p, OP_MAP, 0, 1 << 1, 0);
	add_op(p, OP_MAP, 0, 1 << 1 | 1 << 4, 0);
	add_op(p, OP_WATCH, 0, 4, 1);
	add_op(p, OP_WAIT, 0, 0, 2900);
	add_op(p, OP_POLL, 0, 0, 1);
	add_op(p, OP_READ, 0, 0, 4096);
	add_request(p, RCR_CMD_METER_REMOVE, attr(RCR_A_NAME, 0, "posted"), no, no);
}

/* A bound that is crossed, and a meter that goes while it is watched. */
static void cross(struct program *p)
{
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "posted"), no, no);
	add_open(p, 0, 1, 1);
	add_op(p, OP_MAP, 0, 1 << 1 | 1 << 4, 0);
	add_op(p, OP_WATCH, 0, 4, 0);
	add_request(p, RCR_CMD_METER_POST, attr(RCR_A_NAME, 0, "posted"),
		    attr(RCR_A_VALUE, 1 + below(100), NULL), attr(RCR_A_PLACE, 0, NULL));
	add_op(p, OP_READ, 0, 0, 4096);
	add_request(p, RCR_CMD_METER_REMOVE, attr(RCR_A_NAME, 0, "posted"), no, no);
	add_op(p, OP_READ, 0, 0, 4096);
}

/* Waits that end too late, with descriptors that block. */
static void wait_in_vain(struct program *p)
{
	add_open(p, 0, 1, 1 | 4);
	add_op(p, OP_MAP, 0, 1 << 1 | 1 << 4, 0);
	add_op(p, OP_WATCH, 0, 4, 3);
	add_op(p, OP_READ, 0, 0, 40);
	add_open(p, 1, 0, 4);
	add_op(p, OP_READ, 1, 0, 8192);
	add_op(p, OP_READ, 1, 0, 8192);
	add(p, (struct op){ .kind = OP_SEEK, .slot = 1, .flags = 1, .a = 8 });
}

/* A value of the board, as perf counts it. */
static void count(struct program *p)
{
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "posted"), no, no);
	add_request(p, RCR_CMD_METER_POST, attr(RCR_A_NAME, 0, "posted"),
		    attr(RCR_A_VALUE, 42, NULL), attr(RCR_A_PLACE, 0, NULL));
	add_open(p, 0, 1, 0);
	add_op(p, OP_MAP, 0, 1 << 1 | 1 << 4, 0);
	add_op(p, OP_EVENT, 1, 0, below(6));
	add_op(p, OP_READ, 1, 0, 32);
	add(p, (struct op){ .kind = OP_SWITCH, .slot = 1, .target = 1 });
	add_op(p, OP_READ, 1, 0, 32);
}

/* The files of a meter in sysfs. */
static void read_names(struct program *p)
{
	unsigned int i;

	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "m1"),
		    attr(RCR_A_FORM, 0, "rate(A)"), attr(RCR_A_DIGITS, below(3), NULL));
	for (i = 0; i < 3; i++) {
		add_open(p, i, 14 + below(10), 0);
		add_op(p, OP_READ, i, 0, 4096);
	}
	add_request(p, RCR_CMD_METER_REMOVE, attr(RCR_A_NAME, 0, "m1"), no, no);
}

/* Opened by one user, used by another with fewer rights. */
static void hand_over(struct program *p)
{
	add_open(p, 0, 0, 0);
	add_open(p, 1, 1, 1);
	add_op(p, OP_USER, 0, 0, 0);
	add_op(p, OP_MAP, 1, 1 << 1 | 1 << 4, 0);
	add_op(p, OP_WATCH, 1, 4, 1);
	add_request(p, RCR_CMD_FINALIZE, attr(RCR_A_HOLD, 0, NULL), no, no);
	add_open(p, 1, 1, 1);
	add_op(p, OP_WATCH, 1, 4, 1);
}

/* Kept for the next program, which may well change the set. */
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

/* A CPU goes while it is read, and comes again. */
static void lose_cpu(struct program *p)
{
	add_open(p, 0, 0, 0);
	add_open(p, 1, 6, 0);
	add_op(p, OP_CPU, 0, 0, 0);
	add_op(p, OP_READ, 0, 0, 65536);
	add_request(p, RCR_CMD_LOOK, no, no, no);
	add_op(p, OP_CPU, 0, 1, 0);
	add_op(p, OP_READ, 0, 0, 65536);
	add_op(p, OP_READ, 1, 0, 65536);
}

/* The module goes, where nobody else has it open; not while an own descriptor is. */
static void reload(struct program *p)
{
	add_op(p, OP_RELOAD, 0, 0, 0);
	add_open(p, 0, 1, 0);
	add_op(p, OP_MAP, 0, 1 << 1, 0);
	add_op(p, OP_CLOSE, 0, 0, 0);
	add_op(p, OP_RELOAD, 0, 0, 0);
	add_op(p, OP_CHANGE_MAP, 0, 3, 0);
	add_op(p, OP_RELOAD, 0, 0, 0);
	add_request(p, RCR_CMD_LOOK, no, no, no);
}

/* The attribute, and as many more like it. */
static struct attr many(struct attr a, unsigned int more)
{
	a.more = more;
	return a;
}

/* An attribute of another form than its type is meant to have. */
static struct attr shaped(unsigned int type, uint8_t form, uint64_t number, const char *text)
{
	struct attr a = attr(type, number, text);

	a.form = form;
	return a;
}

/* Changes the request that was added last. */
static void set_request(struct program *p, unsigned int flags, uint64_t a, uint64_t b)
{
	struct op *op = &p->op[p->count - 1];

	op->flags |= flags;
	op->a = a;
	op->b = b;
}

/* A reader that selects types of items. */
static void choose_items(struct program *p)
{
	add_open(p, 0, 0, 0);
	add_op(p, OP_ITEMS, 0, 0, 1);
	add_request(p, RCR_CMD_MARK, attr(RCR_A_KIND, RCR_MARK_TEXT, NULL),
		    attr(RCR_A_TEXT, 0, "moment"), no);
	add_op(p, OP_POLL, 0, 0, 1);
	add_op(p, OP_READ, 0, 0, 65536);
	add_op(p, OP_ITEMS, 0, 0, 0);
	add_op(p, OP_READ, 0, 0, 65536);
	add_op(p, OP_ITEMS, 0, ITEMS_PAD, 0);
}

/* As many counters as a set may have, and a list of them that takes several messages. */
static void fill_set(struct program *p)
{
	static const char *const names[] = {
		"S=software:context-switches", "Switch=software:context-switches",
		"Context-switches=software:context-switches", "Context=event:0x76,umask:0xf0",
	};

	add_request(p, RCR_CMD_ADD, many(attr(RCR_A_EVENT, 0, "W=software:page-faults"), 40), no,
		    no);
	add_request(p, RCR_CMD_ADD,
		    many(attr(RCR_A_EVENT, 0,
			      "H=pmu:5,config:1,config1:2,config2:3,scope:package,slow"),
			 10 + below(19)), no, no);
	add_dump(p, RCR_CMD_COUNTERS, 0);
	set_request(p, REQUEST_NARROW, 0, 0);
	add_request(p, RCR_CMD_FINALIZE, no, no, no);
	add_request(p, RCR_CMD_REMOVE, no, no, no);
	add_request(p, RCR_CMD_ADD,
		    many(attr(RCR_A_EVENT, 0, names[below(4)]), 31), no, no);
	add_request(p, RCR_CMD_FINALIZE, no, no, no);
	add_dump(p, RCR_CMD_COUNTERS, 0);
	set_request(p, REQUEST_NARROW, 0, 0);
}

/* As many meters as there may be, and a list of them that takes several messages. */
static void fill_meters(struct program *p)
{
	static const char *const units[] = { "1", "B/s", "instructions", "joules" };

	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "full"),
		    shaped(RCR_A_FORM, FORM_TERMS, 1 + below(4) + (below(3) << 8), NULL),
		    attr(RCR_A_UNIT, 0, units[below(4)]));
	set_request(p, REQUEST_MORE, 0, 70);
	add_dump(p, RCR_CMD_METERS, 0);
	set_request(p, REQUEST_NARROW, 0, 0);
	add_request(p, RCR_CMD_METER_REMOVE, attr(RCR_A_NAME, 0, "full"), no, no);
	set_request(p, REQUEST_MORE, 0, 70);
}

/* Forms that librcr would not make: too long, of a kind and of a reduction that are none. */
static void wrong_forms(struct program *p)
{
	static const uint64_t numbers[] = { 33, 33 << 8, 1 | 3 << 23, 1 | 7 << 16, 1 | 1 << 22 };
	unsigned int i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "m1"),
			    shaped(RCR_A_FORM, FORM_TERMS, numbers[i], NULL), no);
}

/* A meter that lacks a counter, and is given it. */
static void wake_up(struct program *p)
{
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "m2"),
		    attr(RCR_A_FORM, 0, "rate(F)"), no);
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "m2"),
		    attr(RCR_A_EVENT, 0, "F=software:context-switches"), no);
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "nobody"),
		    attr(RCR_A_EVENT, 0, "F=software:context-switches"), no);
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "posted"), no, no);
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "posted"),
		    attr(RCR_A_EVENT, 0, "F=software:context-switches"), no);
	add_open(p, 0, 1, 0);
	add_op(p, OP_MAP, 0, 1 << 1 | 1 << 4, 0);
	add_op(p, OP_EVENT, 1, 0, 0);
}

/* A crossing that is read to where there is no memory, and structures of other sizes. */
static void cross_wrong(struct program *p)
{
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "posted"), no, no);
	add_open(p, 0, 1, 1);
	add_op(p, OP_MAP, 0, 1 << 1 | 1 << 4, 0);
	add_op(p, OP_WATCH, 0, 4, 0);
	add_request(p, RCR_CMD_METER_POST, attr(RCR_A_NAME, 0, "posted"),
		    attr(RCR_A_VALUE, 7, NULL), attr(RCR_A_PLACE, 0, NULL));
	add_op(p, OP_READ, 0, 1, 4096);
	add_op(p, OP_READ, 0, 0, 8);
	add(p, (struct op){ .kind = OP_WATCH, .slot = 0, .flags = 4 | WATCH_SIZED, .c = 1 });
}

/* Structures as older and newer programs have them. */
static void wrong_sizes(struct program *p)
{
	unsigned int i;

	add_open(p, 0, 0, 0);
	add_open(p, 1, 1, 1);
	for (i = 1; i < 4; i++) {
		add(p, (struct op){ .kind = OP_ITEMS, .flags = ITEMS_SIZED, .c = i });
		add(p, (struct op){ .kind = OP_WATCH, .slot = 1, .flags = WATCH_SIZED, .c = i });
	}
}

/* A hold without a counter of the base, which waits for the end of the hold. */
static void hold_less(struct program *p)
{
	add_open(p, 1, 0, 0);
	add_request(p, RCR_CMD_REMOVE, attr(RCR_A_NAME, 0, "B"), no, no);
	add_request(p, RCR_CMD_FINALIZE, attr(RCR_A_HOLD, 1, NULL), no, no);
	add_dump(p, RCR_CMD_COUNTERS, 1);
	add_request(p, RCR_CMD_REMOVE, attr(RCR_A_NAME, 0, "A"), no, no);
	add_request(p, RCR_CMD_ADD, attr(RCR_A_EVENT, 0, "E=register:aperf"), no, no);
	add_open(p, 0, 3, 0);
	add_op(p, OP_READ, 0, 0, 65536);
}

/* Nothing is counted. */
static void count_nothing(struct program *p)
{
	add_open(p, 0, 0, 0);
	add_request(p, RCR_CMD_RESET, no, no, no);
	add_request(p, RCR_CMD_LOOK, no, no, no);
	add_op(p, OP_READ, 0, 0, 65536);
	add_open(p, 1, 2, 0);
	add_op(p, OP_READ, 1, 0, 65536);
	add_op(p, OP_MAP, 0, 4 << 1, 0);
}

/* Programs of another release. */
static void other_version(struct program *p)
{
	add_request(p, RCR_CMD_LOOK, no, no, no);
	set_request(p, REQUEST_VERSION, 1, 0);
	add_request(p, RCR_CMD_ADD, attr(RCR_A_EVENT, 0, texts[11]), no, no);
	set_request(p, REQUEST_VERSION, 1, 0);
	add_dump(p, RCR_CMD_COUNTERS, 0);
	set_request(p, REQUEST_VERSION, 3, 0);
	add_dump(p, RCR_CMD_METERS, 0);
	set_request(p, REQUEST_VERSION, 1, 0);
	add_dump(p, RCR_CMD_COUNTERS, 0);
	set_request(p, REQUEST_RESERVED, 0, 0);
}

/* An event with one attribute next to its name and its type. */
static struct attr field(unsigned int type, unsigned int which, uint64_t value)
{
	return shaped(RCR_A_EVENT, FORM_FIELDS, type | 8ull << which | value << 24, "R");
}

/* Events that librcr would not make. */
static void wrong_events(struct program *p)
{
	add_request(p, RCR_CMD_ADD, field(RCR_EVENT_SOFTWARE, RCR_EVENT_A_FLAGS, RCR_EVENT_SLOW),
		    no, no);
	add_request(p, RCR_CMD_ADD, field(RCR_EVENT_SOFTWARE, RCR_EVENT_A_UMASK, 1), no, no);
	add_request(p, RCR_CMD_ADD, field(RCR_EVENT_HARDWARE, RCR_EVENT_A_CONFIG, 0x10000), no,
		    no);
	add_request(p, RCR_CMD_ADD, field(RCR_EVENT_PMU, RCR_EVENT_A_SCOPE, 99), no, no);
	add_request(p, RCR_CMD_ADD, field(7, RCR_EVENT_A_PMU, 1), no, no);
	add_request(p, RCR_CMD_ADD, attr(RCR_A_EVENT, 0, "R=event:0x76"),
		    attr(RCR_A_EVENT, 0, "R=event:0xc0"), no);
	add_request(p, RCR_CMD_WHERE, many(attr(RCR_A_EVENT, 0, "R=event:0x76"), 1), no, no);
	add_request(p, RCR_CMD_ADD, shaped(RCR_A_EVENT, FORM_FIELDS, random_number(), "R"), no,
		    no);
}

/* As many watches as a descriptor has room for. */
static void fill_watches(struct program *p)
{
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "posted"), no, no);
	add_open(p, 0, 1, 1);
	add_op(p, OP_MAP, 0, 1 << 1 | 1 << 4, 0);
	add_op(p, OP_WATCH, 0, 4 | WATCH_MORE, 0);
	add_request(p, RCR_CMD_METER_REMOVE, attr(RCR_A_NAME, 0, "posted"), no, no);
	add_open(p, 2, 5, 0);
	add_op(p, OP_POLL, 2, 0, 1);
}

unsigned int make_known(struct program *p, unsigned int n)
{
	static void (*const known[])(struct program *p) = {
		read_stream, read_files, change_set, hold_set, use_meters, wake_meter,
		subscribe, watch, cross, wait_in_vain, count, read_names, hand_over, keep_open,
		choose_items, hold_less, count_nothing, other_version, wrong_events, wrong_forms,
		wrong_sizes, cross_wrong, wake_up, lose_cpu, reload, fill_set, fill_meters, fill_watches,
	};
	unsigned int all = sizeof(known) / sizeof(known[0]);

	p->count = 0;
	if (n < all)
		known[n](p);
	return all;
}

/* One of them; the last COSTLY, which take long, more seldom. */
void make_some_known(struct program *p)
{
	unsigned int all = make_known(p, ~0u);

	make_known(p, below(all - (below(4) ? COSTLY : 0)));
}
