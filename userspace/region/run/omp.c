// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * omp.c - librcrregion-omp.so: counts each parallel region of an OpenMP program as a set, on each
 * thread, through the tools interface of its OpenMP library (OMPT: OpenMP 5.0, chapter 4).
 *
 * A thread's section begins with its implicit task, and ends when the thread arrives at the barrier
 * at the end of the region: LLVM's library lets threads wait in that barrier until the next region.
 * Explicit tasks that are executed in the barrier are separate sections.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <inttypes.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/run_mode.h"

/* The used part of OMPT, as not all compilers have its header. */
union ompt_data {
	uint64_t value;
	void *ptr;
};

typedef void (*ompt_function)(void);
typedef int (*ompt_set_callback)(int event, ompt_function callback);
/* Looks up a function of OMPT. */
typedef void *(*ompt_lookup)(const char *name);

enum ompt_event {
	OMPT_PARALLEL_BEGIN	= 3,
	OMPT_TASK_SCHEDULE	= 6,
	OMPT_IMPLICIT_TASK	= 7,
	OMPT_SYNC_REGION	= 23,
};

#define OMPT_SCOPE_BEGIN	1
#define OMPT_SCOPE_END		2

/* Kinds of barriers: in 5.0 any implicit one; since 5.1 the one at the end of a region. */
#define OMPT_BARRIER_IMPLICIT		2
#define OMPT_BARRIER_IMPLICIT_PARALLEL	9

#define OMPT_TASK_IMPLICIT	2

/* Flag of a parallel region that is a league of teams: no threads work in it. */
#define OMPT_PARALLEL_LEAGUE	0x40000000

/* Parameters of callbacks that are not used here. */
#define OMPT_UNUSED __attribute__((unused))

struct ompt_tool {
	int (*initialize)(ompt_lookup lookup, int device, union ompt_data *data);
	void (*finalize)(union ompt_data *data);
	union ompt_data data;
};

/**
 * struct omp_place - a parallel region in the program
 * @code: return address of the call of the OpenMP library
 * @set: number of its set; negative: there is no room for its name
 * @next: the place that was added before
 */
struct omp_place {
	const void *code;
	int set;
	struct omp_place *next;
};

static struct omp_place *places;
static bool has_runtime;

/*
 * Flags in the data of an implicit task, and unit of the number of its set, above the flags. The
 * data of an explicit task is 0.
 */
#define TASK_COUNTED	1
#define TASK_JOINED	2
#define TASK_SET	4

/* Writes the address of the call in a form that addr2line(1) accepts. */
static void name_place(const void *code, char *name, size_t size)
{
	const char *file = "";
	uintptr_t call = (uintptr_t)code - 1;
	struct link_map *map = NULL;
	Dl_info info;

	if (dladdr1(code, &info, (void **)&map, RTLD_DL_LINKMAP) && map) {
		file = strrchr(info.dli_fname, '/');
		file = file ? file + 1 : info.dli_fname;
		call -= map->l_addr;
	}
	snprintf(name, size, "omp %.36s+0x%" PRIxPTR, file, call);
}

/* Finds or adds a place. Two threads may both add it, but RCR_Set() returns the same set. */
static struct omp_place *find_place(const void *code)
{
	struct omp_place *place = __atomic_load_n(&places, __ATOMIC_ACQUIRE);
	char name[64];

	for (; place; place = place->next)
		if (place->code == code)
			return place;
	place = malloc(sizeof(*place));
	if (!place)
		return NULL;
	name_place(code, name, sizeof(name));
	*place = (struct omp_place){ .code = code, .set = RCR_Set(name), .next = places };
	while (!__atomic_compare_exchange_n(&places, &place->next, place, false, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
	return place;
}

static void begin_parallel(OMPT_UNUSED union ompt_data *task, OMPT_UNUSED const void *frame,
			   union ompt_data *parallel, OMPT_UNUSED unsigned int threads,
			   int flags, const void *code)
{
	parallel->ptr = code && !(flags & OMPT_PARALLEL_LEAGUE) ? find_place(code) : NULL;
}

static int task_set(const union ompt_data *task)
{
	return task->value / TASK_SET;
}

static bool task_counts(const union ompt_data *task)
{
	return (task->value & (TASK_COUNTED | TASK_JOINED)) == TASK_COUNTED;
}

static bool task_joined(const union ompt_data *task)
{
	return task && task->value & TASK_JOINED;
}

/* OMPT callback: a thread enters or leaves a region. */
static void change_implicit_task(int endpoint, union ompt_data *parallel, union ompt_data *task,
				 OMPT_UNUSED unsigned int threads, OMPT_UNUSED unsigned int index,
				 int flags)
{
	const struct omp_place *place = parallel ? parallel->ptr : NULL;

	if (!(flags & OMPT_TASK_IMPLICIT))
		return;
	if (endpoint == OMPT_SCOPE_END) {
		if (task_counts(task))
			RCR_Stop(task_set(task));
		task->value = 0;
	} else if (place && place->set >= 0) {
		task->value = (uint64_t)place->set * TASK_SET + TASK_COUNTED;
		RCR_Start(place->set);
	}
}

/*
 * OMPT callback: a thread arrives at a barrier. At the end of a region, the code address is that of
 * the region on the first thread, and NULL on others.
 */
static void begin_barrier(int kind, int endpoint, union ompt_data *parallel,
			  union ompt_data *task, const void *code)
{
	const struct omp_place *place = parallel ? parallel->ptr : NULL;

	if (endpoint != OMPT_SCOPE_BEGIN || !place || !task || !task_counts(task))
		return;
	if (kind != OMPT_BARRIER_IMPLICIT_PARALLEL &&
	    (kind != OMPT_BARRIER_IMPLICIT || (code && code != place->code)))
		return;
	RCR_Stop(task_set(task));
	task->value |= TASK_JOINED;
}

/* OMPT callback: a thread that waits at the end of a region begins or ends an explicit task. */
static void switch_tasks(union ompt_data *prior, OMPT_UNUSED int status, union ompt_data *next)
{
	if (task_joined(prior))
		RCR_Start(task_set(prior));
	if (task_joined(next))
		RCR_Stop(task_set(next));
}

static int initialize_tool(ompt_lookup lookup, OMPT_UNUSED int device,
			   OMPT_UNUSED union ompt_data *data)
{
	ompt_set_callback set = (ompt_set_callback)lookup("ompt_set_callback");

	has_runtime = true;
	if (!set || RCR_Initialize(run_mode()))
		return 0;
	set(OMPT_PARALLEL_BEGIN, (ompt_function)begin_parallel);
	set(OMPT_IMPLICIT_TASK, (ompt_function)change_implicit_task);
	set(OMPT_SYNC_REGION, (ompt_function)begin_barrier);
	set(OMPT_TASK_SCHEDULE, (ompt_function)switch_tasks);
	return 1;
}

static void finalize_tool(OMPT_UNUSED union ompt_data *data)
{
	RCR_Finalize();
}

static void print_omp_line(const char *why)
{
	fprintf(stderr, "rcrregion: %s\n", why);
}

/* OpenMP only reads OMP_TOOL_LIBRARIES if there is no such function: warn that it is ignored. */
static struct ompt_tool *start_omp_tool(OMPT_UNUSED unsigned int version,
					OMPT_UNUSED const char *runtime)
{
	static struct ompt_tool tool = { initialize_tool, finalize_tool, { 0 } };
	const char *others = getenv("OMP_TOOL_LIBRARIES");

	if (others && *others)
		print_omp_line("the tools of OMP_TOOL_LIBRARIES are not started: OpenMP supports one tool at a time");
	return &tool;
}

/* An OpenMP library looks up this name when it starts. */
struct ompt_tool *ompt_start_tool(unsigned int version, const char *runtime)
	__attribute__((alias("start_omp_tool")));

static bool is_omp_loaded(const char *name)
{
	void *library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);

	if (library)
		dlclose(library);
	return library;
}

/* Reports why regions are missing; in particular, GCC's library does not support tools. */
__attribute__((destructor))
static void report_no_tools(void)
{
	const char *tool = getenv("OMP_TOOL");

	if (has_runtime)
		return;
	if (is_omp_loaded("libgomp.so.1"))
		print_omp_line("OpenMP regions are not counted: libgomp has no interface for tools; link the program with LLVM's libomp");
	else if (!is_omp_loaded("libomp.so.5") && !is_omp_loaded("libiomp5.so"))
		return;
	else if (tool && !strcasecmp(tool, "disabled"))
		print_omp_line("OpenMP regions are not counted: OMP_TOOL is disabled");
	else if (dlsym(RTLD_DEFAULT, "ompt_start_tool") != (void *)start_omp_tool)
		print_omp_line("OpenMP regions are not counted: the program has another tool of OpenMP");
}
