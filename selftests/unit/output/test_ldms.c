// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_ldms.c - totals in the layout of LDMS.
 */
#include <stdlib.h>

#include "config/node.h"
#include "parse/cpulist.h"
#include "interval/interval.h"
#include "ksft.h"
#include "format/format.h"
#include "stream_maker.h"
#include "interval/view.h"

static struct made_set set;
static struct intervals v;
static const struct view each;
static uint64_t job;

static void start(void)
{
	static const unsigned int cpu[] = { 0, 1, 3 };
	struct made_record r;
	unsigned int i;

	intervals_free(&v);
	set = make_set();
	set.counter[0].select = 85903603681;
	set.counter[1].select = 4391030;
	intervals_init(&v, &set.set, 10000000, NULL);
	for (i = 0; i < 6; i++) {
		r = make_sample(cpu[i % 3], i < 3 ? 100 : 110, i * 10, ~0ull - i);
		intervals_add(&v, &r.record.item);
	}
}

static bool text_is(const char *got, const char *expected)
{
	if (strcmp(got, expected))
		ksft_print_msg("got      %s# expected %s", got, expected);
	return !strcmp(got, expected);
}

static bool line_is(const char *expected)
{
	static const struct node node = { .producer = "nid00010", .component = 10, .has_component = true };
	char line[512];
	FILE *f = fmemopen(line, sizeof(line), "w");

	format_ldms.line(&(struct page){
		.out = f, .v = &v, .view = &each, .node = &node, .job = job,
	});
	fclose(f);
	return text_is(line, expected);
}

static void test_lines(void)
{
	char line[512];
	FILE *f = fmemopen(line, sizeof(line), "w");

	start();
	format_ldms.set(&(struct page){ .out = f, .v = &v, .view = &each });
	fclose(f);
	ksft_test_result(text_is(line,
				 "#Time,Time_usec,ProducerName,component_id,job_id,app_id,Ctr0_name,Ctr0_wctl0,Ctr0_c0,Ctr0_c1,Ctr0_c3,Ctr1_name,Ctr1_wctl0,Ctr1_c0,Ctr1_c1,Ctr1_c3\n"),
			 "the header has the columns of the sampled CPUs\n");
	ksft_test_result(line_is("1700000000.110000,110000,nid00010,10,0,0,CYC,85903603681,30,40,50,INS,4391030,18446744073709551612,18446744073709551611,18446744073709551610\n"),
			 "totals have 64 bits, and the control register is printed\n");
	job = ~0ull;
	ksft_test_result(line_is("1700000000.110000,110000,nid00010,10,18446744073709551615,0,CYC,85903603681,30,40,50,INS,4391030,18446744073709551612,18446744073709551611,18446744073709551610\n"),
			 "the running job is printed\n");
	job = 0;
	v.cpu[1].to.worst[0] = RCR_STATUS_HALTED;
	ksft_test_result(line_is("1700000000.110000,110000,nid00010,10,0,0,,0,0,0,0,INS,4391030,18446744073709551612,18446744073709551611,18446744073709551610\n"),
			 "a counter that is not ok has an empty name, control 0 and zeros\n");
	v.cpu[2].to.valid = false;
	ksft_test_result(line_is("1700000000.110000,110000,nid00010,10,0,0,,0,0,0,0,,0,0,0,0\n"),
			 "all names are empty if a CPU is silent\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(5);
	test_lines();
	intervals_free(&v);
	ksft_finished();
}
