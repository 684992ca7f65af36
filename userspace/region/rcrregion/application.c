// SPDX-License-Identifier: GPL-2.0-or-later
/* application.c - joins the files of a directory, with only one of them in memory at a time. */
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

/* Finds or adds a machine; returns its number, or -1 if memory ran out. */
static int add_host(struct application *app, const char *name)
{
	unsigned int low = 0, high = app->hosts, middle;
	struct application_host *host;
	int order;

	while (low < high) {
		middle = (low + high) / 2;
		order = strcmp(name, app->host[middle].name);
		if (!order)
			return app->host[middle].number;
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
	host = app->host + low;
	memmove(host + 1, host, (app->hosts - low) * sizeof(*host));
	strcpy(host->name, name);
	host->number = app->hosts++;
	return host->number;
}

/* Adds a rank, and counts ranks that were added before; returns -1 if memory ran out. */
static int add_rank(struct application *app, unsigned int rank)
{
	unsigned int ranks = app->ranks ? app->ranks : 1024;
	uint64_t *bits;

	if (rank >= APPLICATION_RANKS)
		return 0;
	while (ranks <= rank)
		ranks *= 2;
	if (ranks > app->ranks) {
		bits = realloc(app->rank, ranks / 8);
		if (!bits)
			return -1;
		memset(bits + app->ranks / 64, 0, (ranks - app->ranks) / 8);
		app->rank = bits;
		app->ranks = ranks;
	}
	app->repeated += app->rank[rank / 64] >> rank % 64 & 1;
	app->rank[rank / 64] |= 1ull << rank % 64;
	return 0;
}

/* Adds the time of a process without a rank; merges times that overlap. */
static void add_span(struct application *app, uint64_t begin, uint64_t end)
{
	struct application_span *s;
	unsigned int i = 0;

	while (i < app->spans) {
		s = &app->span[i++];
		if (s->end < begin || end < s->begin)
			continue;
		begin = s->begin < begin ? s->begin : begin;
		end = s->end > end ? s->end : end;
		*s = app->span[--app->spans];
		i = 0;
	}
	if (app->spans < APPLICATION_SPANS)
		app->span[app->spans++] = (struct application_span){ begin, end };
}

/* Counts calls that a file does not count, and whether it includes counts in the kernel. */
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

static void print_join_notes(const struct application *app, const char *name)
{
	if (app->ended)
		note("%s: left out %u of %u files, of processes that a signal ended: use --all to join them",
		     name, app->ended, app->ended + app->files + app->left_out);
	if (app->lost)
		note("%s: %" PRIu64 " calls of %u processes are not counted: the counters were taken away meanwhile",
		     name, app->lost, app->short_of);
	if (app->with_kernel && app->with_kernel < app->files)
		note("%s: %u of %u files include counts in the kernel: join them separately",
		     name, app->with_kernel, app->files);
	if (app->repeated)
		note("%s: %u of %u files have the rank of another one: if they are of several runs, join each separately",
		     name, app->repeated, app->files);
	else if (app->spans > 1)
		note("%s: the processes ran in %u separate periods: if they are of several runs, join each separately",
		     name, app->spans);
}

/* Adds a file to the statistics; returns 0, or -1 if memory ran out. */
static int add_joined_file(struct application *app, const struct region_file *f,
			   const struct region_options *o)
{
	int host = add_host(app, f->header.host);

	if (host < 0 || statistics_add_file(&app->list, f, o->region, host))
		return -1;
	note_lost_calls(app, f);
	app->files++;
	if (f->header.rank >= 0)
		return add_rank(app, f->header.rank);
	add_span(app, f->header.begin_ns, f->header.end_ns);
	return 0;
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
		ret = add_joined_file(app, &file, o);
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

	print_join_notes(app, name);
	if (!status && !app->files && !app->ended && !app->left_out)
		status = fail("%s: no file of librcrregion (*.rcr)", name);
	if (!status && o->region && o->verb != REGION_COMPARE && app->files && !app->list.rows)
		status = fail("%s: no file has the region '%s'", name, o->region);
	return status;
}

void application_free(struct application *app)
{
	statistics_free(&app->list);
	free(app->rank);
	free(app->host);
	*app = (struct application){ };
}
