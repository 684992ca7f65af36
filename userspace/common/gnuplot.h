/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gnuplot.h - lets gnuplot draw: a script that is written, and the picture that comes of it. */
#ifndef COMMON_GNUPLOT_H
#define COMMON_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

#define GNUPLOT "gnuplot"

/**
 * struct gnuplot - a picture that is being drawn; the files are in memory
 * @script: where the caller writes the script
 * @output: name of the file that the script has to write
 * @fd: descriptors of the script and of the picture
 */
struct gnuplot {
	FILE *script;
	char output[32];
	int fd[2];
};

/* Returns 0, or EXIT_FAILURE after reporting that @user needs gnuplot, which is not installed. */
int gnuplot_need(const char *user);

/* Begins a script; returns 0, or EXIT_FAILURE after reporting an error. */
int gnuplot_begin(struct gnuplot *g);

/* Writes what a script begins with: a picture in SVG of so many pixels in the file @output. */
void gnuplot_put_svg(FILE *out, const char *output, unsigned int width, unsigned int height);

/*
 * Runs gnuplot and copies the picture. Nothing of one that fails is in @out. Returns 0, or
 * EXIT_FAILURE after reporting an error; errors of @out are the caller's to find. Signals stay
 * blocked, as after child_run().
 */
int gnuplot_end(struct gnuplot *g, FILE *out);

/* Writes a text of gnuplot, which means nothing to it or to XML, without its quotes or with. */
void gnuplot_put_text(FILE *out, const char *text);
void gnuplot_put_quoted(FILE *out, const char *text);

#endif
