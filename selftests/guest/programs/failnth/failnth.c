// SPDX-License-Identifier: GPL-2.0-only
/*
 * failnth.c - makes each request, open and mapping, and fails its allocations one at a time, until
 * no further allocation is made. If the request fails, the errno must be ENOMEM, and the state must
 * be as before, with all CPUs sampled. Needs AMD Fam15h, and the module loaded with a period of 20
 * ms and a free counter.
 *
 * kmemleak finds memory leaks.
 */
#include "failnth.h"
#include "failnth_doors.h"
#include "failnth_state.h"

#define EXTRA		"EXTRA=event:0xc2"
#define EXTRA_EVENT	0xc2
#define MOST		2000			/* most allocations of a request */
#define ROUNDS		60			/* of random failures */

struct request {
	const char *name;
	void (*prepare)(void);		/* called before the state is saved */
	int (*act)(void);		/* 0, or -1 and errno */
	void (*clean)(void);		/* called whether @act failed or not */
	const char *below;		/* caller of allocations to fail; NULL: the module */
};

static int held = -1;
static const char *const extra[] = { EXTRA };

/*
 * Accept ENOBUFS as well: if netlink_trim() cannot allocate a smaller buffer for the answer, the
 * socket may have no room for the acknowledgment.
 */
static bool check(const struct request *r, unsigned int n, int ret, int error)
{
	bool bad = false;

	if (ret && error != ENOMEM && error != ENOBUFS) {
		ksft_print_msg("%s, allocation %u: %s\n", r->name, n, strerror(error));
		bad = true;
	}
	if (!ret) {
		look(&now);
	} else if (!is_as_before()) {
		ksft_print_msg("%s, allocation %u: state has changed:%s%s%s\n", r->name, n,
			       memcmp(&before.set, &now.set, sizeof(now.set)) ? " set" : "",
			       memcmp(&before.meters, &now.meters, sizeof(now.meters)) ?
			       " meters" : "",
			       memcmp(before.control, now.control, sizeof(now.control)) ?
			       " registers" : "");
		bad = true;
	}
	if (!goes_on()) {
		ksft_print_msg("%s, allocation %u: some CPU is not sampled\n", r->name, n);
		bad = true;
	}
	return !bad;
}

static void prepare(const struct request *r)
{
	if (r->prepare)
		r->prepare();
	look(&before);
}

static void clean(const struct request *r)
{
	if (r->clean)
		r->clean();
}

/* Fail one allocation after the other. A failed request has changed nothing, so just repeat it. */
static void fail_each(const struct request *r)
{
	unsigned int n, refused = 0, wrong = 0;
	bool failed = true, good = true, again = false;
	int ret = 0, error;

	fault_below(r->below, "rcrtool");
	for (n = 1; failed && n < MOST && wrong < 5; n++) {
		if (!again)
			prepare(r);
		fail_nth(n);
		ret = r->act();
		error = errno;
		failed = fail_nth_end();
		good = check(r, n, ret, error);
		wrong += !good;
		refused += !!ret;
		again = ret && good;
		if (!again)
			clean(r);
	}
	ksft_test_result(!failed && !ret && !wrong && n > 2,
			 "%s: %u allocations, the request fails without %u of them\n",
			 r->name, n - 2, refused);
}

/* Fail random allocations of the module, in any task and on any CPU. */
static void fail_any(const struct request *r)
{
	unsigned int n, refused = 0, wrong = 0, failed = 0;
	int ret, error;

	fault_below(r->below, "rcrtool");
	for (n = 0; n < ROUNDS && wrong < 5; n++) {
		const char *kind = fault_kinds[n % 2];

		prepare(r);
		fail_one(kind, 1 + n % 20);
		ret = r->act();
		error = errno;
		failed += fail_one_end(kind);
		wrong += !check(r, n, ret, error);
		refused += !!ret;
		clean(r);
	}
	ksft_test_result(failed && !wrong, "%s: allocations fail in %u of %u rounds, %u requests fail\n",
			 r->name, failed, n, refused);
}

/* Requests about the set, by netlink. */

static int do_look(void)
{
	static struct rcr_state s;

	return rcr_control_look(control, &s) ?: -!s.ncounters;
}

static int do_meters(void)
{
	static struct rcr_meters m;

	return rcr_control_meters(control, &m) ?: -!m.count;
}

static int do_where(void)
{
	uint64_t counters = 0;

	return rcr_control_where(control, EXTRA, &counters) ?: -!counters;
}

static int do_add(void)
{
	return rcr_control_add(control, 0, extra, 1);
}

static void add(void)
{
	must(do_add(), "add");
}

static int do_remove(void)
{
	return rcr_control_remove(control, 0, "EXTRA");
}

static void drop(void)
{
	do_remove();
}

static int do_finalize(void)
{
	return rcr_control_finalize(control, 0, -1);
}

static void back(void)
{
	drop();
	must(do_finalize(), "finalize");
}

static void add_and_finalize(void)
{
	add();
	must(do_finalize(), "finalize");
}

static void hold(void)
{
	add();
	held = open(DEVICE, O_RDONLY);
	must(held < 0, DEVICE);
}

static int do_hold(void)
{
	return rcr_control_finalize(control, 0, held);
}

static void drop_hold(void)
{
	close(held);
	drop();
}

static int do_halt(void)
{
	return rcr_control_halt(control, 0, "EXTRA");
}

static int do_continue(void)
{
	return rcr_control_continue(control, 0, NULL);
}

static void go_on_and_back(void)
{
	do_continue();
	back();
}

static int do_rewrite(void)
{
	return rcr_control_rewrite(control, 0, NULL);
}

static int do_reassign(void)
{
	return rcr_control_reassign(control, 0, "EXTRA", "EXTRA=event:0xc3");
}

static int do_mark(void)
{
	return rcr_control_mark(control, RCR_MARK_TEXT, "here");
}

static int do_period(void)
{
	return rcr_control_period(control, 0, 10000000);
}

static void old_period(void)
{
	must(rcr_control_period(control, 0, 20000000), "period");
}

static int do_reset(void)
{
	return rcr_control_reset(control, 0);
}

/* Add the events of a set, in the same order. */
static void add_all(const struct rcr_state *from)
{
	const char *events[RCR_MAX_COUNTERS];
	static char text[RCR_MAX_COUNTERS][RCR_NAME_LEN + RCR_EVENT_LEN + 1];
	unsigned int i;

	for (i = 0; i < from->ncounters; i++) {
		snprintf(text[i], sizeof(text[i]), "%s=%s", from->counter[i].name,
			 from->counter[i].event);
		events[i] = text[i];
	}
	must(rcr_control_add(control, 0, events, i), "add");
}

static void set_again(void)
{
	if (!now.set.error)
		return;
	add_all(&before.set);
	must(do_finalize(), "finalize");
}

/* Stage the whole set while nothing is counted, as when the module is loaded. */
static void stage_all(void)
{
	look(&before);
	must(do_reset(), "reset");
	add_all(&before.set);
}

/* Requests about meters. */

/* Add a meter: the rate of @counter, or a posted meter if that is NULL. */
static int add_meter(const char *counter, unsigned int events)
{
	static struct rcr_form rate = {
		.numerator = 1, .denominator = 1,
		.above = { .terms = 1, .term[0] = { .kind = RCR_TERM_RATE, .weight = 1 } },
	};
	const struct rcr_meter_request m = {
		.name = "mine", .form = counter ? &rate : NULL, .over = RCR_METER_ANY,
		.digits = RCR_METER_ANY, .events = extra, .nevents = events,
	};
	uint32_t number = ~0u;

	snprintf(rate.above.term[0].name, RCR_NAME_LEN, "%s", counter ? counter : "");
	return rcr_control_meter_add(control, 0, &m, &number) ?: -(number == ~0u);
}

static int do_meter(void)
{
	return add_meter("TOT_CYC", 0);
}

static int do_meter_with(void)
{
	return add_meter("EXTRA", 1);
}

static int do_meter_posted(void)
{
	return add_meter(NULL, 0);
}

static int do_meter_remove(void)
{
	return rcr_control_meter_remove(control, 0, "mine");
}

static void meter(void)
{
	must(do_meter(), "meter");
}

static void posted(void)
{
	must(do_meter_posted(), "meter");
}

static void no_meter(void)
{
	do_meter_remove();
}

static void no_meter_with(void)
{
	no_meter();
	back();
}

static int do_meter_reset(void)
{
	return rcr_control_meter_reset(control, 0, NULL);
}

static int do_maximum(void)
{
	const struct rcr_meter_limits m = {
		.kind = RCR_PLACE_MACHINE, .has_maximum = true, .maximum = 1000000000,
	};

	return rcr_control_meter_maximum(control, 0, "mine", &m);
}

static int do_post(void)
{
	return rcr_control_meter_post(control, "mine", 4711, 0);
}

static const struct request requests[] = {
	{ "look", NULL, do_look, NULL, NULL },
	{ "where", NULL, do_where, NULL, NULL },
	{ "add", NULL, do_add, drop, NULL },
	{ "remove", add, do_remove, drop, NULL },
	{ "finalize", add, do_finalize, back, NULL },
	{ "finalize of all", stage_all, do_finalize, NULL, NULL },
	{ "finalize, held", hold, do_hold, drop_hold, NULL },
	{ "halt", add_and_finalize, do_halt, go_on_and_back, NULL },
	{ "continue", NULL, do_continue, NULL, NULL },
	{ "rewrite", NULL, do_rewrite, NULL, NULL },
	{ "reassign", add_and_finalize, do_reassign, back, NULL },
	{ "mark", NULL, do_mark, NULL, NULL },
	{ "period", NULL, do_period, old_period, NULL },
	{ "reset", NULL, do_reset, set_again, NULL },
	/* netlink allocates the buffers of a dump. */
	{ "meters", NULL, do_meters, NULL, "netlink_dump" },
	{ "meter add", NULL, do_meter, no_meter, NULL },
	{ "meter add with an event", NULL, do_meter_with, no_meter_with, NULL },
	{ "meter add, posted", NULL, do_meter_posted, no_meter, NULL },
	{ "meter post", posted, do_post, no_meter, NULL },
	{ "meter remove", meter, do_meter_remove, no_meter, NULL },
	{ "meter reset", NULL, do_meter_reset, NULL, NULL },
	{ "meter maximum", meter, do_maximum, no_meter, NULL },
	{ DEVICE, NULL, do_device, NULL, NULL },
	{ "mmap of a ring", NULL, do_map_ring, NULL, NULL },
	{ BOARD, NULL, do_board, NULL, NULL },
	{ "mmap of blackboard 1", NULL, do_map_board, NULL, NULL },
	{ "a watch", see_board, do_watch, NULL, NULL },
	{ "the files in debugfs", NULL, do_files, NULL, NULL },
	{ "the files of a CPU", NULL, do_cpu_files, NULL, NULL },
	{ "the files of meters", NULL, do_meter_files, NULL, "full_proxy_open" },
};

/* Return how many registers count the held event, or any event if none may be counted. */
static unsigned int programmed(const struct state *s)
{
	unsigned int cpu, i, n = 0;

	for (cpu = 0; cpu < CPUS; cpu++)
		for (i = 0; i < CONTROLS; i++)
			n += s->control[cpu][i] & ENABLE &&
			     (s->set.error || (s->control[cpu][i] & 0xff) == EXTRA_EVENT);
	return n;
}

/*
 * Close the holder of a set while every allocation of the module fails. close() cannot return an
 * error, so the hold must end without allocations.
 */
static void fail_all(void)
{
	hold();
	must(do_hold(), "finalize");
	look(&before);
	fault_below(NULL, "rcrtool");
	fault_settings("times", "-1");
	fault_settings("probability", "100");
	close(held);
	fault_settings("probability", "0");
	look(&now);
	ksft_test_result(programmed(&before) == CPUS && now.set.error && !programmed(&now),
			 "without memory the end of a hold leaves none of its registers programmed\n");
	/* The events of the base set are still staged. */
	if (now.set.error)
		must(do_finalize(), "finalize");
	back();
}

static const struct request by_chance = { "finalize", add, do_finalize, back, NULL };

int main(void)
{
	unsigned int i;

	ksft_print_header();
	ksft_set_plan(sizeof(requests) / sizeof(requests[0]) + 2);
	open_all();
	fault_init();
	for (i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
		fail_each(&requests[i]);
	fail_any(&by_chance);
	fail_all();
	ksft_finished();
}
