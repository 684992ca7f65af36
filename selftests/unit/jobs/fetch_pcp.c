// SPDX-License-Identifier: GPL-2.0-only
/*
 * fetch_pcp.c - fetches metrics of a pmcd, for tests of pmdarcr.
 *
 *	fetch_pcp HOST COUNT PAUSE_MS NAME...
 *
 * Fetches all metrics below the names in one request, COUNT times at random moments, up to PAUSE_MS
 * apart, and prints a line "FETCH METRIC INSTANCE VALUE" for each value. With "time" in place of
 * PAUSE_MS it prints the mean time of a fetch, us.
 */
#include <pcp/pmapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST 4096

static unsigned int metrics;
static const char *name[MOST];
static pmID pmid[MOST];
static pmDesc desc[MOST];

static void check_pcp(int status, const char *what)
{
	if (status >= 0)
		return;
	fprintf(stderr, "fetch_pcp: %s: %s\n", what, pmErrStr(status));
	exit(EXIT_FAILURE);
}

static void add_name(const char *each)
{
	if (metrics < MOST)
		name[metrics++] = strdup(each);
}

static void find_metrics(void)
{
	unsigned int i;

	check_pcp(pmLookupName(metrics, name, pmid), "names");
	for (i = 0; i < metrics; i++)
		check_pcp(pmLookupDesc(pmid[i], &desc[i]), name[i]);
}

/* Instance names of one domain; looking up each name would need a request of its own. */
static struct {
	pmInDom indom;
	int count;
	int *inst;
	char **name;
} names = { .indom = PM_INDOM_NULL };

static void forget_names(void)
{
	free(names.inst);
	free(names.name);
	names.inst = NULL;
	names.name = NULL;
	names.indom = PM_INDOM_NULL;
}

/* Return the name of an instance, which is most likely the one at @at. */
static const char *instance_name(unsigned int i, int inst, int at)
{
	int n;

	if (names.indom != desc[i].indom) {
		forget_names();
		names.count = pmGetInDom(desc[i].indom, &names.inst, &names.name);
		check_pcp(names.count, name[i]);
		names.indom = desc[i].indom;
	}
	if (at < names.count && names.inst[at] == inst)
		return names.name[at];
	for (n = 0; n < names.count; n++)
		if (names.inst[n] == inst)
			return names.name[n];
	check_pcp(PM_ERR_INST, name[i]);
	return NULL;
}

static void print_value(unsigned int fetch, unsigned int i, const pmValueSet *set, int n)
{
	const char *instance = NULL;
	pmAtomValue atom;

	if (desc[i].indom != PM_INDOM_NULL)
		instance = instance_name(i, set->vlist[n].inst, n);
	check_pcp(pmExtractValue(set->valfmt, &set->vlist[n], desc[i].type, &atom, desc[i].type),
		  name[i]);
	printf("%u %s %s ", fetch, name[i], instance ? instance : "-");
	switch (desc[i].type) {
	case PM_TYPE_U32:
		printf("%u\n", atom.ul);
		break;
	case PM_TYPE_U64:
		printf("%llu\n", (unsigned long long)atom.ull);
		break;
	case PM_TYPE_DOUBLE:
		printf("%.17g\n", atom.d);
		break;
	case PM_TYPE_STRING:
		printf("%s\n", atom.cp);
		free(atom.cp);
		break;
	default:
		printf("?\n");
	}
}

static void fetch_once(unsigned int fetch)
{
	pmResult *result;
	unsigned int i;
	int n;

	forget_names();
	check_pcp(pmFetch(metrics, pmid, &result), "fetch");
	for (i = 0; i < metrics; i++)
		for (n = 0; n < result->vset[i]->numval; n++)
			print_value(fetch, i, result->vset[i], n);
	pmFreeResult(result);
}

static void print_time(unsigned int count)
{
	struct timespec begin, end;
	pmResult *result;
	unsigned int fetch;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (fetch = 0; fetch < count; fetch++) {
		check_pcp(pmFetch(metrics, pmid, &result), "fetch");
		pmFreeResult(result);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("%.1f\n", ((end.tv_sec - begin.tv_sec) * 1e6 +
			  (end.tv_nsec - begin.tv_nsec) / 1e3) / count);
}

int main(int argc, char **argv)
{
	unsigned int fetch, count, pause_ms;
	int i;

	if (argc < 5)
		return EXIT_FAILURE;
	count = atoi(argv[2]);
	pause_ms = atoi(argv[3]);
	check_pcp(pmNewContext(PM_CONTEXT_HOST, argv[1]), argv[1]);
	for (i = 4; i < argc; i++)
		check_pcp(pmTraversePMNS(argv[i], add_name), argv[i]);
	find_metrics();
	if (!strcmp(argv[3], "time")) {
		print_time(count);
		return EXIT_SUCCESS;
	}
	for (fetch = 0; fetch < count; fetch++) {
		fetch_once(fetch);
		if (pause_ms)
			usleep(rand() % (pause_ms * 1000));
	}
	return EXIT_SUCCESS;
}
