// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_event.c - parses and prints the raw form of events.
 */
#include <errno.h>
#include <string.h>

#include "control/event.h"
#include "rcr.h"
#include "ksft.h"

#define MAX 8

static struct rcr_event_spec event[MAX];
static struct {
	int error;
	char reason[RCR_SENTENCE_LEN];
} failure;

static int parse(const char *text)
{
	memset(&failure, 0, sizeof(failure));
	memset(event, 0xaa, sizeof(event));
	failure.error = rcr_event_parse(text, event, MAX, failure.reason, sizeof(failure.reason));
	return failure.error;
}

static bool is(const struct rcr_event_spec *e, const char *name, unsigned int code,
	       unsigned int umask, unsigned int cmask, const char *flags)
{
	uint32_t f = (strchr(flags, 'i') ? RCR_EVENT_INV : 0) |
		     (strchr(flags, 'e') ? RCR_EVENT_EDGE : 0) |
		     (strchr(flags, 'o') ? RCR_EVENT_OS : 0) |
		     (strchr(flags, 'u') ? RCR_EVENT_USER : 0);

	return !strcmp(e->name, name) && e->config == code && e->umask == umask &&
	       e->cmask == cmask && e->type == RCR_EVENT_HARDWARE && e->flags == f;
}

static void test_accepted(void)
{
	ksft_test_result(parse("FLOPS=event:0x03,umask:0xff") == 1 &&
			 is(&event[0], "FLOPS", 3, 0xff, 0, ""),
			 "an event counts in user and kernel mode by default\n");
	ksft_test_result(parse("A=event:0x1c0,umask:7,cmask:2,inv,edge,os") == 1 &&
			 is(&event[0], "A", 0x1c0, 7, 2, "ieo"),
			 "every field of an event is parsed\n");
	ksft_test_result(parse("A=event:1;B=event:2,user;\n C=event:3\t") == 3 &&
			 is(&event[0], "A", 1, 0, 0, "") &&
			 is(&event[1], "B", 2, 0, 0, "u") &&
			 is(&event[2], "C", 3, 0, 0, ""),
			 "semicolons and blanks separate events\n");
	ksft_test_result(parse("A=event:1,umask:2,B=event:3,umask:4,event:5") == 3 &&
			 is(&event[0], "A", 1, 2, 0, "") &&
			 is(&event[1], "B", 3, 4, 0, "") &&
			 is(&event[2], "EVENT_005", 5, 0, 0, ""),
			 "a comma may separate events, too\n");
	ksft_test_result(parse("x:y-z+1.0_=event:0xfff") == 1 &&
			 is(&event[0], "x:y-z+1.0_", 0xfff, 0, 0, ""),
			 "a name may have the characters :, -, +, . and _\n");
}

static void test_fields(void)
{
	static const char *const texts[] = {
		"event:0x003,umask:0xff",
		"event:0x1c0,umask:0x07,cmask:0x02,inv,edge,os",
		"event:0x0c0,user,host,guest,counter:0x00",
		"software:context-switches", "tracepoint:321",
		"nb:event:0x1e0,umask:0x0f,pernode", "register:energy-pkg",
	};
	char text[RCR_EVENT_LEN];
	struct rcr_event_spec first;
	size_t i;

	ksft_test_result(parse("A=event:1,host,en,counter:5;B=event:2,guest") == 2 &&
			 event[0].flags == RCR_EVENT_HOST && event[0].counter == 5 &&
			 event[1].flags == RCR_EVENT_GUEST && event[1].counter == -1,
			 "host, guest, en and counter are parsed\n");
	ksft_test_result(parse("T=tracepoint:321") == 1 && event[0].config == 321 &&
			 event[0].type == RCR_EVENT_TRACEPOINT,
			 "a tracepoint has an id\n");
	ksft_test_result(parse("T=pmu:2,config:1") == -EINVAL &&
			 strstr(failure.reason, "write NAME=tracepoint:ID") &&
			 parse("T=tracepoint:1") == -EINVAL &&
			 strstr(failure.reason, "fires in every kernel function"),
			 "a tracepoint of the module itself is refused: %s\n", failure.reason);
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		parse(texts[i]);
		first = event[0];
		rcr_event_print(&first, text);
		ksft_test_result(!strcmp(text, texts[i]) && parse(text) == 1 &&
				 !memcmp(&first, &event[0], sizeof(first)),
				 "\"%s\" is printed as it was parsed\n", texts[i]);
	}
}

static void test_software(void)
{
	ksft_test_result(parse("CTX=software:context-switches;software:page-faults,A=event:1") == 3 &&
			 !strcmp(event[0].name, "CTX") && event[0].type == RCR_EVENT_SOFTWARE &&
			 event[0].config == 3 && !strcmp(event[1].name, "page-faults") &&
			 event[1].config == 2 && event[2].type == RCR_EVENT_HARDWARE,
			 "software events have perf's names\n");
	ksft_test_result(parse("X=software:nonsense") == -EINVAL &&
			 strstr(failure.reason, "unknown software event 'nonsense'"),
			 "an unknown tracepoint is refused: %s\n", failure.reason);
	ksft_test_result(parse("X=software:cpu-clock,umask:1") == -EINVAL,
			 "a software event has no fields: %s\n", failure.reason);
}

/* Events as rcrctl writes them from the sysfs files of the kernel's PMUs. */
static void test_pmu(void)
{
	static const char *const wrong[] = {
		"pmu:6", "A=pmu:0", "A=pmu:3", "A=pmu:4", "A=pmu:65536", "A=pmu:x", "A=pmu:6,umask:1", "A=pmu:6,os",
		"A=pmu:6,scope:board", "A=pmu:6,config:0x10000000000000000",
		"A=event:1,config:1", "A=event:1,scope:die",
	};
	char text[RCR_EVENT_LEN];
	struct rcr_event_spec first;
	size_t i;

	ksft_test_result(parse("E=pmu:21,config:0xffffffffffffffff,config2:3,scope:package,joules,slow;B=pmu:6") == 2 &&
			 event[0].type == RCR_EVENT_PMU && event[0].pmu == 21 &&
			 event[0].config == ~0ull && !event[0].config1 &&
			 event[0].config2 == 3 && event[0].scope == RCR_SCOPE_PACKAGE &&
			 event[0].flags == (RCR_EVENT_JOULES | RCR_EVENT_SLOW) &&
			 event[1].scope == RCR_SCOPE_CPU && !event[1].flags,
			 "an event of a kernel PMU has the attributes of perf_event_open()\n");
	first = event[0];
	rcr_event_print(&first, text);
	strcpy(text + strlen(text), " ");
	memmove(text + 2, text, strlen(text) + 1);
	memcpy(text, "E=", 2);
	ksft_test_result(parse(text) == 1 && !memcmp(&first, &event[0], sizeof(first)),
			 "an event is printed as it was parsed: %s\n", text);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ksft_test_result(parse(wrong[i]) == -EINVAL, "\"%s\" is refused: %s\n",
				 wrong[i], failure.reason);
}

static void test_refused(void)
{
	static const struct {
		const char *text;
		int error;
		const char *says;
	} cases[] = {
		{ "", -EINVAL, "no event" },
		{ " ;, ", -EINVAL, "no event" },
		{ "FOO", -EINVAL, "unknown event" },
		{ "FOO=", -EINVAL, "unknown event" },
		{ "umask:1", -EINVAL, "unknown event" },
		{ "A=umask:1", -EINVAL, "unknown event" },
		{ "A=event:", -EINVAL, "invalid number" },
		{ "A=event:zz", -EINVAL, "invalid number" },
		{ "A=event:-1", -EINVAL, "invalid number" },
		{ "A=event:0x10000", -EINVAL, "the maximum is 0xffff" },
		{ "A=event:99999999999", -EINVAL, "the maximum is 0xffff" },
		{ "A=event:99999999999999999999999", -EINVAL, "invalid number" },
		{ "A=event: 5", -EINVAL, "invalid number" },
		{ "A=event:1,umask:0x100000000", -EINVAL, "the maximum is 0xffffffff" },
		{ "A=event:1,cmask:256", -EINVAL, "the maximum is 0xff" },
		{ "A=event:1,int", -EINVAL, "unknown field" },
		{ "A=event:1,umask", -EINVAL, "unknown field" },
		{ "=event:1", -EINVAL, "invalid name" },
		{ "A=n b:event:1", -EINVAL, "unknown event" },
		{ "A=n.b:event:1", -EINVAL, "unknown processor unit" },
		{ "A=northbridge-in-15:event:1", -EINVAL, "unknown processor unit" },
		{ "a b=event:1", -EINVAL, "unknown event" },
		{ "a\"b=event:1", -EINVAL, "invalid name" },
		{ "../x=event:1", -EINVAL, "invalid name" },
		{ "A=event:1;A=event:2", -EEXIST, "is used twice" },
		{ "event:1;event:1", -EEXIST, "is used twice" },
		{ "event:1 event:2 event:3 event:4 event:5 event:6 event:7 event:8 event:9",
		  -ENOSPC, "the maximum is 8" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ksft_test_result(parse(cases[i].text) == cases[i].error &&
				 failure.error == cases[i].error &&
				 strstr(failure.reason, cases[i].says),
				 "\"%.30s\" is refused: %s\n", cases[i].text,
				 failure.reason);
}

static void test_long(void)
{
	char text[4096];

	memset(text, 'a', sizeof(text));
	memcpy(text + 63, "=event:1", 9);
	ksft_test_result(parse(text) == 1 && strlen(event[0].name) == 63,
			 "a name of 63 characters is accepted\n");
	memset(text, 'a', sizeof(text));
	memcpy(text + 64, "=event:1", 9);
	ksft_test_result(parse(text) == -EINVAL, "a name of 64 characters is refused\n");
	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = 0;
	ksft_test_result(parse(text) == -EINVAL && strstr(failure.reason, "too long"),
			 "a name of 4095 characters is refused as too long\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(5 + 10 + 3 + 14 + 27 + 3);
	test_accepted();
	test_fields();
	test_software();
	test_pmu();
	test_refused();
	test_long();
	ksft_finished();
}
