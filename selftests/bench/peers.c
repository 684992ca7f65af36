// SPDX-License-Identifier: GPL-2.0-only
/*
 * peers.c - peers KIND: counts the instructions of a pair of calls around an empty section with six
 * events, including the kernel's, in a guest whose time stamp counter counts instructions. Prints
 * the median and the minimum of 1,000 pairs, after 100 pairs to warm up.
 *
 *	region		RCR_Start(), RCR_Stop()
 *	papi		PAPI_read() twice
 *	papi_hl		PAPI_hl_region_begin(), PAPI_hl_region_end()
 *	likwid		LIKWID_MARKER_START, LIKWID_MARKER_STOP, under likwid-perfctr -m
 *	nothing		no calls: the cost of the measurement
 *
 * Loads the libraries by name, so that it is compiled without their headers.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS	6
#define PAIRS	1000
#define FIRST	100

static uint64_t tsc(void)
{
	uint64_t low, high;

	asm volatile("lfence; rdtsc; lfence" : "=a"(low), "=d"(high) : : "memory");
	return high << 32 | low;
}

static void *need(void *library, const char *name)
{
	void *function = library ? dlsym(library, name) : NULL;

	if (!function) {
		fprintf(stderr, "peers: %s: %s\n", name, dlerror());
		exit(1);
	}
	return function;
}

static void fail_if(int error, const char *what)
{
	if (error) {
		fprintf(stderr, "peers: %s failed: %d\n", what, error);
		exit(1);
	}
}

typedef void (*call_of_nothing)(void);

static int set;
static int (*start_set)(int set);
static int (*stop_set)(int set);
static int (*papi_read)(int set, long long *values);
static int (*call_begin)(const char *name);
static int (*call_end)(const char *name);
static long long counts[2][EVENTS];

static void pair_of_region(void)
{
	start_set(set);
	stop_set(set);
}

static void pair_of_papi(void)
{
	papi_read(set, counts[0]);
	papi_read(set, counts[1]);
}

static void pair_of_names(void)
{
	call_begin("section");
	call_end("section");
}

static void pair_of_nothing(void)
{
	asm volatile("");
}

static void *begin_region(void)
{
	void *library = dlopen("librcrregion.so.1", RTLD_NOW);
	int (*begin)(int mode) = need(library, "RCR_Initialize");

	start_set = need(library, "RCR_Start");
	stop_set = need(library, "RCR_Stop");
	/* The mode memory has six events. */
	fail_if(begin(2), "RCR_Initialize");
	set = 1;
	return pair_of_region;
}

/* PAPI_VER_CURRENT in papi.h of version 7. */
#define PAPI_VERSION	0x07000000

static void *begin_papi(void)
{
	static const char *const events[EVENTS] = {
		"CPU_CLK_UNHALTED", "RETIRED_INSTRUCTIONS", "RETIRED_BRANCH_INSTRUCTIONS",
		"RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", "RETIRED_TAKEN_BRANCH_INSTRUCTIONS",
		"RETIRED_UOPS",
	};
	void *library = dlopen("libpapi.so.7.0", RTLD_NOW);
	int (*begin)(int version) = need(library, "PAPI_library_init");
	int (*create)(int *set) = need(library, "PAPI_create_eventset");
	int (*add)(int set, const char *name) = need(library, "PAPI_add_named_event");
	int (*start)(int set) = need(library, "PAPI_start");
	unsigned int i;

	papi_read = need(library, "PAPI_read");
	fail_if(begin(PAPI_VERSION) != PAPI_VERSION, "PAPI_library_init");
	set = -1;
	fail_if(create(&set), "PAPI_create_eventset");
	for (i = 0; i < EVENTS; i++)
		fail_if(add(set, events[i]), events[i]);
	fail_if(start(set), "PAPI_start");
	return pair_of_papi;
}

static void *begin_papi_hl(void)
{
	void *library = dlopen("libpapi.so.7.0", RTLD_NOW);

	call_begin = need(library, "PAPI_hl_region_begin");
	call_end = need(library, "PAPI_hl_region_end");
	return pair_of_names;
}

static void *begin_likwid(void)
{
	void *library = dlopen("liblikwid.so", RTLD_NOW);
	call_of_nothing begin = need(library, "likwid_markerInit");

	call_begin = need(library, "likwid_markerStartRegion");
	call_end = need(library, "likwid_markerStopRegion");
	begin();
	return pair_of_names;
}

static void *begin_nothing(void)
{
	return pair_of_nothing;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void *(*begin)(void);
	} kinds[] = {
		{ "region", begin_region }, { "papi", begin_papi }, { "papi_hl", begin_papi_hl },
		{ "likwid", begin_likwid }, { "nothing", begin_nothing },
	};
	static uint64_t took[PAIRS];
	void (*pair)(void) = NULL;
	unsigned int i;
	uint64_t begin;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (argc == 2 && !strcmp(argv[1], kinds[i].name))
			pair = kinds[i].begin();
	if (!pair)
		return 2;
	for (i = 0; i < FIRST; i++)
		pair();
	for (i = 0; i < PAIRS; i++) {
		begin = tsc();
		pair();
		took[i] = tsc() - begin;
	}
	qsort(took, PAIRS, sizeof(*took), compare);
	printf("%s %lu %lu\n", argv[1], took[PAIRS / 2], took[0]);
	return 0;
}
