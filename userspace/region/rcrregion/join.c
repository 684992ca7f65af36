// SPDX-License-Identifier: GPL-2.0-or-later
/* join.c - statistics over the files of a directory, of which one at a time is in memory. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "print/columns.h"
#include "print/si.h"
#include "rcrregion/csv.h"
#include "rcrregion/file.h"
#include "rcrregion/metrics.h"
#include "rcrregion/options.h"
#include "rcrregion/statistics.h"
#include "rcrregion/values.h"

#define JOIN_COLUMNS	10

/**
 * struct region_joined - what was joined
 * @list: the statistics
 * @files: files that are in them
 * @left_out: files that could not be read
 * @ended: files of processes that a signal ended, which are not in them
 * @short_of: files in them of which some calls were not counted
 * @lost: these calls
 * @with_kernel: files in them whose counts include those in the kernel
 */
struct region_joined {
	struct statistics_list list;
	unsigned int files;
	unsigned int left_out;
	unsigned int ended;
	unsigned int short_of;
	uint64_t lost;
	unsigned int with_kernel;
};

/* What statistics do not show of a file. */
static void note_lost_calls(struct region_joined *j, const struct region_file *f)
{
	uint64_t lost = 0;
	unsigned int i;

	for (i = 0; i < f->header.records; i++)
		lost += region_file_record(f, i).lost;
	j->lost += lost;
	j->short_of += !!lost;
	j->with_kernel += !!(f->header.flags & REGION_WITH_KERNEL);
}

static void print_join_notes(const struct region_joined *j)
{
	if (j->ended)
		note("%u of %u files are of processes that a signal ended, and left out: --all joins them",
		     j->ended, j->ended + j->files + j->left_out);
	if (j->lost)
		note("%" PRIu64 " calls of %u processes are in no count: the counters were taken away meanwhile",
		     j->lost, j->short_of);
	if (j->with_kernel && j->with_kernel < j->files)
		note("%u of %u files have counts in the kernel, too: join them by themselves",
		     j->with_kernel, j->files);
}

static int join_file(struct region_joined *j, const char *path, const struct region_options *o)
{
	struct region_file file;
	struct why why;
	int ret = 0;

	if (region_file_read(&file, path, &why)) {
		fail("%s: left out: %s", path, why.text);
		j->left_out++;
		return 0;
	}
	if (!o->all && !(file.header.flags & REGION_COMPLETE)) {
		j->ended++;
	} else {
		if (o->form == REGION_EVERY_VALUE)
			values_print_file(&file, o->region);
		ret = statistics_add_file(&j->list, &file, o->region);
		note_lost_calls(j, &file);
		j->files += !ret;
	}
	region_file_free(&file);
	return ret ? fail("out of memory") : 0;
}

static bool is_region_file(const char *name)
{
	size_t length = strlen(name);

	return length > 4 && !strcmp(name + length - 4, ".rcr");
}

static int join_directory(struct region_joined *j, const char *name,
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
			ret = join_file(j, path, o);
	}
	if (!ret && errno)
		ret = fail("%s: %s", name, strerror(errno));
	closedir(directory);
	return ret;
}

static void print_csv_statistics(const struct statistics_list *list)
{
	const struct statistics *s;

	puts("region,counter,processes,calls,min,min_process,max,max_process,mean,deviation");
	for (s = list->row; s < list->row + list->rows; s++) {
		csv_text(stdout, s->region);
		putchar(',');
		csv_text(stdout, s->counter);
		printf(",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", s->processes, s->calls, s->min);
		csv_text(stdout, s->min_process);
		printf(",%" PRIu64 ",", s->max);
		csv_text(stdout, s->max_process);
		printf(",%.15g,%.15g\n", s->mean, statistics_deviation(s));
	}
}

static int print_join_table(const struct statistics_list *list)
{
	struct columns c = {
		.count = JOIN_COLUMNS,
		.heading = { "REGION", "COUNTER", "PROCESSES", "CALLS", "MIN", "BY", "MAX", "BY", "MEAN",
			     "DEVIATION" },
		.right = 0x3fc,
	};
	char number[6][SI_GROUPED_SIZE];
	const struct statistics *s;

	for (s = list->row; s < list->row + list->rows; s++) {
		bool same = s > list->row && !strcmp(s[-1].region, s->region);
		const char *row[JOIN_COLUMNS] = {
			same ? "" : s->region, s->counter, number[0], number[1], number[2],
			s->min_process, number[3], s->max_process, number[4], number[5],
		};

		si_grouped(number[0], s->processes);
		si_grouped(number[1], s->calls);
		si_grouped(number[2], s->min);
		si_grouped(number[3], s->max);
		si_grouped(number[4], statistics_rounded(s->mean));
		si_grouped(number[5], statistics_rounded(statistics_deviation(s)));
		columns_add(&c, row);
	}
	return columns_print(&c, true, stdout) ? fail("out of memory") : 0;
}

static int print_joined(const struct region_joined *j, const char *name,
			const struct region_options *o)
{
	int status = 0;

	if (o->form == REGION_METRICS)
		metrics_add(&j->list, name);
	else if (o->form == REGION_EVERY_VALUE)
		values_print_statistics(&j->list);
	else if (o->table)
		status = print_join_table(&j->list);
	else
		print_csv_statistics(&j->list);
	return status;
}

/* Joins one directory, and prints it. */
static int join_application(const char *name, const struct region_options *o)
{
	struct region_joined joined = { };
	int status = join_directory(&joined, name, o);

	print_join_notes(&joined);
	if (!status && !joined.files && !joined.ended && !joined.left_out)
		status = fail("%s: no file of librcrregion (*.rcr)", name);
	if (!status && o->region && joined.files && !joined.list.rows)
		status = fail("%s: no file has the region '%s'", name, o->region);
	if (!status)
		status = print_joined(&joined, name, o);
	statistics_free(&joined.list);
	return status ? status : !!joined.left_out;
}

int region_join(const struct region_options *o)
{
	int status = o->form == REGION_METRICS ? metrics_begin(o) : 0, one;
	char **name;

	if (status)
		return status;
	if (o->form == REGION_EVERY_VALUE)
		values_print_head();
	for (name = o->words; *name; name++) {
		one = join_application(*name, o);
		status = status ? status : one;
	}
	if (o->form == REGION_METRICS && metrics_end())
		status = EXIT_FAILURE;
	if (fflush(stdout) || ferror(stdout))
		return fail("standard output: write error");
	return status;
}
