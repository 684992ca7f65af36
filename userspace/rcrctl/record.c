// SPDX-License-Identifier: GPL-2.0-only
/*
 * record.c - the flight recorder: arms it, tells how it fares, and fetches what it
 * has kept. It is rcrd's while that is running, and else the module's.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon.h"
#include "file.h"
#include "json.h"
#include "message.h"
#include "period.h"
#include "rcr.h"
#include "trigger.h"
#include "verbs.h"

#define DEFAULT_WINDOW_NS 5000000000ull

/**
 * struct request - what the recorder is to do
 * @window_ns: that it keeps
 * @triggers: that it waits for, a mask of enum rcr_trigger; 0: those that there are
 */
struct request {
	uint64_t window_ns;
	uint32_t triggers;
};

/* One option with its value. */
static int take_setting(struct call *c, struct request *r)
{
	const char *option = c->args[0];

	if (take_option(c, "--last")) {
		if (!c->count || !period_parse(c->args[0], &r->window_ns))
			return wrong("--last needs a time, such as 500ms or 2s");
	} else if (take_option(c, "--on")) {
		r->triggers = c->count ? triggers_parse(c->args[0]) : 0;
		if (!r->triggers)
			return wrong("--on needs mark, oom, crossing, or some with commas between");
	} else {
		return wrong("record \"%s\" is unknown: --last, --on, off, ls and fetch are known",
			     option);
	}
	c->count--;
	c->args++;
	return EXIT_SUCCESS;
}

static int read_request(struct call c, struct request *r)
{
	int status = EXIT_SUCCESS;

	*r = (struct request){ DEFAULT_WINDOW_NS, 0 };
	while (!status && c.count)
		status = take_setting(&c, r);
	return status;
}

static void print_state(const struct rcr_state *s)
{
	char window[PERIOD_LEN], triggers[TRIGGERS_LEN];

	printf("%s", s->recorder);
	if (s->window_ns) {
		period_text(window, s->window_ns);
		printf(", the last %s on %s, %" PRIu64 " KiB", window,
		       triggers_text(s->triggers, triggers), s->window_bytes / 1024);
	}
	putchar('\n');
	if (*s->recorder_reason)
		printf("nothing is recorded: %s\n", s->recorder_reason);
	if (*s->kept)
		printf("kept: %s, %" PRIu64 " bytes, %" PRIu64 " more missed\n", s->kept,
		       s->kept_bytes, s->missed);
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

static void print_json(const struct rcr_state *s)
{
	struct json j = { .out = stdout };

	json_open(&j, NULL, '{');
	json_text(&j, "recorder", s->recorder);
	json_text(&j, "reason", s->recorder_reason);
	json_number(&j, "window_ns", s->window_ns);
	triggers_json(&j, s->triggers);
	json_number(&j, "window_bytes", s->window_bytes);
	json_text(&j, "kept", s->kept);
	json_number(&j, "kept_bytes", s->kept_bytes);
	json_number(&j, "missed", s->missed);
	json_close(&j, '}');
	putchar('\n');
}

static int look_at_recorder(struct session *s, int daemon)
{
	struct why why;

	if (daemon < 0)
		return session_look(s);
	return daemon_look(daemon, &s->state, &why) ? fail("%s", why.text) : EXIT_SUCCESS;
}

static int do_record_ls(struct call *c, int daemon)
{
	bool json = take_option(c, "--json");
	int status = look_at_recorder(c->session, daemon);

	if (status)
		return status;
	if (json)
		print_json(&c->session->state);
	else
		print_state(&c->session->state);
	return EXIT_SUCCESS;
}

/* Bytes that were copied, or -1 with the reason. */
static ssize_t copy(FILE *in, FILE *out, struct why *why)
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
	return because(why, "%s: %s", ferror(in) ? "reading what is kept" : "writing",
		       strerror(errno));
}

static int write_kept(FILE *in, const char *path)
{
	struct file_new f;
	struct why why;
	ssize_t got;

	if (file_begin(&f, path, &why))
		return fail("%s", why.text);
	got = copy(in, f.stream, &why);
	if (got > 0)
		return file_commit(&f, &why) ? fail("%s", why.text) : EXIT_SUCCESS;
	file_abandon(&f);
	if (got < 0)
		return fail("%s", why.text);
	return fail("nothing is kept: no trigger has come since the recorder was armed");
}

static int fetch_from_daemon(int daemon, const char *path)
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

static int fetch_from_module(const char *path)
{
	FILE *in = fopen(RCR_FLIGHT_DEVICE, "re");
	char text[RCR_SENTENCE_LEN];
	int status;

	if (!in)
		return fail("%s", rcr_open_error(RCR_FLIGHT_DEVICE, errno, text,
						 sizeof(text)));
	status = write_kept(in, path);
	fclose(in);
	return status;
}

int check_record(struct call *c)
{
	struct request r;

	if (!c->count)
		return EXIT_SUCCESS;
	if (!strcmp(c->args[0], "off"))
		return c->count == 1 ? EXIT_SUCCESS : wrong("record off takes no argument");
	if (!strcmp(c->args[0], "fetch"))
		return c->count == 2 ? EXIT_SUCCESS : wrong("record fetch needs a file, or -");
	if (strcmp(c->args[0], "ls"))
		return read_request(*c, &r);
	if (c->count == 1 || (c->count == 2 && !strcmp(c->args[1], "--json")))
		return EXIT_SUCCESS;
	return wrong("record ls takes no argument but --json");
}

static int arm_recorder(struct session *s, int daemon, struct request r)
{
	struct why why;

	if (daemon >= 0)
		return daemon_arm(daemon, r.window_ns, r.triggers, &why) ?
		       fail("%s", why.text) : EXIT_SUCCESS;
	if (!r.triggers)
		r.triggers = RCR_TRIGGER_MARK | RCR_TRIGGER_OOM | RCR_TRIGGER_CROSSING;
	return done(s, rcr_control_record(s->control, r.window_ns, r.triggers));
}

static int disarm_recorder(struct session *s, int daemon)
{
	struct why why;

	if (daemon >= 0)
		return daemon_disarm(daemon, &why) ? fail("%s", why.text) : EXIT_SUCCESS;
	return done(s, rcr_control_record_off(s->control));
}

int do_record(struct call *c)
{
	int daemon = daemon_connect(), status;
	struct request r;

	if (daemon < 0 && errno != ENOENT && errno != ECONNREFUSED)
		return fail("rcrd does not answer: %s", strerror(errno));
	if (take_option(c, "off")) {
		status = disarm_recorder(c->session, daemon);
	} else if (take_option(c, "ls")) {
		status = do_record_ls(c, daemon);
	} else if (take_option(c, "fetch")) {
		status = daemon < 0 ? fetch_from_module(c->args[0]) :
				      fetch_from_daemon(daemon, c->args[0]);
	} else {
		read_request(*c, &r);
		status = arm_recorder(c->session, daemon, r);
	}
	if (daemon >= 0)
		close(daemon);
	return status;
}
