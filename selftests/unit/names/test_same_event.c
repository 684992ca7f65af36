// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_same_event.c - which events are the same, by all of their fields.
 */
#include "ksft.h"
#include "meters.h"

/* Events that differ in one field, and would be counted differently. */
static const char *const different[] = {
	"event:0x76", "event:0x176", "event:0x76,umask:1", "event:0x76,umask:0x1000000",
	"event:0x76,cmask:1", "event:0x76,cmask:1,inv", "event:0x76,cmask:2", "event:0x76,edge",
	"event:0x76,os", "event:0x76,user", "event:0x76,host", "event:0x76,guest",
	"event:0x76,slow", "nb:event:0x76", "nb:event:0x76,pernode", "cha0:event:0x76",
	"cha1:event:0x76", "cha0:event:0x76,filter:1", "cha0:event:0x76,filter:2",
	"cha0:event:0x76,filter1:1", "pmu:8,config:1", "pmu:9,config:1", "pmu:8,config:1,config1:1",
	"pmu:8,config:1,config2:1", "pmu:8,config:1,scope:die", "pmu:8,config:1,joules",
	"software:page-faults", "software:context-switches", "tracepoint:5", "register:aperf",
};

#define DIFFERENT (sizeof(different) / sizeof(different[0]))

static const struct {
	const char *a;
	const char *b;
} same[] = {
	{ "A=event:0x76", "B=event:118,umask:0" },
	{ "A=event:0x76,os,user", "event:0x076" },
	{ "A=event:0x76,inv,cmask:1", "event:0x076,cmask:0x01,inv" },
	{ "A=pmu:8,scope:die,config:0x1", "pmu:8,config:1,scope:die" },
	{ "A=core:event:0x76", "event:0x76" },
	{ "cha0:event:0x34,filter:0x20000", "X=cha0:event:0x34,filter:131072" },
};

int main(void)
{
	unsigned int i, j, wrong = 0;
	bool all = true;

	ksft_print_header();
	ksft_set_plan(3);
	for (i = 0; i < DIFFERENT; i++)
		for (j = 0; j < DIFFERENT; j++) {
			bool wanted = i == j;

			if (meter_same_event(different[i], different[j]) == wanted &&
			    meter_same_count(different[i], different[j]) == wanted)
				continue;
			ksft_print_msg("%s, %s\n", different[i], different[j]);
			wrong++;
		}
	ksft_test_result(!wrong, "same: events that differ in any field are not the same\n");
	for (i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		all &= meter_same_event(same[i].a, same[i].b) && meter_same_count(same[i].a, same[i].b);
	ksft_test_result(all, "same: name, order and notation do not matter\n");
	ksft_test_result(!meter_same_event("event:0x76,counter:2", "event:0x76") &&
			 meter_same_count("event:0x76,counter:2", "event:0x76,counter:3") &&
			 !meter_same_count("event:0x76,counter:2", "event:0x77,counter:2"),
			 "same: events on different counters differ, but count the same\n");
	ksft_finished();
}
