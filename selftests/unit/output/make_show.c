// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_show.c CASE - prints the output of 'rcrctl show' for one of these fixed states, for
 * bats/screens.bats:
 *
 *	four	the default set on four CPUs
 *	staged	staged changes, and a paused counter
 *	many	256 CPUs, with foreign counters on some, and a holder
 *	verbose	"four" with 'rcrctl show -v'
 *	none	an empty set
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "names.h"
#include "set/staged.h"
#include "show/rates.h"
#include "verbs.h"

static const char *state_case;
static struct rcr_state fake;
static struct rates fake_rates;

static struct rcr_counter_state *counter(const char *name, const char *event, uint64_t select,
					 double rate)
{
	struct rcr_counter_state *c = &fake.counter[fake.ncounters++];
	struct rate *r = &fake_rates.rate[fake_rates.count++];

	snprintf(c->name, sizeof(c->name), "%s", name);
	snprintf(c->event, sizeof(c->event), "%s", event);
	c->running = true;
	c->staged = true;
	c->status = RCR_STATUS_OK;
	c->select = select;
	c->control = 0xc0010200 + 2 * (fake.ncounters - 1);
	c->counter = c->control + 1;
	snprintf(r->name, sizeof(r->name), "%s", name);
	r->known = true;
	r->per_second = rate;
	return c;
}

static void make_state(void)
{
	struct rcr_counter_state *c;

	fake.generation = 7;
	fake.period_ns = 10000000;
	strcpy(fake.family, "AMD Fam15h");
	strcpy(fake.source, "perf");
	fake.core_counters = 6;
	fake.core_watchdog = RCR_WATCHDOG_OFF;
	if (!strcmp(state_case, "none")) {
		fake.error = 61;
		strcpy(fake.reason, "the NMI watchdog has a counter that source=msr needs: run 'sysctl kernel.nmi_watchdog=0' and load rcrtool again");
		return;
	}
	counter("TOT_CYC", "event:0x76", 0x430076, 3.995e9);
	c = counter("TOT_INS", "event:0xc0", 0x4300c0, 3.948e9);
	if (!strcmp(state_case, "many")) {
		c->status = RCR_STATUS_FOREIGN;
		strcpy(c->cpus, "0-7,16-23,32-39,64-127,250,252,254");
		fake.held = true;
		strcpy(fake.holders, "rcrctl (4711), likwid-perfctr (4712)");
		fake.core_others = 1;
	}
	c = counter("RETIRED_FLOPS", "event:0x3,umask:0xff", 0x43ff03, 901.3e6);
	if (!strcmp(state_case, "staged")) {
		c->staged = false;
		c = counter("L1_DCM", "event:0x41,umask:0x1", 0x430141, 0);
		c->status = RCR_STATUS_HALTED;
		strcpy(c->cpus, "0-3");
		fake_rates.rate[3].known = false;
		c = counter("BRANCHES_THAT_WERE_NOT_PREDICTED", "event:0xc3", 0, 0);
		c->running = false;
	}
	c = counter("ENERGY", "register:energy-pkg", 0, 61.25e9);
	c->control = 0;
	fake_rates.rate[fake_rates.count - 1].unit = RCR_UNIT_NANOJOULE;
	fake.core_used = 3;
}

int session_look(struct session *s)
{
	make_state();
	s->state = fake;
	return EXIT_SUCCESS;
}

void __wrap_rates_read(struct rates *r, int cpu);
void __wrap_rates_read(struct rates *r, int cpu)
{
	(void)cpu;
	*r = fake_rates;
}

bool staged_differs(const struct rcr_state *state)
{
	(void)state;
	return !strcmp(state_case, "staged");
}

bool take_option(struct call *c, const char *name)
{
	(void)c;
	(void)name;
	return false;
}

int main(int argc, char **argv)
{
	static struct session s;
	char *verbose[] = { "-v" };
	struct call c = { .session = &s, .args = verbose };

	if (argc != 2)
		return EXIT_USAGE;
	state_case = argv[1];
	c.count = !strcmp(state_case, "verbose");
	return do_show(&c);
}
