// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_marks.c - marks in a queue, printed as lines, and their effect on jobs.
 */
#include <stdlib.h>

#include "interval/jobs.h"
#include "ksft.h"
#include "format/marks.h"
#include "stream_maker.h"

#define OFFSET 1700000000000000000ll

static void put(struct marks *m, uint64_t time)
{
	char text[16];
	struct rcr_mark mark;

	snprintf(text, sizeof(text), "%u", (unsigned int)time);
	mark = make_mark(time, RCR_MARK_TEXT, text);
	if (!marks_add(m, &mark))
		ksft_exit_fail_msg("no memory\n");
}

/* Take all marks up to @until; return their number, or -1 if one is out of order. */
static int take(struct marks *m, uint64_t until, uint64_t *next)
{
	const struct rcr_mark *mark;
	int n = 0;

	while ((mark = marks_take(m, until))) {
		if (mark->time != (*next)++ || (unsigned int)atoi(mark->text) != mark->time)
			return -1;
		n++;
	}
	return n;
}

static void test_waiting(void)
{
	struct marks m = { };
	uint64_t time, next = 1;
	int taken = 0;

	ksft_test_result(!marks_take(&m, UINT64_MAX), "marks: an empty queue has none\n");
	for (time = 1; time <= 4; time++)
		put(&m, time);
	ksft_test_result(take(&m, 2, &next) == 2 && take(&m, 2, &next) == 0 &&
			 take(&m, 4, &next) == 2,
			 "marks wait for their time, inclusively\n");
	for (; time < 1000; time++) {
		put(&m, time);
		taken += time % 3 ? 0 : take(&m, time - 1, &next);
	}
	ksft_test_result(taken + take(&m, UINT64_MAX, &next) == 995,
			 "any number of marks are returned in order\n");
	marks_free(&m);
}

static bool text_is(const char *got, const char *expected)
{
	if (strcmp(got, expected))
		ksft_print_msg("got      %s# expected %s", got, expected);
	return !strcmp(got, expected);
}

static bool comment_is(const struct rcr_mark *mark, const char *expected)
{
	char line[512];
	FILE *f = fmemopen(line, sizeof(line), "w");

	mark_comment(f, mark, OFFSET);
	fclose(f);
	return text_is(line, expected);
}

static void test_lines(void)
{
	struct rcr_mark mark = make_mark(12345678901ull, RCR_MARK_END, "4711");

	ksft_test_result(comment_is(&mark, "# mark 1700000012.345678 end 4711\n"),
			 "a mark is a comment in csv, with the clock of the column time\n");
	mark.kind = RCR_MARK_VERDICT;
	strcpy(mark.text, "bandwidth contention llc/2 93");
	ksft_test_result(comment_is(&mark, "# mark 1700000012.345678 verdict bandwidth contention llc/2 93\n"),
			 "a verdict is a comment in csv, with all its words\n");
	mark.lost = 3;
	mark.kind = 77;
	strcpy(mark.text, "two\nlines, \033[2J");
	ksft_test_result(comment_is(&mark, "# mark 1700000012.345678 lost 3\n# mark 1700000012.345678 unknown two?lines, ?[2J\n"),
			 "lost marks are reported before the next mark, whose text is kept on one line\n");
}

static void say(struct jobs *j, enum rcr_mark_kind kind, const char *text, uint32_t lost)
{
	struct rcr_mark mark = make_mark(1, kind, text);

	mark.lost = lost;
	jobs_mark(j, &mark);
}

static void test_jobs(void)
{
	struct jobs j = { };

	say(&j, RCR_MARK_TEXT, "5", 0);
	say(&j, RCR_MARK_END, "5", 0);
	ksft_test_result(jobs_id(&j) == 0, "no job runs\n");
	say(&j, RCR_MARK_BEGIN, "1", 0);
	say(&j, RCR_MARK_BEGIN, "18446744073709551615", 0);
	ksft_test_result(jobs_id(&j) == UINT64_MAX, "the latest of two running jobs is current\n");
	say(&j, RCR_MARK_END, "18446744073709551615", 0);
	ksft_test_result(jobs_id(&j) == 1, "the previous job is current after the latest one has ended\n");
	say(&j, RCR_MARK_BEGIN, "2", 0);
	say(&j, RCR_MARK_BEGIN, "1", 0);
	say(&j, RCR_MARK_END, "2", 0);
	ksft_test_result(jobs_id(&j) == 1 && j.count == 1, "a job that begins again becomes the latest, without a duplicate\n");
	say(&j, RCR_MARK_TEXT, "x", 1);
	ksft_test_result(jobs_id(&j) == 0, "no job is current after marks were lost\n");
}

static void test_ids(void)
{
	static const char *const ids[] = {
		"18446744073709551616", "-1", "+1", " 1", "1 ", "0x10", "12_3", "job",
	};
	struct jobs j = { };
	unsigned int i, wrong = 0;
	char id[16];

	for (i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		say(&j, RCR_MARK_BEGIN, ids[i], 0);
		wrong += jobs_id(&j) != 0;
	}
	ksft_test_result(!wrong, "an id that is not a number is 0\n");
	for (i = 0; i < 3 * JOBS_MAX; i++) {
		snprintf(id, sizeof(id), "%u", i);
		say(&j, RCR_MARK_BEGIN, id, 0);
	}
	ksft_test_result(j.count == JOBS_MAX && jobs_id(&j) == 3 * JOBS_MAX - 1,
			 "jobs that never end are limited in number\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(3 + 3 + 5 + 2);
	test_waiting();
	test_lines();
	test_jobs();
	test_ids();
	ksft_finished();
}
