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
#include "meters.h"

/* Reads the calibration file; a missing file is an error only if @must. */
static int read_calibration(struct calibration *known, const char *path, bool must)
{
	int bad;

	memset(known, 0, sizeof(*known));
	if (!must && access(path, F_OK) && errno == ENOENT)
		return EXIT_SUCCESS;
	bad = calibration_load(known, path);
	if (bad < 0)
		return EXIT_FAILURE;
	if (bad)
		return fail("%s: %d invalid line%s, nothing was changed: correct or remove it",
			    path, bad, bad == 1 ? "" : "s");
	if (!*known->family || !known->count)
		return fail("%s contains no calibration: make one with 'rcrcal'", path);
	return EXIT_SUCCESS;
}

static int check_family(struct session *s, const struct calibration *known, const char *path)
{
	int status = session_look(s);

	if (status || !*known->family || !strcmp(known->family, s->state.family))
		return status;
	return fail("%s belongs to a machine of family %s, but this one is %s: remove it", path,
		    known->family, *s->state.family ? s->state.family : "unknown");
}

static int restore_limits(struct session *s, const struct calibrate *c)
{
	static struct calibration known;
	int status = read_calibration(&known, c->file, true);

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
static int keep_limits(struct file_new *file, struct calibration *known,
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
static int measure_limits(struct session *s, const struct calibrate *c)
{
	static struct calibration known, found;
	struct file_new file = { 0 };
	int status, lacks = EXIT_SUCCESS;

	memset(&found, 0, sizeof(found));
	status = read_calibration(&known, c->file, false);
	if (!status)
		status = check_family(s, &known, c->file);
	if (!status)
		status = begin_file(&file, c->file);
	if (!status)
		lacks = calibrate_measure(s, c, &found);
	if (!status && found.count)
		status = keep_limits(&file, &known, &found, s->state.family);
	file_abandon(&file);
	if (!status && found.count)
		status = calibration_set(s, &known, found.line[0].meter, c->mix);
	return status ? status : lacks;
}

int calibrate_run(struct session *s, const struct calibrate *c)
{
	meters_load_first(s);
	return c->restore ? restore_limits(s, c) : measure_limits(s, c);
}
