// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_totals.c - counts while a command runs, and the list of its events.
 */
#include <stdlib.h>

#define MAKER_CPUS 4
#define MAKER_COUNTERS 3
#include "command/choice.h"
#include "command/totals.h"
#include "command/words.h"
#include "ksft.h"
#include "stream_maker.h"

static struct made_set set;
static struct intervals v;
static struct view view;
static struct totals totals;

/* Feed two samples of CPUs 0 to 2, 10 s apart; all counters grow by @count. */
static void measure(uint64_t count)
{
	unsigned int i, counter;
	struct made_record r;

	intervals_free(&v);
	view_free(&view);
	set = make_set();
	strcpy(set.counter[0].name, "TOT_CYC");
	strcpy(set.counter[1].name, "TOT_INS");
	strcpy(set.counter[2].name, "C");
	set.cpus[0] = 7;
	intervals_init(&v, &set.set, 1ull << 62, NULL);
	for (i = 0; i < 6; i++) {
		r = make_sample(i % 3, i < 3 ? 5000 : 15000, 0, 0);
		for (counter = 0; counter < 3; counter++)
			set_total(&r, counter, i < 3 ? 7 : 7 + count);
		intervals_add(&v, &r.record.item);
	}
	view_init(&view, &v, PER_CPU, "/");
}

static void test_counts(void)
{
	double ratio = 0;

	measure(1000000);
	v.cpu[0].to.total[1] += 1500000;
	v.cpu[1].to.worst[2] = RCR_STATUS_FOREIGN;
	totals = (struct totals){ };
	totals_add(&totals, &v, &view);
	ksft_test_result(totals.count == 3 && totals.total[0].count == 3000000 &&
			 totals.total[1].count == 4500000 && !totals.total[0].incomplete,
			 "totals: counts are from the first to the last sample of each CPU\n");
	ksft_test_result(totals.time > 9.99e9 && totals.time < 10.01e9 &&
			 total_rate(&totals.total[0]) > 299900 &&
			 total_rate(&totals.total[0]) < 300100,
			 "totals: a rate is the count divided by the time between these samples\n");
	ksft_test_result(totals_ratio(&totals, &ratio) && ratio > 1.4999 && ratio < 1.5001,
			 "totals: instructions per cycle are printed\n");
	ksft_test_result(totals.total[2].incomplete,
			 "totals: a counter that was interrupted on one CPU is incomplete\n");
	totals_add(&totals, &v, &view);
	ksft_test_result(totals.sets == 2 && totals.count == 3 &&
			 totals.total[0].count == 6000000 &&
			 total_rate(&totals.total[0]) > 299900 &&
			 total_rate(&totals.total[0]) < 300100,
			 "totals: counts of two sets are added up\n");
}

static void test_restart(void)
{
	struct made_record r;

	measure(1000);
	intervals_restart(&v);
	ksft_test_result(!v.cpu[0].to.valid && v.cpu[0].from.total[0] == 1007,
			 "totals: a measurement begins at the newest sample of each CPU\n");
	r = make_sample(0, 16000, 0, 0);
	set_total(&r, 0, 2007);
	intervals_add(&v, &r.record.item);
	totals = (struct totals){ };
	totals_add(&totals, &v, &view);
	ksft_test_result(totals.total[0].count == 1000 && totals.total[0].incomplete,
			 "totals: a CPU without a later sample leaves its count incomplete\n");
}

static bool are(const char *list, const char *expected)
{
	char text[512] = "";
	struct words w;
	struct why why;
	unsigned int i;

	if (words_split(&w, list, &why))
		snprintf(text, sizeof(text), "%s", why.text);
	else
		for (i = 0; i < w.count; i++)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s",
				 i ? " " : "", w.word[i]);
	words_free(&w);
	if (strcmp(text, expected))
		ksft_print_msg("%s: %s\n", list, text);
	return !strcmp(text, expected);
}

static void test_words(void)
{
	ksft_test_result(are("cycles", "cycles") && are("cycles,instructions", "cycles instructions") &&
			 are("A=event:0x03,umask:0xff,inv,B,event:1,os,counter:2",
			     "A=event:0x03,umask:0xff,inv B event:1,os,counter:2") &&
			 are("cpu/event=1,umask=2/,cycles", "cpu/event=1,umask=2/ cycles") &&
			 are("A=pmu:8,config:1,config1:2,scope:die,joules,B=event:2,en,C",
			     "A=pmu:8,config:1,config1:2,scope:die,joules B=event:2,en C") &&
			 are("inv,user", "inv user"),
			 "totals: a comma separates events, but not the fields of an event\n");
}

static void test_choice(void)
{
	struct choice c = {
		.chosen = true, .count = 1, .label = { "cycles" }, .counter = { "TOT_CYC" },
		.shown = { true }, .hold = -1,
	};

	measure(1000);
	v.chosen = choice_apply(&c, &set.set);
	totals = (struct totals){ };
	totals_add(&totals, &v, &view);
	ksft_test_result(v.chosen == 1 && totals.count == 1 &&
			 !strcmp(totals.total[0].name, "cycles"),
			 "totals: only chosen counters are printed, with the user's names\n");
	c.shown[0] = false;
	ksft_test_result(!choice_apply(&c, &set.set), "totals: counters that only a meter needs are not printed\n");
	c.chosen = false;
	ksft_test_result(choice_apply(&c, &set.set) == ~0u, "totals: all counters are chosen without -e\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(5 + 2 + 1 + 3);
	test_counts();
	test_restart();
	test_words();
	test_choice();
	intervals_free(&v);
	view_free(&view);
	ksft_finished();
}
