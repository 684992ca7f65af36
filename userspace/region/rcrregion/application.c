// SPDX-License-Identifier: GPL-2.0-or-later
/* application.c - joins the files of a directory, of which one at a time is in memory. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "rcrregion/application.h"
#include "rcrregion/values.h"

/* Adds the name of a machine where it is new; returns 0, or -1 without memory. */
static int add_host(struct application *app, const char *name)
{
	unsigned int low = 0, high = app->hosts, middle;
	struct application_host *host;
	int order;

	while (low < high) {
		middle = (low + high) / 2;
		order = strcmp(name, app->host[middle].name);
		if (!order)
			return 0;
		if (order > 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (!(app->hosts & (app->hosts - 1))) {
		host = realloc(app->host, (app->hosts ? 2 * app->hosts : 1) * sizeof(*host));
		if (!host)
			return -1;
		app->host = host;
	}
	memmove(app->host + low + 1, app->host + low, (app->hosts++ - low) * sizeof(*host));
	strcpy(app->host[low].name, name);
	return 0;
}

/* What statistics do not show of a file. */
static void note_lost_calls(struct application *app, const struct region_file *f)
{
	uint64_t lost = 0;
	unsigned int i;

	for (i = 0; i < f->header.records; i++)
		lost += region_file_record(f, i).lost;
	app->lost += lost;
	app->short_of += !!lost;
	app->with_kernel += !!(f->header.flags & REGION_WITH_KERNEL);
}

static void print_join_notes(const struct application *app)
{
	if (app->ended)
		note("%u of %u files are of processes that a signal ended, and left out: --all joins them",
		     app->ended, app->ended + app->files + app->left_out);
	if (app->lost)
		note("%" PRIu64 " calls of %u processes are in no count: the counters were taken away meanwhile",
		     app->lost, app->short_of);
	if (app->with_kernel && app->with_kernel < app->files)
		note("%u of %u files have counts in the kernel, too: join them by themselves",
		     app->with_kernel, app->files);
}

static int join_file(struct application *app, const char *path, const struct region_options *o)
{
	struct region_file file;
	struct why why;
	int ret = 0;

	if (region_file_read(&file, path, &why)) {
		fail("%s: left out: %s", path, why.text);
		app->left_out++;
		return 0;
	}
	if (!o->all && !(file.header.flags & REGION_COMPLETE)) {
		app->ended++;
	} else {
		if (o->form == REGION_EVERY_VALUE)
			values_print_file(&file, o->region);
		ret = statistics_add_file(&app->list, &file, o->region) ||
		      add_host(app, file.header.host);
		note_lost_calls(app, &file);
		app->files += !ret;
	}
	region_file_free(&file);
	return ret ? fail("out of memory") : 0;
}

static bool is_region_file(const char *name)
{
	size_t length = strlen(name);

	return length > 4 && !strcmp(name + length - 4, ".rcr");
}

static int join_directory(struct application *app, const char *name,
			  const struct region_options *o)
{
	DIR *directory = opendir(name);
	char path[PATH_MAX];
	struct dirent *e;
	int ret = 0;

	if (!directory)
		return fail("%s: %s", name, strerror(errno));
	while (!ret && (errno = 0, e = readdir(directory))) {
		if (!is_region_file(e->d_name))
			continue;
		if (snprintf(path, sizeof(path), "%s/%s", name, e->d_name) >= (int)sizeof(path))
			ret = fail("%s/%s: %s", name, e->d_name, strerror(ENAMETOOLONG));
		else
			ret = join_file(app, path, o);
	}
	if (!ret && errno)
		ret = fail("%s: %s", name, strerror(errno));
	closedir(directory);
	return ret;
}

int application_join(struct application *app, const char *name, const struct region_options *o)
{
	int status = join_directory(app, name, o);

	print_join_notes(app);
	if (!status && !app->files && !app->ended && !app->left_out)
		status = fail("%s: no file of librcrregion (*.rcr)", name);
	if (!status && o->region && o->verb != REGION_COMPARE && app->files && !app->list.rows)
		status = fail("%s: no file has the region '%s'", name, o->region);
	return status;
}

void application_free(struct application *app)
{
	statistics_free(&app->list);
	free(app->host);
	*app = (struct application){ };
}
