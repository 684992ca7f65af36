// SPDX-License-Identifier: GPL-2.0-or-later
/* figure.c - what all figures need: the file that is drawn into, and names of applications. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "figure/figure.h"
#include "file.h"
#include "gnuplot.h"
#include "message.h"

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

bool figure_prints(const struct region_options *o)
{
	return !o->output || o->numbers;
}

char *figure_label(const char *directory)
{
	char path[PATH_MAX];
	const char *last;
	size_t length;

	/* "." and ".." have names, too. */
	if (!realpath(directory, path))
		snprintf(path, sizeof(path), "%s", directory);
	for (length = strlen(path); length > 1 && path[length - 1] == '/'; length--)
		path[length - 1] = 0;
	last = strrchr(path, '/');
	return strdup(last && last[1] ? last + 1 : path);
}

int region_plot(const struct region_options *o)
{
	return o->figure == FIGURE_MIX ? figure_mix(o) : figure_roofline(o);
}
