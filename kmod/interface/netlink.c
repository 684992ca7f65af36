// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink.c - the generic netlink family: its commands, their policies and who may send
 * them. What a caller may expect is section 5 of Documentation/interface.md; the changes are made
 * by control.c and adjust.c.
 */
#include <linux/file.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "chardev.h"
#include "control/control.h"
#include "control/program.h"
#include "meter/form.h"
#include "recorder/flight.h"
#include "sampler/sampler.h"
#include "netlink.h"
#include "netlink_answer.h"
#include <linux/rcrboard.h>

/* Beyond the s16 of a policy itself, which points to them without const before 6.3. */
static struct netlink_range_validation period_range = {
	.min = RCR_PERIOD_MIN_US * (u64)NSEC_PER_USEC,
	.max = RCR_PERIOD_MAX_US * (u64)NSEC_PER_USEC,
};

static struct netlink_range_validation scale_range = { .min = 1, .max = RCR_SCALE_MAX_NS };
static struct netlink_range_validation amount_range = { .max = S64_MAX };

/*
 * Attributes that each command knows, their lengths and ranges. The core refuses any other;
 * what a number means on this machine is checked where it is used.
 */
/* Its attributes are checked by rcr_netlink_take_events(). */
#define EVENT_POLICY { .type = NLA_NESTED }

static const struct nla_policy generation_policy[] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
};

static const struct nla_policy event_policy[] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_EVENT] = EVENT_POLICY,
};

static const struct nla_policy name_policy[] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_NAME] = { .type = NLA_NUL_STRING, .len = RCR_NAME_LEN - 1 },
};

static const struct nla_policy reassign_policy[] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_EVENT] = EVENT_POLICY,
	[RCR_A_NAME] = { .type = NLA_NUL_STRING, .len = RCR_NAME_LEN - 1 },
};

static const struct nla_policy finalize_policy[] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_HOLD] = { .type = NLA_U32 },
};

static const struct nla_policy period_policy[] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_PERIOD_NS] = NLA_POLICY_FULL_RANGE(NLA_U64, &period_range),
};

static const struct nla_policy read_policy[] = {
	[RCR_A_DEVICE] = { .type = NLA_U32 },
};

static const struct nla_policy where_policy[] = {
	[RCR_A_DEVICE] = { .type = NLA_U32 },
	[RCR_A_EVENT] = EVENT_POLICY,
};

static const struct nla_policy meter_policy[] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_NAME] = { .type = NLA_NUL_STRING, .len = RCR_METER_NAME_LEN - 1 },
	[RCR_A_FORM] = { .type = NLA_NESTED },	/* by rcr_netlink_take_form() */
	[RCR_A_UNIT] = { .type = NLA_NUL_STRING, .len = RCR_METER_UNIT_LEN - 1 },
	[RCR_A_SCALE_NS] = NLA_POLICY_FULL_RANGE(NLA_U64, &scale_range),
	[RCR_A_TYPE] = NLA_POLICY_MAX(NLA_U32, RCR_TIME_PEAK),
	[RCR_A_OVER] = NLA_POLICY_MAX(NLA_U32, RCR_PLACE_CPU),
	[RCR_A_DIGITS] = NLA_POLICY_MAX(NLA_U32, RCR_FORM_DIGITS),
	[RCR_A_PUBLIC] = { .type = NLA_FLAG },
	[RCR_A_EVENT] = EVENT_POLICY,
};

static const struct nla_policy maximum_policy[] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_NAME] = { .type = NLA_NUL_STRING, .len = RCR_METER_NAME_LEN - 1 },
	[RCR_A_OVER] = NLA_POLICY_MAX(NLA_U32, RCR_PLACE_CPU),
	[RCR_A_PLACE] = { .type = NLA_U32 },
	[RCR_A_MAXIMUM] = NLA_POLICY_FULL_RANGE(NLA_U64, &amount_range),
	[RCR_A_CONTENTION] = NLA_POLICY_FULL_RANGE(NLA_U64, &amount_range),
};

static const struct nla_policy post_policy[] = {
	[RCR_A_NAME] = { .type = NLA_NUL_STRING, .len = RCR_METER_NAME_LEN - 1 },
	[RCR_A_VALUE] = { .type = NLA_U64 },
	[RCR_A_PLACE] = { .type = NLA_U32 },
};

static const struct nla_policy mark_policy[] = {
	[RCR_A_KIND] = NLA_POLICY_RANGE(NLA_U32, RCR_MARK_TEXT, RCR_MARK_END),
	[RCR_A_TEXT] = { .type = NLA_NUL_STRING, .len = RCR_MARK_LEN - 1 },
};

static const struct nla_policy record_policy[] = {
	[RCR_A_WINDOW_NS] = NLA_POLICY_MIN(NLA_U64, 1),
	[RCR_A_TRIGGERS] = NLA_POLICY_RANGE(NLA_U32, 1, RCR_FLIGHT_CAUSES),
};

static int do_add(struct sk_buff *skb, struct genl_info *info)
{
	u32 generation = rcr_netlink_generation(info);
	struct rcr_failure f = { };
	struct rcr_event *event;
	int ret;

	if (!info->attrs[RCR_A_EVENT])
		return rcr_netlink_missing(info, "event");
	ret = rcr_netlink_take_events(info, &event, &f);
	if (ret > 0)
		ret = rcr_control_add(&generation, event, ret, &f);
	kfree(event);
	return rcr_netlink_answer_change(info, ret, &f, generation);
}

static int no_device(struct rcr_failure *f)
{
	return rcr_fail(f, -EBADF, RCR_REASON_NOT_A_DEVICE);
}

static int do_finalize(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *hold = info->attrs[RCR_A_HOLD];
	u32 generation = rcr_netlink_generation(info);
	struct rcr_failure f = { };
	struct file *file = NULL;
	int err;

	/* The sender's descriptor: a request is served in its sender's context. */
	if (hold)
		file = fget(nla_get_u32(hold));
	if (!hold || rcr_chardev_is(file))
		err = rcr_control_finalize(&generation, file, &f);
	else
		err = no_device(&f);
	if (file)
		fput(file);
	return rcr_netlink_answer_change(info, err, &f, generation);
}

static int do_reset(struct sk_buff *skb, struct genl_info *info)
{
	u32 generation = rcr_netlink_generation(info);
	struct rcr_failure f = { };
	int err = rcr_control_reset(&generation, &f);

	return rcr_netlink_answer_change(info, err, &f, generation);
}

static int do_period(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *period = info->attrs[RCR_A_PERIOD_NS];
	u32 generation = rcr_netlink_generation(info);
	struct rcr_failure f = { };
	int err;

	if (!period)
		return rcr_netlink_missing(info, "period");
	err = rcr_control_period(&generation, nla_get_u64(period), &f);
	return rcr_netlink_answer_change(info, err, &f, generation);
}

/* The verbs for one counter, or for all. */
static int do_named(struct genl_info *info,
		    int (*verb)(u32 *generation, const char *name,
				struct rcr_failure *f))
{
	u32 generation = rcr_netlink_generation(info);
	struct rcr_failure f = { };
	int err;

	err = verb(&generation, rcr_netlink_text(info, RCR_A_NAME), &f);
	return rcr_netlink_answer_change(info, err, &f, generation);
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
	const char *name = rcr_netlink_text(info, RCR_A_NAME);
	u32 generation = rcr_netlink_generation(info);
	struct rcr_failure f = { };
	struct rcr_event *event;
	int err;

	if (!name || !info->attrs[RCR_A_EVENT])
		return rcr_netlink_missing(info, name ? "event" : "name");
	err = rcr_netlink_take_event(info, &event, &f);
	if (!err)
		err = rcr_control_reassign(&generation, name, event, &f);
	kfree(event);
	return rcr_netlink_answer_change(info, err, &f, generation);
}

/* The flight recorder, which knows no marks, may be waiting for one. */
static void trigger_by_mark(u32 kind, const char *text)
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
	const char *text = rcr_netlink_text(info, RCR_A_TEXT);
	const struct nlattr *kind = info->attrs[RCR_A_KIND];
	struct rcr_failure f = { };
	int err;

	if (!kind || !text)
		return rcr_netlink_missing(info, kind ? "text" : "kind");
	err = rcr_control_mark(nla_get_u32(kind), rcr_netlink_is_admin(skb) ? RCR_MARK_ADMIN : 0,
			       text, &f);
	/* What was armed with CAP_SYS_RAWIO is not for others to trigger. */
	if (!err && rcr_netlink_is_admin(skb))
		trigger_by_mark(nla_get_u32(kind), text);
	return rcr_netlink_answer(info, err, &f);
}

static int do_record(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *length = info->attrs[RCR_A_WINDOW_NS];
	const struct nlattr *triggers = info->attrs[RCR_A_TRIGGERS];
	struct rcr_failure f = { };
	int err;

	if (!length && !triggers) {
		rcr_flight_disarm();
		return rcr_netlink_answer(info, 0, &f);
	}
	if (!length || !triggers)
		return rcr_netlink_missing(info, length ? "trigger" : "length");
	err = rcr_flight_arm(nla_get_u64(length), nla_get_u32(triggers), &f);
	return rcr_netlink_answer(info, err, &f);
}

static int do_where(struct sk_buff *skb, struct genl_info *info)
{
	struct rcr_failure f = { };
	struct rcr_event *event;
	u64 counters;
	struct rcr_netlink_extra extra = { .counters = &counters };
	int err;

	if (!info->attrs[RCR_A_EVENT])
		return rcr_netlink_missing(info, "event");
	err = rcr_netlink_prepare(info, &extra);
	if (err)
		return err;
	err = rcr_netlink_take_event(info, &event, &f);
	if (!err)
		err = rcr_program_where(event, &counters, &f);
	kfree(event);
	return rcr_netlink_answer_with(info, err, &f, &extra);
}

static int do_look(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *reply;
	void *head;
	int err;

	reply = rcr_netlink_begin(info, NLMSG_GOODSIZE, &head);
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

/* A program of the first release would take our answer for something else. */
static int check_version(struct genl_info *info)
{
	struct rcr_failure f = { };

	if (info->genlhdr->version == RCR_GENL_VERSION)
		return 0;
	rcr_failf(&f, -EPROTO,
		  "Module and program are of different versions: install the programs of rcrtool %s.",
		  RCR_VERSION);
	return rcr_netlink_answer(info, -EPROTO, &f);
}

/* Of a dump it is checked at its start; METER_ADD checks what else it takes. */
static int check_caller(const struct rcr_genl_op *op, struct sk_buff *skb,
			struct genl_info *info)
{
	int err = check_version(info) ?: rcr_netlink_check_head(info->genlhdr);

	if (!err)
		err = nla_validate(genlmsg_data(info->genlhdr), genlmsg_len(info->genlhdr),
				   op->maxattr, op->policy, info->extack);
	if (err)
		return err;
	switch (info->genlhdr->cmd) {
	case RCR_CMD_LOOK:
	case RCR_CMD_WHERE:
		return rcr_netlink_may_read(skb, info->attrs, info->extack);
	case RCR_CMD_MARK:
	case RCR_CMD_METER_ADD:
	case RCR_CMD_METER_POST:
		return rcr_netlink_may_post(skb, info->extack);
	default:
		return rcr_netlink_may_change(skb, info->extack);
	}
}

/*
 * The core does not validate strictly, or it would refuse the events of programs of the first
 * release, which are texts, before check_version() can say why. check_caller() does.
 */
#define RCR_OP(name, function, attributes) {			\
		.cmd = RCR_CMD_##name,				\
		.validate = GENL_DONT_VALIDATE_STRICT,		\
		.doit = function,				\
		.policy = attributes,				\
		.maxattr = ARRAY_SIZE(attributes) - 1,		\
	}

#define RCR_DUMP(name, begin, function, attributes) {		\
		.cmd = RCR_CMD_##name,				\
		.start = begin,					\
		.dumpit = function,				\
		.policy = attributes,				\
		.maxattr = ARRAY_SIZE(attributes) - 1,		\
	}

static const struct genl_ops ops[] = {
	RCR_OP(LOOK, do_look, read_policy),
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
	RCR_DUMP(COUNTERS, rcr_netlink_may_dump, rcr_netlink_dump_counters, read_policy),
	RCR_DUMP(METERS, rcr_netlink_start_meters, rcr_netlink_dump_meters, read_policy),
	RCR_OP(METER_ADD, rcr_netlink_meter_add, meter_policy),
	RCR_OP(METER_REMOVE, rcr_netlink_meter_remove, name_policy),
	RCR_OP(METER_RESET, rcr_netlink_meter_reset, name_policy),
	RCR_OP(METER_MAXIMUM, rcr_netlink_meter_maximum, maximum_policy),
	RCR_OP(METER_POST, rcr_netlink_meter_post, post_policy),
};

/* Any user may join: a generation tells that something has changed, not what. */
static const struct genl_multicast_group groups[] = {
	{ .name = RCR_GENL_CHANGES },
};

/* Requests are serialized by control.c, not by everybody's genetlink mutex. */
struct genl_family rcr_genl_family __ro_after_init = {
	.name = RCR_GENL_NAME,
	.version = RCR_GENL_VERSION,
	.maxattr = RCR_A_MAX,
	.parallel_ops = true,
	.pre_doit = check_caller,
	.ops = ops,
	.n_ops = ARRAY_SIZE(ops),
	.resv_start_op = ARRAY_SIZE(ops) + 1,	/* rcr_netlink_check_head() does it for all */
	.mcgrps = groups,
	.n_mcgrps = ARRAY_SIZE(groups),
	.module = THIS_MODULE,
};

static int put_change(struct sk_buff *skb, u32 generation)
{
	void *head = genlmsg_put(skb, 0, 0, &rcr_genl_family, 0, RCR_CMD_CHANGED);

	if (!head || nla_put_u32(skb, RCR_A_GENERATION, generation))
		return -EMSGSIZE;
	genlmsg_end(skb, head);
	return 0;
}

/* In the initial network namespace, as the family. A listener that misses one gets ENOBUFS. */
static int send_change(struct notifier_block *block, unsigned long generation, void *unused)
{
	struct sk_buff *skb;

	if (!genl_has_listeners(&rcr_genl_family, &init_net, 0))
		return NOTIFY_DONE;
	skb = genlmsg_new(nla_total_size(sizeof(u32)), GFP_KERNEL);
	if (skb && !put_change(skb, generation)) {
		genlmsg_multicast(&rcr_genl_family, skb, 0, 0, GFP_KERNEL);
		return NOTIFY_DONE;
	}
	nlmsg_free(skb);
	genl_set_err(&rcr_genl_family, &init_net, 0, 0, -ENOBUFS);
	return NOTIFY_DONE;
}

static struct notifier_block change_listener = { .notifier_call = send_change };

/*
 * No MODULE_ALIAS_GENL_FAMILY(): with it any user could have the module loaded, as
 * CTRL_CMD_GETFAMILY requests that alias without a check of capabilities.
 */

/* Requests come from here on: what they need has to be ready. */
int __init rcr_netlink_init(void)
{
	int err = genl_register_family(&rcr_genl_family);

	if (!err)
		blocking_notifier_chain_register(&rcr_control_chain, &change_listener);
	return err;
}

void rcr_netlink_exit(void)
{
	blocking_notifier_chain_unregister(&rcr_control_chain, &change_listener);
	genl_unregister_family(&rcr_genl_family);
}
