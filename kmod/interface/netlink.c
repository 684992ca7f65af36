// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink.c - the generic netlink family: commands, attribute policies and permissions. Its
 * contract is in section 5 of Documentation/dev/interface.md; control.c and adjust.c make the
 * changes.
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

/* Ranges beyond the s16 of a policy, which has no const pointer to them before 6.3. */
static struct netlink_range_validation period_range = {
	.min = RCR_PERIOD_MIN_US * (u64)NSEC_PER_USEC,
	.max = RCR_PERIOD_MAX_US * (u64)NSEC_PER_USEC,
};

static struct netlink_range_validation scale_range = { .min = 1, .max = RCR_SCALE_MAX_NS };
static struct netlink_range_validation amount_range = { .max = S64_MAX };

/*
 * Attributes of each command, their lengths and ranges. Strict validation refuses all others;
 * limits of this machine are checked where a value is used. Each table covers all attributes:
 * the core's array of pointers is as long as the table, and code for all commands also reads
 * attributes that a command does not have.
 */
#define EVENT_POLICY { .type = NLA_NESTED }	/* checked by rcr_netlink_read_events() */

static const struct nla_policy generation_policy[RCR_A_MAX + 1] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
};

static const struct nla_policy event_policy[RCR_A_MAX + 1] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_EVENT] = EVENT_POLICY,
};

static const struct nla_policy name_policy[RCR_A_MAX + 1] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_NAME] = { .type = NLA_NUL_STRING, .len = RCR_NAME_LEN - 1 },
};

static const struct nla_policy reassign_policy[RCR_A_MAX + 1] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_EVENT] = EVENT_POLICY,
	[RCR_A_NAME] = { .type = NLA_NUL_STRING, .len = RCR_NAME_LEN - 1 },
};

static const struct nla_policy finalize_policy[RCR_A_MAX + 1] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_HOLD] = { .type = NLA_U32 },
};

static const struct nla_policy period_policy[RCR_A_MAX + 1] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_PERIOD_NS] = NLA_POLICY_FULL_RANGE(NLA_U64, &period_range),
};

static const struct nla_policy read_policy[RCR_A_MAX + 1] = {
	[RCR_A_DEVICE] = { .type = NLA_U32 },
};

static const struct nla_policy where_policy[RCR_A_MAX + 1] = {
	[RCR_A_DEVICE] = { .type = NLA_U32 },
	[RCR_A_EVENT] = EVENT_POLICY,
};

static const struct nla_policy meter_policy[RCR_A_MAX + 1] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_NAME] = { .type = NLA_NUL_STRING, .len = RCR_METER_NAME_LEN - 1 },
	[RCR_A_FORM] = { .type = NLA_NESTED },	/* checked by rcr_netlink_read_form() */
	[RCR_A_UNIT] = { .type = NLA_NUL_STRING, .len = RCR_METER_UNIT_LEN - 1 },
	[RCR_A_SCALE_NS] = NLA_POLICY_FULL_RANGE(NLA_U64, &scale_range),
	[RCR_A_TYPE] = NLA_POLICY_MAX(NLA_U32, RCR_TIME_PEAK),
	[RCR_A_OVER] = NLA_POLICY_MAX(NLA_U32, RCR_PLACE_CPU),
	[RCR_A_DIGITS] = NLA_POLICY_MAX(NLA_U32, RCR_FORM_DIGITS),
	[RCR_A_PUBLIC] = { .type = NLA_FLAG },
	[RCR_A_EVENT] = EVENT_POLICY,
};

static const struct nla_policy maximum_policy[RCR_A_MAX + 1] = {
	[RCR_A_GENERATION] = { .type = NLA_U32 },
	[RCR_A_NAME] = { .type = NLA_NUL_STRING, .len = RCR_METER_NAME_LEN - 1 },
	[RCR_A_OVER] = NLA_POLICY_MAX(NLA_U32, RCR_PLACE_CPU),
	[RCR_A_PLACE] = { .type = NLA_U32 },
	[RCR_A_MAXIMUM] = NLA_POLICY_FULL_RANGE(NLA_U64, &amount_range),
	[RCR_A_CONTENTION] = NLA_POLICY_FULL_RANGE(NLA_U64, &amount_range),
};

static const struct nla_policy post_policy[RCR_A_MAX + 1] = {
	[RCR_A_NAME] = { .type = NLA_NUL_STRING, .len = RCR_METER_NAME_LEN - 1 },
	[RCR_A_VALUE] = { .type = NLA_U64 },
	[RCR_A_PLACE] = { .type = NLA_U32 },
	[RCR_A_STATUS] = NLA_POLICY_RANGE(NLA_U32, RCR_STATUS_HALTED, RCR_STATUS_MISPLACED),
};

static const struct nla_policy mark_policy[RCR_A_MAX + 1] = {
	[RCR_A_KIND] = NLA_POLICY_RANGE(NLA_U32, RCR_MARK_TEXT, RCR_MARK_VERDICT),
	[RCR_A_TEXT] = { .type = NLA_NUL_STRING, .len = RCR_MARK_LEN - 1 },
};

static int do_add(struct rcr_request *r)
{
	return rcr_control_add(r->event, r->events, &r->f);
}

static int do_finalize(struct rcr_request *r)
{
	const struct nlattr *hold = r->info->attrs[RCR_A_HOLD];
	/* A descriptor of the sender: requests run in the context of their sender. */
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

/* Commands for one counter or meter, or for all. */
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

/* Effect of a command on the set. */
enum on_set {
	SET_CHANGES,		/* a new generation on success */
	SET_STAYS,		/* serialized with changes of the set */
	SET_IS_FREE,		/* neither */
};

/**
 * struct verb - implementation of a command
 * @act: function; returns 0, or -errno and the reason in the request
 * @on_set: effect on the set
 * @may: permission check; NULL: rcr_netlink_may_change()
 * @needs: mandatory attributes
 * @result: attribute of the answer for the result; 0: none
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

/* Names of mandatory attributes in errors. */
static const char *const attr_names[] = {
	[RCR_A_NAME] = "name", [RCR_A_EVENT] = "event", [RCR_A_PERIOD_NS] = "period",
	[RCR_A_KIND] = "kind", [RCR_A_TEXT] = "text", [RCR_A_VALUE] = "value",
};

static int run_verb(struct rcr_request *r, const struct verb *v)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(v->needs); i++)
		if (v->needs[i] && !r->info->attrs[v->needs[i]])
			return rcr_fail_with(&r->f, -EINVAL, RCR_REASON_LACKS, "%s",
					     attr_names[v->needs[i]]);
	if (r->info->attrs[RCR_A_EVENT]) {
		err = rcr_netlink_read_events(r);
		if (err)
			return err;
	}
	if (v->on_set == SET_CHANGES) {
		err = rcr_control_begin(r->generation, &r->f);
		return err ?: rcr_control_end(&r->generation, v->act(r));
	}
	/* A meter with events changes the set itself. */
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

	/* Allocate the answer before anything is changed if the sender needs its result. */
	if (r.attr && rcr_netlink_begin(&r))
		return -ENOMEM;
	err = run_verb(&r, v);
	kfree(r.event);
	return rcr_netlink_answer(&r, err);
}

static int do_get_state(struct sk_buff *skb, struct genl_info *info)
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

/* A program of another version would misinterpret the answer. */
static int check_version(struct sk_buff *skb, struct genl_info *info)
{
	struct rcr_request r = { .skb = skb, .info = info };

	if (info->genlhdr->version == RCR_GENL_VERSION)
		return 0;
	rcr_fail_with(&r.f, -EPROTO, RCR_REASON_SENTENCE, "%s",
		      "Module and program have different versions: install the programs of rcrtool "
		      RCR_VERSION ".");
	return rcr_netlink_answer(&r, -EPROTO);
}

/* The checks of a dump are in its start function. */
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
 * Validation by the core is not strict: it would refuse the events of first-release programs,
 * which are strings, before check_version() can report the reason. check_caller() validates.
 */
#define RCR_OP(name, function, attributes) {			\
		.cmd = RCR_CMD_##name,				\
		.validate = GENL_DONT_VALIDATE_STRICT,		\
		.doit = function,				\
		.policy = attributes,				\
		.maxattr = RCR_A_MAX + BUILD_BUG_ON_ZERO(ARRAY_SIZE(attributes) != RCR_A_MAX + 1), \
	}

#define RCR_DUMP(name, begin, function, attributes) {		\
		.cmd = RCR_CMD_##name,				\
		.start = begin,					\
		.dumpit = function,				\
		.policy = attributes,				\
		.maxattr = RCR_A_MAX + BUILD_BUG_ON_ZERO(ARRAY_SIZE(attributes) != RCR_A_MAX + 1), \
	}

static const struct genl_ops ops[] = {
	RCR_OP(LOOK, do_get_state, read_policy),
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

/* Any user may join: a notification carries only the generation. */
static const struct genl_multicast_group groups[] = {
	{ .name = RCR_GENL_CHANGES },
};

/* Requests are serialized by control.c, not by the global genetlink mutex. */
struct genl_family rcr_genl_family __ro_after_init = {
	.name = RCR_GENL_NAME,
	.version = RCR_GENL_VERSION,
	.maxattr = RCR_A_MAX,
	.parallel_ops = true,
	.pre_doit = check_caller,
	.ops = ops,
	.n_ops = ARRAY_SIZE(ops),
	.resv_start_op = ARRAY_SIZE(ops) + 1,	/* rcr_netlink_check_head() checks all commands */
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

/* Sent in the initial network namespace. A listener that misses a notification gets ENOBUFS. */
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
 * There is no MODULE_ALIAS_GENL_FAMILY(): any user could load the module with it, as
 * CTRL_CMD_GETFAMILY requests that alias without a check of capabilities.
 */

/* Call after the init of all that requests use: one can arrive before this returns. */
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
