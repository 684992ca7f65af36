// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink_answer.c - what the commands have in common: who may send a request, its
 * attributes, and the answer, section 5 of Documentation/interface.md.
 */
#include <linux/capability.h>
#include <linux/file.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "chardev.h"
#include "control/control.h"
#include "netlink_answer.h"

/*
 * May the sender of @skb program counters, and trigger what root has armed? Capabilities are
 * those of the sender and of the opener of the socket in the initial user namespace: registers
 * belong to the machine, not to a network namespace.
 */
bool rcr_netlink_is_admin(struct sk_buff *skb)
{
	return netlink_capable(skb, CAP_SYS_RAWIO);
}

/* 0, or -EPERM: the sender must not change what is counted. */
int rcr_netlink_may_change(struct sk_buff *skb, struct netlink_ext_ack *extack)
{
	if (rcr_netlink_is_admin(skb))
		return 0;
	NL_SET_ERR_MSG(extack, "CAP_SYS_RAWIO is needed to change what is counted");
	return -EPERM;
}

/* 0, or -EPERM: the sender must neither set marks nor post values. */
int rcr_netlink_may_post(struct sk_buff *skb, struct netlink_ext_ack *extack)
{
	if (netlink_capable(skb, CAP_PERFMON) || rcr_netlink_is_admin(skb))
		return 0;
	NL_SET_ERR_MSG(extack, "CAP_PERFMON is needed to set marks and to post values");
	return -EPERM;
}

/* Is it a descriptor of /dev/rcrtool that the current task has open? */
static bool is_device(const struct nlattr *device)
{
	struct file *file;
	bool is;

	if (!device)
		return false;
	file = fget(nla_get_u32(device));
	is = rcr_chardev_is(file);
	if (file)
		fput(file);
	return is;
}

/**
 * rcr_netlink_may_read() - checks who wants to read what is counted
 * @skb: the request
 * @attrs: its attributes
 * @extack: gets the reason
 *
 * What the device shows may be read by whoever could open it, or was given it.
 *
 * Context: the sender's: a request, and the start of a dump.
 * Return: 0 or -EPERM.
 */
int rcr_netlink_may_read(struct sk_buff *skb, struct nlattr **attrs,
			 struct netlink_ext_ack *extack)
{
	if (is_device(attrs[RCR_A_DEVICE]) || netlink_capable(skb, CAP_PERFMON) ||
	    rcr_netlink_is_admin(skb))
		return 0;
	NL_SET_ERR_MSG(extack,
		       "CAP_PERFMON or an open /dev/rcrtool is needed to read what is counted");
	return -EPERM;
}

/* -EINVAL: what is to be 0 in the head of a request is not. */
int rcr_netlink_check_head(const struct genlmsghdr *head)
{
	return head->reserved ? -EINVAL : 0;
}

/* The same as the start of a dump, whose later parts are made in the reader's context. */
int rcr_netlink_may_dump(struct netlink_callback *cb)
{
	const struct genlmsghdr *head = nlmsg_data(cb->nlh);

	if (head->version != RCR_GENL_VERSION)
		return -EPROTO;
	return rcr_netlink_check_head(head) ?:
	       rcr_netlink_may_read(cb->skb, rcr_genl_dump_attrs(cb), cb->extack);
}

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

/**
 * rcr_netlink_begin_part() - begins a message of a dump
 * @skb: the part of the dump
 * @cb: the dump; @cb->seq is that of the list
 * @cmd: its command
 *
 * Return: what genlmsg_end() wants; NULL: no room.
 */
void *rcr_netlink_begin_part(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd)
{
	void *head = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
				 &rcr_genl_family, NLM_F_MULTI, cmd);

	if (head)
		genl_dump_check_consistent(cb, head);
	return head;
}

/* The generation of a change that was made; else of what is there now. */
static u32 answer_generation(int err, const struct rcr_netlink_extra *extra)
{
	return !err && extra && extra->generation ? extra->generation : rcr_control_generation();
}

/* Return: 0 or -EMSGSIZE; then the caller drops what it has put. */
int rcr_netlink_put_reason(struct sk_buff *skb, int attr, const struct rcr_reason *r)
{
	struct nlattr *nest = nla_nest_start(skb, attr);
	const char *text = r->text;
	unsigned int i;

	if (!nest || nla_put_u32(skb, RCR_REASON_A_CODE, r->code))
		return -EMSGSIZE;
	for (i = 0; i < r->numbers; i++)
		if (nla_put_u64_64bit(skb, RCR_REASON_A_NUMBER, r->number[i], RCR_REASON_A_PAD))
			return -EMSGSIZE;
	for (i = 0; i < r->texts; i++, text = rcr_reason_next(r, text))
		if (nla_put_string(skb, RCR_REASON_A_TEXT, text))
			return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* A program of another version knows the errno and a sentence, by the numbers they have here. */
static int put_failure(struct sk_buff *skb, int err, const struct rcr_failure *f)
{
	if (nla_put_u32(skb, RCR_A_ERROR, -err))
		return -EMSGSIZE;
	if (err == -EPROTO)
		return nla_put_string(skb, RCR_A_SENTENCE, f->reason.text);
	return rcr_netlink_put_reason(skb, RCR_A_REASON, &f->reason);
}

static int put_answer(struct sk_buff *skb, int err, const struct rcr_failure *f,
		      const struct rcr_netlink_extra *extra)
{
	if (nla_put_u32(skb, RCR_A_GENERATION, answer_generation(err, extra)))
		return -EMSGSIZE;
	if (err)
		return put_failure(skb, err, f);
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

	rcr_fail_with(&f, -EINVAL, RCR_REASON_LACKS, "%s", what);
	return rcr_netlink_answer(info, -EINVAL, &f);
}

/* A text of the request, or NULL where there is none. */
const char *rcr_netlink_text(const struct genl_info *info, enum rcr_attr attr)
{
	const struct nlattr *a = info->attrs[attr];

	return a ? nla_data(a) : NULL;
}
