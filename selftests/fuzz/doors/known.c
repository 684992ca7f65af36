// SPDX-License-Identifier: GPL-2.0-only
/*
 * known.c - programs that use the interfaces as they are meant, from which make.c makes
 * others.
 */
#include <linux/rcrboard.h>
#include <linux/rcrtool.h>

#include "doors.h"
#include "make.h"

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
		    attr(RCR_A_MAXIMUM, 1000, NULL), attr(RCR_A_MIX, RCR_MIX_READ, NULL));
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
		    attr(RCR_A_MAXIMUM, 1000, NULL), attr(RCR_A_THEORETICAL, 0, NULL));
	add_request(p, RCR_CMD_METER_RESET, no, no, no);
	add_open(p, 3, 9, 0);
	add_op(p, OP_READ, 3, 0, 4096);
	add_open(p, 2, 12, 0);
	add_op(p, OP_READ, 2, 0, 4096);
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
		watch, cross, wait_in_vain, threads, count, read_names, hand_over, keep_open,
		lose_cpu, reload,
	};
	unsigned int all = sizeof(known) / sizeof(known[0]);

	p->count = 0;
	if (n < all)
		known[n](p);
	return all;
}
