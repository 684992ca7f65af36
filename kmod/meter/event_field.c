// SPDX-License-Identifier: GPL-2.0-only
/*
 * event_field.c - what may follow an event: umask:0xff, inv, ...
 *
 * Which fields an event of some kind has, how large each may be and where it is
 * kept is a table.
 *
 * Pure: no kernel state, compiled into the unit tests as well.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "event_field.h"
#include "error.h"

#define HARDWARE	BIT(RCR_EVENT_HARDWARE)
#define PMU		BIT(RCR_EVENT_PMU)

/**
 * struct field - a field
 * @word: what it begins with, or all there is of a flag
 * @kinds: the kinds of events that have it, bit n for kind n
 * @max: how large its number may be; 0: it is a flag
 * @size: bytes where it is kept
 * @offset: where that is
 */
struct field {
	const char *word;
	u32 kinds;
	u64 max;
	size_t size;
	size_t offset;
};

#define FIELD(word, kinds, max, member)						\
	{ word, kinds, max, sizeof_field(struct rcr_event, member),		\
	  offsetof(struct rcr_event, member) }

static const struct field fields[] = {
	FIELD("umask:", HARDWARE, U32_MAX, umask),
	FIELD("cmask:", HARDWARE, U8_MAX, cmask),
	FIELD("filter:", HARDWARE, U32_MAX, filter[0]),
	FIELD("filter1:", HARDWARE, U32_MAX, filter[1]),
	FIELD("inv", HARDWARE, 0, inv),
	FIELD("edge", HARDWARE, 0, edge),
	FIELD("os", HARDWARE, 0, os),
	FIELD("user", HARDWARE, 0, user),
	FIELD("pernode", HARDWARE, 0, per_node),
	FIELD("host", HARDWARE, 0, host),
	FIELD("guest", HARDWARE, 0, guest),
	FIELD("counter:", HARDWARE, U8_MAX, counter),
	FIELD("config:", PMU, U64_MAX, config),
	FIELD("config1:", PMU, U64_MAX, config1),
	FIELD("config2:", PMU, U64_MAX, config2),
	FIELD("scope:", PMU, U8_MAX, scope),
	FIELD("joules", PMU, 0, joules),
	FIELD("slow", HARDWARE | PMU, 0, slow),
};

static const char *const scopes[] = {
	[RCR_SCOPE_CPU] = "cpu", [RCR_SCOPE_DIE] = "die",
	[RCR_SCOPE_PACKAGE] = "package", [RCR_SCOPE_LLC] = "llc",
	[RCR_SCOPE_CORE] = "core",
};

static bool is_field(const struct field *f, const char *word)
{
	return f->max ? !strncmp(word, f->word, strlen(f->word)) :
			!strcmp(word, f->word);
}

static const struct field *find_field(const char *word, enum rcr_event_type kind)
{
	const struct field *f;

	for (f = fields; f != fields + ARRAY_SIZE(fields); f++)
		if (f->kinds & BIT(kind) && is_field(f, word))
			return f;
	return NULL;
}

static void set(const struct field *f, struct rcr_event *e, u64 val)
{
	void *at = (char *)e + f->offset;

	switch (f->size) {
	case sizeof(u64):
		*(u64 *)at = val;
		break;
	case sizeof(u32):
		*(u32 *)at = val;
		break;
	default:
		*(u8 *)at = val;
	}
}

static bool is_at(const struct field *f, size_t offset)
{
	return f->offset == offset;
}

#define IS(f, member) is_at(f, offsetof(struct rcr_event, member))

static int read_scope(const char *word, const char *name, u64 *val,
		      struct rcr_failure *failure)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(scopes); i++) {
		*val = i;
		if (!strcmp(scopes[i], name))
			return 0;
	}
	return rcr_failf(failure, -EINVAL,
			 "\"%s\": cpu, core, llc, die and package are known", word);
}

static int read_number(const char *word, const char *digits, u64 max, u64 *val,
		       struct rcr_failure *failure)
{
	if (kstrtou64(digits, 0, val))
		return rcr_failf(failure, -EINVAL, "\"%s\": \"%s\" is not a number", word,
				 digits);
	if (*val > max)
		return rcr_failf(failure, -EINVAL, "\"%s\": the largest is 0x%llx", word,
				 max);
	return 0;
}

static int no_field(const struct rcr_event *e, const char *word,
		    struct rcr_failure *failure)
{
	if (e->kind == RCR_EVENT_PMU)
		return rcr_failf(failure, -EINVAL,
				 "\"%s\" is no field of a kernel's PMU: config:N, config1:N, config2:N, scope:WORD, joules and slow are",
				 word);
	return rcr_failf(failure, -EINVAL,
			 "\"%s\" is no field: umask:N, cmask:N, filter:N, filter1:N, inv, edge, os, user, host, guest, pernode, slow and counter:N are",
			 word);
}

/**
 * rcr_event_set_field() - reads what follows an event
 * @e: the event
 * @word: one word of it
 * @failure: gets the reason when the answer is an error
 *
 * Context: any.
 * Return: 0, or -EINVAL.
 */
int rcr_event_set_field(struct rcr_event *e, const char *word,
			struct rcr_failure *failure)
{
	const struct field *f = find_field(word, e->kind);
	u64 val = 1;
	int err = 0;

	if (!(BIT(e->kind) & (HARDWARE | PMU)) || e->is_register)
		return rcr_failf(failure, -EINVAL,
				 "\"%s\" is not an event: write NAME=event:0x76,umask:0x00",
				 word);
	if (!strcmp(word, "en") && e->kind == RCR_EVENT_HARDWARE)
		return 0;
	if (!f)
		return no_field(e, word, failure);
	if (IS(f, scope))
		err = read_scope(word, word + strlen(f->word), &val, failure);
	else if (f->max)
		err = read_number(word, word + strlen(f->word), f->max, &val, failure);
	if (err)
		return err;
	set(f, e, val);
	if (IS(f, counter))
		e->pinned = true;
	return 0;
}
