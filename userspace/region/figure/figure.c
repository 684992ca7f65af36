// SPDX-License-Identifier: GPL-2.0-or-later
/* figure.c - parts that all figures share: the output file, and the names of applications. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "figure/figure.h"
#include "file.h"
#include "gnuplot.h"
#include "message.h"
#include "rcrregion/application.h"

int figure_draw(const struct region_options *o, figure_script *script, const void *from)
{
	struct file_new file;
	struct gnuplot g;
	struct why why;

	if (gnuplot_need("a figure"))
		return EXIT_FAILURE;
	if (file_begin(&file, o->output, &why))
		return fail("%s", why.text);
	if (!gnuplot_begin(&g)) {
		script(g.script, g.output, from);
		if (!gnuplot_end(&g, file.stream))
			return file_commit(&file, &why) ? fail("%s", why.text) : 0;
	}
	file_abandon(&file);
	return EXIT_FAILURE;
}

/**
 * struct figure_taking - passes regions to a figure
 * @take: called with each region
 * @to: first argument of @take
 * @regions: number of regions so far
 * @here: some process ran on this machine
 */
struct figure_taking {
	figure_take *take;
	void *to;
	unsigned int regions;
	bool here;
};

bool figure_prints(const struct region_options *o)
{
	return !o->output || o->numbers;
}

char *figure_label(const char *directory)
{
	char path[PATH_MAX];
	const char *last;
	size_t length;

	/* Resolve "." and "..". */
	if (!realpath(directory, path))
		snprintf(path, sizeof(path), "%s", directory);
	for (length = strlen(path); length > 1 && path[length - 1] == '/'; length--)
		path[length - 1] = 0;
	last = strrchr(path, '/');
	return strdup(last && last[1] ? last + 1 : path);
}

/* True if some process of the application ran on this machine. */
static bool ran_here(const struct application *app)
{
	char name[REGION_TEXT_LEN] = "";
	unsigned int i;

	if (gethostname(name, sizeof(name) - 1))
		return false;
	for (i = 0; i < app->hosts && strcmp(app->host[i].name, name); i++)
		;
	return i < app->hosts;
}

static int take_directory(const char *directory, const struct region_options *o,
			  struct figure_taking *taking)
{
	struct application app = { };
	struct metric_region r;
	unsigned int row = 0;
	char *label = figure_label(directory);
	int status = label ? application_join(&app, directory, o) : fail("out of memory");

	metrics_compile(&app.list);
	while (!status && metrics_next_region(&app.list, &row, &r)) {
		taking->regions++;
		if (taking->take(taking->to, &r, label))
			status = fail("out of memory");
	}
	if (!status)
		status = !!app.left_out;
	taking->here |= ran_here(&app);
	application_free(&app);
	free(label);
	return status;
}

int figure_regions(const struct region_options *o, figure_take *take, void *to, bool *elsewhere)
{
	struct figure_taking taking = { .take = take, .to = to };
	int status = 0, one;
	char **name;

	for (name = o->words; *name; name++) {
		one = take_directory(*name, o, &taking);
		status = status ? status : one;
	}
	if (elsewhere)
		*elsewhere = !taking.here;
	return status || taking.regions ? status : fail("no file has a region to draw");
}

bool figure_has_applications(const struct region_options *o)
{
	return o->words[0] && o->words[1];
}

int region_plot(const struct region_options *o)
{
	return o->figure == FIGURE_MIX ? figure_mix(o) : figure_roofline(o);
}
