// SPDX-License-Identifier: LGPL-2.1-or-later
/* reason_attr.c - reads a reason from an answer of the module. */
#include <stdio.h>
#include <string.h>

#include "reason.h"
#include "rcr.h"

static void parse_reason_text(struct rcr_reason *r, size_t *used, const struct nlattr *a)
{
	size_t length = nla_len((struct nlattr *)a);
	const char *text = nla_data((struct nlattr *)a);

	if (!length || text[length - 1] || *used + length > sizeof(r->text))
		return;
	memcpy(r->text + *used, text, strlen(text) + 1);
	*used += strlen(text) + 1;
	r->texts++;
}

static void parse_reason_number(struct rcr_reason *r, const struct nlattr *a)
{
	if (nla_len((struct nlattr *)a) == sizeof(__u64) && r->numbers < RCR_REASON_NUMBERS)
		r->number[r->numbers++] = nla_get_u64((struct nlattr *)a);
}

void rcr_reason_take(char *text, size_t size, struct nlattr *nest)
{
	struct rcr_reason r = { };
	size_t used = 0;
	struct nlattr *a;
	int rest;

	nla_for_each_nested(a, nest, rest) {
		switch (nla_type(a)) {
		case RCR_REASON_A_CODE:
			if (nla_len(a) == sizeof(r.code))
				r.code = nla_get_u32(a);
			break;
		case RCR_REASON_A_NUMBER:
			parse_reason_number(&r, a);
			break;
		case RCR_REASON_A_TEXT:
			parse_reason_text(&r, &used, a);
			break;
		}
	}
	rcr_reason_text(&r, text, size);
}
