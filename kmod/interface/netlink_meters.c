// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink_meters.c - commands for meters, section 5 of Documentation/dev/interface.md.
 */
#include <linux/slab.h>
#include <linux/string.h>

#include "control/control.h"
#include "meter/meter.h"
#include "netlink_answer.h"
#include "watch/watch.h"

/* Limits of the machine; those of other places are on the board only. */
static int put_limits(struct sk_buff *skb, const struct rcr_meter *m)
{
	const struct rcr_limits *l = rcr_limits_find(m, 0);

	if (!l)
		return 0;
	return nla_put_u64_64bit(skb, RCR_METER_A_MAXIMUM, l->maximum, RCR_METER_A_PAD) ?:
	       nla_put_u64_64bit(skb, RCR_METER_A_CONTENTION, l->contention, RCR_METER_A_PAD);
}

static int put_spec(struct sk_buff *skb, const struct rcr_meter *m)
{
	const struct rcr_meter_spec *s = &m->spec;

	return nla_put_u32(skb, RCR_METER_A_NUMBER, m->number) ?:
	       nla_put_string(skb, RCR_METER_A_NAME, s->name) ?:
	       (s->form ? rcr_netlink_put_form(skb, RCR_METER_A_FORM, s->form) : 0) ?:
	       nla_put_string(skb, RCR_METER_A_UNIT, s->unit) ?:
	       nla_put_u64_64bit(skb, RCR_METER_A_SCALE_NS, s->scale, RCR_METER_A_PAD) ?:
	       nla_put_u32(skb, RCR_METER_A_TYPE, s->type) ?:
	       nla_put_u32(skb, RCR_METER_A_OVER, m->over) ?:
	       nla_put_u32(skb, RCR_METER_A_DIGITS, s->digits) ?:
	       nla_put_u32(skb, RCR_METER_A_FLAGS, s->flags);
}

static int put_meter(struct sk_buff *skb, const struct rcr_meter *m)
{
	struct nlattr *nest = nla_nest_start(skb, RCR_A_METER);

	if (!nest || put_spec(skb, m) || put_limits(skb, m) ||
	    (!m->live && rcr_netlink_put_reason(skb, RCR_METER_A_REASON, &m->why.reason)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_meter_message(struct sk_buff *skb, struct netlink_callback *cb,
			     const struct rcr_meter *m)
{
	void *head = rcr_netlink_begin_part(skb, cb, RCR_CMD_METERS);

	if (!head || put_meter(skb, m)) {
		genlmsg_cancel(skb, head);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, head);
	return 0;
}

/* Upper bound of a message: a meter with a form of all terms and long names. */
#define METER_BYTES	8192

/* Only permitted readers get the list; each part has space for any meter. */
int rcr_netlink_start_meters(struct netlink_callback *cb)
{
	cb->min_dump_alloc = METER_BYTES;
	return rcr_netlink_may_dump(cb);
}

/* Write the next meters of the list, as many as fit into this part. */
int rcr_netlink_dump_meters(struct sk_buff *skb, struct netlink_callback *cb)
{
	unsigned int i;
	int err = 0;

	mutex_lock(&rcr_meters_lock);
	rcr_meters_catch_up();
	cb->seq = rcr_meters_changes;
	for (i = cb->args[0]; i < RCR_METERS_MAX && !err; i++)
		if (rcr_meters[i])
			err = put_meter_message(skb, cb, rcr_meters[i]);
	mutex_unlock(&rcr_meters_lock);
	cb->args[0] = err ? i - 1 : i;
	return skb->len ?: err;
}

/* Defaults: over one second, 6 decimal places, on the narrowest place. */
static void read_spec(const struct rcr_request *r, struct rcr_meter_spec *s)
{
	struct nlattr **attrs = r->info->attrs;

	strscpy(s->name, rcr_netlink_text(r, RCR_A_NAME), sizeof(s->name));
	strscpy(s->unit, rcr_netlink_text(r, RCR_A_UNIT) ?: "1", sizeof(s->unit));
	s->scale = rcr_netlink_u64(attrs[RCR_A_SCALE_NS], NSEC_PER_SEC);
	s->type = rcr_netlink_u32(attrs[RCR_A_TYPE], RCR_TIME_AVERAGE);
	s->over = rcr_netlink_u32(attrs[RCR_A_OVER], RCR_OVER_NARROWEST);
	s->digits = rcr_netlink_u32(attrs[RCR_A_DIGITS], 6);
	if (!attrs[RCR_A_FORM])
		s->flags |= RCR_METER_POSTED;
	if (attrs[RCR_A_PUBLIC])
		s->flags |= RCR_METER_PUBLIC;
}

/*
 * Add the meter of a request. With events but no form, wake an existing meter that lacks them.
 * Return: number of the meter, or -errno.
 */
static int add_requested_meter(struct rcr_request *r, const struct rcr_form *form)
{
	struct rcr_meter_spec spec = { .form = form };

	read_spec(r, &spec);
	if (r->events && !form)
		return rcr_meters_wake(&r->generation, spec.name, r->event, r->events, &r->f);
	if (r->events)
		return rcr_meters_add_with(&r->generation, &spec, r->event, r->events, &r->f);
	return rcr_meters_add(&spec, &r->f);
}

/* CAP_PERFMON suffices for a meter that needs no counters and is not public. */
int rcr_netlink_may_add_meter(struct sk_buff *skb, struct genl_info *info)
{
	if (info->attrs[RCR_A_FORM] || info->attrs[RCR_A_EVENT] || info->attrs[RCR_A_PUBLIC])
		return rcr_netlink_may_change(skb, info);
	return rcr_netlink_may_post(skb, info);
}

int rcr_netlink_meter_add(struct rcr_request *r)
{
	struct rcr_form *form = NULL;
	int ret = rcr_netlink_read_form(r->info, &form, &r->f);

	if (!ret)
		ret = add_requested_meter(r, form);
	kfree(form);
	r->result = ret;
	return min(ret, 0);
}

/* Return: @val, or NULL, which keeps the limit, if the attribute is missing. */
static const s64 *limit_attr(const struct nlattr *a, s64 *val)
{
	*val = rcr_netlink_u64(a, 0);
	return a ? val : NULL;
}

int rcr_netlink_meter_maximum(struct rcr_request *r)
{
	struct nlattr **attrs = r->info->attrs;
	s64 maximum, contention;

	return rcr_meters_set_limits(rcr_netlink_text(r, RCR_A_NAME),
				     rcr_netlink_u32(attrs[RCR_A_OVER], RCR_PLACE_MACHINE),
				     rcr_netlink_u32(attrs[RCR_A_PLACE], 0),
				     limit_attr(attrs[RCR_A_MAXIMUM], &maximum),
				     limit_attr(attrs[RCR_A_CONTENTION], &contention), &r->f);
}

int rcr_netlink_meter_post(struct rcr_request *r)
{
	struct nlattr **attrs = r->info->attrs;

	return rcr_meters_post(rcr_netlink_text(r, RCR_A_NAME),
			       rcr_netlink_u32(attrs[RCR_A_PLACE], 0),
			       rcr_netlink_u64(attrs[RCR_A_VALUE], 0),
			       rcr_netlink_u32(attrs[RCR_A_STATUS], RCR_STATUS_OK), &r->f);
}
