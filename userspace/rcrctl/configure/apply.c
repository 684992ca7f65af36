// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * apply.c - applies the configuration file by running the verbs that a user would run.
 *
 * An error is reported with its line, and the other lines are applied: a recorder that cannot be
 * armed must not keep the set from being counted.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "configure/configure.h"
#include "daemon.h"
#include "message.h"
#include "meter/meter.h"

/* How long rcrd may take to start, and the time between two attempts to connect. */
#define DAEMON_PATIENCE_NS 10000000000ull
#define DAEMON_STEP_NS 100000000ull

#define WORDS_MAX (CONFIG_WORDS + 8)

/**
 * struct applying - a file being applied
 * @session: the session
 * @path: path of the file
 * @config: its lines
 * @status: EXIT_SUCCESS, or the status of the first verb that failed
 */
struct applying {
	struct session *session;
	const char *path;
	const struct config *config;
	int status;
};

/* Runs a verb with @count words for a line of the file; returns its status. */
static int run_verb(struct applying *a, unsigned int number, const char *verb, char **words,
		    int count)
{
	struct call c = { .session = a->session, .count = count, .args = words };
	int status;

	message_at(a->path, number);
	status = verb_run(&c, verb);
	message_at(NULL, 0);
	if (!a->status)
		a->status = status;
	return status;
}

/* Runs a verb with the words of a value. */
static void run_value(struct applying *a, const struct config_line *line, const char *verb)
{
	struct config_words w;
	struct why why;

	config_split(line->value, &w, &why);
	run_verb(a, line->number, verb, w.word, w.count);
}

static void apply_set(struct applying *a, const struct config_line *line)
{
	struct config_words w;
	struct why why;

	config_split(line->value, &w, &why);
	run_verb(a, line->number, w.count == 1 && !strcmp(w.word[0], "default") ? "load" : "set",
		 w.word, w.count);
}

/* True if there is a meter of that name now. */
static bool meter_exists(struct session *s, const char *name)
{
	static struct rcr_meters meters;

	return !rcr_control_meters(s->control, &meters) && rcr_meters_find(&meters, name);
}

/* If a meter with a formula exists, its formula may be different: remove it first. */
static void apply_meter(struct applying *a, const struct config_line *line)
{
	char *words[WORDS_MAX] = { "add" }, *removal[2] = { "remove" };
	struct config_words w;
	struct why why;

	config_split(line->value, &w, &why);
	removal[1] = w.word[0];
	if (w.count > 1 && meter_exists(a->session, w.word[0]))
		run_verb(a, line->number, "meter", removal, 2);
	memcpy(words + 1, w.word, w.count * sizeof(w.word[0]));
	run_verb(a, line->number, "meter", words, w.count + 1);
}

static void apply_limit(struct applying *a, const struct config_line *line)
{
	char *words[4] = { "max", (char *)line->name,
		line->key == CONFIG_MAXIMUM ? "--maximum" : "--contention", line->value };

	run_verb(a, line->number, "meter", words, 4);
}

static void apply_calibration(struct applying *a, const struct config_line *line)
{
	char *words[3] = { "--restore", "--file", line->value };

	/* The messages of rcrcal do not name the line. */
	if (run_verb(a, line->number, "calibrate", words, 3))
		note_line(a->path, line->number, "no limit was set from this calibration");
}

/* Waits until rcrd answers, which may just have been started. */
static void wait_for_daemon(void)
{
	uint64_t end = now_ns() + DAEMON_PATIENCE_NS;
	int fd;

	while ((fd = daemon_connect()) < 0 && now_ns() < end)
		sleep_ns(DAEMON_STEP_NS);
	if (fd >= 0)
		close(fd);
}

/* Appends the crossings to the arguments of "record"; returns the number of arguments. */
static int add_crossings(const struct applying *a, char **words, char (*text)[1024], int count)
{
	const struct config *config = a->config;
	const char *place;
	unsigned int i;
	int n = 0;

	for (i = 0; i < config->count && n < DAEMON_BOUNDS; i++) {
		if (config->line[i].key != CONFIG_CROSSING)
			continue;
		strncpy(text[n], config->line[i].value, sizeof(text[n]) - 1);
		config_split_place(text[n], &place);
		words[count++] = "--crossing";
		words[count++] = text[n++];
		words[count++] = "--place";
		words[count++] = (char *)place;
	}
	return count;
}

static void apply_recorder(struct applying *a, const struct config_line *line)
{
	static char text[DAEMON_BOUNDS][1024];
	char *words[4 + 4 * DAEMON_BOUNDS] = { "off" };
	struct config_words w;
	struct why why;
	int count = 0;

	if (!strcmp(line->value, "off")) {
		run_verb(a, line->number, "record", words, 1);
		return;
	}
	config_split(line->value, &w, &why);
	words[count++] = "--last";
	words[count++] = w.word[0];
	if (w.count > 1) {
		words[count++] = "--on";
		words[count++] = w.word[1];
	}
	wait_for_daemon();
	run_verb(a, line->number, "record", words, add_crossings(a, words, text, count));
}

/* The order matters: a line may depend on lines with earlier keys. */
static const struct {
	enum config_key key;
	void (*apply)(struct applying *a, const struct config_line *line);
} steps[] = {
	{ CONFIG_SET, apply_set },
	{ CONFIG_METER, apply_meter },
	{ CONFIG_CALIBRATION, apply_calibration },
	{ CONFIG_MAXIMUM, apply_limit },
	{ CONFIG_CONTENTION, apply_limit },
	{ CONFIG_RECORDER, apply_recorder },
};

int configure_apply(struct session *s, const char *path, const struct config *config)
{
	const struct config_line *period = config_find(config, CONFIG_PERIOD);
	struct applying a = { .session = s, .path = path, .config = config };
	unsigned int step, i;

	if (period)
		run_value(&a, period, "period");
	for (step = 0; step < sizeof(steps) / sizeof(steps[0]); step++)
		for (i = 0; i < config->count; i++)
			if (config->line[i].key == steps[step].key)
				steps[step].apply(&a, &config->line[i]);
	return a.status;
}
