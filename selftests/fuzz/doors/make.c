// SPDX-License-Identifier: GPL-2.0-only
/*
 * make.c - makes programs: those that use the doors as they are meant, and others, of what
 * two of them are, with something changed.
 */
#include <string.h>
#include <linux/rcrboard.h>
#include <linux/rcrtool.h>

#include "doors.h"

static uint64_t state = 88172645463325252ull;

uint64_t random_number(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dull >> 16;
}

void random_seed(uint64_t seed)
{
	state = seed * 0x9e3779b97f4a7c15ull | 1;
}

static unsigned int below(unsigned int n)
{
	return random_number() % n;
}

static const char *const texts[] = {
	"A", "B", "C", "m1", "m2", "posted", "mem_bw", "ipc", "nobody", "", "x",
	"A=event:0x76", "B=event:0xc0", "D=nb:event:0x4e1,umask:0xf7", "E=register:aperf",
	"F=software:context-switches", "G=tracepoint:1", "G=tracepoint:300",
	"H=pmu:1,config:0,scope:package,slow",
	"I=event:0x76,counter:2,slow", "J=event:0x3,umask:0xff,cmask:1,inv,edge,os,host",
	"A=event:0x76;K=event:0xc5", "L=event:0x10000", "M=nb:event:0x1e0,umask:0xf,pernode",
	"rate(A)", "A / B", "max(A / B) x 2", "mean(A + B - C)", "min(rate(A)) / max(rate(B))",
	"rate(sampler_cycles) / cpus", "rate(nothing)", "((A", "A x B", "B/s", "1", "J", "two words",
	"a\nb", "\377",
};

#define TEXTS (sizeof(texts) / sizeof(texts[0]))

static const uint64_t numbers[] = {
	0, 1, 2, 3, 4, 7, 8, 15, 16, 63, 64, 100, 1000, 4096, 20000, 65535, 65536, 1000000,
	2000000, 4000002, 1000000000, 5000000000, 0x7fffffff, 0x80000000, 0xffffffff,
	0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff,
};

#define NUMBERS (sizeof(numbers) / sizeof(numbers[0]))

static uint64_t some_number(void)
{
	uint64_t number = numbers[below(NUMBERS)];

	return below(4) ? number : below(2) ? number + below(16) : random_number();
}

static void some_text(char text[80])
{
	size_t len;

	strcpy(text, texts[below(TEXTS)]);
	len = strlen(text);
	if (below(8) == 0) {
		text[below(79)] = below(256);
		text[79] = 0;
	}
	if (below(16) == 0) {
		memset(text + len, 'a' + below(26), 79 - len);
		text[79] = 0;
	}
}

/* How an attribute is meant. */
static uint8_t form_of(unsigned int type)
{
	switch (type) {
	case RCR_A_GENERATION:
		return FORM_GENERATION;
	case RCR_A_EVENT:
		return FORM_EVENT;
	case RCR_A_FORM:
		return FORM_FORMULA;
	case RCR_A_NAME:
	case RCR_A_TEXT:
	case RCR_A_UNIT:
		return FORM_TEXT;
	case RCR_A_PERIOD_NS:
	case RCR_A_SCALE_NS:
	case RCR_A_MAXIMUM:
	case RCR_A_CONTENTION:
	case RCR_A_VALUE:
	case RCR_A_WINDOW_NS:
		return FORM_LONG;
	case RCR_A_PUBLIC:
		return FORM_FLAG;
	case RCR_A_HOLD:
	case RCR_A_DEVICE:
		return FORM_DESCRIPTOR;
	}
	return FORM_NUMBER;
}

static struct attr attr(unsigned int type, uint64_t number, const char *text)
{
	struct attr a = { .type = type, .form = form_of(type), .number = number };

	if (text)
		strcpy(a.text, text);
	return a;
}

static void some_attr(struct attr *a)
{
	*a = attr(below(RCR_A_MAX + 3), some_number(), NULL);
	some_text(a->text);
	if (below(6) == 0)
		a->form = below(FORMS);
	if (below(16) == 0)
		a->wrong = below(3) ? below(24) : random_number();
	if (below(32) == 0)
		a->type |= below(2) ? 0x8000 : 0x4000;
}

static void add(struct program *p, struct op op)
{
	if (p->count < OPS)
		p->op[p->count++] = op;
}

static void add_request(struct program *p, unsigned int cmd, struct attr a, struct attr b,
			struct attr c)
{
	struct op op = { .kind = OP_REQUEST, .door = cmd };

	if (a.type)
		op.attr[op.attrs++] = a;
	if (b.type)
		op.attr[op.attrs++] = b;
	if (c.type)
		op.attr[op.attrs++] = c;
	add(p, op);
}

/* A list; by who may not read it, with a descriptor of the device, if @slot has one. */
static void add_dump(struct program *p, unsigned int cmd, unsigned int slot)
{
	struct op op = { .kind = OP_REQUEST, .door = cmd, .flags = 1, .attrs = 1 };

	op.attr[0] = attr(RCR_A_DEVICE, slot, NULL);
	add(p, op);
}

static void add_open(struct program *p, unsigned int slot, unsigned int door, unsigned int flags)
{
	add(p, (struct op){ .kind = OP_OPEN, .slot = slot, .door = door, .flags = flags });
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

static void record(struct program *p)
{
	add_request(p, RCR_CMD_RECORD, attr(RCR_A_WINDOW_NS, 20000000, NULL),
		    attr(RCR_A_TRIGGERS, RCR_TRIGGER_MARK | RCR_TRIGGER_CROSSING, NULL), no);
	add_op(p, OP_WAIT, 0, 0, 2900);
	add_request(p, RCR_CMD_MARK, attr(RCR_A_KIND, RCR_MARK_BEGIN, NULL),
		    attr(RCR_A_TEXT, 0, "job"), no);
	add_request(p, RCR_CMD_LOOK, no, no, no);
	add_op(p, OP_WAIT, 0, 0, 2900);
	add_open(p, 2, 2, 0);
	add_op(p, OP_READ, 2, 0, 100000);
	add(p, (struct op){ .kind = OP_SEEK, .slot = 2, .door = 1 });
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
	add_open(p, 3, 10, 0);
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
	add_open(p, 3, 9, 0);
	add_op(p, OP_READ, 3, 0, 4096);
	add_open(p, 2, 12, 0);
	add_op(p, OP_READ, 2, 0, 4096);
}

static void subscribe(struct program *p)
{
	add_open(p, 0, 1, 1);
	add_op(p, OP_MAP, 0, 1 << 1, 0);
	add_op(p, OP_MAP, 0, 1 << 1 | 1 << 4, 0);
	add_op(p, OP_SUBSCRIBE, 0, 0, 1);
	add(p, (struct op){ .kind = OP_SUBSCRIBE, .door = 1 });
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

/* For what does not come in time, with descriptors that block. */
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

/* A client of blackboard 2, and who reads what it says. */
static void threads(struct program *p)
{
	add_open(p, 0, 1, 1);
	add_op(p, OP_MAP, 0, 2 << 1, 0);
	add(p, (struct op){ .kind = OP_MAP, .slot = 1, .door = 1, .flags = 5 << 1 });
	add_op(p, OP_MAP, 2, 0, 0);
	add(p, (struct op){ .kind = OP_MAP, .slot = 0, .door = 1, .flags = 5 << 1 });
	add_open(p, 3, 5, 0);
	add_op(p, OP_READ, 3, 0, 65536);
	add_op(p, OP_READ, 3, 2, 100);
}

/* A value of the board, as perf counts it. */
static void count(struct program *p)
{
	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "posted"), no, no);
	add_request(p, RCR_CMD_METER_POST, attr(RCR_A_NAME, 0, "posted"),
		    attr(RCR_A_VALUE, 42, NULL), attr(RCR_A_PLACE, 0, NULL));
	add_open(p, 0, 1, 0);
	add_op(p, OP_MAP, 0, 1 << 1 | 1 << 4, 0);
	add_op(p, OP_EVENT, 1, 0, 0);
	add_op(p, OP_READ, 1, 0, 32);
	add(p, (struct op){ .kind = OP_SWITCH, .slot = 1, .door = 1 });
	add_op(p, OP_READ, 1, 0, 32);
}

/* What sysfs says of a meter. */
static void read_names(struct program *p)
{
	unsigned int i;

	add_request(p, RCR_CMD_METER_ADD, attr(RCR_A_NAME, 0, "m1"),
		    attr(RCR_A_FORM, 0, "rate(A)"), attr(RCR_A_DIGITS, below(3), NULL));
	for (i = 0; i < 3; i++) {
		add_open(p, i, 16 + below(6), 0);
		add_op(p, OP_READ, i, 0, 4096);
	}
	add_request(p, RCR_CMD_METER_REMOVE, attr(RCR_A_NAME, 0, "m1"), no, no);
}

/* Opened by one, used by another, who may less. */
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
	add_open(p, 1, 7, 0);
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

unsigned int make_known(struct program *p, unsigned int n)
{
	static void (*const known[])(struct program *p) = {
		read_stream, read_files, change_set, hold_set, record, use_meters, wake_meter,
		subscribe, watch, cross, wait_in_vain, threads, count, read_names, hand_over, keep_open,
		lose_cpu, reload,
	};
	unsigned int all = sizeof(known) / sizeof(known[0]);

	p->count = 0;
	if (n < all)
		known[n](p);
	return all;
}

static void some_op(struct op *op)
{
	unsigned int i;

	*op = (struct op){
		.kind = below(3) ? below(OP_KINDS) : OP_REQUEST, .slot = below(SLOTS),
		.door = random_number(), .flags = below(3) ? 0 : random_number(),
		.attrs = below(ATTRS + 1), .a = some_number(), .b = some_number(),
		.c = some_number(),
	};
	if (op->kind == OP_REQUEST && below(16))
		op->door = 1 + below(RCR_CMD_COUNTERS);
	for (i = 0; i < ATTRS; i++)
		some_attr(&op->attr[i]);
}

/* One thing of an operation is another. */
static void change_op(struct op *op)
{
	switch (below(10)) {
	case 0:
		op->a = some_number();
		break;
	case 1:
		op->b = some_number();
		break;
	case 2:
		op->c = some_number();
		break;
	case 3:
		op->flags ^= 1 << below(8);
		break;
	case 4:
		op->slot = below(SLOTS);
		break;
	case 5:
		op->door = op->kind == OP_REQUEST ? 1 + below(RCR_CMD_COUNTERS) : below(PATHS);
		break;
	case 6:
		op->wrong = below(4) ? below(2) * below(64) : random_number();
		break;
	case 7:
		op->attrs = below(ATTRS + 1);
		break;
	default:
		some_attr(&op->attr[below(ATTRS)]);
	}
}

static void insert(struct program *p, unsigned int at, const struct op *op)
{
	if (p->count == OPS)
		p->count--;
	memmove(&p->op[at + 1], &p->op[at], (p->count - at) * sizeof(*op));
	p->op[at] = *op;
	p->count++;
}

static void change(struct program *p, const struct program *other)
{
	unsigned int at = p->count ? below(p->count) : 0;
	struct op op;

	if (at == OPS - 1)
		at--;
	switch (p->count ? below(6) : 0) {
	case 0:
		some_op(&op);
		insert(p, at, &op);
		break;
	case 1:
		if (other->count)
			insert(p, at, &other->op[below(other->count)]);
		break;
	case 2:
		p->count--;
		memmove(&p->op[at], &p->op[at + 1], (p->count - at) * sizeof(op));
		break;
	default:
		change_op(&p->op[at]);
	}
}

/* These take long: most are left out of what is made. */
static void spare(struct program *p)
{
	unsigned int i;

	for (i = 0; i < p->count; i++)
		if ((p->op[i].kind == OP_CPU || p->op[i].kind == OP_RELOAD) && below(8))
			p->op[i].kind = OP_WAIT;
}

void make_other(struct program *p, const struct program *from, const struct program *other)
{
	unsigned int changes = 1 + below(4);

	*p = *from;
	while (changes--)
		change(p, other);
	spare(p);
}
