// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink.c - the door of control. What a caller may expect is section 5 of
 * <linux/rcrtool.h>; what is done is control.c's.
 */
#include <linux/capability.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <net/genetlink.h>

#include "control.h"
#include "netlink.h"
#include "run.h"

static struct genl_family family;

/* Attributes that each command knows; any other is refused by the core. */
static const struct nla_policy generation_policy[] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
};

static const struct nla_policy add_policy[] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_EVENT] = { .type = NLA_NUL_STRING, .len = RCR_EVENT_LEN - 1 },
};

static const struct nla_policy remove_policy[] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_NAME] = { .type = NLA_NUL_STRING, .len = RCR_NAME_LEN - 1 },
};

static const struct nla_policy period_policy[] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_PERIOD_NS] = { .type = NLA_U64 },
};

/* Registers are the machine's, not a network namespace's. */
static int may_change(struct sk_buff *skb, const struct genl_info *info)
{
	if (netlink_capable(skb, CAP_SYS_RAWIO))
		return 0;
	NL_SET_ERR_MSG(info->extack, "CAP_SYS_RAWIO is needed to change what is counted");
	return -EPERM;
}

static int may_look(struct sk_buff *skb, const struct genl_info *info)
{
	if (netlink_capable(skb, CAP_PERFMON) || netlink_capable(skb, CAP_SYS_RAWIO))
		return 0;
	NL_SET_ERR_MSG(info->extack, "CAP_PERFMON is needed to look at what is counted");
	return -EPERM;
}

static u32 generation_of(const struct genl_info *info)
{
	const struct nlattr *a = info->attrs[RCR_A_GENERATION];

	return a ? nla_get_u32(a) : RCR_ANY_GENERATION;
}

static struct sk_buff *begin_reply(struct genl_info *info, void **head)
{
	struct sk_buff *skb = genlmsg_new(NLMSG_GOODSIZE * 4, GFP_KERNEL);

	if (!skb)
		return NULL;
	*head = genlmsg_put_reply(skb, info, &family, 0, info->genlhdr->cmd);
	if (*head)
		return skb;
	nlmsg_free(skb);
	return NULL;
}

/* Tells the reason, or the new generation; then returns @err for the core. */
static int answer(struct genl_info *info, int err,
		  const struct rcr_failure *f)
{
	struct rcr_control *now;
	struct sk_buff *skb;
	void *head;
	int full;

	skb = begin_reply(info, &head);
	now = kmalloc(sizeof(*now), GFP_KERNEL);
	if (!skb || !now) {
		nlmsg_free(skb);
		kfree(now);
		return err;	/* it is done, or not: no reply changes that */
	}
	rcr_control_look(now);
	full = nla_put_u32(skb, RCR_A_GENERATION, now->generation);
	kfree(now);
	if (err)
		full = full ?: nla_put_u32(skb, RCR_A_ERROR, -err) ?:
		       nla_put_string(skb, RCR_A_REASON, f->reason);
	if (full) {
		nlmsg_free(skb);
		return err;
	}
	genlmsg_end(skb, head);
	genlmsg_reply(skb, info);
	return err;
}

static int missing(struct genl_info *info, const char *what)
{
	struct rcr_failure f = { };

	rcr_fail(&f, -EINVAL, "The request has no %s.", what);
	return answer(info, -EINVAL, &f);
}

/* All events of a request as one text, so that they are added all or none. */
static char *join_events(const struct genl_info *info)
{
	size_t len = 0, size = info->nlhdr->nlmsg_len + 1;
	char *text = kzalloc(size, GFP_KERNEL);
	const struct nlattr *a;
	int rest;

	if (!text)
		return NULL;
	nlmsg_for_each_attr(a, info->nlhdr, GENL_HDRLEN, rest)
		if (nla_type(a) == RCR_A_EVENT)
			len += scnprintf(text + len, size - len, "%s;",
					 (const char *)nla_data(a));
	return text;
}

static int do_add(struct sk_buff *skb, struct genl_info *info)
{
	struct rcr_failure f = { };
	char *events;
	int err;

	err = may_change(skb, info);
	if (err)
		return err;
	if (!info->attrs[RCR_A_EVENT])
		return missing(info, "event");
	events = join_events(info);
	if (!events)
		return -ENOMEM;
	err = rcr_control_add(generation_of(info), events, &f);
	kfree(events);
	return answer(info, err, &f);
}

static int do_remove(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *name = info->attrs[RCR_A_NAME];
	struct rcr_failure f = { };
	int err;

	err = may_change(skb, info);
	if (err)
		return err;
	err = rcr_control_remove(generation_of(info),
				 name ? nla_data(name) : NULL, &f);
	return answer(info, err, &f);
}

static int do_verb(struct sk_buff *skb, struct genl_info *info,
		   int (*verb)(u32 generation, struct rcr_failure *f))
{
	struct rcr_failure f = { };
	int err;

	err = may_change(skb, info);
	if (err)
		return err;
	err = verb(generation_of(info), &f);
	return answer(info, err, &f);
}

static int do_finalize(struct sk_buff *skb, struct genl_info *info)
{
	return do_verb(skb, info, rcr_control_finalize);
}

static int do_reset(struct sk_buff *skb, struct genl_info *info)
{
	return do_verb(skb, info, rcr_control_reset);
}

static int do_period(struct sk_buff *skb, struct genl_info *info)
{
	struct rcr_failure f = { };
	u64 period;
	int err;

	err = may_change(skb, info);
	if (err)
		return err;
	if (!info->attrs[RCR_A_PERIOD_NS])
		return missing(info, "period");
	period = nla_get_u64(info->attrs[RCR_A_PERIOD_NS]);
	err = rcr_control_period(generation_of(info), period, &f);
	return answer(info, err, &f);
}

static int put_counter(struct sk_buff *skb, const struct rcr_counter *c)
{
	struct nlattr *nest = nla_nest_start(skb, RCR_A_RUNNING);

	if (!nest ||
	    nla_put_string(skb, RCR_COUNTER_A_NAME, c->name) ||
	    nla_put_u64_64bit(skb, RCR_COUNTER_A_SELECT, c->select,
			      RCR_COUNTER_A_PAD) ||
	    nla_put_u32(skb, RCR_COUNTER_A_CONTROL, c->control) ||
	    nla_put_u32(skb, RCR_COUNTER_A_COUNTER, c->counter))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_staged(struct sk_buff *skb, const struct rcr_event *e)
{
	struct nlattr *nest = nla_nest_start(skb, RCR_A_STAGED);

	if (!nest || nla_put_string(skb, RCR_COUNTER_A_NAME, e->name))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_run(struct sk_buff *skb, const struct rcr_run *run)
{
	const struct rcr_failure *f = &run->set.failure;
	unsigned int i;

	if (nla_put_string(skb, RCR_A_STATE, f->error ? "inert" : "sampling") ||
	    nla_put_string(skb, RCR_A_SOURCE, run->source->name) ||
	    nla_put_string(skb, RCR_A_FAMILY,
			   run->set.pmu ? run->set.pmu->name : "unknown"))
		return -EMSGSIZE;
	if (f->error && (nla_put_u32(skb, RCR_A_ERROR, -f->error) ||
			 nla_put_string(skb, RCR_A_REASON, f->reason)))
		return -EMSGSIZE;
	for (i = 0; i < run->set.count; i++)
		if (put_counter(skb, &run->set.counter[i]))
			return -EMSGSIZE;
	return 0;
}

static int put_control(struct sk_buff *skb, const struct rcr_control *c)
{
	unsigned int i;

	if (nla_put_u32(skb, RCR_A_GENERATION, c->generation) ||
	    nla_put_u64_64bit(skb, RCR_A_PERIOD_NS, c->period, RCR_A_PAD))
		return -EMSGSIZE;
	for (i = 0; i < c->staged.count; i++)
		if (put_staged(skb, &c->staged.event[i]))
			return -EMSGSIZE;
	return 0;
}

static int do_look(struct sk_buff *skb, struct genl_info *info)
{
	struct rcr_control *c;
	struct sk_buff *reply;
	struct rcr_run *run;
	void *head;
	int err;

	err = may_look(skb, info);
	if (err)
		return err;
	err = -ENOMEM;
	run = rcr_run_get_current();
	c = kmalloc(sizeof(*c), GFP_KERNEL);
	reply = begin_reply(info, &head);
	if (!c || !reply)
		goto out;
	rcr_control_look(c);
	err = put_control(reply, c);
	if (!err)
		err = put_run(reply, run);
	if (err)
		goto out;
	genlmsg_end(reply, head);
	err = genlmsg_reply(reply, info);
	reply = NULL;
out:
	nlmsg_free(reply);
	kfree(c);
	rcr_run_put(run);
	return err;
}

static const struct genl_ops ops[] = {
	{
		.cmd = RCR_CMD_LOOK,
		.doit = do_look,
	},
	{
		.cmd = RCR_CMD_ADD,
		.doit = do_add,
		.policy = add_policy,
		.maxattr = ARRAY_SIZE(add_policy) - 1,
	},
	{
		.cmd = RCR_CMD_REMOVE,
		.doit = do_remove,
		.policy = remove_policy,
		.maxattr = ARRAY_SIZE(remove_policy) - 1,
	},
	{
		.cmd = RCR_CMD_FINALIZE,
		.doit = do_finalize,
		.policy = generation_policy,
		.maxattr = ARRAY_SIZE(generation_policy) - 1,
	},
	{
		.cmd = RCR_CMD_RESET,
		.doit = do_reset,
		.policy = generation_policy,
		.maxattr = ARRAY_SIZE(generation_policy) - 1,
	},
	{
		.cmd = RCR_CMD_PERIOD,
		.doit = do_period,
		.policy = period_policy,
		.maxattr = ARRAY_SIZE(period_policy) - 1,
	},
};

/* Requests are serialized by control.c, not by everybody's genetlink mutex. */
static struct genl_family family __ro_after_init = {
	.name = RCR_GENL_NAME,
	.version = RCR_GENL_VERSION,
	.maxattr = RCR_A_MAX,
	.parallel_ops = true,
	.ops = ops,
	.n_ops = ARRAY_SIZE(ops),
	.module = THIS_MODULE,
};

MODULE_ALIAS_GENL_FAMILY(RCR_GENL_NAME);

/* Opens the door: whatever is behind it has to be ready. */
int __init rcr_netlink_init(void)
{
	return genl_register_family(&family);
}

void rcr_netlink_exit(void)
{
	genl_unregister_family(&family);
}
