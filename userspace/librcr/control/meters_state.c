// SPDX-License-Identifier: LGPL-2.1-or-later
/* meters_state.c - reads the state of meters from the module's answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "form/form.h"
#include "reason.h"
#include "request.h"
#include "rcr_meters.h"

static const struct nla_policy policy[RCR_METER_A_MAX + 1] = {
	[RCR_METER_A_NUMBER] = { .type = NLA_U32 },
	[RCR_METER_A_NAME] = { .type = NLA_NUL_STRING },
	[RCR_METER_A_FORM] = { .type = NLA_NESTED },
	[RCR_METER_A_UNIT] = { .type = NLA_NUL_STRING },
	[RCR_METER_A_SCALE_NS] = { .type = NLA_U64 },
	[RCR_METER_A_TYPE] = { .type = NLA_U32 },
	[RCR_METER_A_OVER] = { .type = NLA_U32 },
	[RCR_METER_A_DIGITS] = { .type = NLA_U32 },
	[RCR_METER_A_FLAGS] = { .type = NLA_U32 },
	[RCR_METER_A_REASON] = { .type = NLA_NESTED },
	[RCR_METER_A_MAXIMUM] = { .type = NLA_U64 },
	[RCR_METER_A_CONTENTION] = { .type = NLA_U64 },
};

static void copy_meter_text(char *to, size_t size, struct nlattr *a)
{
	if (a)
		snprintf(to, size, "%s", nla_get_string(a));
}

static uint32_t number_of(struct nlattr *a)
{
	return a ? nla_get_u32(a) : 0;
}

static uint64_t amount_of(struct nlattr *a)
{
	return a ? nla_get_u64(a) : 0;
}

void rcr_meters_take(struct rcr_meters *meters, struct nlattr *nest)
{
	struct nlattr *a[RCR_METER_A_MAX + 1];
	struct rcr_meter_state *m;

	if (meters->count == RCR_METERS_MAX ||
	    nla_parse_nested(a, RCR_METER_A_MAX, nest, (struct nla_policy *)policy) ||
	    !a[RCR_METER_A_NAME])
		return;
	m = &meters->meter[meters->count++];
	m->number = number_of(a[RCR_METER_A_NUMBER]);
	m->scale_ns = amount_of(a[RCR_METER_A_SCALE_NS]);
	m->type = number_of(a[RCR_METER_A_TYPE]);
	m->over = number_of(a[RCR_METER_A_OVER]);
	m->digits = number_of(a[RCR_METER_A_DIGITS]);
	m->flags = number_of(a[RCR_METER_A_FLAGS]);
	m->maximum = amount_of(a[RCR_METER_A_MAXIMUM]);
	m->contention = amount_of(a[RCR_METER_A_CONTENTION]);
	copy_meter_text(m->name, sizeof(m->name), a[RCR_METER_A_NAME]);
	copy_meter_text(m->unit, sizeof(m->unit), a[RCR_METER_A_UNIT]);
	if (a[RCR_METER_A_REASON])
		rcr_reason_take(m->reason, sizeof(m->reason), a[RCR_METER_A_REASON]);
	if (a[RCR_METER_A_FORM])
		rcr_form_take(&m->form, a[RCR_METER_A_FORM]);
}

const struct rcr_meter_state *rcr_meters_find(const struct rcr_meters *meters,
					      const char *name)
{
	unsigned int i;
	char *end;
	long number;

	if (!meters || !name)
		return NULL;
	for (i = 0; i < meters->count; i++)
		if (!strcmp(meters->meter[i].name, name))
			return &meters->meter[i];
	number = strtol(name, &end, 10);
	if (*name < '0' || *name > '9' || *end)
		return NULL;
	for (i = 0; i < meters->count; i++)
		if (meters->meter[i].number == number)
			return &meters->meter[i];
	return NULL;
}
