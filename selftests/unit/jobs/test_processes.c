// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_processes.c - which processes belong to rcrjob's command, in a fake process table.
 */
#include "ksft.h"
#include "rcrjob/processes.c"

#define COMMAND 1000
/* A process that does not belong to the command; its parent is 1. */
#define OTHER 20
#define GROUP 7

static struct {
	uint64_t pid;
	uint64_t parent;
	uint64_t start;
} table[100];

static unsigned int count;
static struct processes *processes;

bool process_has_numbers(void)
{
	return true;
}

bool process_read(uint64_t pid, uint64_t *parent, uint64_t *start)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (table[i].pid == pid) {
			*parent = table[i].parent;
			*start = table[i].start;
			return true;
		}
	return false;
}

static void add_process(uint64_t pid, uint64_t parent, uint64_t start)
{
	table[count].pid = pid;
	table[count].parent = parent;
	table[count++].start = start;
}

/* Start over: rcrjob has started the command at 500, in GROUP. */
static void restart_processes(void)
{
	processes_close(processes);
	count = 0;
	add_process(getpid(), 900, 400);
	add_process(COMMAND, getpid(), 500);
	add_process(OTHER, 1, 10);
	add_process(900, 1, 10);
	processes = processes_open();
	processes->cgroup = GROUP;
	processes_renew(processes, COMMAND);
}

static bool process_is(uint32_t pid, uint64_t cgroup, enum estimates_task task)
{
	struct rcr_record r = { .tgid = pid, .cgroup = cgroup };

	return processes_find(processes, COMMAND, &r) == task;
}

static void test_family(void)
{
	struct rcr_record idle = { .item = { .flags = RCR_RECORD_IDLE } };
	unsigned int i;

	restart_processes();
	add_process(1001, COMMAND, 600);
	add_process(1002, 1001, 700);
	add_process(1003, getpid(), 700);
	ksft_test_result(process_is(COMMAND, GROUP, ESTIMATES_OWN) && process_is(1001, GROUP, ESTIMATES_OWN) &&
			 process_is(1002, GROUP, ESTIMATES_OWN) && process_is(1003, GROUP, ESTIMATES_OWN),
			 "processes: the command, its descendants and its orphans belong to it\n");
	ksft_test_result(process_is(OTHER, GROUP, ESTIMATES_OTHER) && process_is(getpid(), GROUP, ESTIMATES_OTHER) &&
			 process_is(900, GROUP, ESTIMATES_OTHER) && process_is(0, GROUP, ESTIMATES_UNSURE) &&
			 processes_find(processes, COMMAND, &idle) == ESTIMATES_IDLE,
			 "processes: other processes, rcrjob and its ancestors do not belong to the command\n");
	restart_processes();
	add_process(1001, getpid(), 450);
	add_process(1002, 1001, 600);
	ksft_test_result(process_is(1001, GROUP, ESTIMATES_OTHER) && process_is(1002, GROUP, ESTIMATES_OTHER),
			 "processes: children that rcrjob had before the command do not belong to it\n");
	restart_processes();
	for (i = 0; i < 80; i++)
		add_process(2000 + i, i ? 1999 + i : OTHER, 600);
	ksft_test_result(process_is(2010, GROUP, ESTIMATES_OTHER) && process_is(2079, GROUP, ESTIMATES_UNSURE),
			 "processes: a process with too many ancestors is unsure\n");
}

static void test_ended(void)
{
	restart_processes();
	ksft_test_result(process_is(3000, GROUP, ESTIMATES_UNSURE) && process_is(3001, GROUP + 1, ESTIMATES_OTHER),
			 "processes: a process that ended is unsure only in the command's cgroup\n");
	add_process(1001, COMMAND, 600);
	ksft_test_result(process_is(1001, GROUP + 2, ESTIMATES_OWN) && process_is(3002, GROUP + 1, ESTIMATES_UNSURE),
			 "processes: a process that ended is unsure in any cgroup if the command left its own\n");
	restart_processes();
	process_is(3001, GROUP + 1, ESTIMATES_OTHER);
	process_is(3002, GROUP, ESTIMATES_UNSURE);
	add_process(3001, COMMAND, 600);
	add_process(3002, OTHER, 600);
	processes_renew(processes, COMMAND);
	process_is(3001, GROUP, ESTIMATES_UNSURE);
	process_is(3002, GROUP, ESTIMATES_UNSURE);
	ksft_test_result(process_is(3001, GROUP, ESTIMATES_OWN) && process_is(3002, GROUP, ESTIMATES_OTHER),
			 "processes: a new process is found after its id was not in the table\n");
	count -= 1;
	add_process(3002, COMMAND, 700);
	processes_renew(processes, COMMAND);
	ksft_test_result(process_is(3002, GROUP, ESTIMATES_UNSURE) && process_is(3002, GROUP, ESTIMATES_OWN) &&
			 process_is(COMMAND, GROUP, ESTIMATES_OWN),
			 "processes: a new process that reuses an id is found by its start time\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(8);
	test_family();
	test_ended();
	processes_close(processes);
	ksft_finished();
}
