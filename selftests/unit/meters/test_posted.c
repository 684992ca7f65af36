// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_posted.c - values of posted meters, checked with a log of all posts.
 */
#include <stdlib.h>

#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/rcrtool.h>

#include "ksft.h"
#include "meter/value.h"

#define POSTS 20000

static struct post {
	u64 time;
	s64 val;
} posts[POSTS];

static struct rcr_posted posted;
static unsigned int wrong;

static void compare(const char *what, s64 got, s64 want)
{
	if (got != want && ++wrong <= 10)
		ksft_print_msg("%s is %lld, not %lld\n", what, got, want);
}

/* Compute the expected value from the posts of the last sixteen parts, beginning with @first. */
static void judge(unsigned int first, unsigned int n, u64 part, const struct rcr_board_value *v)
{
	u64 id = posts[n].time / part, begin = posts[n].time;
	s64 sum = 0, peak = posts[n].val, highest = posts[first].val;
	unsigned int i, count = 0;

	for (i = first; i <= n; i++) {
		highest = max(highest, posts[i].val);
		if (posts[i].time / part + RCR_POSTED_PARTS <= id)
			continue;
		begin = min(begin, posts[i].time);
		peak = max(peak, posts[i].val);
		sum += posts[i].val;
		count++;
	}
	compare("current", v->current_value, posts[n].val);
	compare("sum", v->sum, sum);
	compare("average", v->average, sum / (s64)count);
	compare("peak", v->peak, peak);
	compare("highest", v->highest, highest);
	compare("time", v->time, posts[n].time);
	compare("begin", v->begin, begin);
	compare("counted", v->counted_ns, posts[n].time - begin);
	compare("status", v->status, RCR_STATUS_OK);
}

static void test_posts(const char *what, u64 scale, u64 gap)
{
	u64 now = 1000000000 + rand() % 1000000, part = max_t(u64, scale / 16, 1);
	unsigned int n, first = 0, before = wrong;
	struct rcr_board_value v;

	rcr_posted_reset(&posted);
	for (n = 0; n < POSTS / 10; n++) {
		if (n && !(rand() % 500)) {
			rcr_posted_reset(&posted);
			first = n;
		}
		now += rand() % 50 ? rand() % gap : 20 * scale;
		posts[n] = (struct post){ now, rand() % 2000001 - 1000000 };
		rcr_posted_add(&posted, scale, posts[n].val, now, &v);
		judge(first, n, part, &v);
	}
	ksft_test_result(wrong == before, "posted: values agree with the log: %s\n", what);
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(3);
	srand(7);
	test_posts("several posts per part", 1000000, 30000);
	test_posts("posts several parts apart", 1000000, 300000);
	test_posts("a time scale of nanoseconds", 7, 10);
	ksft_finished();
}
