// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink.c - the door of control: who may ask, for what, and the answer. What a
 * caller may expect is section 5 of <linux/rcrtool.h>; what is done is control.c's
 * and adjust.c's.
 */
#include <linux/capability.h>
#include <linux/file.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "chardev.h"
#include "compat/genl.h"
#include "control.h"
#include "flight.h"
#include "netlink.h"
#include "netlink_state.h"

static struct genl_family family;

/* Attributes that each command knows; any other is refused by the core. */
static const struct nla_policy generation_policy[] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
};

static const struct nla_policy event_policy[] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_EVENT] = { .type = NLA_NUL_STRING, .len = RCR_EVENT_LEN - 1 },
};

static const struct nla_policy name_policy[] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_NAME] = { .type = NLA_NUL_STRING, .len = RCR_NAME_LEN - 1 },
};

static const struct nla_policy reassign_policy[] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_EVENT] = { .type = NLA_NUL_STRING, .len = RCR_EVENT_LEN - 1 },
	[RCR_A_NAME] = { .type = NLA_NUL_STRING, .len = RCR_NAME_LEN - 1 },
};

static const struct nla_policy finalize_policy[] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_HOLD] = { .type = NLA_U32 },
};

static const struct nla_policy period_policy[] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_PERIOD_NS] = { .type = NLA_U64 },
};

static const struct nla_policy where_policy[] = {
	[RCR_A_EVENT] = { .type = NLA_NUL_STRING, .len = RCR_EVENT_LEN - 1 },
};

static const struct nla_policy mark_policy[] = {
	[RCR_A_KIND] = { .type = NLA_U32 },
	[RCR_A_TEXT] = { .type = NLA_NUL_STRING, .len = RCR_MARK_LEN - 1 },
};

static const struct nla_policy record_policy[] = {
	[RCR_A_WINDOW_NS] = { .type = NLA_U64 },
	[RCR_A_TRIGGERS] = { .type = NLA_U32 },
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

static int put_answer(struct sk_buff *skb, int err, const struct rcr_failure *f,
		      const u64 *counters)
{
	if (nla_put_u32(skb, RCR_A_GENERATION, rcr_control_generation()))
		return -EMSGSIZE;
	if (err)
		return nla_put_u32(skb, RCR_A_ERROR, -err) ?:
		       nla_put_string(skb, RCR_A_REASON, f->reason);
	if (counters)
		return nla_put_u64_64bit(skb, RCR_A_COUNTERS, *counters, RCR_A_PAD);
	return 0;
}

/* Tells the reason, or the new generation; then returns @err for the core. */
static int answer_with(struct genl_info *info, int err,
		       const struct rcr_failure *f, const u64 *counters)
{
	struct sk_buff *skb;
	void *head;

	skb = begin_reply(info, &head);
	if (!skb)
		return err;	/* it is done, or not: no reply changes that */
	if (put_answer(skb, err, f, counters)) {
		nlmsg_free(skb);
		return err;
	}
	genlmsg_end(skb, head);
	genlmsg_reply(skb, info);
	return err;
}

static int answer(struct genl_info *info, int err, const struct rcr_failure *f)
{
	return answer_with(info, err, f, NULL);
}

static int missing(struct genl_info *info, const char *what)
{
	struct rcr_failure f = { };

	rcr_fail(&f, -EINVAL, "The request has no %s.", what);
	return answer(info, -EINVAL, &f);
}

/* A text of the request, or NULL where there is none. */
static const char *text_of(const struct genl_info *info, enum rcr_attr attr)
{
	const struct nlattr *a = info->attrs[attr];

	return a ? nla_data(a) : NULL;
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

	if (!info->attrs[RCR_A_EVENT])
		return missing(info, "event");
	events = join_events(info);
	if (!events)
		return -ENOMEM;
	err = rcr_control_add(generation_of(info), events, &f);
	kfree(events);
	return answer(info, err, &f);
}

static int no_device(struct rcr_failure *f)
{
	return rcr_fail(f, -EBADF,
		"A set is held with an open /dev/rcrtool, and this descriptor is none.");
}

static int do_finalize(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *hold = info->attrs[RCR_A_HOLD];
	struct rcr_failure f = { };
	struct file *file;
	int err;

	if (!hold) {
		err = rcr_control_finalize(generation_of(info), NULL, &f);
		return answer(info, err, &f);
	}
	/* The sender's descriptor: a request is served in its sender's context. */
	file = fget(nla_get_u32(hold));
	if (rcr_chardev_is(file))
		err = rcr_control_finalize(generation_of(info), file, &f);
	else
		err = no_device(&f);
	if (file)
		fput(file);
	return answer(info, err, &f);
}

static int do_reset(struct sk_buff *skb, struct genl_info *info)
{
	struct rcr_failure f = { };

	return answer(info, rcr_control_reset(generation_of(info), &f), &f);
}

static int do_period(struct sk_buff *skb, struct genl_info *info)
{
	struct rcr_failure f = { };
	u64 period;

	if (!info->attrs[RCR_A_PERIOD_NS])
		return missing(info, "period");
	period = nla_get_u64(info->attrs[RCR_A_PERIOD_NS]);
	return answer(info, rcr_control_period(generation_of(info), period, &f), &f);
}

/* The verbs for one counter, or for all. */
static int do_named(struct genl_info *info,
		    int (*verb)(u32 generation, const char *name,
				struct rcr_failure *f))
{
	struct rcr_failure f = { };

	return answer(info, verb(generation_of(info), text_of(info, RCR_A_NAME), &f),
		      &f);
}

static int do_remove(struct sk_buff *skb, struct genl_info *info)
{
	return do_named(info, rcr_control_remove);
}

static int do_halt(struct sk_buff *skb, struct genl_info *info)
{
	return do_named(info, rcr_control_halt);
}

static int do_continue(struct sk_buff *skb, struct genl_info *info)
{
	return do_named(info, rcr_control_continue);
}

static int do_rewrite(struct sk_buff *skb, struct genl_info *info)
{
	return do_named(info, rcr_control_rewrite);
}

static int do_reassign(struct sk_buff *skb, struct genl_info *info)
{
	const char *name = text_of(info, RCR_A_NAME);
	const char *event = text_of(info, RCR_A_EVENT);
	struct rcr_failure f = { };

	if (!name || !event)
		return missing(info, name ? "event" : "name");
	return answer(info, rcr_control_reassign(generation_of(info), name, event, &f),
		      &f);
}

/* The flight recorder may be waiting for one: it knows nobody who makes marks. */
static void tell_mark(u32 kind, const char *text)
{
	static const char *const words[] = {
		[RCR_MARK_BEGIN] = "begin ", [RCR_MARK_END] = "end ",
	};
	char line[RCR_MARK_LEN];

	snprintf(line, sizeof(line), "mark %s%s", words[kind] ?: "", text);
	rcr_flight_trigger(RCR_FLIGHT_MARK, line);
}

static int do_mark(struct sk_buff *skb, struct genl_info *info)
{
	const char *text = text_of(info, RCR_A_TEXT);
	const struct nlattr *kind = info->attrs[RCR_A_KIND];
	struct rcr_failure f = { };
	int err;

	if (!kind || !text)
		return missing(info, kind ? "text" : "kind");
	err = rcr_control_mark(nla_get_u32(kind), text, &f);
	if (!err)
		tell_mark(nla_get_u32(kind), text);
	return answer(info, err, &f);
}

static int do_record(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *length = info->attrs[RCR_A_WINDOW_NS];
	const struct nlattr *triggers = info->attrs[RCR_A_TRIGGERS];
	struct rcr_failure f = { };

	if (!length && !triggers) {
		rcr_flight_disarm();
		return answer(info, 0, &f);
	}
	if (!length || !triggers)
		return missing(info, length ? "trigger" : "length");
	return answer(info, rcr_flight_arm(nla_get_u64(length), nla_get_u32(triggers), &f),
		      &f);
}

static int do_where(struct sk_buff *skb, struct genl_info *info)
{
	const char *event = text_of(info, RCR_A_EVENT);
	struct rcr_failure f = { };
	u64 counters;
	int err;

	if (!event)
		return missing(info, "event");
	err = rcr_control_where(event, &counters, &f);
	return answer_with(info, err, &f, &counters);
}

static int do_look(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *reply;
	void *head;
	int err;

	reply = begin_reply(info, &head);
	if (!reply)
		return -ENOMEM;
	err = rcr_netlink_put_state(reply);
	if (err) {
		nlmsg_free(reply);
		return err;
	}
	genlmsg_end(reply, head);
	return genlmsg_reply(reply, info);
}

/* Who may look need not be who may change: the commands that only look. */
static bool only_looks(u8 cmd)
{
	return cmd == RCR_CMD_LOOK || cmd == RCR_CMD_WHERE;
}

static int check_caller(const struct rcr_genl_op *unused, struct sk_buff *skb,
			struct genl_info *info)
{
	return only_looks(info->genlhdr->cmd) ? may_look(skb, info) :
						may_change(skb, info);
}

#define RCR_OP(name, function, attributes) {			\
		.cmd = RCR_CMD_##name,				\
		.doit = function,				\
		.policy = attributes,				\
		.maxattr = ARRAY_SIZE(attributes) - 1,		\
	}

static const struct genl_ops ops[] = {
	{ .cmd = RCR_CMD_LOOK, .doit = do_look },
	RCR_OP(WHERE, do_where, where_policy),
	RCR_OP(ADD, do_add, event_policy),
	RCR_OP(REMOVE, do_remove, name_policy),
	RCR_OP(FINALIZE, do_finalize, finalize_policy),
	RCR_OP(HALT, do_halt, name_policy),
	RCR_OP(CONTINUE, do_continue, name_policy),
	RCR_OP(REWRITE, do_rewrite, name_policy),
	RCR_OP(REASSIGN, do_reassign, reassign_policy),
	RCR_OP(MARK, do_mark, mark_policy),
	RCR_OP(RESET, do_reset, generation_policy),
	RCR_OP(PERIOD, do_period, period_policy),
	RCR_OP(RECORD, do_record, record_policy),
};

/* Requests are serialized by control.c, not by everybody's genetlink mutex. */
static struct genl_family family __ro_after_init = {
	.name = RCR_GENL_NAME,
	.version = RCR_GENL_VERSION,
	.maxattr = RCR_A_MAX,
	.parallel_ops = true,
	.pre_doit = check_caller,
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
