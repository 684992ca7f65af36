// SPDX-License-Identifier: GPL-2.0-only
/* output.c - writes lines, tables and records in the selected format. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/csv.h"
#include "format/ldms.h"
#include "format/marks.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "format/raw.h"
#include "format/screen.h"
#include "format/table.h"

/* stdio buffer of the output, of which a process has one. */
static char buffer[256 * 1024];

static int output_failed(const struct output *o)
{
	const char *name = o->options->output ? o->options->output : "standard output";

	/* The reader of the pipe is gone: end as a program that does not catch the signal. */
	if (errno == EPIPE) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	return fail("%s: %s", name, strerror(errno));
}

/* Writes all pending items and text; returns 0, or -1 with errno. */
static int write_out(struct output *o)
{
	if (raw_write(&o->raw, fileno(o->file)))
		return -1;
	return fflush(o->file) || ferror(o->file) ? -1 : 0;
}

/* Writes all buffered output, so that a reader of the output is up to date. */
int output_flush(struct output *o)
{
	return write_out(o) ? output_failed(o) : 0;
}

/* Detects a screen; all output is buffered fully and flushed explicitly. */
static int set_buffer(struct output *o)
{
	bool raw = o->options->format == FORMAT_RAW;

	if (raw && isatty(fileno(o->file)))
		return fail("records are not for a terminal: name a file with -o, or write into a pipe");
	o->screen = o->options->format == FORMAT_RATES && screen_is_one(o->file);
	setvbuf(o->file, buffer, _IOFBF, sizeof(buffer));
	return 0;
}

int output_open(struct output *o, const struct options *options)
{
	*o = (struct output){ .options = options };
	o->file = options->output ? fopen(options->output, "we") : stdout;
	if (!o->file)
		return output_failed(o);
	gethostname(o->host, sizeof(o->host) - 1);
	return set_buffer(o);
}

static void forget_shown(struct output *o)
{
	intervals_free(&o->shown);
	o->shown.set = NULL;
}

/*
 * Writes pending output and closes what output_open() opened. @ret is the status so far; pending
 * output is written even if it is an error.
 */
int output_close(struct output *o, int ret)
{
	view_free(&o->view);
	forget_shown(o);
	if (o->file && write_out(o) && !ret)
		ret = output_failed(o);
	if (o->file && o->file != stdout && fclose(o->file) && !ret)
		ret = output_failed(o);
	return ret;
}

static int find_view(struct output *o, const struct intervals *v)
{
	view_free(&o->view);
	if (view_init(&o->view, v, o->options->per, o->options->sysfs))
		return fail("no memory for %u CPUs", v->cpus);
	return 0;
}

/**
 * output_set() - start the output of a new set
 * @o: the output
 * @v: intervals of the new set, still empty
 * @header: the columns differ from those before; if not, the present names are kept
 */
int output_set(struct output *o, const struct intervals *v, bool header)
{
	forget_shown(o);
	if (header && o->options->format != FORMAT_RAW && find_view(o, v))
		return EXIT_FAILURE;
	if (header && o->options->format == FORMAT_CSV)
		csv_header(o->file, v, &o->view);
	if (header && o->options->format == FORMAT_LDMS)
		ldms_header(o->file, v, &o->view);
	/* The buffered items may include the old set. */
	return output_flush(o);
}

static int show(struct output *o, const struct intervals *v)
{
	struct table_size size = screen_size(o->file);
	char *text = NULL;
	size_t length;
	FILE *f = open_memstream(&text, &length);

	if (!f)
		return fail("no memory for a table");
	table_print(f, v, &o->view, o->mark.item.size ? &o->mark : NULL, &size);
	if (fclose(f)) {
		free(text);
		return fail("no memory for a table");
	}
	screen_show(o->file, text, &size, !o->tables++);
	free(text);
	return output_flush(o);
}

/* Keeps a copy of the interval for output_resized(); none if out of memory. */
static void keep_shown(struct output *o, const struct intervals *v)
{
	size_t bytes = v->cpus * sizeof(*v->cpu);

	forget_shown(o);
	o->shown = *v;
	o->shown.place = NULL;
	o->shown.cpu = malloc(bytes);
	if (o->shown.cpu)
		memcpy(o->shown.cpu, v->cpu, bytes);
	else
		o->shown.set = NULL;
}

/* Prints an empty line between tables and marks. */
static void separate(struct output *o)
{
	if (o->tables++)
		fputc('\n', o->file);
}

static void print_table(struct output *o, const struct intervals *v)
{
	const struct table_size any = { };

	separate(o);
	table_print(o->file, v, &o->view, NULL, &any);
}

/* Prints a finished interval; a screen is updated at once. */
int output_interval(struct output *o, const struct intervals *v)
{
	const struct ldms_names names = {
		o->host, o->options->component, jobs_id(&o->jobs),
	};

	switch (o->options->format) {
	case FORMAT_CSV:
		csv_line(o->file, v, &o->view);
		break;
	case FORMAT_LDMS:
		ldms_line(o->file, v, &o->view, &names);
		break;
	case FORMAT_RAW:
		return 0;
	case FORMAT_RATES:
		if (o->screen) {
			keep_shown(o, v);
			return show(o, v);
		}
		print_table(o, v);
		break;
	}
	return ferror(o->file) ? output_failed(o) : 0;
}

/**
 * output_mark() - print a mark before the line of the current interval
 * @o: the output
 * @v: the intervals
 * @mark: the mark
 */
int output_mark(struct output *o, const struct intervals *v,
		const struct rcr_mark *mark)
{
	switch (o->options->format) {
	case FORMAT_CSV:
		mark_comment(o->file, mark, v->offset);
		break;
	case FORMAT_LDMS:
		jobs_mark(&o->jobs, mark);
		return 0;
	case FORMAT_RAW:
		return 0;
	case FORMAT_RATES:
		o->mark = *mark;
		if (o->screen)
			return 0;
		separate(o);
		mark_sentences(o->file, mark, v->offset);
		break;
	}
	return ferror(o->file) ? output_failed(o) : 0;
}

/* Queues an item in the raw format; it must stay in place until output_flush(). */
int output_item(struct output *o, const struct rcr_item *item)
{
	const struct options *options = o->options;

	if (options->format != FORMAT_RAW ||
	    !raw_wants(item, options->all_cpus ? NULL : options->cpu) ||
	    raw_takes(&o->raw, item))
		return 0;
	if (output_flush(o))
		return EXIT_FAILURE;
	raw_takes(&o->raw, item);
	return 0;
}

/* Redraws the last table after the size of the terminal has changed. */
int output_resized(struct output *o)
{
	if (!o->screen || !o->shown.set)
		return 0;
	return show(o, &o->shown);
}
