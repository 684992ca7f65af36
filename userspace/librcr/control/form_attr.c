// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * form_attr.c - forms of meters as netlink attributes, enum rcr_form_attr of
 * <linux/rcrtool.h>.
 */
#include <stdio.h>
#include <string.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "form/form.h"

static const struct nla_policy form_policy[RCR_FORM_A_MAX + 1] = {
	[RCR_FORM_A_NUMERATOR] = { .type = NLA_U64 },
	[RCR_FORM_A_DENOMINATOR] = { .type = NLA_U64 },
	[RCR_FORM_A_REDUCTION] = { .type = NLA_U32 },
	[RCR_FORM_A_REDUCTION_BELOW] = { .type = NLA_U32 },
	[RCR_FORM_A_PER_CPU] = { .type = NLA_FLAG },
	[RCR_FORM_A_TERM] = { .type = NLA_NESTED },
	[RCR_FORM_A_TERM_BELOW] = { .type = NLA_NESTED },
};

static const struct nla_policy term_policy[RCR_TERM_A_MAX + 1] = {
	[RCR_TERM_A_NAME] = { .type = NLA_NUL_STRING },
	[RCR_TERM_A_KIND] = { .type = NLA_U32 },
	[RCR_TERM_A_WEIGHT] = { .type = NLA_S32 },
};

static int put_form_term(struct nl_msg *msg, int attr, const struct rcr_form_term *t)
{
	struct nlattr *nest = nla_nest_start(msg, NLA_F_NESTED | attr);

	if (!nest || (*t->name && nla_put_string(msg, RCR_TERM_A_NAME, t->name)) ||
	    nla_put_u32(msg, RCR_TERM_A_KIND, t->kind) ||
	    nla_put_s32(msg, RCR_TERM_A_WEIGHT, t->weight))
		return -1;
	nla_nest_end(msg, nest);
	return 0;
}

static int put_side(struct nl_msg *msg, int attr, const struct rcr_form_side *side)
{
	unsigned int i;

	for (i = 0; i < side->terms; i++)
		if (put_form_term(msg, attr, &side->term[i]))
			return -1;
	return 0;
}

int rcr_form_put(struct nl_msg *msg, int attr, const struct rcr_form *form)
{
	struct nlattr *nest = nla_nest_start(msg, NLA_F_NESTED | attr);

	if (!nest || nla_put_u64(msg, RCR_FORM_A_NUMERATOR, form->numerator) ||
	    nla_put_u64(msg, RCR_FORM_A_DENOMINATOR, form->denominator) ||
	    nla_put_u32(msg, RCR_FORM_A_REDUCTION, form->above.reduction) ||
	    nla_put_u32(msg, RCR_FORM_A_REDUCTION_BELOW, form->below.reduction) ||
	    (form->per_cpu && nla_put_flag(msg, RCR_FORM_A_PER_CPU)) ||
	    put_side(msg, RCR_FORM_A_TERM, &form->above) ||
	    put_side(msg, RCR_FORM_A_TERM_BELOW, &form->below))
		return -1;
	nla_nest_end(msg, nest);
	return 0;
}

static void parse_form_term(struct rcr_form_side *side, struct nlattr *nest)
{
	struct nlattr *a[RCR_TERM_A_MAX + 1];
	struct rcr_form_term *t;

	if (side->terms == RCR_FORM_TERMS ||
	    nla_parse_nested(a, RCR_TERM_A_MAX, nest, (struct nla_policy *)term_policy))
		return;
	t = &side->term[side->terms++];
	if (a[RCR_TERM_A_NAME])
		snprintf(t->name, sizeof(t->name), "%s", nla_get_string(a[RCR_TERM_A_NAME]));
	t->kind = a[RCR_TERM_A_KIND] ? nla_get_u32(a[RCR_TERM_A_KIND]) : 0;
	t->weight = a[RCR_TERM_A_WEIGHT] ? nla_get_s32(a[RCR_TERM_A_WEIGHT]) : 1;
}

static uint64_t take_factor(struct nlattr *a)
{
	return a ? nla_get_u64(a) : 1;
}

static uint32_t take_reduction(struct nlattr *a)
{
	return a ? nla_get_u32(a) : RCR_REDUCE_SUM;
}

int rcr_form_take(struct rcr_form *form, struct nlattr *nest)
{
	struct nlattr *a[RCR_FORM_A_MAX + 1], *term;
	int rest;

	memset(form, 0, sizeof(*form));
	if (nla_parse_nested(a, RCR_FORM_A_MAX, nest, (struct nla_policy *)form_policy))
		return -1;
	form->numerator = take_factor(a[RCR_FORM_A_NUMERATOR]);
	form->denominator = take_factor(a[RCR_FORM_A_DENOMINATOR]);
	form->above.reduction = take_reduction(a[RCR_FORM_A_REDUCTION]);
	form->below.reduction = take_reduction(a[RCR_FORM_A_REDUCTION_BELOW]);
	form->per_cpu = a[RCR_FORM_A_PER_CPU];
	nla_for_each_nested(term, nest, rest) {
		if (nla_type(term) == RCR_FORM_A_TERM)
			parse_form_term(&form->above, term);
		else if (nla_type(term) == RCR_FORM_A_TERM_BELOW)
			parse_form_term(&form->below, term);
	}
	return 0;
}
