// SPDX-License-Identifier: GPL-2.0-or-later
/* sentence.c - print verdicts, and findings that are not judged. */
#include <string.h>

#include "model/sentence.h"

/* The cause of each finding and, if there is a remedy, the remedy. */
static const char *const sentences[FINDINGS] = {
	[FINDING_BANDWIDTH] = "memory bandwidth is saturated",
	[FINDING_IMBALANCE] = "the memory of this node is saturated, that of other nodes is not: spread the pages over the nodes",
	[FINDING_REMOTE] = "cores read the memory of other nodes: bind processes and memory to nodes",
	[FINDING_CONFLICTS] = "row conflicts slow memory down: run fewer streams, or rearrange the data",
	[FINDING_DEVICE] = "memory bandwidth is saturated, mostly by devices",
	[FINDING_CHASE] = "no contention: each read waits for the one before; more streams would help",
	[FINDING_SLOWER] = "no contention: memory latency has risen, with nearly no load",
	[FINDING_ONE] = "one process takes the L3 from the others",
	[FINDING_SUM] = "the processes together exceed the L3: running fewer at a time would cause fewer misses",
	[FINDING_EACH] = "each process alone exceeds the L3: running fewer at a time would not help",
	[FINDING_OVERFLOW] = "the processes exceed the L3; CPUs were idle too rarely to show whether running fewer would help",
	[FINDING_SHARING] = "no contention: processes read the same lines, and the more of them run, the less they miss",
	[FINDING_LINES] = "cores modify the same cache lines (true or false sharing): find the variables with 'perf c2c record'",
};

static void print_load(FILE *out, const struct verdict *v)
{
	if (v->utilization >= 0)
		fprintf(out, " (memory at %.0f %%", 100 * v->utilization);
	if (v->latency >= 0)
		fprintf(out, "%s%.1f times the latency without load",
			v->utilization >= 0 ? ", " : " (", v->latency);
	if (v->utilization >= 0 || v->latency >= 0)
		fputc(')', out);
}

static const struct named_process *find_party(const struct verdict_names *names, uint32_t tgid)
{
	unsigned int i;

	for (i = 0; names && i < names->count; i++)
		if (names->process[i].tgid == tgid)
			return &names->process[i];
	return NULL;
}

static void add_process(struct verdict_names *names, uint32_t tgid)
{
	if (tgid && !find_party(names, tgid))
		names->process[names->count++] = (struct named_process){ .tgid = tgid };
}

void verdict_processes(struct verdict_names *names, const struct verdict *v)
{
	unsigned int i;

	names->count = 0;
	add_process(names, v->cause);
	for (i = 0; i < v->parties; i++)
		add_process(names, v->party[i]);
	for (i = 0; i < v->victims; i++)
		add_process(names, v->victim[i].tgid);
}

/* "process 12 (stream)" */
static void print_process(FILE *out, const struct verdict_names *names, uint32_t tgid)
{
	const struct named_process *p = find_party(names, tgid);

	if (p && p->hidden) {
		fputs("a process of another user", out);
		return;
	}
	fprintf(out, "process %u", tgid);
	if (p && *p->name)
		fprintf(out, " (%s)", p->name);
}

static void print_parties(FILE *out, const struct verdict *v, const struct verdict_names *names)
{
	unsigned int i;

	for (i = 0; i < v->parties; i++) {
		fputs(i ? ", " : "; ", out);
		print_process(out, names, v->party[i]);
	}
	if (v->parties)
		fputs(v->parties > 1 ? " do" : " does", out);
}

static void print_victims(FILE *out, const struct verdict *v, const struct verdict_names *names)
{
	unsigned int i;

	for (i = 0; i < v->victims; i++) {
		const struct verdict_victim *each = &v->victim[i];

		fputs(i ? ", " : "; ", out);
		print_process(out, names, each->tgid);
		fprintf(out, " takes %.2f times as long (%.2f to %.2f)", each->slowdown.value,
			each->slowdown.low, each->slowdown.high);
	}
	if (v->no_history)
		fprintf(out, "; no quiet time of this work to compare with for %u process%s",
			v->no_history, v->no_history > 1 ? "es" : "");
}

/* End the line, after the known defect of a count, if there is one. */
static void print_doubt(FILE *out, const struct verdict *v)
{
	if (v->doubt)
		fprintf(out, "; doubtful: %s", v->doubt);
	fputc('\n', out);
}

void verdict_print(FILE *out, const struct verdict *v, const struct verdict_names *names)
{
	fprintf(out, "%.3f s node %u %s: %s", v->time / 1e9, v->node, finding_name(v->finding),
		verdict_state_name(v->state));
	if (v->state == VERDICT_OK) {
		fprintf(out, " again; it lasted %.3f s", (v->until - v->since) / 1e9);
		print_doubt(out, v);
		return;
	}
	fprintf(out, " since %.3f s: %s", v->since / 1e9, sentences[v->finding]);
	print_load(out, v);
	if (v->cause) {
		fputs("; ", out);
		print_process(out, names, v->cause);
		fprintf(out, " causes it, with %.0f %% of the requests", 100 * v->cause_share);
	}
	print_parties(out, v, names);
	print_victims(out, v, names);
	print_doubt(out, v);
}

/* Open an object with the id and the name of a process; the caller closes it. */
static void open_process(struct json *j, const char *key, const struct verdict_names *names,
			 uint32_t tgid)
{
	const struct named_process *p = find_party(names, tgid);

	json_open(j, key, '{');
	if (p && p->hidden)
		return;
	json_number(j, "pid", tgid);
	if (p && *p->name)
		json_text(j, "name", p->name);
}

static void write_victims(struct json *j, const struct verdict *v,
			  const struct verdict_names *names)
{
	unsigned int i;

	json_open(j, "victims", '[');
	for (i = 0; i < v->victims; i++) {
		const struct verdict_victim *each = &v->victim[i];

		open_process(j, NULL, names, each->tgid);
		json_format(j, "slowdown", "%.4f", each->slowdown.value);
		json_format(j, "low", "%.4f", each->slowdown.low);
		json_format(j, "high", "%.4f", each->slowdown.high);
		json_close(j, '}');
	}
	json_close(j, ']');
}

void verdict_write(struct json *j, const struct verdict *v, const struct verdict_names *names)
{
	unsigned int i;

	json_open(j, NULL, '{');
	json_number(j, "time_ns", v->time);
	json_number(j, "node", v->node);
	json_text(j, "finding", finding_name(v->finding));
	json_text(j, "state", verdict_state_name(v->state));
	json_number(j, "since_ns", v->since);
	json_number(j, "until_ns", v->until);
	json_text(j, "sentence", v->state == VERDICT_OK ? NULL : sentences[v->finding]);
	if (v->utilization >= 0)
		json_format(j, "utilization", "%.4f", v->utilization);
	if (v->latency >= 0)
		json_format(j, "latency", "%.4f", v->latency);
	if (v->doubt)
		json_text(j, "doubt", v->doubt);
	if (v->cause) {
		open_process(j, "cause", names, v->cause);
		json_format(j, "share", "%.4f", v->cause_share);
		json_close(j, '}');
	}
	json_open(j, "processes", '[');
	for (i = 0; i < v->parties; i++) {
		open_process(j, NULL, names, v->party[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
	write_victims(j, v, names);
	json_number(j, "no_history", v->no_history);
	json_close(j, '}');
}

/* Findings that were unknown for the same time share a line. */
void unjudged_print(FILE *out, const struct engine *e, unsigned int node, uint64_t least)
{
	unsigned int which, other;
	uint32_t printed = 0;

	for (which = 0; which < FINDINGS; which++) {
		uint64_t ns = engine_unjudged(e, which, node);

		if (ns < least || engine_missing(e, which) || printed & 1u << which)
			continue;
		fputs(finding_name(which), out);
		for (other = which + 1; other < FINDINGS; other++)
			if (engine_unjudged(e, other, node) == ns && !engine_missing(e, other)) {
				fprintf(out, ", %s", finding_name(other));
				printed |= 1u << other;
			}
		fprintf(out, ": unknown on node %u for %.3f s: a counter was not ok, records are missing, or --memory or --latency is not given\n",
			node, ns / 1e9);
	}
}

void unjudged_write(struct json *j, enum finding which, unsigned int node, uint64_t ns)
{
	json_open(j, NULL, '{');
	json_number(j, "node", node);
	json_text(j, "finding", finding_name(which));
	json_text(j, "state", verdict_state_name(VERDICT_UNKNOWN));
	json_number(j, "unknown_ns", ns);
	json_close(j, '}');
}

/* The load has the same events as the lines: do not list them twice. */
static bool lacks_signal(uint32_t missing, unsigned int signal)
{
	if (signal == SIGNAL_LOAD && missing & SIGNAL_BIT(SIGNAL_LINES))
		return false;
	return missing & SIGNAL_BIT(signal);
}

/* Returns true if an event must be added for each box of a unit. */
static bool print_signals(FILE *out, uint32_t missing, const char *family)
{
	const char *between = "";
	bool is_numbered = false;
	unsigned int signal;

	for (signal = 0; signal < SIGNALS; signal++) {
		const char *event = signal_event(family, signal);

		if (!lacks_signal(missing, signal))
			continue;
		fprintf(out, "%s%s (%s)", between, signal_name(signal),
			event ? event : "no event known");
		is_numbered |= event && strchr(event, '#');
		between = ", ";
	}
	fputc('\n', out);
	return is_numbered;
}

/* With a defective count, a finding that does not hold is unknown rather than ok. */
static bool is_doubtful(const struct engine *e, unsigned int which)
{
	return !engine_missing(e, which) && engine_doubt(e, which);
}

static void print_doubts(FILE *out, const struct engine *e)
{
	unsigned int which;

	for (which = 0; which < FINDINGS; which++)
		if (is_doubtful(e, which))
			fprintf(out, "%s: unknown unless found: %s\n",
				finding_name(which), engine_doubt(e, which));
}

/* The name comes from a file: do not pass control characters to the terminal. */
static void print_family(FILE *out, const char *family)
{
	for (; *family; family++)
		fputc(*family < ' ' || *family > '~' ? '?' : *family, out);
}

/* Findings that lack the same events share a line. */
void unknown_print(FILE *out, const struct engine *e, const char *family)
{
	unsigned int finding, other, printed = 0;
	bool is_numbered = false;

	if (!signal_event(family, SIGNAL_CYCLES)) {
		fputs("all findings: unknown: the models do not know the events of ", out);
		print_family(out, family);
		fputc('\n', out);
		return;
	}
	for (finding = 0; finding < FINDINGS; finding++) {
		uint32_t missing = engine_missing(e, finding);

		if (!missing || printed & 1u << finding)
			continue;
		fputs(finding_name(finding), out);
		for (other = finding + 1; other < FINDINGS; other++)
			if (engine_missing(e, other) == missing) {
				fprintf(out, ", %s", finding_name(other));
				printed |= 1u << other;
			}
		fputs(": unknown: the set does not count ", out);
		is_numbered |= print_signals(out, missing, family);
	}
	if (is_numbered)
		fputs("replace # by the number of a box, and add the event for each box of the machine\n",
		      out);
	print_doubts(out, e);
}

/* The set counts the events of the finding, but the newest windows were not judged. */
static bool is_unjudged(const struct engine *e, unsigned int which, unsigned int node)
{
	return !engine_missing(e, which) && !engine_is_judged(e, which, node) &&
	       engine_state(e, which, node) == VERDICT_UNKNOWN;
}

void unjudged_now_print(FILE *out, const struct engine *e, unsigned int node)
{
	unsigned int which;
	bool any = false;

	for (which = 0; which < FINDINGS; which++) {
		if (!is_unjudged(e, which, node))
			continue;
		fprintf(out, "%s%s", any ? ", " : "", finding_name(which));
		any = true;
	}
	if (any)
		fprintf(out, ": unknown on node %u: mem_bw has no maximum ('rcrctl calibrate', 'rcrctl meter max'), a counter is not ok, or nothing runs there\n",
			node);
}

void unjudged_now_write(struct json *j, const struct engine *e, unsigned int node)
{
	unsigned int which;

	for (which = 0; which < FINDINGS; which++) {
		if (!is_unjudged(e, which, node))
			continue;
		json_open(j, NULL, '{');
		json_number(j, "node", node);
		json_text(j, "finding", finding_name(which));
		json_text(j, "state", verdict_state_name(VERDICT_UNKNOWN));
		json_close(j, '}');
		j->further = false;
		fputc('\n', j->out);
	}
}

/* Write an object for a finding that lacks events or is doubtful. */
static void write_unknown(struct json *j, const struct engine *e, unsigned int which,
			  const char *family)
{
	uint32_t missing = engine_missing(e, which);
	unsigned int signal;

	json_open(j, NULL, '{');
	json_text(j, "finding", finding_name(which));
	json_text(j, "state", verdict_state_name(VERDICT_UNKNOWN));
	if (!missing)
		json_text(j, "doubt", engine_doubt(e, which));
	json_open(j, "missing", '[');
	for (signal = 0; signal < SIGNALS; signal++) {
		if (!lacks_signal(missing, signal))
			continue;
		json_open(j, NULL, '{');
		json_text(j, "count", signal_name(signal));
		json_text(j, "event", signal_event(family, signal));
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

void unknown_write(struct json *j, const struct engine *e, const char *family, bool is_list)
{
	unsigned int which;

	for (which = 0; which < FINDINGS; which++) {
		if (!engine_missing(e, which) && !is_doubtful(e, which))
			continue;
		write_unknown(j, e, which, family);
		if (is_list)
			continue;
		j->further = false;
		fputc('\n', j->out);
	}
}
