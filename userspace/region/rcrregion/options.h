/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.h - the command line of rcrregion. */
#ifndef RCRREGION_OPTIONS_H
#define RCRREGION_OPTIONS_H

#include <stdbool.h>

/* Verbs of rcrregion. */
enum region_verb {
	REGION_RUN,
	REGION_SHOW,
	REGION_JOIN,
	REGION_PLOT,
	REGION_COMPARE,
};

/* Figures of plot. */
enum region_figure {
	FIGURE_MIX,
	FIGURE_ROOFLINE,
};

/* Forms of the output of show and join. */
enum region_form {
	REGION_STATISTICS,	/* of show: the totals */
	REGION_METRICS,
	REGION_EVERY_VALUE,
};

/**
 * struct region_options - the command line
 * @verb: what to do
 * @mode: name of the mode; NULL: the first one
 * @split: rule by which groups of events are split over ranks; NULL: the default one
 * @kernel: also count in the kernel
 * @mpi: count from the end of MPI_Init() to the beginning of MPI_Finalize()
 * @openmp: count each parallel region of OpenMP
 * @l3_ways: ways of the L3 that the command may fill; 0: all
 * @prefetch_off: switch prefetchers off while it runs
 * @directory: directory of the files; NULL: the current one
 * @table: print a table instead of CSV
 * @numbers: option --csv or --table was given: also print the numbers of the figure
 * @output: file to draw into; NULL: do not draw
 * @figure: figure of plot
 * @ceilings: calibration file for the roofline; NULL: the one that rcrcal writes
 * @peak: operations a second that a machine can do; 0: not known
 * @by: metrics and counters that compare prints; NULL: all metrics
 * @ratios: draw ratios to the first run
 * @all: also join processes that a signal ended
 * @form: form of the output
 * @derive: file with the formulas of metrics; NULL: the built-in ones
 * @region: the region to print; NULL: all
 * @words: the command, the files, or the directories; NULL ends them
 */
struct region_options {
	enum region_verb verb;
	const char *mode;
	const char *split;
	bool kernel;
	bool mpi;
	bool openmp;
	unsigned int l3_ways;
	bool prefetch_off;
	const char *directory;
	bool table;
	bool numbers;
	const char *output;
	enum region_figure figure;
	const char *ceilings;
	double peak;
	const char *by;
	bool ratios;
	bool all;
	enum region_form form;
	const char *derive;
	const char *region;
	char **words;
};

/* Returns 0, or the exit status after reporting an error. --help and --version end the program. */
int region_options_parse(struct region_options *o, int argc, char **argv);

/* run.c, show.c, join.c, figure/: return the exit status. */
int region_run(const struct region_options *o);
int region_show(const struct region_options *o);
int region_join(const struct region_options *o);
int region_plot(const struct region_options *o);
int region_compare(const struct region_options *o);

#endif
