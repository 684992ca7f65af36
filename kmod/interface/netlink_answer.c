// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink_answer.c - common parts of the commands: permissions, attributes and answers, section
 * 5 of Documentation/dev/interface.md.
 */
#include <linux/capability.h>
#include <linux/file.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "interface.h"
#include "control/control.h"
#include "netlink_answer.h"

/*
 * True if the sender of @skb may program counters, and trigger actions that root has prepared.
 * The capabilities are those of the sender and of the opener of the socket in the initial user
 * namespace: registers belong to the machine, not to a network namespace.
 */
bool rcr_netlink_is_admin(struct sk_buff *skb)
{
	return netlink_capable(skb, CAP_SYS_RAWIO);
}

/* Return: 0, or -EPERM if the sender may not change the set. */
int rcr_netlink_may_change(struct sk_buff *skb, struct genl_info *info)
{
	if (rcr_netlink_is_admin(skb))
		return 0;
	GENL_SET_ERR_MSG(info, "changing the counter set requires CAP_SYS_RAWIO");
	return -EPERM;
}

/* Return: 0, or -EPERM if the sender may neither set marks nor post values. */
int rcr_netlink_may_post(struct sk_buff *skb, struct genl_info *info)
{
	if (netlink_capable(skb, CAP_PERFMON) || rcr_netlink_is_admin(skb))
		return 0;
	GENL_SET_ERR_MSG(info, "setting marks and posting values requires CAP_PERFMON");
	return -EPERM;
}

/* True if the attribute is an open descriptor of /dev/rcrtool of the current task. */
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

/*
 * A sender that has /dev/rcrtool open may read the set, which the device describes, too. Called
 * in the sender's context: for a request, and at the start of a dump. Return: 0 or -EPERM.
 */
static int check_reader(struct sk_buff *skb, struct nlattr **attrs,
			struct netlink_ext_ack *extack)
{
	if (is_device(attrs[RCR_A_DEVICE]) || netlink_capable(skb, CAP_PERFMON) ||
	    rcr_netlink_is_admin(skb))
		return 0;
	NL_SET_ERR_MSG(extack,
		       "reading the counter set requires CAP_PERFMON or an open /dev/rcrtool");
	return -EPERM;
}

/* Return: 0, or -EPERM if the sender may not read the set. */
int rcr_netlink_may_read(struct sk_buff *skb, struct genl_info *info)
{
	return check_reader(skb, info->attrs, info->extack);
}

/* Return: 0, or -EINVAL if a reserved field of the header is not 0. */
int rcr_netlink_check_head(const struct genlmsghdr *head)
{
	return head->reserved ? -EINVAL : 0;
}

/* Check at the start of a dump: its later parts run in the context of whichever task reads. */
int rcr_netlink_may_dump(struct netlink_callback *cb)
{
	const struct genlmsghdr *head = nlmsg_data(cb->nlh);

	if (head->version != RCR_GENL_VERSION)
		return -EPROTO;
	return rcr_netlink_check_head(head) ?:
	       check_reader(cb->skb, rcr_genl_dump_attrs(cb), cb->extack);
}

/**
 * rcr_netlink_begin() - begin an answer
 * @r: the request; @reply and @head are filled in
 *
 * Return: 0 or -ENOMEM.
 */
int rcr_netlink_begin(struct rcr_request *r)
{
	r->reply = genlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	if (!r->reply)
		return -ENOMEM;
	/* Cannot fail: a new message has space for a header. */
	r->head = genlmsg_put_reply(r->reply, r->info, &rcr_genl_family, 0,
				    r->info->genlhdr->cmd);
	return 0;
}

/**
 * rcr_netlink_begin_part() - begin a message of a dump
 * @skb: the part of the dump
 * @cb: the dump; @cb->seq is the version of the list
 * @cmd: its command
 *
 * Return: header for genlmsg_end(); NULL: no space.
 */
void *rcr_netlink_begin_part(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd)
{
	void *head = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
				 &rcr_genl_family, NLM_F_MULTI, cmd);

	if (head)
		genl_dump_check_consistent(cb, head);
	return head;
}

/* Return: 0, or -EMSGSIZE: the caller cancels the message. */
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

/* Only the errno and a sentence have the same attribute numbers in all versions. */
static int put_failure(struct sk_buff *skb, int err, const struct rcr_failure *f)
{
	if (nla_put_u32(skb, RCR_A_ERROR, -err))
		return -EMSGSIZE;
	if (err == -EPROTO)
		return nla_put_string(skb, RCR_A_SENTENCE, f->reason.text);
	return rcr_netlink_put_reason(skb, RCR_A_REASON, &f->reason);
}

/* Generation of the change, or the current one. */
static int put_answer(const struct rcr_request *r, int err)
{
	u32 generation = !err && r->generation ? r->generation : rcr_control_generation();

	if (nla_put_u32(r->reply, RCR_A_GENERATION, generation))
		return -EMSGSIZE;
	if (err)
		return put_failure(r->reply, err, &r->f);
	switch (r->attr) {
	case RCR_A_COUNTERS:
		return nla_put_u64_64bit(r->reply, r->attr, r->result, RCR_A_PAD);
	case RCR_A_NUMBER:
		return nla_put_u32(r->reply, r->attr, r->result);
	default:
		return 0;
	}
}

/**
 * rcr_netlink_answer() - send the reason of a failure, or the generation and the result
 * @r: the request
 * @err: 0, or -errno
 *
 * Return: @err, for the core.
 */
int rcr_netlink_answer(struct rcr_request *r, int err)
{
	/* The request has been executed: failure to reply does not change its return value. */
	if (!r->reply && rcr_netlink_begin(r))
		return err;
	if (put_answer(r, err)) {
		nlmsg_free(r->reply);
		return err;
	}
	genlmsg_end(r->reply, r->head);
	genlmsg_reply(r->reply, r->info);
	return err;
}

/* A string attribute of the request, or NULL. */
const char *rcr_netlink_text(const struct rcr_request *r, enum rcr_attr attr)
{
	const struct nlattr *a = r->info->attrs[attr];

	return a ? nla_data(a) : NULL;
}
