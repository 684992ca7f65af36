// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink_answer.c - what the commands have in common: attributes of a request, and
 * the answer, section 5 of <linux/rcrtool.h>.
 */
#include <linux/kernel.h>
#include <linux/slab.h>

#include "control/control.h"
#include "netlink_answer.h"

/* The generation that the caller has seen. */
u32 rcr_netlink_generation(const struct genl_info *info)
{
	const struct nlattr *a = info->attrs[RCR_A_GENERATION];

	return a ? nla_get_u32(a) : RCR_ANY_GENERATION;
}

/**
 * rcr_netlink_begin() - begins an answer
 * @info: the request
 * @size: bytes that it may have
 * @head: gets what genlmsg_end() wants
 *
 * Return: the answer, or NULL.
 */
struct sk_buff *rcr_netlink_begin(struct genl_info *info, size_t size, void **head)
{
	struct sk_buff *skb = genlmsg_new(size, GFP_KERNEL);

	if (!skb)
		return NULL;
	*head = genlmsg_put_reply(skb, info, &rcr_genl_family, 0, info->genlhdr->cmd);
	if (*head)
		return skb;
	nlmsg_free(skb);
	return NULL;
}

/* The generation of a change that was made; else of what is there now. */
static u32 answer_generation(int err, const struct rcr_netlink_extra *extra)
{
	return !err && extra && extra->generation ? extra->generation : rcr_control_generation();
}

static int put_answer(struct sk_buff *skb, int err, const struct rcr_failure *f,
		      const struct rcr_netlink_extra *extra)
{
	if (nla_put_u32(skb, RCR_A_GENERATION, answer_generation(err, extra)))
		return -EMSGSIZE;
	if (err)
		return nla_put_u32(skb, RCR_A_ERROR, -err) ?:
		       nla_put_string(skb, RCR_A_REASON, f->reason);
	if (extra && extra->counters)
		return nla_put_u64_64bit(skb, RCR_A_COUNTERS, *extra->counters, RCR_A_PAD);
	if (extra && extra->number)
		return nla_put_u32(skb, RCR_A_NUMBER, *extra->number);
	return 0;
}

/**
 * rcr_netlink_prepare() - takes the memory for an answer that somebody waits for
 * @info: the request, of which nothing has been done
 * @extra: gets it, for rcr_netlink_answer_with()
 *
 * Return: 0 or -ENOMEM.
 */
int rcr_netlink_prepare(struct genl_info *info, struct rcr_netlink_extra *extra)
{
	extra->skb = rcr_netlink_begin(info, NLMSG_GOODSIZE, &extra->head);
	return extra->skb ? 0 : -ENOMEM;
}

/**
 * rcr_netlink_answer_with() - tells the reason, or the new generation
 * @info: the request
 * @err: 0, or -errno
 * @f: the reason
 * @extra: what else to tell when it is done, or NULL
 *
 * Return: @err, for the core.
 */
int rcr_netlink_answer_with(struct genl_info *info, int err, const struct rcr_failure *f,
			    const struct rcr_netlink_extra *extra)
{
	struct sk_buff *skb = extra ? extra->skb : NULL;
	void *head = extra ? extra->head : NULL;

	if (!skb)
		skb = rcr_netlink_begin(info, NLMSG_GOODSIZE, &head);
	if (!skb)
		return err;	/* it is done, or not: no reply changes that */
	if (put_answer(skb, err, f, extra)) {
		nlmsg_free(skb);
		return err;
	}
	genlmsg_end(skb, head);
	genlmsg_reply(skb, info);
	return err;
}

/* The same for what changed nothing of the set. */
int rcr_netlink_answer(struct genl_info *info, int err, const struct rcr_failure *f)
{
	return rcr_netlink_answer_with(info, err, f, NULL);
}

/* The same for a change, which made @generation. */
int rcr_netlink_answer_change(struct genl_info *info, int err, const struct rcr_failure *f,
			      u32 generation)
{
	const struct rcr_netlink_extra extra = { .generation = generation };

	return rcr_netlink_answer_with(info, err, f, &extra);
}

/* A request without what it cannot do without: -EINVAL. */
int rcr_netlink_missing(struct genl_info *info, const char *what)
{
	struct rcr_failure f = { };

	rcr_fail(&f, -EINVAL, "The request has no %s.", what);
	return rcr_netlink_answer(info, -EINVAL, &f);
}

/* A text of the request, or NULL where there is none. */
const char *rcr_netlink_text(const struct genl_info *info, enum rcr_attr attr)
{
	const struct nlattr *a = info->attrs[attr];

	return a ? nla_data(a) : NULL;
}
