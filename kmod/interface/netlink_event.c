// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink_event.c - events as nested attributes, enum rcr_event_attr of <linux/rcrtool.h>.
 */
#include <linux/slab.h>
#include <linux/string.h>
#include <net/genetlink.h>
#include <net/netlink.h>

#include "error.h"
#include "netlink_answer.h"
#include "pmu/event.h"

static const struct nla_policy event_attr_policy[RCR_EVENT_A_MAX + 1] = {
	[RCR_EVENT_A_NAME] = { .type = NLA_NUL_STRING, .len = RCR_NAME_LEN - 1 },
	[RCR_EVENT_A_TYPE] = NLA_POLICY_MAX(NLA_U32, RCR_EVENT_REGISTER),
	[RCR_EVENT_A_UNIT] = { .type = NLA_NUL_STRING, .len = RCR_UNIT_LEN - 1 },
	[RCR_EVENT_A_CONFIG] = { .type = NLA_U64 },
	[RCR_EVENT_A_UMASK] = { .type = NLA_U32 },
	[RCR_EVENT_A_CMASK] = { .type = NLA_U8 },
	[RCR_EVENT_A_FILTER] = { .type = NLA_U32 },
	[RCR_EVENT_A_FILTER1] = { .type = NLA_U32 },
	[RCR_EVENT_A_COUNTER] = { .type = NLA_U8 },
	[RCR_EVENT_A_PMU] = { .type = NLA_U32 },
	[RCR_EVENT_A_CONFIG1] = { .type = NLA_U64 },
	[RCR_EVENT_A_CONFIG2] = { .type = NLA_U64 },
	[RCR_EVENT_A_SCOPE] = NLA_POLICY_MAX(NLA_U32, RCR_SCOPE_CORE),
	[RCR_EVENT_A_FLAGS] = NLA_POLICY_MASK(NLA_U32, RCR_EVENT_FLAGS),
};

#define COMMON_ATTRS	(BIT(RCR_EVENT_A_NAME) | BIT(RCR_EVENT_A_TYPE) |		\
			 BIT(RCR_EVENT_A_CONFIG) | BIT(RCR_EVENT_A_FLAGS))

/* Attributes and flags allowed for each type of event. */
static const struct {
	u32 attrs;
	u32 flags;
} allowed[] = {
	[RCR_EVENT_HARDWARE] = {
		COMMON_ATTRS | BIT(RCR_EVENT_A_UNIT) | BIT(RCR_EVENT_A_UMASK) |
		BIT(RCR_EVENT_A_CMASK) | BIT(RCR_EVENT_A_FILTER) |
		BIT(RCR_EVENT_A_FILTER1) | BIT(RCR_EVENT_A_COUNTER),
		RCR_EVENT_FLAGS & ~RCR_EVENT_JOULES,
	},
	[RCR_EVENT_SOFTWARE] = { COMMON_ATTRS, 0 },
	[RCR_EVENT_TRACEPOINT] = { COMMON_ATTRS, 0 },
	[RCR_EVENT_PMU] = {
		COMMON_ATTRS | BIT(RCR_EVENT_A_PMU) | BIT(RCR_EVENT_A_CONFIG1) |
		BIT(RCR_EVENT_A_CONFIG2) | BIT(RCR_EVENT_A_SCOPE),
		RCR_EVENT_SLOW | RCR_EVENT_JOULES,
	},
	[RCR_EVENT_REGISTER] = { COMMON_ATTRS | BIT(RCR_EVENT_A_UNIT), 0 },
};

/* Return: 0, or -EINVAL for attributes or flags that the type does not allow. */
static int check_attrs(struct nlattr **a, u32 type, struct rcr_failure *f)
{
	u32 wrong = rcr_netlink_u32(a[RCR_EVENT_A_FLAGS], 0) & ~allowed[type].flags;
	unsigned int i;

	if (wrong)
		return rcr_fail_with(f, -EINVAL, RCR_REASON_EVENT_FLAGS, "%u%x", type, wrong);
	for (i = 0; i <= RCR_EVENT_A_MAX; i++)
		if (a[i] && !(allowed[type].attrs & BIT(i)))
			return rcr_fail_with(f, -EINVAL, RCR_REASON_EVENT_ATTRIBUTE, "%u%u",
					     type, i);
	return 0;
}

static void read_flags(struct rcr_event *e, u32 flags)
{
	e->inv = flags & RCR_EVENT_INV;
	e->edge = flags & RCR_EVENT_EDGE;
	e->os = flags & RCR_EVENT_OS;
	e->user = flags & RCR_EVENT_USER;
	e->host = flags & RCR_EVENT_HOST;
	e->guest = flags & RCR_EVENT_GUEST;
	e->per_node = flags & RCR_EVENT_PERNODE;
	e->slow = flags & RCR_EVENT_SLOW;
	e->joules = flags & RCR_EVENT_JOULES;
	/* Count in both modes if none is given. */
	if (rcr_event_is_hardware(e) && !e->os && !e->user) {
		e->os = true;
		e->user = true;
	}
}

/* Attributes that the type does not allow are missing after check_attrs(), and read as 0. */
static void read_fields(struct rcr_event *e, struct nlattr **a)
{
	e->umask = rcr_netlink_u32(a[RCR_EVENT_A_UMASK], 0);
	e->cmask = a[RCR_EVENT_A_CMASK] ? nla_get_u8(a[RCR_EVENT_A_CMASK]) : 0;
	e->filter[0] = rcr_netlink_u32(a[RCR_EVENT_A_FILTER], 0);
	e->filter[1] = rcr_netlink_u32(a[RCR_EVENT_A_FILTER1], 0);
	e->pinned = a[RCR_EVENT_A_COUNTER];
	e->counter = e->pinned ? nla_get_u8(a[RCR_EVENT_A_COUNTER]) : 0;
	if (e->kind == RCR_EVENT_PMU)
		e->config = rcr_netlink_u64(a[RCR_EVENT_A_CONFIG], 0);
	e->config1 = rcr_netlink_u64(a[RCR_EVENT_A_CONFIG1], 0);
	e->config2 = rcr_netlink_u64(a[RCR_EVENT_A_CONFIG2], 0);
	e->scope = rcr_netlink_u32(a[RCR_EVENT_A_SCOPE], 0);
}

/* Number of the event within its type; for an event of a kernel PMU, the PMU type. */
static u64 event_number(struct nlattr **a, u32 type)
{
	return type == RCR_EVENT_PMU ? rcr_netlink_u32(a[RCR_EVENT_A_PMU], 0) :
				       rcr_netlink_u64(a[RCR_EVENT_A_CONFIG], 0);
}

static int fill_event(struct rcr_event *e, struct nlattr **a, struct rcr_failure *f)
{
	u32 type = rcr_netlink_u32(a[RCR_EVENT_A_TYPE], 0);
	int err;

	if (!a[RCR_EVENT_A_NAME] || !a[RCR_EVENT_A_TYPE])
		return rcr_fail(f, -EINVAL, RCR_REASON_EVENT_UNNAMED);
	err = check_attrs(a, type, f);
	if (err)
		return err;
	nla_strscpy(e->name, a[RCR_EVENT_A_NAME], sizeof(e->name));
	if (a[RCR_EVENT_A_UNIT])
		nla_strscpy(e->unit, a[RCR_EVENT_A_UNIT], sizeof(e->unit));
	if (event_number(a, type) > U16_MAX)
		return rcr_fail_with(f, -EINVAL, RCR_REASON_EVENT_TOO_LARGE, "%s%x", e->name,
				     U16_MAX);
	e->event = event_number(a, type);
	e->is_register = type == RCR_EVENT_REGISTER;
	e->kind = e->is_register ? RCR_EVENT_HARDWARE : type;
	read_flags(e, rcr_netlink_u32(a[RCR_EVENT_A_FLAGS], 0));
	read_fields(e, a);
	return rcr_event_check(e, f);
}

static int read_event(const struct nlattr *nest, const struct genl_info *info,
		      struct rcr_event *e, struct rcr_failure *f)
{
	struct nlattr *a[RCR_EVENT_A_MAX + 1];
	int err;

	err = nla_parse_nested(a, RCR_EVENT_A_MAX, nest, event_attr_policy, info->extack);
	if (err)
		return rcr_fail(f, err, RCR_REASON_EVENT_MALFORMED);
	return fill_event(e, a, f);
}

static bool is_named(const struct rcr_event *event, unsigned int count, const char *name)
{
	while (count--)
		if (!strcmp(event[count].name, name))
			return true;
	return false;
}

/**
 * rcr_netlink_read_events() - read the events of a request
 * @r: the request; @event, @events and, on failure, @f are filled in
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, -EEXIST for a duplicate name, -ENOSPC, -ENOMEM.
 */
int rcr_netlink_read_events(struct rcr_request *r)
{
	const struct nlattr *a;
	struct rcr_event *e;
	int rest, err;

	r->event = kcalloc(RCR_MAX_COUNTERS, sizeof(*r->event), GFP_KERNEL);
	if (!r->event)
		return rcr_fail(&r->f, -ENOMEM, RCR_REASON_NO_MEMORY);
	nlmsg_for_each_attr(a, r->info->nlhdr, GENL_HDRLEN, rest) {
		if (nla_type(a) != RCR_A_EVENT)
			continue;
		if (r->events == RCR_MAX_COUNTERS)
			return rcr_fail_with(&r->f, -ENOSPC, RCR_REASON_SET_FULL, "%u",
					     RCR_MAX_COUNTERS);
		e = &r->event[r->events];
		err = read_event(a, r->info, e, &r->f);
		if (err)
			return err;
		if (is_named(r->event, r->events, e->name))
			return rcr_fail_with(&r->f, -EEXIST, RCR_REASON_NAMED_TWICE, "%s", e->name);
		r->events++;
	}
	return 0;
}

/* Values of 0 are omitted. */
static int put_u32(struct sk_buff *skb, int attr, u32 val)
{
	return val ? nla_put_u32(skb, attr, val) : 0;
}

static int put_u64(struct sk_buff *skb, int attr, u64 val)
{
	return val ? nla_put_u64_64bit(skb, attr, val, RCR_EVENT_A_PAD) : 0;
}

static u32 event_flags(const struct rcr_event *e)
{
	return (e->inv ? RCR_EVENT_INV : 0) | (e->edge ? RCR_EVENT_EDGE : 0) |
	       (e->os ? RCR_EVENT_OS : 0) | (e->user ? RCR_EVENT_USER : 0) |
	       (e->host ? RCR_EVENT_HOST : 0) | (e->guest ? RCR_EVENT_GUEST : 0) |
	       (e->per_node ? RCR_EVENT_PERNODE : 0) | (e->slow ? RCR_EVENT_SLOW : 0) |
	       (e->joules ? RCR_EVENT_JOULES : 0);
}

/* Fields that do not belong to the event's type are 0, and are omitted. */
static int put_fields(struct sk_buff *skb, const struct rcr_event *e)
{
	bool pmu = e->kind == RCR_EVENT_PMU;

	if (e->is_register)
		return 0;
	return (pmu ? nla_put_u32(skb, RCR_EVENT_A_PMU, e->event) : 0) ?:
	       put_u64(skb, RCR_EVENT_A_CONFIG, pmu ? e->config : e->event) ?:
	       put_u32(skb, RCR_EVENT_A_UMASK, e->umask) ?:
	       (e->cmask ? nla_put_u8(skb, RCR_EVENT_A_CMASK, e->cmask) : 0) ?:
	       put_u32(skb, RCR_EVENT_A_FILTER, e->filter[0]) ?:
	       put_u32(skb, RCR_EVENT_A_FILTER1, e->filter[1]) ?:
	       (e->pinned ? nla_put_u8(skb, RCR_EVENT_A_COUNTER, e->counter) : 0) ?:
	       put_u64(skb, RCR_EVENT_A_CONFIG1, e->config1) ?:
	       put_u64(skb, RCR_EVENT_A_CONFIG2, e->config2) ?:
	       put_u32(skb, RCR_EVENT_A_SCOPE, e->scope) ?:
	       put_u32(skb, RCR_EVENT_A_FLAGS, event_flags(e));
}

/**
 * rcr_netlink_put_event() - write an event to an answer, in the format of requests
 * @skb: the answer
 * @attr: type of the nested attribute
 * @e: the event
 *
 * Context: any.
 * Return: 0 or -EMSGSIZE.
 */
int rcr_netlink_put_event(struct sk_buff *skb, int attr, const struct rcr_event *e)
{
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest || nla_put_string(skb, RCR_EVENT_A_NAME, e->name) ||
	    nla_put_u32(skb, RCR_EVENT_A_TYPE, e->is_register ? RCR_EVENT_REGISTER : e->kind) ||
	    (e->unit[0] && nla_put_string(skb, RCR_EVENT_A_UNIT, e->unit)) ||
	    put_fields(skb, e))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}
