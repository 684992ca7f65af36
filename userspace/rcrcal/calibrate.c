// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * calibrate.c - measures the limits of a resource, sets them in the module, and saves them to a
 * file for the next time the module is loaded.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate.h"
#include "file.h"
#include "message.h"
#include "meter/meter.h"
#include "parse/period.h"
#include "knee/sweep.h"

#define STEPS_DEFAULT	24
#define TIME_DEFAULT	100000000
#define TIME_MIN	1000000
#define TIME_MAX	60000000000ull

static int take_kinds(struct calibrate *c, const char *text)
{
	unsigned int kind;
	char word[16];
	size_t len;

	for (c->kinds = 0; ; text += len + 1) {
		len = strcspn(text, ",");
		snprintf(word, sizeof(word), "%.*s", (int)len, text);
		if (!calibration_parse_kind(word, &kind) || kind == CALIBRATION_MACHINE)
			return wrong("invalid --kind '%s': use read, write, copy or random, separated by commas",
				     word);
		c->kinds |= 1u << kind;
		if (!text[len])
			return EXIT_SUCCESS;
	}
}

static int take_mix(struct calibrate *c, const char *text)
{
	if (calibration_parse_kind(text, &c->mix) && c->mix != CALIBRATION_MACHINE)
		return EXIT_SUCCESS;
	return wrong("invalid --mix '%s': use read, write, copy or random", text);
}

static int take_steps(struct calibrate *c, const char *text)
{
	unsigned long steps;
	char *end;

	errno = 0;
	steps = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || steps < SWEEP_STEPS_MIN ||
	    steps > SWEEP_STEPS_MAX)
		return wrong("invalid --steps '%s': use a number from %d to %d", text,
			     SWEEP_STEPS_MIN, SWEEP_STEPS_MAX);
	c->steps = steps;
	return EXIT_SUCCESS;
}

static int take_time(struct calibrate *c, const char *text)
{
	if (period_parse(text, &c->time_ns) && c->time_ns >= TIME_MIN && c->time_ns <= TIME_MAX)
		return EXIT_SUCCESS;
	return wrong("invalid --time '%s': use a time from 1ms to 1min", text);
}

static int take_file(struct calibrate *c, const char *text)
{
	c->file = text;
	return EXIT_SUCCESS;
}

static int take_meter(struct calibrate *c, const char *text)
{
	c->meter = text;
	return EXIT_SUCCESS;
}

static int take_latency(struct calibrate *c, const char *text)
{
	c->latency = text;
	return EXIT_SUCCESS;
}

static int take_load(struct calibrate *c, const char *text)
{
	c->command = text;
	return EXIT_SUCCESS;
}

static const struct option {
	const char *name;
	int (*take)(struct calibrate *c, const char *text);
} options[] = {
	{ "--file", take_file },
	{ "--meter", take_meter },
	{ "--latency", take_latency },
	{ "--kind", take_kinds },
	{ "--mix", take_mix },
	{ "--load", take_load },
	{ "--steps", take_steps },
	{ "--time", take_time },
};

static const struct option *find_option(const char *word)
{
	size_t i;

	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (!strcmp(options[i].name, word))
			return &options[i];
	return NULL;
}

static int parse(const struct call *call, struct calibrate *c)
{
	const struct option *option;
	int i, status = EXIT_SUCCESS;
	bool measures = false;

	*c = (struct calibrate){
		.file = CALIBRATION_FILE, .meter = "mem_bw", .kinds = (1u << MIXES) - 1,
		.mix = MIX_COPY, .steps = STEPS_DEFAULT, .time_ns = TIME_DEFAULT,
	};
	for (i = 0; !status && i < call->count; i++) {
		option = find_option(call->args[i]);
		if (!strcmp(call->args[i], "--restore")) {
			c->restore = true;
			continue;
		}
		if (!option)
			return wrong("calibrate: unknown option '%s'", call->args[i]);
		if (++i == call->count)
			return wrong("%s needs a value", option->name);
		measures |= option->take != take_file && option->take != take_mix;
		status = option->take(c, call->args[i]);
	}
	if (!status && c->restore && measures)
		return wrong("--restore goes with --file and --mix alone: nothing is measured");
	return status;
}

int check_calibrate(struct call *call)
{
	struct calibrate c;

	return parse(call, &c);
}

static void wrong_line(void *path, unsigned int line, const char *sentence)
{
	note_line(path, line, "%s", sentence);
}

/* Reads the calibration file; a missing file is an error only if @must. */
static int read_file(struct calibration *known, const char *path, bool must)
{
	struct why why;
	size_t size;
	char *text;
	int bad;

	memset(known, 0, sizeof(*known));
	if (!must && access(path, F_OK) && errno == ENOENT)
		return EXIT_SUCCESS;
	text = file_read(path, &size, &why);
	if (!text)
		return fail("%s", why.text);
	bad = calibration_read(known, text, size, wrong_line, (void *)path);
	free(text);
	if (bad)
		return fail("%s: %d line%s wrong, nothing was changed: mend or remove it", path,
			    bad, bad == 1 ? " is" : "s are");
	if (!*known->family || !known->count)
		return fail("%s has no calibration in it: make one with 'rcrctl calibrate'", path);
	return EXIT_SUCCESS;
}

static int check_family(struct session *s, const struct calibration *known, const char *path)
{
	int status = session_look(s);

	if (status || !*known->family || !strcmp(known->family, s->state.family))
		return status;
	return fail("%s is of another machine, of family %s, while this one is %s: remove it", path,
		    known->family, *s->state.family ? s->state.family : "unknown");
}

static int restore(struct session *s, const struct calibrate *c)
{
	static struct calibration known;
	int status = read_file(&known, c->file, true);

	if (!status)
		status = check_family(s, &known, c->file);
	return status ? status : calibration_set(s, &known, NULL, c->mix);
}

static int begin_file(struct file_new *file, const char *path)
{
	struct why why;

	if (!strcmp(path, CALIBRATION_FILE) && file_make_folders(path, &why))
		return fail("%s", why.text);
	return file_begin(file, path, &why) ? fail("%s", why.text) : EXIT_SUCCESS;
}

/* Merges the new results into the known ones and writes the file. */
static int keep(struct file_new *file, struct calibration *known,
		const struct calibration *found, const char *family)
{
	struct why why;
	unsigned int i;

	snprintf(known->family, sizeof(known->family), "%s", *family ? family : "unknown");
	for (i = 0; i < found->count; i++)
		if (calibration_put(known, &found->line[i], &why))
			return fail("%s: %s", file->path, why.text);
	calibration_write(file->stream, known);
	return file_commit(file, &why) ? fail("%s", why.text) : EXIT_SUCCESS;
}

/* Opens the output file before measuring, which takes minutes, to detect errors early. */
static int calibrate(struct session *s, const struct calibrate *c)
{
	static struct calibration known, found;
	struct file_new file = { 0 };
	int status, lacks = EXIT_SUCCESS;

	memset(&found, 0, sizeof(found));
	status = read_file(&known, c->file, false);
	if (!status)
		status = check_family(s, &known, c->file);
	if (!status)
		status = begin_file(&file, c->file);
	if (!status)
		lacks = calibrate_measure(s, c, &found);
	if (!status && found.count)
		status = keep(&file, &known, &found, s->state.family);
	file_abandon(&file);
	if (!status && found.count)
		status = calibration_set(s, &known, found.line[0].meter, c->mix);
	return status ? status : lacks;
}

int do_calibrate(struct call *call)
{
	struct calibrate c;

	parse(call, &c);
	meters_load_first(call->session);
	return c.restore ? restore(call->session, &c) : calibrate(call->session, &c);
}
