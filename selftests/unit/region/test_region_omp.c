// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_region_omp.c - the sections that the OpenMP tool library makes of OMPT events. One thread
 * plays the events of several threads, of barriers and of tasks.
 */
/* First, because it defines _GNU_SOURCE. */
#include "run/omp.c"
#include "ksft.h"

/* Log of calls: "+" and "-" with a letter begin and end the set of that letter. */
static char calls[64];
static char set_names[4][64];
static int sets, room = 3, refused;

int RCR_Initialize(int mode)
{
	return mode ? -1 : refused;
}

int RCR_Finalize(void)
{
	strcat(calls, ".");
	return 0;
}

int RCR_Set(const char *name)
{
	if (sets == room)
		return -1;
	strcpy(set_names[sets], name);
	return sets++;
}

static int note_call(char sign, int set)
{
	size_t length = strlen(calls);

	snprintf(calls + length, sizeof(calls) - length, "%c%c", sign, 'a' + set);
	return 0;
}

int RCR_Start(int set)
{
	return note_call('+', set);
}

int RCR_Stop(int set)
{
	return note_call('-', set);
}

/* Event numbers of the OpenMP specification, section 4.4.2. */
static ompt_function callbacks[24];

static int set_callback(int event, ompt_function callback)
{
	callbacks[event] = callback;
	return 5;
}

static void *find_function(const char *name)
{
	return strcmp(name, "ompt_set_callback") ? NULL : (void *)set_callback;
}

static void parallel_begins(union ompt_data *parallel, const void *code)
{
	begin_parallel(NULL, NULL, parallel, 2, 0, code);
}

static void thread_enters(union ompt_data *parallel, union ompt_data *task)
{
	change_implicit_task(OMPT_SCOPE_BEGIN, parallel, task, 2, 0, OMPT_TASK_IMPLICIT);
}

static void thread_leaves(union ompt_data *task)
{
	change_implicit_task(OMPT_SCOPE_END, NULL, task, 2, 0, OMPT_TASK_IMPLICIT);
}

static void thread_arrives(int kind, union ompt_data *parallel, union ompt_data *task,
			   const void *code)
{
	begin_barrier(kind, OMPT_SCOPE_BEGIN, parallel, task, code);
}

static void thread_switches(union ompt_data *prior, union ompt_data *next)
{
	switch_tasks(prior, 1, next);
}

static bool called(const char *text)
{
	bool same = !strcmp(calls, text);

	if (!same)
		ksft_print_msg("%s, not %s\n", calls, text);
	*calls = 0;
	return same;
}

/* code + 1 and the like are passed to the library as code addresses in this program. */
static const char code[8] = "";

static void test_region(void)
{
	union ompt_data parallel = { 0 }, first = { 0 }, other = { 0 };
	bool good;

	parallel_begins(&parallel, code + 1);
	thread_enters(&parallel, &first);
	thread_enters(&parallel, &other);
	thread_arrives(OMPT_BARRIER_IMPLICIT, &parallel, &first, code + 5);
	thread_arrives(3, &parallel, &other, NULL);
	good = called("+a+a");
	thread_arrives(OMPT_BARRIER_IMPLICIT, &parallel, &first, code + 1);
	thread_arrives(OMPT_BARRIER_IMPLICIT, &parallel, &other, NULL);
	good &= called("-a-a");
	thread_leaves(&first);
	thread_leaves(&other);
	ksft_test_result(called("") && good && !first.value && !other.value,
			 "region_omp: a section ends only at the barrier at the end of its region\n");

	parallel_begins(&parallel, code + 1);
	thread_enters(&parallel, &first);
	thread_arrives(OMPT_BARRIER_IMPLICIT_PARALLEL, &parallel, &first, code + 3);
	good = called("+a-a") && sets == 1;
	thread_enters(&parallel, &other);
	thread_leaves(&other);
	ksft_test_result(called("+a-a") && good && sets == 1,
			 "region_omp: a section ends at an implicit barrier of OpenMP 5.1, or at the end of its region\n");
}

static void test_nested(void)
{
	union ompt_data outer = { 0 }, inner = { 0 }, task = { 0 }, nested = { 0 };

	parallel_begins(&outer, code + 1);
	thread_enters(&outer, &task);
	parallel_begins(&inner, code + 2);
	thread_enters(&inner, &nested);
	thread_arrives(OMPT_BARRIER_IMPLICIT, &inner, &nested, code + 2);
	thread_leaves(&nested);
	thread_arrives(OMPT_BARRIER_IMPLICIT, &outer, &task, code + 1);
	thread_leaves(&task);
	ksft_test_result(called("+a+b-b-a") && sets == 2,
			 "region_omp: nested regions have their own sets\n");
}

static void test_tasks(void)
{
	union ompt_data parallel = { 0 }, task = { 0 }, explicit[2] = { 0 }, inner = { 0 },
		nested = { 0 };
	bool good;

	parallel_begins(&parallel, code + 1);
	thread_enters(&parallel, &task);
	thread_switches(&task, &explicit[0]);
	thread_switches(&explicit[0], &task);
	good = called("+a");
	thread_arrives(OMPT_BARRIER_IMPLICIT, &parallel, &task, NULL);
	thread_switches(&task, &explicit[0]);
	thread_switches(&explicit[0], &explicit[1]);
	parallel_begins(&inner, code + 2);
	thread_enters(&inner, &nested);
	thread_arrives(OMPT_BARRIER_IMPLICIT, &inner, &nested, code + 2);
	thread_leaves(&nested);
	thread_switches(&explicit[1], &task);
	thread_switches(&task, NULL);
	thread_switches(NULL, &task);
	thread_leaves(&task);
	ksft_test_result(called("-a+a+b-b-a+a-a") && good,
			 "region_omp: tasks that a thread executes while it waits at the end barrier are counted\n");
}

static void test_uncounted(void)
{
	union ompt_data parallel = { 0 }, task = { 0 };

	room = sets;
	parallel_begins(&parallel, code + 3);
	thread_enters(&parallel, &task);
	thread_arrives(OMPT_BARRIER_IMPLICIT, &parallel, &task, NULL);
	thread_leaves(&task);
	/* The thread that runs the program. */
	change_implicit_task(OMPT_SCOPE_BEGIN, NULL, &task, 1, 1, 1);
	ksft_test_result(called(""),
			 "region_omp: a region without room for its name is not counted, nor is code outside of regions\n");
	room = sets + 2;
	begin_parallel(NULL, NULL, &parallel, 2, 0x40000000, NULL);
	thread_enters(&parallel, &task);
	thread_leaves(&task);
	begin_parallel(NULL, NULL, &parallel, 2, 0x40000000, code + 4);
	thread_enters(&parallel, &task);
	thread_leaves(&task);
	ksft_test_result(called("") && sets + 2 == room,
			 "region_omp: a league of teams is not counted\n");
}

static void test_names(void)
{
	char expected[64];
	Dl_info info;

	/* The library names a call address by its offset in the program. */
	if (!dladdr(code, &info))
		info.dli_fbase = NULL;
	snprintf(expected, sizeof(expected), "omp %s+0x%tx", program_invocation_short_name,
		 code - (const char *)info.dli_fbase);
	ksft_test_result(!strcmp(set_names[0], expected),
			 "region_omp: a set is named after the program and the call address\n");
}

static void test_start(void)
{
	struct ompt_tool *tool = ompt_start_tool(201811, "test");
	bool good;

	refused = -1;
	good = !tool->initialize(find_function, 0, &tool->data) && !callbacks[3];
	refused = 0;
	good &= tool->initialize(find_function, 0, &tool->data) == 1 &&
		callbacks[3] == (ompt_function)begin_parallel &&
		callbacks[6] == (ompt_function)switch_tasks &&
		callbacks[7] == (ompt_function)change_implicit_task &&
		callbacks[23] == (ompt_function)begin_barrier;
	tool->finalize(&tool->data);
	ksft_test_result(called(".") && good,
			 "region_omp: four events are registered with the OpenMP library, or none if nothing can be counted\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(8);
	test_start();
	test_region();
	test_nested();
	test_tasks();
	test_uncounted();
	test_names();
	ksft_finished();
}
