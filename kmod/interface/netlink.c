// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink.c - the generic netlink family: its commands, their policies and who may send
 * them. What a caller may expect is section 5 of Documentation/dev/interface.md; the changes are made
 * by control.c and adjust.c.
 */
#include <linux/file.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "interface.h"
#include "control/control.h"
#include "control/program.h"
#include "meter/form.h"
#include "meter/meter.h"
#include "sampler/sampler.h"
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
	[RCR_A_STATUS] = NLA_POLICY_RANGE(NLA_U32, RCR_STATUS_HALTED, RCR_STATUS_MISPLACED),
};

static const struct nla_policy mark_policy[] = {
	[RCR_A_KIND] = NLA_POLICY_RANGE(NLA_U32, RCR_MARK_TEXT, RCR_MARK_END),
	[RCR_A_TEXT] = { .type = NLA_NUL_STRING, .len = RCR_MARK_LEN - 1 },
};

static int do_add(struct rcr_request *r)
{
	return rcr_control_add(r->event, r->events, &r->f);
}

static int do_finalize(struct rcr_request *r)
{
	const struct nlattr *hold = r->info->attrs[RCR_A_HOLD];
	/* The sender's descriptor: a request is served in its sender's context. */
	struct file *file = hold ? fget(nla_get_u32(hold)) : NULL;
	int err;

	if (!hold || rcr_chardev_is(file))
		err = rcr_control_finalize(file, &r->f);
	else
		err = rcr_fail(&r->f, -EBADF, RCR_REASON_NOT_A_DEVICE);
	if (file)
		fput(file);
	return err;
}

static int do_reset(struct rcr_request *r)
{
	return rcr_control_reset(&r->f);
}

static int do_period(struct rcr_request *r)
{
	u64 period = nla_get_u64(r->info->attrs[RCR_A_PERIOD_NS]);

	return rcr_control_period(period, &r->f);
}

/* The verbs for one counter or meter, or for all. */
static int do_named(struct rcr_request *r)
{
	static int (*const verbs[])(const char *name, struct rcr_failure *f) = {
		[RCR_CMD_REMOVE] = rcr_control_remove,
		[RCR_CMD_HALT] = rcr_control_halt,
		[RCR_CMD_CONTINUE] = rcr_control_continue,
		[RCR_CMD_REWRITE] = rcr_control_rewrite,
		[RCR_CMD_METER_REMOVE] = rcr_meters_remove,
		[RCR_CMD_METER_RESET] = rcr_meters_reset,
	};

	return verbs[r->info->genlhdr->cmd](rcr_netlink_text(r, RCR_A_NAME), &r->f);
}

static int do_reassign(struct rcr_request *r)
{
	if (r->events > 1)
		return rcr_fail(&r->f, -EINVAL, RCR_REASON_ONE_EVENT);
	return rcr_control_reassign(rcr_netlink_text(r, RCR_A_NAME), r->event, &r->f);
}

static int do_mark(struct rcr_request *r)
{
	u32 kind = nla_get_u32(r->info->attrs[RCR_A_KIND]);
	const char *text = rcr_netlink_text(r, RCR_A_TEXT);
	bool admin = rcr_netlink_is_admin(r->skb);

	return rcr_control_mark(kind, admin ? RCR_MARK_ADMIN : 0, text, &r->f);
}

static int do_where(struct rcr_request *r)
{
	if (r->events > 1)
		return rcr_fail(&r->f, -EINVAL, RCR_REASON_ONE_EVENT);
	return rcr_program_where(r->event, &r->result, &r->f);
}

/* What a command does to the set. */
enum on_set {
	SET_CHANGES,		/* a new generation, if it succeeds */
	SET_STAYS,		/* it does not change meanwhile */
	SET_IS_FREE,		/* nothing */
};

/**
 * struct verb - what is done for a command
 * @act: does it; returns 0 or -errno, with the reason in the request
 * @on_set: what that does to the set
 * @may: who may have it done; NULL: who may change what is counted
 * @needs: attributes that it cannot do without
 * @result: attribute of the answer that holds the result; 0: there is none
 */
struct verb {
	int (*act)(struct rcr_request *r);
	enum on_set on_set;
	int (*may)(struct sk_buff *skb, struct genl_info *info);
	u8 needs[2];
	u8 result;
};

static const struct verb verbs[] = {
	[RCR_CMD_LOOK] = { .may = rcr_netlink_may_read },
	[RCR_CMD_WHERE] = { do_where, SET_IS_FREE, rcr_netlink_may_read, { RCR_A_EVENT },
			    RCR_A_COUNTERS },
	[RCR_CMD_ADD] = { do_add, .needs = { RCR_A_EVENT } },
	[RCR_CMD_REMOVE] = { do_named },
	[RCR_CMD_FINALIZE] = { do_finalize },
	[RCR_CMD_HALT] = { do_named },
	[RCR_CMD_CONTINUE] = { do_named },
	[RCR_CMD_REWRITE] = { do_named },
	[RCR_CMD_REASSIGN] = { do_reassign, .needs = { RCR_A_NAME, RCR_A_EVENT } },
	[RCR_CMD_MARK] = { do_mark, SET_IS_FREE, rcr_netlink_may_post,
			   { RCR_A_KIND, RCR_A_TEXT } },
	[RCR_CMD_RESET] = { do_reset },
	[RCR_CMD_PERIOD] = { do_period, .needs = { RCR_A_PERIOD_NS } },
	[RCR_CMD_METER_ADD] = { rcr_netlink_meter_add, SET_STAYS, rcr_netlink_may_add_meter,
				{ RCR_A_NAME }, RCR_A_NUMBER },
	[RCR_CMD_METER_REMOVE] = { do_named, SET_STAYS, .needs = { RCR_A_NAME } },
	[RCR_CMD_METER_RESET] = { do_named, SET_STAYS },
	[RCR_CMD_METER_MAXIMUM] = { rcr_netlink_meter_maximum, SET_STAYS,
				    .needs = { RCR_A_NAME } },
	[RCR_CMD_METER_POST] = { rcr_netlink_meter_post, SET_IS_FREE, rcr_netlink_may_post,
				 { RCR_A_NAME, RCR_A_VALUE } },
};

/* What an attribute that is missing is called. */
static const char *const attr_words[] = {
	[RCR_A_NAME] = "name", [RCR_A_EVENT] = "event", [RCR_A_PERIOD_NS] = "period",
	[RCR_A_KIND] = "kind", [RCR_A_TEXT] = "text", [RCR_A_VALUE] = "value",
};

static int act_on(struct rcr_request *r, const struct verb *v)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(v->needs); i++)
		if (v->needs[i] && !r->info->attrs[v->needs[i]])
			return rcr_fail_with(&r->f, -EINVAL, RCR_REASON_LACKS, "%s",
					     attr_words[v->needs[i]]);
	if (r->info->attrs[RCR_A_EVENT]) {
		err = rcr_netlink_take_events(r);
		if (err)
			return err;
	}
	if (v->on_set == SET_CHANGES) {
		err = rcr_control_begin(r->generation, &r->f);
		return err ?: rcr_control_end(&r->generation, v->act(r));
	}
	/* A meter with EVENTs changes the set when it is there. */
	if (v->on_set == SET_IS_FREE || r->events)
		return v->act(r);
	err = rcr_control_enter(r->generation, &r->f);
	if (err)
		return err;
	err = v->act(r);
	rcr_control_leave();
	return err;
}

static int do_request(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *seen = info->attrs[RCR_A_GENERATION];
	const struct verb *v = &verbs[info->genlhdr->cmd];
	struct rcr_request r = {
		.skb = skb, .info = info, .attr = v->result,
		.generation = seen ? nla_get_u32(seen) : RCR_ANY_GENERATION,
	};
	int err;

	/* The memory for a result that the sender waits for is taken before anything is done. */
	if (r.attr && rcr_netlink_begin(&r))
		return -ENOMEM;
	err = act_on(&r, v);
	kfree(r.event);
	return rcr_netlink_answer(&r, err);
}

static int do_look(struct sk_buff *skb, struct genl_info *info)
{
	struct rcr_request r = { .skb = skb, .info = info };
	int err;

	if (rcr_netlink_begin(&r))
		return -ENOMEM;
	err = rcr_netlink_put_state(r.reply);
	if (err) {
		nlmsg_free(r.reply);
		return err;
	}
	genlmsg_end(r.reply, r.head);
	return genlmsg_reply(r.reply, info);
}

/* A program of the first release would take our answer for something else. */
static int check_version(struct sk_buff *skb, struct genl_info *info)
{
	struct rcr_request r = { .skb = skb, .info = info };

	if (info->genlhdr->version == RCR_GENL_VERSION)
		return 0;
	rcr_fail_with(&r.f, -EPROTO, RCR_REASON_SENTENCE, "%s",
		      "Module and program are of different versions: install the programs of rcrtool "
		      RCR_VERSION ".");
	return rcr_netlink_answer(&r, -EPROTO);
}

/* Of a dump it is checked at its start. */
static int check_caller(const struct rcr_genl_op *op, struct sk_buff *skb,
			struct genl_info *info)
{
	int err = check_version(skb, info) ?: rcr_netlink_check_head(info->genlhdr);

	if (!err)
		err = nla_validate(genlmsg_data(info->genlhdr), genlmsg_len(info->genlhdr),
				   op->maxattr, op->policy, info->extack);
	if (err)
		return err;
	return (verbs[info->genlhdr->cmd].may ?: rcr_netlink_may_change)(skb, info);
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
	RCR_OP(WHERE, do_request, where_policy),
	RCR_OP(ADD, do_request, event_policy),
	RCR_OP(REMOVE, do_request, name_policy),
	RCR_OP(FINALIZE, do_request, finalize_policy),
	RCR_OP(HALT, do_request, name_policy),
	RCR_OP(CONTINUE, do_request, name_policy),
	RCR_OP(REWRITE, do_request, name_policy),
	RCR_OP(REASSIGN, do_request, reassign_policy),
	RCR_OP(MARK, do_request, mark_policy),
	RCR_OP(RESET, do_request, generation_policy),
	RCR_OP(PERIOD, do_request, period_policy),
	RCR_DUMP(COUNTERS, rcr_netlink_start_counters, rcr_netlink_dump_counters, read_policy),
	RCR_DUMP(METERS, rcr_netlink_start_meters, rcr_netlink_dump_meters, read_policy),
	RCR_OP(METER_ADD, do_request, meter_policy),
	RCR_OP(METER_REMOVE, do_request, name_policy),
	RCR_OP(METER_RESET, do_request, name_policy),
	RCR_OP(METER_MAXIMUM, do_request, maximum_policy),
	RCR_OP(METER_POST, do_request, post_policy),
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
int rcr_netlink_init(void)
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
