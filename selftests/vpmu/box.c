// SPDX-License-Identifier: GPL-2.0-only
/*
 * box.c - shared units: finds the box of a register, and reads and writes the register.
 *
 * Each vCPU is a thread, and any of them may access the boxes of its package at any time: one lock
 * for all boxes is held during an access.
 */
#include <pthread.h>

#include "box.h"

#define MAX_PACKAGES	16
#define MAX_BOXES	48		/* in a package, of all types */

static struct vpmu_box boxes[MAX_PACKAGES][MAX_BOXES];
static struct vpmu_box *functions[MAX_PACKAGES];	/* lists of PCI functions */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The target of an access: a box, and a register of it. */
struct place {
	struct vpmu_box *box;
	const struct vpmu_box_registers *registers;
	unsigned int index;
};

static uint32_t offset_of(const struct vpmu_box_type *type, unsigned int box)
{
	return type->offset ? type->offset[box] : box * type->stride;
}

/* Find the register of @type at @msr, and the number of its box in the package. */
static bool match_register(const struct vpmu_box_type *type, uint32_t msr,
			   struct place *place, unsigned int *box)
{
	const struct vpmu_box_registers *r;
	uint32_t at;

	for (*box = 0; *box < type->boxes; ++*box) {
		for (r = type->registers; r->what != VPMU_BOX_END; r++) {
			at = msr - r->first - offset_of(type, *box);
			if (at % r->step || at / r->step >= r->number)
				continue;
			place->registers = r;
			place->index = r->index + at / r->step;
			return true;
		}
	}
	return false;
}

static bool find_box_place(const struct vpmu_cpu *cpu, uint32_t msr, struct place *place)
{
	const struct vpmu_box_type *const *type = cpu->family->boxes;
	unsigned int before = 0, box, owner;

	for (; type && *type; before += (*type)->boxes, type++) {
		if (!match_register(*type, msr, place, &box))
			continue;
		owner = (*type)->of_die ? cpu->die : cpu->package;
		if (owner >= MAX_PACKAGES || before + box >= MAX_BOXES)
			return false;
		place->box = &boxes[owner][before + box];
		place->box->type = *type;
		place->box->instance = owner * (*type)->boxes + box;
		return true;
	}
	return false;
}

static unsigned int width_of(const struct vpmu_box *box, unsigned int i)
{
	return i == 8 && box->type->width_of_8 ? box->type->width_of_8 :
						 box->type->width;
}

/* Return: count of the counter's event since power on; 0 if the counter is stopped. */
static uint64_t count_of_box(const struct vpmu_box *box, unsigned int i, uint64_t tsc)
{
	const struct vpmu_counter *c = &box->counter[i];

	if (!vpmu_exec_on)
		return vpmu_what_count(&c->what, tsc, 0);
	if (!c->what.rate || !box->type->event)
		return 0;
	return vpmu_exec_unit_count(box->instance / box->type->boxes,
				    c->event.event, c->event.umask);
}

static uint64_t raw_value(const struct vpmu_box *box, unsigned int i, uint64_t tsc)
{
	return box->counter[i].base + count_of_box(box, i, tsc);
}

void vpmu_box_preset(struct vpmu_box *box, unsigned int i, uint64_t tsc,
		     uint64_t val)
{
	box->counter[i].base = val - count_of_box(box, i, tsc);
}

static uint64_t count_of(const struct vpmu_box *box, unsigned int i, uint64_t tsc)
{
	uint64_t raw = raw_value(box, i, tsc);
	uint64_t limit = 1ull << width_of(box, i);

	if (box->type->saturates && raw >= limit)
		return 2 * limit - 1;
	return raw & (limit - 1);
}

/* Set the overflow bit of each counter that has wrapped since the last call. */
static void settle_box(struct vpmu_box *box, uint64_t tsc)
{
	unsigned int i;

	if (!box->type->bit)
		return;
	for (i = 0; i < VPMU_BOX_COUNTERS; i++) {
		struct vpmu_counter *c = &box->counter[i];
		uint64_t times = raw_value(box, i, tsc) >> width_of(box, i);

		c->base -= times << width_of(box, i);
		if (times)
			box->overflow |= box->type->bit(i);
	}
}

static void restart_box(struct vpmu_box *box, uint64_t tsc)
{
	unsigned int i;

	for (i = 0; i < VPMU_BOX_COUNTERS; i++) {
		struct vpmu_counter *c = &box->counter[i];

		c->base += count_of_box(box, i, tsc);
		c->what = box->frozen || !box->type->what ? vpmu_nothing() :
							    box->type->what(box, i);
		if (box->type->event)
			c->event = box->type->event(box, i);
		c->base -= count_of_box(box, i, tsc);
	}
}

static void freeze_box(struct vpmu_box *box, uint64_t tsc, bool frozen)
{
	box->frozen = frozen;
	if (!box->type)			/* not accessed yet */
		return;
	settle_box(box, tsc);
	restart_box(box, tsc);
}

void vpmu_box_freeze_package(unsigned int package, uint64_t tsc, bool frozen)
{
	struct vpmu_box *function;
	unsigned int n;

	for (n = 0; n < MAX_BOXES; n++)
		freeze_box(&boxes[package][n], tsc, frozen);
	for (function = functions[package]; function; function = function->next)
		freeze_box(function, tsc, frozen);
}

void vpmu_box_add_function(struct vpmu_box *box, unsigned int package)
{
	if (package >= MAX_PACKAGES)
		return;
	box->next = functions[package];
	functions[package] = box;
}

static uint64_t read_place(const struct place *place, uint64_t tsc)
{
	struct vpmu_box *box = place->box;

	switch (place->registers->what) {
	case VPMU_BOX_CONTROL:
		return box->counter[place->index].control;
	case VPMU_BOX_COUNT:
		return count_of(box, place->index, tsc);
	case VPMU_BOX_OTHER:
		return box->other[place->index];
	case VPMU_BOX_STATUS:
		settle_box(box, tsc);
		return box->overflow;
	default:
		return 0;
	}
}

/* The count of a UMC has a bit above its width, which a driver may clear or set. */
static void write_count(struct vpmu_box *box, unsigned int i, uint64_t tsc,
			uint64_t val)
{
	unsigned int width = width_of(box, i) + box->type->saturates;

	vpmu_box_preset(box, i, tsc, val & ((1ull << width) - 1));
}

static void write_place(const struct place *place, uint64_t tsc, uint64_t val)
{
	struct vpmu_box *box = place->box;

	settle_box(box, tsc);
	switch (place->registers->what) {
	case VPMU_BOX_CONTROL:
		box->counter[place->index].control = val & ~box->type->reset;
		if (val & box->type->reset)
			vpmu_box_preset(box, place->index, tsc, 0);
		break;
	case VPMU_BOX_COUNT:
		write_count(box, place->index, tsc, val);
		break;
	case VPMU_BOX_OTHER:
		box->other[place->index] = val;
		if (box->type->wrote)
			box->type->wrote(box, place->index, tsc);
		break;
	case VPMU_BOX_CLEAR:
		box->overflow &= ~val;
		break;
	default:
		break;
	}
	restart_box(box, tsc);
}

static bool may_write(const struct vpmu_box_registers *r, uint64_t val)
{
	return r->what != VPMU_BOX_ABSENT && r->what != VPMU_BOX_STATUS &&
	       !(val & r->reserved);
}

static enum vpmu_answer read_locked(const struct place *place, uint64_t tsc,
				    uint64_t *val)
{
	if (place->registers->what == VPMU_BOX_ABSENT)
		return VPMU_FAULT;
	*val = read_place(place, tsc);
	return VPMU_DONE;
}

static enum vpmu_answer write_locked(const struct place *place, uint64_t tsc,
				     uint64_t val)
{
	if (!may_write(place->registers, val))
		return VPMU_FAULT;
	write_place(place, tsc, val);
	return VPMU_DONE;
}

static enum vpmu_answer box_read(struct vpmu_cpu *cpu, uint32_t msr,
				 uint64_t tsc, uint64_t *val)
{
	enum vpmu_answer answer = VPMU_NOT_MINE;
	struct place place;

	pthread_mutex_lock(&lock);
	if (find_box_place(cpu, msr, &place))
		answer = read_locked(&place, tsc, val);
	pthread_mutex_unlock(&lock);
	return answer;
}

static enum vpmu_answer box_write(struct vpmu_cpu *cpu, uint32_t msr,
				  uint64_t tsc, uint64_t val)
{
	enum vpmu_answer answer = VPMU_NOT_MINE;
	struct place place;

	pthread_mutex_lock(&lock);
	if (find_box_place(cpu, msr, &place))
		answer = write_locked(&place, tsc, val);
	pthread_mutex_unlock(&lock);
	return answer;
}

enum vpmu_answer vpmu_box_read(struct vpmu_box *box, uint32_t at, uint64_t tsc,
			       uint64_t *val)
{
	enum vpmu_answer answer = VPMU_NOT_MINE;
	struct place place = { .box = box };
	unsigned int n;

	pthread_mutex_lock(&lock);
	if (match_register(box->type, at, &place, &n))
		answer = read_locked(&place, tsc, val);
	pthread_mutex_unlock(&lock);
	return answer;
}

enum vpmu_answer vpmu_box_write(struct vpmu_box *box, uint32_t at, uint64_t tsc,
				uint64_t val)
{
	enum vpmu_answer answer = VPMU_NOT_MINE;
	struct place place = { .box = box };
	unsigned int n;

	pthread_mutex_lock(&lock);
	if (match_register(box->type, at, &place, &n))
		answer = write_locked(&place, tsc, val);
	pthread_mutex_unlock(&lock);
	return answer;
}

const struct vpmu_part vpmu_boxes = {
	.read = box_read,
	.write = box_write,
};
