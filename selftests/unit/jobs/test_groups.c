// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_groups.c - control groups below that of a job, in a tree of directories of this test.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ksft.h"
#include "runs/groups.h"

static struct groups groups;
static char root[32];

static const char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	return path;
}

/* Make a group; returns its id. */
static uint64_t make_group(const char *name)
{
	struct stat st = { };

	mkdir(path_of(name), 0755);
	stat(path_of(name), &st);
	return st.st_ino;
}

static bool task_is(uint64_t job, uint64_t cgroup, enum estimates_task task)
{
	struct rcr_record r = { .cgroup = cgroup };

	return groups_task(&groups, job, &r) == task;
}

static void test_tree(void)
{
	uint64_t a = make_group("job_1"), b = make_group("job_2"), step = make_group("job_1/step_0");
	uint64_t leaf = make_group("job_1/step_0/user"), other = make_group("system");
	uint64_t top = make_group("");
	struct rcr_record idle = { .cgroup = leaf, .item = { .flags = RCR_RECORD_IDLE } };

	ksft_test_result(task_is(a, a, ESTIMATES_OWN) && task_is(a, step, ESTIMATES_OWN) &&
			 task_is(a, leaf, ESTIMATES_OWN),
			 "groups: those below a job's are its own, at any depth\n");
	ksft_test_result(task_is(b, leaf, ESTIMATES_OTHER) && task_is(a, b, ESTIMATES_OTHER) &&
			 task_is(a, other, ESTIMATES_OTHER) && task_is(step, a, ESTIMATES_OTHER) &&
			 task_is(a, top, ESTIMATES_OTHER),
			 "groups: those of other jobs, of none, and above it are not\n");
	ksft_test_result(groups_task(&groups, a, &idle) == ESTIMATES_IDLE,
			 "groups: an idle CPU ran no task of it\n");
	ksft_test_result(task_is(a, 0, ESTIMATES_UNSURE), "groups: a sample without a group is unsure\n");
}

static void test_later(void)
{
	uint64_t job = make_group("job_3"), step, gone;

	groups_renew(&groups);
	task_is(job, 1, ESTIMATES_UNSURE);
	step = make_group("job_3/step_1");
	ksft_test_result(task_is(job, step, ESTIMATES_UNSURE),
			 "groups: they are read once for the samples that have come\n");
	groups_renew(&groups);
	ksft_test_result(task_is(job, step, ESTIMATES_OWN), "groups: one that is new is found the next time\n");
	gone = make_group("job_3/step_2");
	rmdir(path_of("job_3/step_2"));
	groups_renew(&groups);
	ksft_test_result(task_is(job, gone, ESTIMATES_UNSURE),
			 "groups: one that was removed before it was read is unsure\n");
	rmdir(path_of("job_3/step_1"));
	groups_renew(&groups);
	ksft_test_result(task_is(job, step, ESTIMATES_OWN), "groups: one that was removed later is known\n");
}

/* More than are known at once. */
static void test_many(void)
{
	char name[32];
	unsigned int i;
	uint64_t job = make_group("job_4"), first = 0, last = 0;

	for (i = 0; i < GROUPS_MOST + 10; i++) {
		snprintf(name, sizeof(name), "job_4/%u", i);
		last = make_group(name);
		first = i ? first : last;
	}
	for (i = 0; i < 3; i++) {
		groups_renew(&groups);
		task_is(job, last, ESTIMATES_OWN);
		task_is(job, first, ESTIMATES_OWN);
	}
	ksft_test_result(groups.count <= GROUPS_MOST && !task_is(job, last, ESTIMATES_OTHER) &&
			 !task_is(job, first, ESTIMATES_OTHER),
			 "groups: of too many some are unsure, and none is taken for another's\n");
}

int main(void)
{
	char command[64];

	ksft_print_header();
	ksft_set_plan(9);
	strcpy(root, "/tmp/groups.XXXXXX");
	if (!mkdtemp(root))
		return EXIT_FAILURE;
	groups.root = root;
	test_tree();
	test_later();
	test_many();
	groups_free(&groups);
	snprintf(command, sizeof(command), "rm -r %s", root);
	if (system(command))
		return EXIT_FAILURE;
	ksft_finished();
}
