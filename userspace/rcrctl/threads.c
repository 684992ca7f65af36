// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * threads.c - prints the threads that programs report on blackboard 2, which rcrd reads: a table on
 * a terminal, else CSV.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon.h"
#include "message.h"
#include "parse/number.h"
#include "print/columns.h"
#include "print/json.h"
#include "rcr_board2.h"
#include "verbs.h"

/**
 * struct row - a thread
 * @uid: user id of its process
 * @pid: process id; 0: not known
 * @tid: thread id in the program's own namespace
 * @id: thread id that the program has chosen
 * @pc: code location
 * @state: enum rcr_thread_state, or any other value that the program has written
 * @wish: value defined by the program
 * @age_ns: time since the latest update
 * @updates: number of updates
 */
struct row {
	uint32_t uid;
	int32_t pid;
	uint32_t tid;
	uint64_t id;
	uint64_t pc;
	uint32_t state;
	uint64_t wish;
	uint64_t age_ns;
	uint64_t updates;
};

static bool read_thread_row(const char *line, struct row *r)
{
	return sscanf(line, "%" SCNu32 " %" SCNd32 " %" SCNu32 " %" SCNu64 " %" SCNu64
		      " %" SCNu32 " %" SCNu64 " %" SCNu64 " %" SCNu64, &r->uid, &r->pid,
		      &r->tid, &r->id, &r->pc, &r->state, &r->wish, &r->age_ns,
		      &r->updates) == 9;
}

static const char *state_text(uint32_t state, char text[16])
{
	if (state == RCR_THREAD_RUNNING)
		return "running";
	if (state == RCR_THREAD_TAKEN)
		return "starting";
	snprintf(text, 16, "0x%" PRIx32, state);
	return text;
}

static void print_csv(const struct row *r)
{
	char pid[16] = "", state[16];

	if (r->pid)
		snprintf(pid, sizeof(pid), "%" PRId32, r->pid);
	printf("%" PRIu32 ",%s,%" PRIu32 ",%" PRIu64 ",0x%" PRIx64 ",%s,0x%" PRIx64 ",%" PRIu64
	       ",%" PRIu64 "\n", r->uid, pid, r->tid, r->id, r->pc, state_text(r->state, state),
	       r->wish, r->age_ns, r->updates);
}

static void add_to_table(struct columns *t, const struct row *r)
{
	char text[9][24], state[16];
	const char *cell[9] = {
		text[0], r->pid ? text[1] : "-", text[2], text[3], text[4],
		state_text(r->state, state), text[6], text[7], text[8],
	};

	snprintf(text[0], sizeof(text[0]), "%" PRIu32, r->uid);
	snprintf(text[1], sizeof(text[1]), "%" PRId32, r->pid);
	snprintf(text[2], sizeof(text[2]), "%" PRIu32, r->tid);
	snprintf(text[3], sizeof(text[3]), "%" PRIu64, r->id);
	snprintf(text[4], sizeof(text[4]), "0x%" PRIx64, r->pc);
	snprintf(text[6], sizeof(text[6]), "0x%" PRIx64, r->wish);
	snprintf(text[7], sizeof(text[7]), "%.3fs", r->age_ns / 1e9);
	snprintf(text[8], sizeof(text[8]), "%" PRIu64, r->updates);
	columns_add(t, cell);
}

static void print_row_json(struct json *j, const struct row *r)
{
	char state[16], pid[16] = "null";

	if (r->pid)
		snprintf(pid, sizeof(pid), "%" PRId32, r->pid);
	json_open(j, NULL, '{');
	json_number(j, "uid", r->uid);
	json_decimal(j, "pid", pid);
	json_number(j, "tid", r->tid);
	json_number(j, "id", r->id);
	json_number(j, "pc", r->pc);
	json_text(j, "state", state_text(r->state, state));
	json_number(j, "wish", r->wish);
	json_number(j, "age_ns", r->age_ns);
	json_number(j, "updates", r->updates);
	json_close(j, '}');
}

static void print_beginning(const struct columns *table, struct json *j)
{
	if (j)
		json_open(j, NULL, '[');
	else if (!table)
		puts("uid,pid,tid,id,pc,state,wish,age_ns,updates");
}

/* Prints the lines as JSON with @j, as CSV without; with @table and no @j, adds them to it. */
static void print_lines(char *lines, struct columns *table, struct json *j)
{
	char *line, *rest = NULL;
	struct row r;

	for (line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (!read_thread_row(line, &r))
			continue;
		if (j)
			print_row_json(j, &r);
		else if (table)
			add_to_table(table, &r);
		else
			print_csv(&r);
	}
}

static bool read_pid(const char *word, uint64_t *pid)
{
	return number_parse_range(word, 1, INT32_MAX, pid);
}

int check_threads(struct call *c)
{
	struct call rest = *c;
	uint64_t pid;

	c = &rest;
	take_option(c, "--json");
	if (c->count > 1)
		return wrong("threads takes at most 1 argument");
	if (c->count && !read_pid(c->args[0], &pid))
		return wrong("invalid process id '%s'", c->args[0]);
	return EXIT_SUCCESS;
}

int do_threads(struct call *c)
{
	static char lines[DAEMON_ANSWER];
	uint64_t client = 0, slot = 0, pid = 0;
	struct columns columns = {
		.count = 9,
		.heading = { "UID", "PID", "TID", "ID", "PC", "STATE", "WISH", "UPDATED",
			     "UPDATES" },
		.right = 1 << 7,
	};
	struct columns *table = isatty(STDOUT_FILENO) ? &columns : NULL;
	bool begun = false;
	struct json json = { .out = stdout };
	struct json *j = take_option(c, "--json") ? &json : NULL;
	int daemon = daemon_connect_or_fail(), more;
	struct why why;

	if (daemon < 0)
		return EXIT_FAILURE;
	if (c->count)
		read_pid(c->args[0], &pid);
	do {
		more = daemon_threads(daemon, &client, &slot, pid, lines, &why);
		if (more < 0)
			break;
		if (!begun)
			print_beginning(table, j);
		begun = true;
		print_lines(lines, table, j);
	} while (more > 0 && !ferror(stdout));
	if (j && begun) {
		json_close(j, ']');
		putchar('\n');
	} else if (columns_print(&columns, begun && table, stdout)) {
		more = because(&why, "out of memory");
	}
	close(daemon);
	return more < 0 ? fail("%s", why.text) : EXIT_SUCCESS;
}
