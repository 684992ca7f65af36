// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * record.c - the flight recorder of rcrd: arms it, prints its state, and fetches the kept window.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "board.h"
#include "parse/condition.h"
#include "daemon.h"
#include "file.h"
#include "print/json.h"
#include "message.h"
#include "meter/meter.h"
#include "parse/period.h"
#include "parse/trigger.h"
#include "verbs.h"

#define DEFAULT_WINDOW_NS 5000000000ull

/* Adds a bound for the whole machine; set_place() changes that if --place follows. */
static int add_bound(struct recorder_wish *r, const char *text)
{
	char *bound = r->bound[r->bounds];
	struct condition condition;
	struct why why;

	if (condition_parse(text, &condition, &why))
		return wrong("%s", why.text);
	if (r->bounds == DAEMON_BOUNDS)
		return wrong("too many --crossing: the maximum is %d", DAEMON_BOUNDS);
	if (strchr(text, '\n') ||
	    snprintf(bound, DAEMON_BOUND_LEN, "machine:0 %s", text) >= DAEMON_BOUND_LEN - 16)
		return wrong("--crossing '%s' is too long", text);
	r->bounds++;
	r->triggers |= RCR_TRIGGER_CROSSING;
	return EXIT_SUCCESS;
}

/* Sets the place of the last bound. */
static int set_place(struct recorder_wish *r, const char *text)
{
	char *bound = r->bounds ? r->bound[r->bounds - 1] : NULL, rest[DAEMON_BOUND_LEN];
	enum rcr_place_kind kind;
	unsigned int number;

	if (!bound)
		return wrong("--place needs a --crossing before it");
	if (!board_parse_place(text, &kind, &number))
		return wrong("invalid --place '%s': use for example machine, node0 or cpu3", text);
	strcpy(rest, strchr(bound, ' '));
	snprintf(bound, DAEMON_BOUND_LEN, "%s:%u%.*s", rcr_place_kind_name(kind), number,
		 DAEMON_BOUND_LEN - 32, rest);
	return EXIT_SUCCESS;
}

/* Parses one option and its value. */
static int take_setting(struct call *c, struct recorder_wish *r)
{
	const char *option = c->args[0];
	uint32_t triggers;
	int status = EXIT_SUCCESS;

	if (take_option(c, "--last")) {
		if (!c->count || !period_parse(c->args[0], &r->window_ns))
			return wrong("--last needs a time, such as 500ms or 2s");
	} else if (take_option(c, "--on")) {
		triggers = c->count ? triggers_parse(c->args[0]) : 0;
		if (!triggers)
			return wrong("--on needs mark, oom, crossing, or several separated by commas");
		r->triggers |= triggers;
	} else if (take_option(c, "--crossing")) {
		if (!c->count)
			return wrong("--crossing needs a condition, such as 'mem_bw > 80%%'");
		status = add_bound(r, c->args[0]);
	} else if (take_option(c, "--place")) {
		if (!c->count)
			return wrong("--place needs a value");
		status = set_place(r, c->args[0]);
	} else {
		return wrong("record: unknown argument '%s': use --last, --on, --crossing, --place, off, ls or fetch",
			     option);
	}
	c->count--;
	c->args++;
	return status;
}

static int read_wish(struct call c, struct recorder_wish *r)
{
	int status = EXIT_SUCCESS;

	memset(r, 0, sizeof(*r));
	r->window_ns = DEFAULT_WINDOW_NS;
	while (!status && c.count)
		status = take_setting(&c, r);
	if (!r->triggers)
		r->triggers = RCR_TRIGGER_MARK | RCR_TRIGGER_OOM;
	return status;
}

static void print_state(const struct recorder_state *s)
{
	char window[PERIOD_LEN], triggers[TRIGGERS_LEN];

	printf("%s", s->word);
	if (s->window_ns) {
		period_text(window, s->window_ns);
		printf(", the last %s on %s", window, triggers_text(s->triggers, triggers));
		if (s->triggers & RCR_TRIGGER_CROSSING)
			printf(" (%u bound%s)", s->bounds, s->bounds == 1 ? "" : "s");
		printf(", %" PRIu64 " KiB", s->window_bytes / 1024);
	}
	putchar('\n');
	if (*s->reason)
		printf("nothing is recorded: %s\n", s->reason);
	if (*s->amiss)
		printf("not watched: %s\n", s->amiss);
	if (*s->kept)
		printf("kept: %s, %" PRIu64 " bytes, %" PRIu64 " more missed\n", s->kept,
		       s->kept_bytes, s->missed);
	else if (s->missed)
		printf("missed: %" PRIu64 "\n", s->missed);
}

static void triggers_json(struct json *j, uint32_t mask)
{
	size_t i;

	json_open(j, "triggers", '[');
	for (i = 0; i < TRIGGER_NAMES; i++)
		if (mask & trigger_names[i].trigger)
			json_text(j, NULL, trigger_names[i].name);
	json_close(j, ']');
}

static void print_record_json(const struct recorder_state *s)
{
	struct json j = { .out = stdout };

	json_open(&j, NULL, '{');
	json_text(&j, "recorder", s->word);
	json_text(&j, "reason", s->reason);
	json_number(&j, "window_ns", s->window_ns);
	triggers_json(&j, s->triggers);
	json_number(&j, "bounds", s->bounds);
	json_text(&j, "bounds_reason", s->amiss);
	json_number(&j, "window_bytes", s->window_bytes);
	json_text(&j, "kept", s->kept);
	json_number(&j, "kept_bytes", s->kept_bytes);
	json_number(&j, "missed", s->missed);
	json_close(&j, '}');
	putchar('\n');
}

static int do_record_ls(struct call *c, int daemon)
{
	bool json = take_option(c, "--json");
	struct recorder_state state;
	struct why why;

	if (daemon_look(daemon, &state, &why))
		return fail("%s", why.text);
	if (json)
		print_record_json(&state);
	else
		print_state(&state);
	return EXIT_SUCCESS;
}

/* Returns the number of bytes copied, or -1 with @why filled in. */
static ssize_t copy_window(FILE *in, FILE *out, struct why *why)
{
	static char buffer[65536];
	ssize_t all = 0;
	size_t got;

	do {
		got = fread(buffer, 1, sizeof(buffer), in);
		all += got;
	} while (got && fwrite(buffer, got, 1, out) == 1);
	if (!ferror(in) && !ferror(out))
		return all;
	return because(why, "%s: %s", ferror(in) ? "reading the recording" : "writing",
		       strerror(errno));
}

static int write_kept(FILE *in, const char *path)
{
	struct stat st = { 0 };
	struct file_new f;
	struct why why;
	ssize_t got;

	fstat(fileno(in), &st);
	if (file_begin(&f, path, &why))
		return fail("%s", why.text);
	got = copy_window(in, f.stream, &why);
	if (got >= 0 && got < st.st_size)
		got = because(&why, "the recording was replaced while it was read: fetch it again");
	if (got > 0)
		return file_commit(&f, &why) ? fail("%s", why.text) : EXIT_SUCCESS;
	file_abandon(&f);
	if (got < 0)
		return fail("%s", why.text);
	return fail("nothing is kept: no trigger has come since the recorder was armed");
}

static int do_record_fetch(int daemon, const char *path)
{
	uint64_t number;
	struct why why;
	FILE *in;
	int window, status;

	if (daemon_fetch(daemon, &window, &number, &why))
		return fail("%s", why.text);
	in = fdopen(window, "r");
	if (!in)
		return fail("%s", strerror(errno));
	status = write_kept(in, path);
	fclose(in);
	if (!status && daemon_fetched(daemon, number, &why))
		return fail("%s", why.text);
	return status;
}

int check_record(struct call *c)
{
	struct recorder_wish wish;

	if (!c->count)
		return EXIT_SUCCESS;
	if (!strcmp(c->args[0], "off"))
		return c->count == 1 ? EXIT_SUCCESS : wrong("record off takes no argument");
	if (!strcmp(c->args[0], "fetch"))
		return c->count == 2 ? EXIT_SUCCESS : wrong("record fetch needs a file, or -");
	if (strcmp(c->args[0], "ls"))
		return read_wish(*c, &wish);
	if (c->count == 1 || (c->count == 2 && !strcmp(c->args[1], "--json")))
		return EXIT_SUCCESS;
	return wrong("record ls takes no argument but --json");
}

static int do_record_arm(struct call *c, int daemon)
{
	struct recorder_wish wish;
	struct why why;

	read_wish(*c, &wish);
	if (wish.bounds)
		meters_load_first(c->session);
	return daemon_arm(daemon, &wish, &why) ? fail("%s", why.text) : EXIT_SUCCESS;
}

static int do_record_off(int daemon)
{
	struct why why;

	return daemon_disarm(daemon, &why) ? fail("%s", why.text) : EXIT_SUCCESS;
}

int do_record(struct call *c)
{
	int daemon = daemon_connect_or_fail(), status;

	if (daemon < 0)
		return EXIT_FAILURE;
	if (take_option(c, "off"))
		status = do_record_off(daemon);
	else if (take_option(c, "ls"))
		status = do_record_ls(c, daemon);
	else if (take_option(c, "fetch"))
		status = do_record_fetch(daemon, c->args[0]);
	else
		status = do_record_arm(c, daemon);
	close(daemon);
	return status;
}
