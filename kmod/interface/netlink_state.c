// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink_state.c - the answer of RCR_CMD_LOOK, and the list of counters, RCR_CMD_COUNTERS.
 */
#include <linux/cpumask.h>
#include <linux/slab.h>
#include <asm/tsc.h>

#include "control/control.h"
#include "cpu/cpus.h"
#include "netlink_answer.h"
#include "control/program.h"
#include "ring/run.h"
#include "source/source.h"

static int put_counter_event(struct sk_buff *skb, const struct rcr_event *e)
{
	return nla_put_string(skb, RCR_COUNTER_A_NAME, e->name) ?:
	       rcr_netlink_put_event(skb, RCR_COUNTER_A_EVENT, e);
}

/* A list of CPUs as a string of any length. */
static int put_cpus(struct sk_buff *skb, int attr, const struct cpumask *cpus)
{
	int size = snprintf(NULL, 0, "%*pbl", cpumask_pr_args(cpus)) + 1;
	struct nlattr *a = nla_reserve(skb, attr, size);

	if (!a)
		return -EMSGSIZE;
	snprintf(nla_data(a), size, "%*pbl", cpumask_pr_args(cpus));
	return 0;
}

/* Status, and the CPUs where it is not OK. @cpus: scratch memory. */
static int put_status(struct sk_buff *skb, const struct rcr_run *run,
		      unsigned int i, struct cpumask *cpus)
{
	u8 status = rcr_control_status(run->set.generation, i, cpus);

	if (!status)
		return 0;
	return nla_put_u32(skb, RCR_COUNTER_A_STATUS, status) ?:
	       put_cpus(skb, RCR_COUNTER_A_CPUS, cpus);
}

/* True for an event of the base set that is not counted because of a hold. */
static bool is_held_off(const struct rcr_run *run, const struct rcr_control *c,
			const struct rcr_event *e)
{
	return rcr_counter_set_find(&run->set, e) == RCR_FROM_NONE &&
	       rcr_staged_has(&c->base.set, e);
}

static int put_counter(struct sk_buff *skb, const struct rcr_run *run,
		       const struct rcr_control *control, unsigned int i,
		       struct cpumask *cpus)
{
	struct nlattr *nest = nla_nest_start(skb, RCR_A_RUNNING);
	const struct rcr_counter *c = &run->set.counter[i];

	if (!nest || put_counter_event(skb, &run->set.event[i]) ||
	    put_status(skb, run, i, cpus) ||
	    (!rcr_staged_has(&control->base.set, &run->set.event[i]) &&
	     nla_put_flag(skb, RCR_COUNTER_A_HELD)) ||
	    nla_put_u64_64bit(skb, RCR_COUNTER_A_SELECT, c->select,
			      RCR_COUNTER_A_PAD) ||
	    nla_put_u64_64bit(skb, RCR_COUNTER_A_CONTROL, c->control,
			      RCR_COUNTER_A_PAD) ||
	    nla_put_u64_64bit(skb, RCR_COUNTER_A_COUNTER, c->counter,
			      RCR_COUNTER_A_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_staged(struct sk_buff *skb, const struct rcr_run *run,
		      const struct rcr_control *c, const struct rcr_event *e)
{
	struct nlattr *nest = nla_nest_start(skb, RCR_A_STAGED);

	if (!nest || put_counter_event(skb, e) ||
	    (is_held_off(run, c, e) && nla_put_flag(skb, RCR_COUNTER_A_HELD)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_run(struct sk_buff *skb, const struct rcr_run *run)
{
	const struct rcr_failure *f = &run->set.failure;

	if (nla_put_string(skb, RCR_A_STATE, f->error ? "inert" : "sampling") ||
	    nla_put_string(skb, RCR_A_SOURCE, rcr_sources_name(&run->set)) ||
	    nla_put_string(skb, RCR_A_POLICY, rcr_program_policy()) ||
	    nla_put_string(skb, RCR_A_FAMILY,
			   run->set.machine ? run->set.machine->family->name : "unknown"))
		return -EMSGSIZE;
	if (f->error && (nla_put_u32(skb, RCR_A_ERROR, -f->error) ||
			 rcr_netlink_put_reason(skb, RCR_A_REASON, &f->reason)))
		return -EMSGSIZE;
	return 0;
}

static int put_core(struct sk_buff *skb)
{
	struct rcr_core_use use;

	if (!rcr_cpus_core_use(&use) || !use.counters)
		return 0;
	return nla_put_u32(skb, RCR_A_CORE_COUNTERS, use.counters) ?:
	       nla_put_u32(skb, RCR_A_CORE_USED, use.used) ?:
	       nla_put_u32(skb, RCR_A_CORE_WATCHDOG, use.watchdog) ?:
	       nla_put_u32(skb, RCR_A_CORE_OTHERS, use.others);
}

static int put_control(struct sk_buff *skb, const struct rcr_control *c)
{
	return nla_put_u32(skb, RCR_A_GENERATION, c->generation) ?:
	       nla_put_u64_64bit(skb, RCR_A_PERIOD_NS, c->period, RCR_A_PAD) ?:
	       nla_put_u32(skb, RCR_A_TSC_KHZ, tsc_khz) ?:
	       (*c->holders ? nla_put_string(skb, RCR_A_HELD, c->holders) : 0);
}

/* Copy the state, and take a reference to the run of that state. */
static struct rcr_run *get_run_state(struct rcr_control *c)
{
	struct rcr_run *run;

	for (;;) {
		rcr_control_read(c);
		run = rcr_run_get_current();
		/* A change publishes its run before its generation. */
		if (run->set.generation <= c->generation)
			return run;
		rcr_run_put(run);
	}
}

/**
 * rcr_netlink_put_state() - write the state to an answer
 * @skb: the answer
 *
 * Context: may sleep.
 * Return: 0; -EMSGSIZE, -ENOMEM.
 */
int rcr_netlink_put_state(struct sk_buff *skb)
{
	struct rcr_control *c = kmalloc(sizeof(*c), GFP_KERNEL);
	struct rcr_run *run;
	int err;

	if (!c)
		return -ENOMEM;
	run = get_run_state(c);
	err = put_control(skb, c) ?: put_core(skb) ?: put_run(skb, run);
	rcr_run_put(run);
	kfree(c);
	return err;
}

/* Write counter @i of the running ones followed by the staged ones. */
static int put_counter_message(struct sk_buff *skb, struct netlink_callback *cb,
			       const struct rcr_control *c, const struct rcr_run *run,
			       unsigned int i, struct cpumask *cpus)
{
	void *head = rcr_netlink_begin_part(skb, cb, RCR_CMD_COUNTERS);

	if (!head || nla_put_u32(skb, RCR_A_GENERATION, c->generation) ||
	    (i < run->set.count ? put_counter(skb, run, c, i, cpus) :
				  put_staged(skb, run, c, &c->staged.event[i - run->set.count]))) {
		genlmsg_cancel(skb, head);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, head);
	return 0;
}

/* Each part has space for a counter with the longest list of CPUs: 4 bytes per CPU. */
int rcr_netlink_start_counters(struct netlink_callback *cb)
{
	cb->min_dump_alloc = NLMSG_GOODSIZE + 4 * nr_cpu_ids;
	return rcr_netlink_may_dump(cb);
}

/* Write the next counters of the list, as many as fit into this part. */
int rcr_netlink_dump_counters(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct rcr_control *c = kmalloc(sizeof(*c), GFP_KERNEL);
	struct cpumask *cpus = kmalloc(cpumask_size(), GFP_KERNEL);
	unsigned int i = cb->args[0];
	struct rcr_run *run;
	int err = -ENOMEM;

	if (c && cpus) {
		run = get_run_state(c);
		cb->seq = c->generation;
		err = 0;
		while (i < run->set.count + c->staged.count && !err) {
			err = put_counter_message(skb, cb, c, run, i, cpus);
			i += !err;
		}
		rcr_run_put(run);
	}
	kfree(cpus);
	kfree(c);
	cb->args[0] = i;
	return skb->len ?: err;
}
