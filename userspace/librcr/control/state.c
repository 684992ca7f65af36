// SPDX-License-Identifier: LGPL-2.1-or-later
/* state.c - reads the module's state from its answers. */
#include <stdio.h>
#include <string.h>

#include "event.h"
#include "reason.h"
#include "request.h"

static const struct nla_policy counter_policy[RCR_COUNTER_A_MAX + 1] = {
	[RCR_COUNTER_A_NAME] = { .type = NLA_NUL_STRING },
	[RCR_COUNTER_A_SELECT] = { .type = NLA_U64 },
	[RCR_COUNTER_A_CONTROL] = { .type = NLA_U64 },
	[RCR_COUNTER_A_COUNTER] = { .type = NLA_U64 },
	[RCR_COUNTER_A_EVENT] = { .type = NLA_NESTED },
	[RCR_COUNTER_A_STATUS] = { .type = NLA_U32 },
	[RCR_COUNTER_A_CPUS] = { .type = NLA_NUL_STRING },
	[RCR_COUNTER_A_HELD] = { .type = NLA_FLAG },
};

static void copy_attr_text(char *to, size_t size, const struct nlattr *a)
{
	if (a)
		snprintf(to, size, "%s", nla_get_string((struct nlattr *)a));
}

static struct rcr_counter_state *find_state_counter(struct rcr_state *s, const char *name)
{
	unsigned int i;

	for (i = 0; i < s->ncounters; i++)
		if (!strcmp(s->counter[i].name, name))
			return &s->counter[i];
	if (s->ncounters == sizeof(s->counter) / sizeof(s->counter[0]))
		return NULL;
	snprintf(s->counter[i].name, sizeof(s->counter[i].name), "%s", name);
	s->ncounters++;
	return &s->counter[i];
}

static void take_counter(struct rcr_state *s, struct nlattr *nest, bool running)
{
	struct nlattr *a[RCR_COUNTER_A_MAX + 1];
	struct rcr_event_spec event;
	struct rcr_counter_state *c;

	if (nla_parse_nested(a, RCR_COUNTER_A_MAX, nest,
			     (struct nla_policy *)counter_policy) ||
	    !a[RCR_COUNTER_A_NAME])
		return;
	c = find_state_counter(s, nla_get_string(a[RCR_COUNTER_A_NAME]));
	if (!c)
		return;
	c->running |= running;
	c->staged |= !running;
	c->held |= !!a[RCR_COUNTER_A_HELD];
	/* If a staged counter of the same name has another event, keep that of the running one. */
	if (a[RCR_COUNTER_A_EVENT] && (running || !c->running) &&
	    !rcr_event_take(&event, a[RCR_COUNTER_A_EVENT]))
		rcr_event_print(&event, c->event);
	copy_attr_text(c->cpus, sizeof(c->cpus), a[RCR_COUNTER_A_CPUS]);
	/* Do not truncate: part of a list of CPUs looks like a complete one. */
	if (a[RCR_COUNTER_A_CPUS] && nla_len(a[RCR_COUNTER_A_CPUS]) > RCR_CPUS_LEN)
		strcpy(c->cpus, "...");
	if (a[RCR_COUNTER_A_STATUS])
		c->status = nla_get_u32(a[RCR_COUNTER_A_STATUS]);
	if (a[RCR_COUNTER_A_SELECT])
		c->select = nla_get_u64(a[RCR_COUNTER_A_SELECT]);
	if (a[RCR_COUNTER_A_CONTROL])
		c->control = nla_get_u64(a[RCR_COUNTER_A_CONTROL]);
	if (a[RCR_COUNTER_A_COUNTER])
		c->counter = nla_get_u64(a[RCR_COUNTER_A_COUNTER]);
}

void rcr_state_take(struct rcr_state *s, struct nlattr **a)
{
	if (a[RCR_A_GENERATION])
		s->generation = nla_get_u32(a[RCR_A_GENERATION]);
	if (a[RCR_A_PERIOD_NS])
		s->period_ns = nla_get_u64(a[RCR_A_PERIOD_NS]);
	if (a[RCR_A_TSC_KHZ])
		s->tsc_khz = nla_get_u32(a[RCR_A_TSC_KHZ]);
	if (a[RCR_A_ERROR])
		s->error = nla_get_u32(a[RCR_A_ERROR]);
	s->held = a[RCR_A_HELD];
	copy_attr_text(s->holders, sizeof(s->holders), a[RCR_A_HELD]);
	if (a[RCR_A_CORE_COUNTERS])
		s->core_counters = nla_get_u32(a[RCR_A_CORE_COUNTERS]);
	if (a[RCR_A_CORE_USED])
		s->core_used = nla_get_u32(a[RCR_A_CORE_USED]);
	if (a[RCR_A_CORE_WATCHDOG])
		s->core_watchdog = nla_get_u32(a[RCR_A_CORE_WATCHDOG]);
	if (a[RCR_A_CORE_OTHERS])
		s->core_others = nla_get_u32(a[RCR_A_CORE_OTHERS]);
	if (a[RCR_A_REASON])
		rcr_reason_take(s->reason, sizeof(s->reason), a[RCR_A_REASON]);
	copy_attr_text(s->source, sizeof(s->source), a[RCR_A_SOURCE]);
	copy_attr_text(s->policy, sizeof(s->policy), a[RCR_A_POLICY]);
	copy_attr_text(s->family, sizeof(s->family), a[RCR_A_FAMILY]);
}

void rcr_state_take_counter(struct rcr_state *s, struct nlattr **a)
{
	if (a[RCR_A_RUNNING])
		take_counter(s, a[RCR_A_RUNNING], true);
	if (a[RCR_A_STAGED])
		take_counter(s, a[RCR_A_STAGED], false);
}
