// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * event_attr.c - events as netlink attributes, enum rcr_event_attr of <linux/rcrtool.h>.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "event.h"

static const struct nla_policy event_attr_policy[RCR_EVENT_A_MAX + 1] = {
	[RCR_EVENT_A_NAME] = { .type = NLA_NUL_STRING },
	[RCR_EVENT_A_TYPE] = { .type = NLA_U32 },
	[RCR_EVENT_A_UNIT] = { .type = NLA_NUL_STRING },
	[RCR_EVENT_A_CONFIG] = { .type = NLA_U64 },
	[RCR_EVENT_A_UMASK] = { .type = NLA_U32 },
	[RCR_EVENT_A_CMASK] = { .type = NLA_U8 },
	[RCR_EVENT_A_FILTER] = { .type = NLA_U32 },
	[RCR_EVENT_A_FILTER1] = { .type = NLA_U32 },
	[RCR_EVENT_A_COUNTER] = { .type = NLA_U8 },
	[RCR_EVENT_A_PMU] = { .type = NLA_U32 },
	[RCR_EVENT_A_CONFIG1] = { .type = NLA_U64 },
	[RCR_EVENT_A_CONFIG2] = { .type = NLA_U64 },
	[RCR_EVENT_A_SCOPE] = { .type = NLA_U32 },
	[RCR_EVENT_A_FLAGS] = { .type = NLA_U32 },
};

/* Values of 0 are omitted. */
static bool put_u32(struct nl_msg *msg, int attr, uint32_t val)
{
	return !val || !nla_put_u32(msg, attr, val);
}

static bool put_u64(struct nl_msg *msg, int attr, uint64_t val)
{
	return !val || !nla_put_u64(msg, attr, val);
}

static bool put_hardware(struct nl_msg *msg, const struct rcr_event_spec *e)
{
	return put_u32(msg, RCR_EVENT_A_UMASK, e->umask) &&
	       (!e->cmask || !nla_put_u8(msg, RCR_EVENT_A_CMASK, e->cmask)) &&
	       put_u32(msg, RCR_EVENT_A_FILTER, e->filter[0]) &&
	       put_u32(msg, RCR_EVENT_A_FILTER1, e->filter[1]) &&
	       (e->counter < 0 || !nla_put_u8(msg, RCR_EVENT_A_COUNTER, e->counter));
}

static bool put_pmu(struct nl_msg *msg, const struct rcr_event_spec *e)
{
	return !nla_put_u32(msg, RCR_EVENT_A_PMU, e->pmu) &&
	       put_u64(msg, RCR_EVENT_A_CONFIG1, e->config1) &&
	       put_u64(msg, RCR_EVENT_A_CONFIG2, e->config2) &&
	       put_u32(msg, RCR_EVENT_A_SCOPE, e->scope);
}

int rcr_event_put(struct nl_msg *msg, int attr, const struct rcr_event_spec *e)
{
	struct nlattr *nest = nla_nest_start(msg, NLA_F_NESTED | attr);

	if (!nest || nla_put_string(msg, RCR_EVENT_A_NAME, e->name) ||
	    nla_put_u32(msg, RCR_EVENT_A_TYPE, e->type) ||
	    (e->unit[0] && nla_put_string(msg, RCR_EVENT_A_UNIT, e->unit)) ||
	    !put_u64(msg, RCR_EVENT_A_CONFIG, e->config) ||
	    !put_u32(msg, RCR_EVENT_A_FLAGS, e->flags) ||
	    (e->type == RCR_EVENT_HARDWARE && !put_hardware(msg, e)) ||
	    (e->type == RCR_EVENT_PMU && !put_pmu(msg, e)))
		return -1;
	nla_nest_end(msg, nest);
	return 0;
}

static uint32_t get_u32(const struct nlattr *a)
{
	return a ? nla_get_u32(a) : 0;
}

static uint64_t get_u64(const struct nlattr *a)
{
	return a ? nla_get_u64(a) : 0;
}

static void get_text(char *to, size_t size, const struct nlattr *a)
{
	snprintf(to, size, "%s", a ? nla_get_string((struct nlattr *)a) : "");
}

int rcr_event_take(struct rcr_event_spec *e, const struct nlattr *nest)
{
	struct nlattr *a[RCR_EVENT_A_MAX + 1];

	if (nla_parse_nested(a, RCR_EVENT_A_MAX, (struct nlattr *)nest,
			     (struct nla_policy *)event_attr_policy) || !a[RCR_EVENT_A_NAME])
		return -1;
	memset(e, 0, sizeof(*e));
	get_text(e->name, sizeof(e->name), a[RCR_EVENT_A_NAME]);
	get_text(e->unit, sizeof(e->unit), a[RCR_EVENT_A_UNIT]);
	e->type = get_u32(a[RCR_EVENT_A_TYPE]);
	e->flags = get_u32(a[RCR_EVENT_A_FLAGS]);
	e->config = get_u64(a[RCR_EVENT_A_CONFIG]);
	e->umask = get_u32(a[RCR_EVENT_A_UMASK]);
	e->cmask = a[RCR_EVENT_A_CMASK] ? nla_get_u8(a[RCR_EVENT_A_CMASK]) : 0;
	e->counter = a[RCR_EVENT_A_COUNTER] ? nla_get_u8(a[RCR_EVENT_A_COUNTER]) : -1;
	e->filter[0] = get_u32(a[RCR_EVENT_A_FILTER]);
	e->filter[1] = get_u32(a[RCR_EVENT_A_FILTER1]);
	e->pmu = get_u32(a[RCR_EVENT_A_PMU]);
	e->scope = get_u32(a[RCR_EVENT_A_SCOPE]);
	e->config1 = get_u64(a[RCR_EVENT_A_CONFIG1]);
	e->config2 = get_u64(a[RCR_EVENT_A_CONFIG2]);
	return 0;
}
