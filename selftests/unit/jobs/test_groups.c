// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_groups.c - which control groups belong to a job, in a fake tree of control groups.
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

/* Make a group; return its id. */
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
			 "groups: all descendants of a job's group belong to the job\n");
	ksft_test_result(task_is(b, leaf, ESTIMATES_OTHER) && task_is(a, b, ESTIMATES_OTHER) &&
			 task_is(a, other, ESTIMATES_OTHER) && task_is(step, a, ESTIMATES_OTHER) &&
			 task_is(a, top, ESTIMATES_OTHER),
			 "groups: groups of other jobs, of no job, and above the job do not belong to it\n");
	ksft_test_result(groups_task(&groups, a, &idle) == ESTIMATES_IDLE,
			 "groups: a sample of an idle CPU belongs to no job\n");
	ksft_test_result(task_is(a, 0, ESTIMATES_UNSURE), "groups: a sample without a group is unsure\n");
}

static void test_later(void)
{
	uint64_t job = make_group("job_3"), step, gone;

	groups_renew(&groups);
	task_is(job, 1, ESTIMATES_UNSURE);
	step = make_group("job_3/step_1");
	ksft_test_result(task_is(job, step, ESTIMATES_UNSURE),
			 "groups: a group made after the tree was read is unsure until the next read\n");
	groups_renew(&groups);
	ksft_test_result(task_is(job, step, ESTIMATES_OWN), "groups: the next read finds a new group\n");
	gone = make_group("job_3/step_2");
	rmdir(path_of("job_3/step_2"));
	groups_renew(&groups);
	ksft_test_result(task_is(job, gone, ESTIMATES_UNSURE),
			 "groups: a group removed before the read is unsure\n");
	rmdir(path_of("job_3/step_1"));
	groups_renew(&groups);
	ksft_test_result(task_is(job, step, ESTIMATES_OWN), "groups: a group removed after the read stays known\n");
}

/* More groups than the table holds. */
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
			 "groups: groups that do not fit in the table are unsure\n");
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
