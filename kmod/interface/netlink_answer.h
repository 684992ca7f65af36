/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * netlink_answer.h - who may send a request, its attributes, and the answer.
 */
#ifndef RCR_NETLINK_ANSWER_H
#define RCR_NETLINK_ANSWER_H

#include <linux/rcrtool.h>

#include "compat/genl.h"
#include "error.h"

extern struct genl_family rcr_genl_family;

/**
 * struct rcr_netlink_extra - what some commands tell when they are done
 * @counters: mask of counters, or NULL
 * @number: of a meter, or NULL
 * @generation: that of the change that was made; 0: nothing of the set was changed
 * @skb: the answer, by rcr_netlink_prepare()
 * @head: likewise
 */
struct rcr_netlink_extra {
	const u64 *counters;
	const u32 *number;
	u32 generation;
	struct sk_buff *skb;
	void *head;
};

bool rcr_netlink_is_admin(struct sk_buff *skb);
int rcr_netlink_may_change(struct sk_buff *skb, struct netlink_ext_ack *extack);
int rcr_netlink_may_post(struct sk_buff *skb, struct netlink_ext_ack *extack);
int rcr_netlink_may_read(struct sk_buff *skb, struct nlattr **attrs,
			 struct netlink_ext_ack *extack);
int rcr_netlink_check_head(const struct genlmsghdr *head);
int rcr_netlink_may_dump(struct netlink_callback *cb);

u32 rcr_netlink_generation(const struct genl_info *info);
const char *rcr_netlink_text(const struct genl_info *info, enum rcr_attr attr);
struct sk_buff *rcr_netlink_begin(struct genl_info *info, size_t size, void **head);
void *rcr_netlink_begin_part(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd);
int rcr_netlink_prepare(struct genl_info *info, struct rcr_netlink_extra *extra);
int rcr_netlink_answer_with(struct genl_info *info, int err, const struct rcr_failure *f,
			    const struct rcr_netlink_extra *extra);
int rcr_netlink_answer(struct genl_info *info, int err, const struct rcr_failure *f);
int rcr_netlink_answer_change(struct genl_info *info, int err, const struct rcr_failure *f,
			      u32 generation);
int rcr_netlink_put_reason(struct sk_buff *skb, int attr, const struct rcr_reason *r);
int rcr_netlink_missing(struct genl_info *info, const char *what);

/* netlink_event.c */
struct rcr_event;

int rcr_netlink_take_events(const struct genl_info *info, struct rcr_event **event,
			    struct rcr_failure *f);
int rcr_netlink_take_event(const struct genl_info *info, struct rcr_event **event,
			   struct rcr_failure *f);
int rcr_netlink_put_event(struct sk_buff *skb, int attr, const struct rcr_event *e);

/* netlink_form.c */
struct rcr_form;

int rcr_netlink_take_form(const struct genl_info *info, struct rcr_form **form,
			  struct rcr_failure *f);
int rcr_netlink_put_form(struct sk_buff *skb, int attr, const struct rcr_form *form);

/* netlink_meters.c */
int rcr_netlink_start_meters(struct netlink_callback *cb);
int rcr_netlink_dump_meters(struct sk_buff *skb, struct netlink_callback *cb);
int rcr_netlink_meter_add(struct sk_buff *skb, struct genl_info *info);
int rcr_netlink_meter_remove(struct sk_buff *skb, struct genl_info *info);
int rcr_netlink_meter_reset(struct sk_buff *skb, struct genl_info *info);
int rcr_netlink_meter_maximum(struct sk_buff *skb, struct genl_info *info);
int rcr_netlink_meter_post(struct sk_buff *skb, struct genl_info *info);

/* netlink_state.c */
int rcr_netlink_put_state(struct sk_buff *skb);
int rcr_netlink_dump_counters(struct sk_buff *skb, struct netlink_callback *cb);

#endif
