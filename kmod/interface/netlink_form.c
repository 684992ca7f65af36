// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink_form.c - the form of a meter as nested attributes, enum rcr_form_attr of
 * <linux/rcrtool.h>.
 */
#include <linux/overflow.h>
#include <linux/slab.h>
#include <net/genetlink.h>
#include <net/netlink.h>

#include "error.h"
#include "meter/form.h"
#include "netlink_answer.h"

static struct netlink_range_validation divisor_range = { .min = 1, .max = U64_MAX };

static const struct nla_policy form_attr_policy[RCR_FORM_A_MAX + 1] = {
	[RCR_FORM_A_NUMERATOR] = { .type = NLA_U64 },
	[RCR_FORM_A_DENOMINATOR] = NLA_POLICY_FULL_RANGE(NLA_U64, &divisor_range),
	[RCR_FORM_A_REDUCTION] = NLA_POLICY_MAX(NLA_U32, RCR_REDUCE_MAX),
	[RCR_FORM_A_REDUCTION_BELOW] = NLA_POLICY_MAX(NLA_U32, RCR_REDUCE_MAX),
	[RCR_FORM_A_PER_CPU] = { .type = NLA_FLAG },
	[RCR_FORM_A_TERM] = { .type = NLA_NESTED },
	[RCR_FORM_A_TERM_BELOW] = { .type = NLA_NESTED },
};

static const struct nla_policy term_attr_policy[RCR_TERM_A_MAX + 1] = {
	[RCR_TERM_A_NAME] = { .type = NLA_NUL_STRING, .len = RCR_NAME_LEN - 1 },
	[RCR_TERM_A_KIND] = NLA_POLICY_MAX(NLA_U32, RCR_TERM_GAUGE),
	[RCR_TERM_A_WEIGHT] = { .type = NLA_S32 },
};

static int read_term(const struct nlattr *nest, const struct genl_info *info, struct rcr_term *t,
		     struct rcr_failure *f)
{
	struct nlattr *a[RCR_TERM_A_MAX + 1];
	int err;

	err = nla_parse_nested(a, RCR_TERM_A_MAX, nest, term_attr_policy, info->extack);
	if (err)
		return rcr_fail(f, err, RCR_REASON_BAD_FORM);
	if (a[RCR_TERM_A_NAME])
		nla_strscpy(t->name, a[RCR_TERM_A_NAME], sizeof(t->name));
	t->kind = rcr_netlink_u32(a[RCR_TERM_A_KIND], RCR_TERM_COUNT);
	t->weight = a[RCR_TERM_A_WEIGHT] ? nla_get_s32(a[RCR_TERM_A_WEIGHT]) : 1;
	return 0;
}

/* Append the terms of one side to the form. */
static int read_terms(const struct nlattr *nest, const struct genl_info *info, int attr,
		      struct rcr_form *form, enum rcr_side side, struct rcr_failure *f)
{
	const struct nlattr *a;
	int rest, err;

	nla_for_each_nested(a, nest, rest) {
		if (nla_type(a) != attr)
			continue;
		if (form->terms[side] == RCR_FORM_TERMS)
			return rcr_fail_with(f, -E2BIG, RCR_REASON_FORM_TOO_LONG, "%u",
					     RCR_FORM_TERMS);
		err = read_term(a, info, &form->term[rcr_form_terms(form)], f);
		if (err)
			return err;
		form->terms[side]++;
	}
	return 0;
}

static int read_form_attrs(const struct nlattr *nest, const struct genl_info *info,
			   struct rcr_form *form, struct rcr_failure *f)
{
	struct nlattr *a[RCR_FORM_A_MAX + 1];
	int err;

	err = nla_parse_nested(a, RCR_FORM_A_MAX, nest, form_attr_policy, info->extack);
	if (err)
		return rcr_fail(f, err, RCR_REASON_BAD_FORM);
	form->numerator = rcr_netlink_u64(a[RCR_FORM_A_NUMERATOR], 1);
	form->denominator = rcr_netlink_u64(a[RCR_FORM_A_DENOMINATOR], 1);
	form->per_cpu = a[RCR_FORM_A_PER_CPU];
	form->reduction[RCR_ABOVE] = rcr_netlink_u32(a[RCR_FORM_A_REDUCTION], RCR_REDUCE_SUM);
	form->reduction[RCR_BELOW] = rcr_netlink_u32(a[RCR_FORM_A_REDUCTION_BELOW],
						     RCR_REDUCE_SUM);
	err = read_terms(nest, info, RCR_FORM_A_TERM, form, RCR_ABOVE, f) ?:
	      read_terms(nest, info, RCR_FORM_A_TERM_BELOW, form, RCR_BELOW, f);
	return err ?: rcr_form_prepare(form, f);
}

/**
 * rcr_netlink_read_form() - read the form of a request
 * @info: the request
 * @form: set to the form, which the caller frees, also on failure; unchanged if there is none
 * @f: filled in on failure
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, -E2BIG, -ENOMEM.
 */
int rcr_netlink_read_form(const struct genl_info *info, struct rcr_form **form,
			  struct rcr_failure *f)
{
	const struct nlattr *nest = info->attrs[RCR_A_FORM];

	if (!nest)
		return 0;
	*form = kzalloc(struct_size(*form, term, RCR_SIDES * RCR_FORM_TERMS), GFP_KERNEL);
	if (!*form)
		return rcr_fail(f, -ENOMEM, RCR_REASON_NO_MEMORY);
	return read_form_attrs(nest, info, *form, f);
}

static int put_term(struct sk_buff *skb, int attr, const struct rcr_term *t)
{
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest || (t->name[0] && nla_put_string(skb, RCR_TERM_A_NAME, t->name)) ||
	    nla_put_u32(skb, RCR_TERM_A_KIND, t->kind) ||
	    nla_put_s32(skb, RCR_TERM_A_WEIGHT, t->weight))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_terms(struct sk_buff *skb, int attr, const struct rcr_form *form,
		     enum rcr_side side)
{
	const struct rcr_term *t = rcr_form_side(form, side);
	unsigned int i;
	int err = 0;

	for (i = 0; i < form->terms[side] && !err; i++)
		err = put_term(skb, attr, &t[i]);
	return err;
}

/**
 * rcr_netlink_put_form() - write a form to an answer, in the format of requests
 * @skb: the answer
 * @attr: type of the nested attribute
 * @form: the form
 *
 * Context: any.
 * Return: 0 or -EMSGSIZE.
 */
int rcr_netlink_put_form(struct sk_buff *skb, int attr, const struct rcr_form *form)
{
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest ||
	    nla_put_u64_64bit(skb, RCR_FORM_A_NUMERATOR, form->numerator, RCR_FORM_A_PAD) ||
	    nla_put_u64_64bit(skb, RCR_FORM_A_DENOMINATOR, form->denominator, RCR_FORM_A_PAD) ||
	    nla_put_u32(skb, RCR_FORM_A_REDUCTION, form->reduction[RCR_ABOVE]) ||
	    nla_put_u32(skb, RCR_FORM_A_REDUCTION_BELOW, form->reduction[RCR_BELOW]) ||
	    (form->per_cpu && nla_put_flag(skb, RCR_FORM_A_PER_CPU)) ||
	    put_terms(skb, RCR_FORM_A_TERM, form, RCR_ABOVE) ||
	    put_terms(skb, RCR_FORM_A_TERM_BELOW, form, RCR_BELOW))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}
