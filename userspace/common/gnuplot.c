// SPDX-License-Identifier: GPL-2.0-or-later
/* gnuplot.c - runs gnuplot, with its script and its output in memory. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "child.h"
#include "gnuplot.h"
#include "message.h"
#include "parse/utf8.h"

int gnuplot_need(const char *user)
{
	if (child_is_installed(GNUPLOT))
		return 0;
	return fail("%s needs the program gnuplot, which is not installed: install Debian's gnuplot-nox",
		    user);
}

static void close_files(struct gnuplot *g)
{
	unsigned int i;

	for (i = 0; i < 2; i++)
		if (g->fd[i] >= 0)
			close(g->fd[i]);
}

int gnuplot_begin(struct gnuplot *g)
{
	*g = (struct gnuplot){ };
	g->fd[0] = memfd_create("gnuplot-script", 0);
	g->fd[1] = memfd_create("gnuplot-output", 0);
	if (g->fd[0] >= 0 && g->fd[1] >= 0)
		g->script = fdopen(dup(g->fd[0]), "w");
	if (!g->script) {
		fail("cannot create the script of the plot: %s", strerror(errno));
		close_files(g);
		return EXIT_FAILURE;
	}
	snprintf(g->output, sizeof(g->output), "/dev/fd/%d", g->fd[1]);
	return 0;
}

/* Copies the output of gnuplot; -1 if it is empty. */
static int copy_drawn(int fd, FILE *out)
{
	char part[16384];
	off_t at = 0;
	ssize_t got;

	while ((got = pread(fd, part, sizeof(part), at)) > 0) {
		fwrite(part, 1, got, out);
		at += got;
	}
	return at ? 0 : -1;
}

/* Option -d keeps gnuplot from reading the user's ~/.gnuplot, which is for other plots. */
int gnuplot_end(struct gnuplot *g, FILE *out)
{
	char from[32], program[sizeof(GNUPLOT)], defaults[] = "-d";
	char *command[4] = { program, defaults, from, NULL };
	int ret;

	strcpy(program, GNUPLOT);
	snprintf(from, sizeof(from), "/dev/fd/%d", g->fd[0]);
	if (fclose(g->script)) {
		ret = fail("no memory for the plot");
	} else {
		lseek(g->fd[0], 0, SEEK_SET);
		ret = child_run(command) || copy_drawn(g->fd[1], out) ?
		      fail("gnuplot did not draw the plot") : 0;
	}
	close_files(g);
	return ret;
}

/*
 * gnuplot does not escape ">", and "]]>" ends a CDATA section of XML: insert a blank. Bytes that
 * are not UTF-8 become underscores.
 */
void gnuplot_put_text(FILE *out, const char *text)
{
	const char *begin = text;
	int length;

	for (; *text; text += length ? length : 1) {
		length = utf8_length(text);
		if (*text == '\'')
			fputc('\'', out);
		if (*text == '>' && text - begin > 1 && text[-1] == ']' && text[-2] == ']')
			fputc(' ', out);
		if (length)
			fwrite(text, 1, length, out);
		else
			fputc('_', out);
	}
}

void gnuplot_put_quoted(FILE *out, const char *text)
{
	fputc('\'', out);
	gnuplot_put_text(out, text);
	fputc('\'', out);
}

void gnuplot_put_svg(FILE *out, const char *output, unsigned int width, unsigned int height)
{
	fprintf(out, "set terminal svg size %u,%u dynamic noenhanced font 'sans,12' background 'white'\n"
		"set encoding utf8\nset output ", width, height);
	gnuplot_put_quoted(out, output);
	fputc('\n', out);
}
