/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gnuplot.h - runs gnuplot on a script that the caller writes, and copies the picture. */
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

/* Writes the commands that select SVG, its size in pixels, and the file @output. */
void gnuplot_put_svg(FILE *out, const char *output, unsigned int width, unsigned int height);

/*
 * Runs gnuplot and copies the picture to @out; on failure, copies nothing. Returns 0, or
 * EXIT_FAILURE after reporting an error; the caller checks @out for errors. Signals stay blocked,
 * as after child_run().
 */
int gnuplot_end(struct gnuplot *g, FILE *out);

/* Escapes a text for gnuplot and XML, and writes it without or with single quotes around it. */
void gnuplot_put_text(FILE *out, const char *text);
void gnuplot_put_quoted(FILE *out, const char *text);

#endif
