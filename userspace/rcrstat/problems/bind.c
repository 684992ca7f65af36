// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bind.c - matches the words of a relation with the counters of a set.
 *
 * The name of a counter is chosen by the user; its control value defines the event. Words of the
 * dictionary are matched by control value. The control of an Intel fixed counter holds no event, so
 * these are matched by address (SDM volume 3B, IA32_FIXED_CTR0 to 2).
 */
#include <string.h>

#include "problems/bind.h"
#include "events.h"
#include "rcr.h"

#define SELECT_EVENT	0xf0000ffffull	/* event select and unit mask */
#define SELECT_ENABLE	0x400000
#define SELECT_OTHER	0xff840000ull	/* counter mask, inversion, edge */

#define MODE_USER	1
#define MODE_OS		2
#define MODE_GUEST	4
#define MODE_HOST	8
#define MODE_ALL	15

static const struct {
	uint32_t address;
	uint64_t event;
	unsigned int shift;	/* of this counter's bits in the control register */
} fixed[] = {
	{ 0x309, 0x00c0, 0 }, { 0x30a, 0x003c, 4 }, { 0x30b, 0x0300, 8 },
};

static const struct {
	const char *word;
	uint32_t address;
} registers[] = {
	{ "register:mperf", 0xe7 }, { "register:aperf", 0xe8 },
};

static int find_fixed(const struct rcr_counter *c)
{
	unsigned int i;

	for (i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		if (c->counter == fixed[i].address)
			return i;
	return -1;
}

/* Finds the event code that a counter counts; false if it also depends on other control bits. */
static bool find_event(const struct rcr_counter *c, uint64_t *event)
{
	int i = find_fixed(c);

	if (i >= 0)
		*event = fixed[i].event;
	else
		*event = c->select & SELECT_EVENT;
	return i >= 0 || ((c->select & SELECT_ENABLE) && !(c->select & SELECT_OTHER));
}

static bool means_event(const struct rcr_counter *c, const struct code *code)
{
	unsigned int scope = *code->unit ? RCR_SCOPE_DIE : RCR_SCOPE_CPU;
	uint64_t event;

	/* Records have no unit name: of the die's units only the northbridge is supported. */
	if (c->scope != scope || (*code->unit && strcmp(code->unit, "nb")))
		return false;
	return find_event(c, &event) && event == code_select(code);
}

static bool means_register(const struct rcr_counter *c, const char *word)
{
	unsigned int i;

	for (i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
		if (!strcmp(word, registers[i].word))
			return c->counter == registers[i].address;
	return false;
}

bool bind_means(const struct rcr_set *set, unsigned int i, const char *word)
{
	const struct rcr_counter *c = rcr_set_counter(set, i);
	const struct own_name *own = own_find(set->family, "", word);
	struct code code;

	if (!strcmp(word, "nanojoules"))
		return c->unit == RCR_UNIT_NANOJOULE;
	if (!strncmp(word, "register:", 9))
		return means_register(c, word);
	if (code_parse(word, &code))
		return means_event(c, &code);
	if (own)
		return means_event(c, &own->code);
	return !strcmp(c->name, word);
}

/* Modes (bits MODE_*) in which a counter counts. A counter without mode bits always counts. */
static unsigned int counter_modes(const struct rcr_counter *c)
{
	unsigned int worlds = c->select >> 40 & 3, i = find_fixed(c);

	if (c->scope != RCR_SCOPE_CPU)
		return MODE_ALL;
	if (i < sizeof(fixed) / sizeof(fixed[0]))
		return MODE_GUEST | MODE_HOST |
		       (c->select >> fixed[i].shift & 1 ? MODE_OS : 0) |
		       (c->select >> fixed[i].shift & 2 ? MODE_USER : 0);
	if (!(c->select & SELECT_ENABLE))
		return MODE_ALL;
	return (c->select >> 16 & (MODE_USER | MODE_OS)) | (worlds ? worlds : 3) * MODE_GUEST;
}

bool bind_covers(const struct rcr_set *set, unsigned int a, unsigned int b)
{
	const struct rcr_counter *x = rcr_set_counter(set, a);
	const struct rcr_counter *y = rcr_set_counter(set, b);

	return x->scope == y->scope &&
	       rcr_set_is_slow(set, a) == rcr_set_is_slow(set, b) &&
	       !(counter_modes(x) & ~counter_modes(y));
}
