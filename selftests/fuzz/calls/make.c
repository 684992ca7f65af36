// SPDX-License-Identifier: GPL-2.0-only
/*
 * make.c - derives a program from two others by random changes, and makes the parts of programs:
 * random numbers, texts and attributes.
 */
#include <string.h>
#include <linux/rcrtool.h>

#include "calls.h"
#include "make.h"

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

unsigned int below(unsigned int n)
{
	return random_number() % n;
}

const char *const texts[] = {
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

/* Return: the form that an attribute of this type requires. */
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
		return FORM_LONG;
	case RCR_A_PUBLIC:
		return FORM_FLAG;
	case RCR_A_HOLD:
	case RCR_A_DEVICE:
		return FORM_DESCRIPTOR;
	}
	return FORM_NUMBER;
}

struct attr attr(unsigned int type, uint64_t number, const char *text)
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
	if (a->form == FORM_EVENT && below(3) == 0) {
		a->form = FORM_FIELDS;
		a->number = random_number();
	}
	if (a->form == FORM_FORMULA && below(4) == 0)
		a->form = FORM_TERMS;
	if (below(6) == 0)
		a->form = below(FORMS);
	if (below(16) == 0)
		a->wrong = below(3) ? below(24) : random_number();
	if (below(32) == 0)
		a->type |= below(2) ? 0x8000 : 0x4000;
	if (below(32) == 0)
		a->more = below(40);
}

static void some_op(struct op *op)
{
	unsigned int i;

	*op = (struct op){
		.kind = below(3) ? below(OP_KINDS) : OP_REQUEST, .slot = below(SLOTS),
		.target = random_number(), .flags = below(3) ? 0 : random_number(),
		.attrs = below(ATTRS + 1), .a = some_number(), .b = some_number(),
		.c = some_number(),
	};
	if (op->kind == OP_REQUEST && below(16))
		op->target = 1 + below(RCR_CMD_COUNTERS);
	for (i = 0; i < ATTRS; i++)
		some_attr(&op->attr[i]);
}

/* Change one field of an operation. */
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
		op->target = op->kind == OP_REQUEST ? 1 + below(RCR_CMD_COUNTERS) : below(PATHS);
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

static void insert_op(struct program *p, unsigned int at, const struct op *op)
{
	if (p->count == OPS)
		p->count--;
	memmove(&p->op[at + 1], &p->op[at], (p->count - at) * sizeof(*op));
	p->op[at] = *op;
	p->count++;
}

static void change_program(struct program *p, const struct program *other)
{
	unsigned int at = p->count ? below(p->count) : 0;
	struct op op;

	if (at == OPS - 1)
		at--;
	switch (p->count ? below(6) : 0) {
	case 0:
		some_op(&op);
		insert_op(p, at, &op);
		break;
	case 1:
		if (other->count)
			insert_op(p, at, &other->op[below(other->count)]);
		break;
	case 2:
		p->count--;
		memmove(&p->op[at], &p->op[at + 1], (p->count - at) * sizeof(op));
		break;
	default:
		change_op(&p->op[at]);
	}
}

static bool takes_long(const struct op *op)
{
	return op->kind == OP_CPU || op->kind == OP_RELOAD ||
	       (op->kind == OP_REQUEST && op->flags & REQUEST_MORE);
}

/* Replace most slow operations of a program. */
static void replace_slow_ops(struct program *p)
{
	unsigned int i;

	for (i = 0; i < p->count; i++) {
		if (!takes_long(&p->op[i]) || !below(8))
			continue;
		if (p->op[i].kind == OP_REQUEST)
			p->op[i].flags &= ~REQUEST_MORE;
		else
			p->op[i].kind = OP_WAIT;
	}
}

void make_other(struct program *p, const struct program *from, const struct program *other)
{
	unsigned int changes = 1 + below(4);

	*p = *from;
	while (changes--)
		change_program(p, other);
	replace_slow_ops(p);
}
