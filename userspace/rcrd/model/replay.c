// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * replay.c - judge a recording. It is read twice, because the nodes of a recording without facts of
 * the machine are known only after all its CPUs have been seen.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "message.h"
#include "model/replay.h"
#include "model/sentence.h"
#include "rcr.h"

#define WINDOW_NS	20000000ull
#define LINE_BYTES	64.0

/* Estimating the latency without load takes less time than this. */
#define MUCH_UNJUDGED_NS	600000000ull

/**
 * struct player - a running replay
 * @replay: options
 * @machine: the machine that was recorded
 * @bounds: thresholds from the options and the recording
 * @json: output, if JSON was requested
 * @verdicts: number of verdicts printed
 */
struct player {
	const struct replay *replay;
	struct machine machine;
	struct bounds bounds;
	struct json json;
	unsigned int verdicts;
};

static struct rcr_reader *open_recording(const char *path)
{
	char text[RCR_SENTENCE_LEN];
	struct rcr_reader *reader;
	struct stat st;

	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		fail("%s is not a file: a recording is read twice", path);
		return NULL;
	}
	reader = rcr_open(path);
	if (!reader)
		fail("%s", rcr_open_error(path, errno, text, sizeof(text)));
	return reader;
}

/* The next item of a file, or NULL at its end or, with *@status set, where it is damaged. */
static const struct rcr_item *next_of_file(const char *path, struct rcr_reader *reader, int *status)
{
	const struct rcr_item *item;

	if (rcr_next(reader, &item, -1) == 1)
		return item;
	if (errno != ENODATA)
		*status = fail("%s is damaged: %s", path,
			       errno == EPROTO ? "an item is cut off or invalid" : strerror(errno));
	return NULL;
}

/* The first CPU of a node is the one whose records have counts of shared units. */
static bool begins_node(const struct rcr_set *set, const struct rcr_record *r)
{
	unsigned int i;

	for (i = 0; i < set->ncounters; i++) {
		const struct rcr_counter *c = rcr_set_counter(set, i);

		if (c->scope != RCR_SCOPE_CPU && c->scope != RCR_SCOPE_CORE &&
		    rcr_record_status(set, r, i) != RCR_STATUS_ELSEWHERE)
			return true;
	}
	return false;
}

/* Sets without counters of shared units show no nodes: use the set that shows the most. */
static void keep_most_nodes(bool *most, const bool *first)
{
	unsigned int cpu, more = 0, fewer = 0;

	for (cpu = 0; cpu < MACHINE_CPUS; cpu++) {
		more += first[cpu];
		fewer += most[cpu];
	}
	if (more > fewer)
		memcpy(most, first, MACHINE_CPUS * sizeof(*most));
}

/* If not, the CPUs are not numbered node by node, or the first CPU of a node was offline. */
static bool is_even(const struct machine *m)
{
	unsigned int of[MACHINE_NODES] = { }, cpu, n;

	for (cpu = 0; cpu < m->cpus; cpu++)
		of[m->node_of[cpu]]++;
	for (n = 1; n < m->nodes; n++)
		if (of[n] != of[0])
			return false;
	return true;
}

/* Assume that the CPUs of a node follow its first CPU. */
static void number_nodes(struct machine *m, const bool *first)
{
	unsigned int cpu;

	m->nodes = 1;
	for (cpu = 0; cpu < m->cpus; cpu++) {
		if (first[cpu] && cpu && m->nodes < MACHINE_NODES)
			m->nodes++;
		m->node_of[cpu] = m->nodes - 1;
	}
}

static void infer_nodes(struct player *p, bool *most, const bool *first)
{
	keep_most_nodes(most, first);
	number_nodes(&p->machine, most);
	if (!is_even(&p->machine))
		note("%s: nodes have different numbers of CPUs: some CPUs may be counted for the wrong node",
		     p->replay->path);
}

/* Options override the facts of the recording. */
static void apply_limit_options(struct player *p)
{
	struct machine *m = &p->machine;
	unsigned int i;

	for (i = 0; i < m->nodes; i++) {
		if (p->replay->capacity > 0)
			m->capacity[i] = p->replay->capacity / LINE_BYTES;
		if (p->replay->latency > 0)
			m->latency[i] = p->replay->latency;
	}
}

static void take_fact(struct player *p, const char *line)
{
	if (!machine_take(&p->machine, line))
		bounds_take(&p->bounds, line);
}

static int learn_machine(struct player *p)
{
	struct rcr_reader *reader = open_recording(p->replay->path);
	struct machine *m = &p->machine;
	bool seen[MACHINE_CPUS] = { }, first[MACHINE_CPUS] = { }, most[MACHINE_CPUS] = { };
	const struct rcr_item *item;
	int status = 0;

	if (!reader)
		return EXIT_FAILURE;
	while ((item = next_of_file(p->replay->path, reader, &status))) {
		if (item->type == RCR_ITEM_NODE)
			take_fact(p, ((const struct rcr_node *)item)->text);
		if (item->type == RCR_ITEM_SET) {
			keep_most_nodes(most, first);
			memset(seen, 0, sizeof(seen));
			memset(first, 0, sizeof(first));
		}
		if (item->type != RCR_ITEM_SAMPLE || item->cpu >= MACHINE_CPUS || seen[item->cpu])
			continue;
		seen[item->cpu] = true;
		m->cpus = item->cpu >= m->cpus ? item->cpu + 1 : m->cpus;
		first[item->cpu] = begins_node(rcr_reader_set(reader), (const void *)item);
	}
	rcr_close(reader);
	if (!m->nodes)
		infer_nodes(p, most, first);
	apply_limit_options(p);
	if (!status && !m->cpus)
		return fail("%s has no samples", p->replay->path);
	return status;
}

static void print_verdict(void *to, const struct verdict *v)
{
	struct player *p = to;

	p->verdicts++;
	if (!p->replay->json)
		verdict_print(stdout, v, NULL);
	else
		verdict_write(&p->json, v, NULL);
}

/* True if a finding that is not doubtful was judged on a node nearly all the time. */
static bool any_judged(const struct engine *e, const struct machine *m)
{
	unsigned int i, n;

	for (n = 0; n < m->nodes; n++)
		for (i = 0; i < FINDINGS; i++)
			if (!engine_missing(e, i) && !engine_doubt(e, i) &&
			    engine_unjudged(e, i, n) < MUCH_UNJUDGED_NS)
				return true;
	return false;
}

static void print_unknown(struct player *p, const struct engine *e, const char *family)
{
	unsigned int i, n;

	for (n = 0; n < p->machine.nodes; n++) {
		if (!p->replay->json)
			unjudged_print(stdout, e, n, MUCH_UNJUDGED_NS);
		for (i = 0; i < FINDINGS && p->replay->json; i++)
			if (engine_unjudged(e, i, n) >= MUCH_UNJUDGED_NS)
				unjudged_write(&p->json, i, n, engine_unjudged(e, i, n));
	}
	if (p->replay->json)
		unknown_write(&p->json, e, family, true);
	else
		unknown_print(stdout, e, family);
}

static int play_recording(struct player *p)
{
	struct rcr_reader *reader = open_recording(p->replay->path);
	struct engine *e;
	const struct rcr_item *item;
	int status = EXIT_SUCCESS;

	if (!reader)
		return EXIT_FAILURE;
	e = engine_open(&p->machine, &p->bounds, WINDOW_NS, print_verdict, p);
	if (!e) {
		rcr_close(reader);
		return fail("%s", strerror(ENOMEM));
	}
	while ((item = next_of_file(p->replay->path, reader, &status))) {
		if (item->type == RCR_ITEM_NODE)
			engine_parse(e, ((const struct rcr_node *)item)->text);
		engine_item(e, rcr_reader_set(reader), item);
	}
	engine_flush(e);
	if (!p->replay->json && !p->verdicts && !status && any_judged(e, &p->machine))
		puts("ok: the recording shows no contention");
	print_unknown(p, e, rcr_reader_set(reader)->family);
	engine_close(e);
	rcr_close(reader);
	return status;
}

int replay_file(const struct replay *r)
{
	static struct player p;
	int status;

	p = (struct player){ .replay = r, .bounds = r->bounds, .json = { .out = stdout } };
	status = learn_machine(&p);
	if (status)
		return status;
	if (r->json)
		json_open(&p.json, NULL, '[');
	status = play_recording(&p);
	if (r->json) {
		json_close(&p.json, ']');
		putchar('\n');
	}
	if (fflush(stdout) || ferror(stdout))
		return fail("standard output: %s", strerror(errno));
	return status;
}
