// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_event_check.c - which events the module accepts, and which ones it considers equal.
 */
#include <errno.h>
#include <string.h>

#include <linux/kernel.h>
#include <linux/perf_event.h>

#include "error.h"
#include "event_of_spec.h"
#include "ksft.h"
#include "reason_of.h"

static struct rcr_event parse(const char *text)
{
	char why[RCR_SENTENCE_LEN];
	struct rcr_event_spec spec;

	if (rcr_event_parse(text, &spec, 1, why, sizeof(why)) != 1)
		ksft_exit_fail_msg("%s: %s\n", text, why);
	return event_of_spec(&spec);
}

static void test_texts(void)
{
	static const char *const texts[] = {
		"event:0x003,umask:0xff",
		"event:0x1c0,umask:0x07,cmask:0x02,inv,edge,os",
		"event:0x0c0,user,host,guest,counter:0x00",
		"software:context-switches", "tracepoint:321",
		"nb:event:0x1e0,umask:0x0f,pernode", "register:energy-pkg",
		"X=pmu:21,config:0xffffffffffffffff,config2:3,scope:package,joules,slow",
	};
	struct rcr_failure failure = { };
	struct rcr_event first, again;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		first = parse(texts[i]);
		again = parse(texts[i]);
		ksft_test_result(rcr_event_same(&first, &again) && !rcr_event_check(&first, &failure),
				 "check: \"%s\" is accepted, and equal to itself\n", texts[i]);
	}
}

static const char *const differ[] = {
	"Y=nb:event:1,umask:2", "X=event:1,umask:2", "X=nb:event:2,umask:2", "X=nb:event:1,umask:3",
	"X=nb:event:1,umask:2,cmask:1", "X=nb:event:1,umask:2,inv", "X=nb:event:1,umask:2,edge",
	"X=nb:event:1,umask:2,os", "X=nb:event:1,umask:2,user", "X=nb:event:1,umask:2,pernode",
	"X=nb:event:1,umask:2,host", "X=nb:event:1,umask:2,guest", "X=nb:event:1,umask:2,filter:1",
	"X=nb:event:1,umask:2,filter1:1", "X=nb:event:1,umask:2,counter:0",
	"X=nb:event:1,umask:2,counter:1", "X=nb:event:1,umask:2,slow", "X=tracepoint:2",
	"X=pmu:7", "X=pmu:7,config:1", "X=pmu:7,config1:1", "X=pmu:7,config2:1", "X=pmu:7,scope:die",
	"X=pmu:7,joules", "X=nb:event:1,umask:2",
};

static void test_same(void)
{
	struct rcr_event a, b;
	size_t i, k;
	bool same;
	bool right = true;

	for (i = 0; i < ARRAY_SIZE(differ); i++)
		for (k = 0; k < ARRAY_SIZE(differ); k++) {
			a = parse(differ[i]);
			b = parse(differ[k]);
			same = i == k;
			if (rcr_event_same(&a, &b) == same)
				continue;
			ksft_print_msg("%s and %s\n", differ[i], differ[k]);
			right = false;
		}
	ksft_test_result(right, "same: events that differ in one field are not equal\n");
}

/* Events that librcr never sends, but other programs might. */
static void test_refused(void)
{
	static const struct {
		struct rcr_event event;
		const char *says;
	} cases[] = {
		{ { .name = "" }, "Invalid name" },
		{ { .name = "../x" }, "Invalid name" },
		{ { .name = "a\"b" }, "Invalid name" },
		{ { .name = "a b" }, "Invalid name" },
		{ { .name = "\xc3\xa4" }, "Invalid name" },
		{ { .name = "A", .unit = "n.b" }, "Invalid unit" },
		{ { .name = "A", .unit = "n b" }, "Invalid unit" },
		{ { .name = "A", .kind = RCR_EVENT_SOFTWARE, .event = PERF_COUNT_SW_DUMMY },
		  "cannot be counted" },
		{ { .name = "A", .kind = RCR_EVENT_SOFTWARE, .event = 64 }, "cannot be counted" },
		{ { .name = "A", .kind = RCR_EVENT_PMU, .event = PERF_TYPE_SOFTWARE,
		    .config = 1ull << 40 }, "cannot be counted" },
		{ { .name = "A", .kind = RCR_EVENT_PMU, .event = PERF_TYPE_TRACEPOINT },
		  "write A=tracepoint:ID" },
		{ { .name = "A", .kind = RCR_EVENT_TRACEPOINT, .event = 1 },
		  "fires in every kernel function" },
		{ { .name = "A", .kind = RCR_EVENT_PMU, .event = PERF_TYPE_RAW }, "" },
		{ { .name = "A", .kind = RCR_EVENT_PMU, .event = PERF_TYPE_HARDWARE }, "" },
		{ { .name = "A", .kind = RCR_EVENT_PMU, .event = PERF_TYPE_HW_CACHE }, "" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct rcr_failure failure = { };
		int err = rcr_event_check(&cases[i].event, &failure);

		ksft_test_result(err == -EINVAL && failure.error == err &&
				 strstr(reason_of(&failure), cases[i].says),
				 "check: refuses event %zu: %s\n", i, reason_of(&failure));
	}
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(8 + 1 + 15);
	test_texts();
	test_same();
	test_refused();
	ksft_finished();
}
