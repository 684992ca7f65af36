// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_saved_lines.c - parses saved output: truncated after each byte, with damaged bytes; and
 * rates of totals.
 */
#include <math.h>
#include <stdlib.h>

#include "format/format.h"
#include "ksft.h"
#include "options.h"
#include "saved/saved.h"
#include "stream_maker.h"

static const char rates[] =
	"time,interval,lost,overruns,status,cpu0:CYC,cpu1:CYC,package0/die0:L3:sum,all:ipc:current,producer,component_id,tag.rack\n"
	"# note CYC: counts too much\n"
	"1700000001.000000,1,0,0,ok,100.5,200.0,7.0,0.612345,node17,17,4\n"
	"# mark 1700000001.500000 begin 4711\n"
	"1700000002.000000,1,3,4,cpu0:CYC=foreign;cpu1=gap,,,8.0,-1.5,node18,18,\n"
	"time,interval,lost,overruns,status,cpu0:INS\n"
	"1700000003.000000,0.5,0,0,ok,12345678901.2\n";

static const char totals[] =
	"#Time,Time_usec,ProducerName,component_id,job_id,app_id,Ctr0_name,Ctr0_wctl0,Ctr0_c0,Ctr0_c3,Ctr1_name,Ctr1_wctl0,Ctr1_n0\n"
	"1700000001.000000,0,host,0,0,0,CYC,4391030,1000,5000,L3,5,18446744073709551000\n"
	"1700000003.000000,0,host,0,0,0,CYC,4391030,3000,5000,L3,5,18446744073709551600\n"
	"1700000004.000000,0,host,0,0,0,,0,0,0,L3,5,18446744073709551601\n"
	"1700000005.000000,0,host,0,0,0,CYC,4391030,9000,9000,L3,5,10\n";

/* The result of parsing a text: its intervals and marks, and the sum of all numbers. */
struct gist {
	unsigned int intervals, marks, headers, wrong, known;
	double sum;
};

static struct saved saved;
static struct options options = { .all_cpus = true };

static struct gist take_text(const char *text, size_t length, FILE *out)
{
	struct gist g = { };
	struct why why;
	const char *end;
	unsigned int i;
	char *line;

	saved_free(&saved);
	memset(&saved, 0, sizeof(saved));
	for (; length && (end = memchr(text, '\n', length)); length -= end + 1 - text, text = end + 1) {
		line = strndup(text, end - text);
		switch (saved_take(&saved, line, &why)) {
		case SAVED_WRONG:
			g.wrong++;
			break;
		case SAVED_HEADER:
			g.headers++;
			break;
		case SAVED_MARK:
			saved_print_mark(out, line, &options);
			g.marks++;
			break;
		case SAVED_INTERVAL:
			g.intervals++;
			saved_print(out, &saved, &options, true);
			for (i = 0; i < saved.columns; i++) {
				g.known += saved.known[i];
				g.sum += saved.known[i] ? saved.value[i] : 0;
			}
			break;
		case SAVED_NOTHING:
			break;
		}
		free(line);
	}
	return g;
}

static unsigned int lines_in(const char *text, size_t length)
{
	unsigned int n = 0;

	while (length--)
		n += *text++ == '\n';
	return n;
}

/* A truncated text gives the complete lines of the whole text. */
static void test_cut(const char *name, const char *text, size_t length, FILE *out)
{
	unsigned int before = 0, right = 0;
	struct gist g, last = { };
	size_t bytes;

	for (bytes = 0; bytes <= length; bytes++) {
		g = take_text(text, bytes, out);
		right += !g.wrong && (lines_in(text, bytes) != before || !memcmp(&g, &last, sizeof(g)));
		before = lines_in(text, bytes);
		last = g;
	}
	ksft_test_result(right == length + 1, "saved: %s is parsed when truncated after each of %zu bytes\n", name, length);
}

static void test_rates(FILE *out)
{
	struct gist g = take_text(rates, strlen(rates), out);
	char status[32];

	ksft_test_result(g.intervals == 3 && g.marks == 1 && g.headers == 2 && g.known == 7 &&
			 fabs(g.sum - (100.5 + 200 + 7 + 0.612345 + 8 - 1.5 + 12345678901.2)) < 0.00001,
			 "saved: a cell has a rate unless it is empty\n");
	take_text(rates, strstr(rates, "time,interval,lost,overruns,status,cpu0:INS") - rates, out);
	ksft_test_result(!strcmp(saved_status(&saved, 0, status), "foreign") &&
			 !strcmp(saved_status(&saved, 1, status), "gap") &&
			 !strcmp(saved_status(&saved, 2, status), "ok") &&
			 !strcmp(saved.column[2].place, "package0/die0") &&
			 !strcmp(saved.column[2].stat, "sum"),
			 "saved: statuses and the parts of a name are read\n");
	ksft_test_result(saved.columns == 4 && saved.keys == 3 && saved.node.origin == NODE_GIVEN &&
			 !strcmp(saved.node.producer, "node18") && saved.node.component == 18 &&
			 !saved.node.tags,
			 "saved: the last columns are the identity of the line's node\n");
}

static void test_totals(FILE *out)
{
	struct gist g = take_text(totals, strlen(totals), out);

	/*
	 * Rates are known of both CPUs and the unit in the second line, and of the unit in the
	 * third.
	 */
	ksft_test_result(g.intervals == 3 && g.known == 4 && fabs(g.sum - (1000 + 0 + 300 + 1)) < 0.00001,
			 "saved: totals have rates, unless a name is missing or a total decreases\n");
	ksft_test_result(!strcmp(saved.column[1].place, "cpu3") && !strcmp(saved.column[1].event, "CYC") &&
			 !strcmp(saved.column[2].place, "unit0") && strstr(saved.status, "cpu0:CYC=gap"),
			 "saved: names of totals are read, and are empty if unknown\n");
}

static bool is_refused(const char *before, const char *line, const char *sentence, FILE *out)
{
	char *copy = strdup(line);
	struct why why = { };
	bool refused;

	take_text(before, strlen(before), out);
	refused = saved_take(&saved, copy, &why) == SAVED_WRONG && strstr(why.text, sentence);
	if (!refused)
		ksft_print_msg("'%s': '%s'\n", line, why.text);
	free(copy);
	return refused;
}

static void test_wrong(FILE *out)
{
	ksft_test_result(is_refused("", "1,1,0,0,ok,5", "no header", out) &&
			 is_refused(rates, "1,1,0,0,ok", "5 columns, where the header has 6", out) &&
			 is_refused(rates, "x,1,0,0,ok,5", "column 1 is not a number: 'x'", out) &&
			 is_refused(rates, "1,0,0,0,ok,5", "column 2 is not a number", out) &&
			 is_refused(rates, "1,1,-1,0,ok,5", "column 3 is not a number", out) &&
			 is_refused(rates, "1,1,0,0,ok,5e", "column 6 is not a number", out) &&
			 is_refused(rates, "1,1,0,0,ok,nan", "column 6 is not a number", out) &&
			 is_refused(totals, "1700000004.5,0,h,0,0,0,,0,0,0,L3,5,1", "not after", out) &&
			 is_refused(totals, "1700000009,0,h,0,0,0,,0,1.5,0,L3,5,1", "column 9 is not a number", out) &&
			 is_refused("", "time,interval,lost,overruns,status,cpu0", "no name of a counter", out),
			 "saved: invalid lines are refused with a reason\n");
}

/* A line with random bytes is either accepted or refused. */
static void test_random(FILE *out)
{
	static const char likely[] = ",:;=#\n.-019ceCtr_n";
	const struct format *const formats[] = { &format_csv, &format_json, &format_table };
	unsigned int i, n, wrong = 0;
	char text[1024];
	size_t length;

	for (i = 0; i < 20000; i++) {
		snprintf(text, sizeof(text), "%s", i % 2 ? rates : totals);
		length = strlen(text);
		options.format = formats[i % 3];
		for (n = random_number() % 6 + 1; n; n--)
			text[random_number() % length] = random_number() % 3 ?
				likely[random_number() % (sizeof(likely) - 1)] : (char)(1 + random_number() % 255);
		wrong += take_text(text, length, out).wrong > 0;
	}
	ksft_test_result(wrong > 1000, "saved: %u of 20000 damaged texts have invalid lines\n", wrong);
}

int main(void)
{
	FILE *out = fopen("/dev/null", "w");

	ksft_print_header();
	ksft_set_plan(9);
	options.format = &format_csv;
	test_cut("rates", rates, strlen(rates), out);
	test_cut("totals", totals, strlen(totals), out);
	test_rates(out);
	test_totals(out);
	test_wrong(out);
	test_random(out);
	saved_free(&saved);
	fclose(out);
	ksft_finished();
}
