// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * where.c - the verb "where": prints functions and lines that took part in contention. rcrd reports
 * their positions in files, which are resolved here.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "daemon.h"
#include "message.h"
#include "print/columns.h"
#include "print/json.h"
#include "verbs.h"
#include "where/places.h"
#include "where/resolve.h"
#include "where/portion.h"

/* A table omits functions and lines with a smaller share. */
#define LEAST_SHARE	0.01

/**
 * struct wish - parsed command line
 * @model: "memory", "cache" or "any"
 * @json: as JSON
 * @all: all contentions that rcrd keeps, not only those that is_printed() selects
 */
struct wish {
	const char *model;
	bool json, all;
};

/**
 * struct row - a function, or a line of it
 * @place: one of its places
 * @tally: counts of all its places
 */
struct row {
	const struct place *place;
	struct tally tally;
};

static int read_where(struct call c, struct wish *w)
{
	*w = (struct wish){ .model = "any" };
	while (c.count) {
		if (take_option(&c, "--json")) {
			w->json = true;
		} else if (take_option(&c, "--all")) {
			w->all = true;
		} else if (!strcmp(c.args[0], "memory") || !strcmp(c.args[0], "cache")) {
			w->model = c.args[0];
			c.count--;
			c.args++;
		} else {
			return wrong("where: unknown argument '%s': use memory, cache, --all or --json",
				     c.args[0]);
		}
	}
	return EXIT_SUCCESS;
}

int check_where(struct call *c)
{
	struct wish w;

	return read_where(*c, &w);
}

static int take_lines(struct places *p, char *lines, struct why *why)
{
	char *line, *rest = NULL;

	for (line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (places_take(p, line, why))
			return -1;
	return 0;
}

/* Requests all places of @model from rcrd. */
static int ask_places(struct places *p, const char *model)
{
	static char lines[DAEMON_ANSWER];
	int daemon = daemon_connect_or_fail(), ret;
	uint64_t next = 0;
	struct why why;

	if (daemon < 0)
		return EXIT_FAILURE;
	do {
		ret = daemon_where(daemon, model, &next, lines, &why);
		if (ret >= 0 && take_lines(p, lines, &why))
			ret = -1;
	} while (ret > 0);
	close(daemon);
	return ret < 0 ? fail("%s", why.text) : EXIT_SUCCESS;
}

/* Equal if both are in one function of a process or, without names of functions, in one file. */
static int compare_functions(const void *a, const void *b)
{
	const struct place *x = ((const struct row *)a)->place, *y = ((const struct row *)b)->place;
	int ret = (x->tgid > y->tgid) - (x->tgid < y->tgid);

	ret = ret ? ret : strcmp(x->process, y->process);
	ret = ret ? ret : strcmp(x->kind, y->kind);
	if (!ret && !strcmp(x->kind, "code"))
		ret = (x->file > y->file) - (x->file < y->file);
	return ret ? ret : strcmp(x->function, y->function);
}

/* Equal if both are in one line or, without names of source files, at the same offset. */
static int compare_code(const void *a, const void *b)
{
	const struct place *x = ((const struct row *)a)->place, *y = ((const struct row *)b)->place;
	int ret = compare_functions(a, b);

	ret = ret ? ret : strcmp(x->source, y->source);
	ret = ret ? ret : (x->line > y->line) - (x->line < y->line);
	if (!ret && !*x->source)
		ret = (x->offset > y->offset) - (x->offset < y->offset);
	return ret;
}

static int compare_weights(const void *a, const void *b)
{
	double x = ((const struct row *)a)->tally.weight, y = ((const struct row *)b)->tally.weight;

	return (x < y) - (x > y);
}

/* Merges adjacent rows that compare equal; returns the number of rows in @to. */
static unsigned int join_rows(const struct row *from, unsigned int count, struct row *to,
			      int (*compare)(const void *, const void *))
{
	unsigned int i, rows = 0;

	for (i = 0; i < count; i++) {
		if (rows && !compare(&to[rows - 1], &from[i])) {
			tally_add(&to[rows - 1].tally, &from[i].tally);
			continue;
		}
		to[rows++] = from[i];
	}
	return rows;
}

/**
 * struct table - functions and lines of a contention
 * @all: counts of all places
 * @line: lines of all functions, by falling counts
 * @lines: entries of @line
 * @function: functions, by falling counts
 * @functions: entries of @function
 */
struct table {
	struct tally all;
	struct row *line, *function;
	unsigned int lines, functions;
};

static void free_table(struct table *t)
{
	free(t->line);
	free(t->function);
}

static int make_table(struct table *t, const struct places *p, unsigned int contention)
{
	struct row *each = calloc(p->count + 1, sizeof(*each));
	unsigned int i, count = 0;

	*t = (struct table){
		.line = calloc(p->count + 1, sizeof(*each)),
		.function = calloc(p->count + 1, sizeof(*each)),
	};
	if (!each || !t->line || !t->function) {
		free(each);
		free_table(t);
		return fail("%s", strerror(ENOMEM));
	}
	for (i = 0; i < p->count; i++) {
		const struct place *place = &p->place[i];

		if (place->contention != contention)
			continue;
		each[count] = (struct row){
			place, { place->samples, place->weight, place->squares },
		};
		tally_add(&t->all, &each[count++].tally);
	}
	qsort(each, count, sizeof(*each), compare_code);
	t->lines = join_rows(each, count, t->line, compare_code);
	t->functions = join_rows(t->line, t->lines, t->function, compare_functions);
	qsort(t->function, t->functions, sizeof(*each), compare_weights);
	qsort(t->line, t->lines, sizeof(*each), compare_weights);
	free(each);
	return EXIT_SUCCESS;
}

static const char *const kinds[][2] = {
	{ "made", "code generated at run time" },
	{ "unknown", "code of an unknown file" },
	{ "kernel", "kernel thread" },
	{ "idle", "idle" },
	{ "other", "other code: the table of rcrd is full" },
};

static const char *kind_text(const char *kind)
{
	unsigned int i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i][0], kind))
			return kinds[i][1];
	return kind;
}

static const char *measure_text(const char *measure)
{
	if (!strcmp(measure, "requests"))
		return "requests to the L3";
	if (!strcmp(measure, "modified"))
		return "lines that another core had modified";
	return "time, because the set does not count requests to the L3";
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The name of the function or, if it is unknown, the path of the file. */
static void name_function(const struct places *p, const struct place *at, char *text, size_t size)
{
	if (strcmp(at->kind, "code"))
		snprintf(text, size, "%s", kind_text(at->kind));
	else if (*at->function)
		snprintf(text, size, "%s", at->function);
	else
		snprintf(text, size, "%s", p->file[at->file].shown);
}

static void name_line(const struct place *at, char *text, size_t size)
{
	*text = 0;
	if (strcmp(at->kind, "code"))
		return;
	if (*at->source)
		snprintf(text, size, "%s:%d", base_name(at->source), at->line);
	else
		snprintf(text, size, "+0x%" PRIx64, at->offset);
}

static void add_share_row(struct columns *c, const struct tally *all, const struct row *r,
			  const char *function, const char *line)
{
	struct portion s = portion_of(&r->tally, all);
	char share[32], process[128];
	const char *const cell[] = { share, function, line, process };

	snprintf(share, sizeof(share), "%.1f ± %.1f %%", 100 * s.value, 100 * s.error);
	*process = 0;
	if (r->place->tgid && *function)
		snprintf(process, sizeof(process), "%u (%s)", r->place->tgid, r->place->process);
	columns_add(c, cell);
}

static void add_function(struct columns *c, const struct places *p, const struct table *t,
			 const struct row *f)
{
	char function[CODE_NAME + 64], line[CODE_NAME + 16];
	unsigned int i;

	name_function(p, f->place, function, sizeof(function));
	add_share_row(c, &t->all, f, function, "");
	for (i = 0; i < t->lines; i++) {
		const struct row *l = &t->line[i];

		if (strcmp(l->place->kind, "code") || compare_functions(l, f) ||
		    l->tally.weight < LEAST_SHARE * t->all.weight)
			continue;
		name_line(l->place, line, sizeof(line));
		add_share_row(c, &t->all, l, "", line);
	}
}

static int print_table(const struct places *p, const struct contention *k, const struct table *t)
{
	struct columns c = {
		.count = 4, .heading = { "SHARE", "FUNCTION", "LINE", "PROCESS" }, .right = 1,
	};
	unsigned int i;

	printf("%s on node %u, %.3f s to %.3f s%s: %" PRIu64 " samples, shares of %s\n",
	       k->finding, k->node, k->since_ns / 1e9, k->until_ns / 1e9,
	       k->lasts ? ", ongoing" : "", t->all.samples, measure_text(k->measure));
	for (i = 0; i < t->functions; i++)
		if (t->function[i].tally.weight >= LEAST_SHARE * t->all.weight)
			add_function(&c, p, t, &t->function[i]);
	if (!t->functions)
		puts("no samples");
	else if (columns_print(&c, true, stdout))
		return fail("%s", strerror(ENOMEM));
	if (k->lost)
		printf("%" PRIu64 " more samples have no known place\n", k->lost);
	return EXIT_SUCCESS;
}

static void write_place(struct json *j, const struct places *p, const struct table *t,
			const struct row *r)
{
	const struct place *at = r->place;
	bool is_code = !strcmp(at->kind, "code");
	const struct code_file *f = is_code ? &p->file[at->file] : NULL;
	struct portion s = portion_of(&r->tally, &t->all);

	json_open(j, NULL, '{');
	json_text(j, "kind", at->kind);
	json_format(j, "share", "%.6f", s.value);
	json_format(j, "error", "%.6f", s.error);
	json_number(j, "samples", r->tally.samples);
	json_format(j, "count", "%.0f", r->tally.weight);
	json_text(j, "function", *at->function ? at->function : NULL);
	json_text(j, "source", *at->source ? at->source : NULL);
	if (*at->source)
		json_number(j, "line", at->line);
	if (is_code) {
		json_text(j, "file", f->path);
		json_text(j, "build_id", *f->id ? f->id : NULL);
		if (!*at->source)
			json_number(j, "offset", at->offset);
	}
	if (at->tgid) {
		json_number(j, "process", at->tgid);
		json_text(j, "name", at->process);
	}
	json_close(j, '}');
}

static void write_contention(struct json *j, const struct places *p, const struct contention *k,
			     const struct table *t)
{
	unsigned int i;

	json_open(j, NULL, '{');
	json_text(j, "model", k->model);
	json_text(j, "finding", k->finding);
	json_number(j, "node", k->node);
	json_number(j, "since_ns", k->since_ns);
	json_number(j, "from_ns", k->from_ns);
	json_number(j, "until_ns", k->until_ns);
	json_bool(j, "lasts", k->lasts);
	json_text(j, "measure", k->measure);
	json_number(j, "samples", t->all.samples);
	json_number(j, "lost", k->lost);
	json_open(j, "functions", '[');
	for (i = 0; i < t->functions; i++)
		write_place(j, p, t, &t->function[i]);
	json_close(j, ']');
	json_open(j, "lines", '[');
	for (i = 0; i < t->lines; i++)
		write_place(j, p, t, &t->line[i]);
	json_close(j, ']');
	json_close(j, '}');
}

/* Without --all: ongoing contentions or, if there are none, the newest one. */
static bool is_printed(const struct places *p, const struct wish *w, unsigned int i)
{
	unsigned int other;

	if (w->all || p->contention[i].lasts)
		return true;
	for (other = 0; other < p->contentions; other++)
		if (other > i || p->contention[other].lasts)
			return false;
	return true;
}

static void note_problems(const struct places *p)
{
	unsigned int i;

	for (i = 0; i < p->files; i++) {
		const struct code_file *f = &p->file[i];

		if (*f->problem)
			note("%s%s%s: %s", f->shown, *f->id ? ", build id " : "", f->id,
			     f->problem);
	}
	if (*p->missing)
		note("%s", p->missing);
	if (p->lost)
		note("rcrd missed %" PRIu64 " changes of mappings: names of code may be wrong",
		     p->lost);
	if (p->refused)
		note("the table of rcrd is full: code of %" PRIu64 " mappings has no names",
		     p->refused);
	if (p->absent)
		note("%" PRIu64 " CPUs were offline when rcrd started: code of processes that started there may have no names",
		     p->absent);
}

static int print_all(const struct places *p, const struct wish *w)
{
	struct json j = { .out = stdout };
	int status = EXIT_SUCCESS;
	struct table t;
	unsigned int i;

	if (w->json)
		json_open(&j, NULL, '[');
	for (i = 0; i < p->contentions && !status; i++) {
		if (!is_printed(p, w, i))
			continue;
		status = make_table(&t, p, i);
		if (status)
			break;
		if (w->json)
			write_contention(&j, p, &p->contention[i], &t);
		else
			status = print_table(p, &p->contention[i], &t);
		free_table(&t);
	}
	if (w->json) {
		json_close(&j, ']');
		putchar('\n');
	} else if (!p->contentions && !*p->missing) {
		puts("nowhere: rcrd detected no contention");
	}
	return status;
}

/* Skips files of contentions that are not printed: there may be too many to open. */
static void skip_files(struct places *p, const struct wish *w)
{
	unsigned int i;

	for (i = 0; i < p->files; i++)
		p->file[i].skipped = true;
	for (i = 0; i < p->count; i++)
		if (!strcmp(p->place[i].kind, "code") &&
		    is_printed(p, w, p->place[i].contention))
			p->file[p->place[i].file].skipped = false;
}

/* Sets @until of each file; timestamps of files are compared to it. */
static void date_files(struct places *p)
{
	time_t boot = time(NULL) - now_ns() / 1000000000, until;
	unsigned int i;

	for (i = 0; i < p->count; i++) {
		const struct place *place = &p->place[i];
		struct code_file *f = &p->file[place->file];

		if (strcmp(place->kind, "code"))
			continue;
		until = boot + p->contention[place->contention].until_ns / 1000000000;
		if (!f->until || until < f->until)
			f->until = until;
	}
}

int do_where(struct call *c)
{
	struct places p = { 0 };
	struct wish w;
	struct why why;
	int status;

	read_where(*c, &w);
	status = ask_places(&p, w.model);
	if (!status) {
		date_files(&p);
		skip_files(&p, &w);
		if (p.files && resolve_places(&p, &why))
			note("%s", why.text);
		status = print_all(&p, &w);
		note_problems(&p);
	}
	places_free(&p);
	return status;
}
