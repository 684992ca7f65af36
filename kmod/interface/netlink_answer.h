/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * netlink_answer.h - permissions, attributes and answers of the commands.
 */
#ifndef RCR_NETLINK_ANSWER_H
#define RCR_NETLINK_ANSWER_H

#include <linux/rcrtool.h>

#include "compat/genl.h"
#include "error.h"

extern struct genl_family rcr_genl_family;

/**
 * struct rcr_request - a request and its answer
 * @skb: message of the sender
 * @info: its header and attributes
 * @generation: generation known to the sender, or RCR_ANY_GENERATION; later that of the change
 * @event: its events, freed by do_request()
 * @events: number of events
 * @f: reason of a failure
 * @attr: result attribute: RCR_A_COUNTERS or RCR_A_NUMBER; 0: none
 * @result: value of @attr
 * @reply: the answer, allocated by rcr_netlink_begin()
 * @head: header for genlmsg_end()
 */
struct rcr_request {
	struct sk_buff *skb;
	struct genl_info *info;
	u32 generation;
	struct rcr_event *event;
	unsigned int events;
	struct rcr_failure f;
	enum rcr_attr attr;
	u64 result;
	struct sk_buff *reply;
	void *head;
};

bool rcr_netlink_is_admin(struct sk_buff *skb);
int rcr_netlink_may_change(struct sk_buff *skb, struct genl_info *info);
int rcr_netlink_may_post(struct sk_buff *skb, struct genl_info *info);
int rcr_netlink_may_read(struct sk_buff *skb, struct genl_info *info);
int rcr_netlink_check_head(const struct genlmsghdr *head);
int rcr_netlink_may_dump(struct netlink_callback *cb);

const char *rcr_netlink_text(const struct rcr_request *r, enum rcr_attr attr);
int rcr_netlink_begin(struct rcr_request *r);
void *rcr_netlink_begin_part(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd);
int rcr_netlink_answer(struct rcr_request *r, int err);
int rcr_netlink_put_reason(struct sk_buff *skb, int attr, const struct rcr_reason *r);

static inline u32 rcr_netlink_u32(const struct nlattr *a, u32 otherwise)
{
	return a ? nla_get_u32(a) : otherwise;
}

static inline u64 rcr_netlink_u64(const struct nlattr *a, u64 otherwise)
{
	return a ? nla_get_u64(a) : otherwise;
}

/* netlink_event.c */
struct rcr_event;

int rcr_netlink_read_events(struct rcr_request *r);
int rcr_netlink_put_event(struct sk_buff *skb, int attr, const struct rcr_event *e);

/* netlink_form.c */
struct rcr_form;

int rcr_netlink_read_form(const struct genl_info *info, struct rcr_form **form,
			  struct rcr_failure *f);
int rcr_netlink_put_form(struct sk_buff *skb, int attr, const struct rcr_form *form);

/* netlink_meters.c */
int rcr_netlink_start_meters(struct netlink_callback *cb);
int rcr_netlink_dump_meters(struct sk_buff *skb, struct netlink_callback *cb);
int rcr_netlink_may_add_meter(struct sk_buff *skb, struct genl_info *info);
int rcr_netlink_meter_add(struct rcr_request *r);
int rcr_netlink_meter_maximum(struct rcr_request *r);
int rcr_netlink_meter_post(struct rcr_request *r);

/* netlink_state.c */
int rcr_netlink_put_state(struct sk_buff *skb);
int rcr_netlink_start_counters(struct netlink_callback *cb);
int rcr_netlink_dump_counters(struct sk_buff *skb, struct netlink_callback *cb);

#endif
