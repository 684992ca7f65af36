// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * saved_read.c - reads saved lines from a file, which may grow.
 *
 * A last line without a newline is an error; with --follow, the rest of the line is waited for.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/format.h"
#include "message.h"
#include "options.h"
#include "output_file.h"
#include "saved/saved.h"
#include "signals.h"

/* Interval of checking whether a file has grown, ms. */
#define LOOK_MS 200

/* True if the file begins like saved lines. */
bool saved_is_text(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char begin[5] = "";
	struct stat st;
	bool text;

	if (fd < 0)
		return false;
	/* A pipe is not checked: bytes read from it could not be put back. */
	text = !fstat(fd, &st) && S_ISREG(st.st_mode) && pread(fd, begin, sizeof(begin), 0) == 5 &&
	       (!memcmp(begin, "time,", 5) || !memcmp(begin, "#Time", 5));
	close(fd);
	return text;
}

static int check_saved_options(struct options *o, FILE *out)
{
	if (!o->format)
		o->format = isatty(fileno(out)) ? &format_table : &format_csv;
	if (o->format != &format_csv && o->format != &format_table && o->format != &format_json)
		return wrong("saved lines can be printed in the formats table, csv and json");
	if (o->meters || o->per_given || o->interval_given || o->derive)
		return wrong("options -m, -p, -i and --derive cannot be used with saved lines: use only -e");
	return 0;
}

static int report_output_error(const struct options *o)
{
	if (errno == EPIPE) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	return fail("%s: %s", o->output ? o->output : "standard output", strerror(errno));
}

/* Waits for more data in a file that is followed; returns false if it has become shorter. */
static bool wait_for_lines(FILE *in)
{
	struct stat st;

	if (fstat(fileno(in), &st) || st.st_size < ftello(in))
		return false;
	clearerr(in);
	poll(NULL, 0, LOOK_MS);
	return true;
}

/**
 * struct lines - lines of a file
 * @in: the file
 * @text: the line, of which @length bytes were read
 * @length: bytes of @text
 * @number: of the line, from 1
 */
struct lines_in {
	FILE *in;
	char *text;
	size_t room;
	size_t length;
	unsigned int number;
};

/* Reads more of the line; returns 1 if it is complete, 0 at the end of the file, -1 on failure. */
static int read_more(struct lines_in *l)
{
	char *part = NULL;
	size_t room = 0;
	ssize_t got = getline(&part, &room, l->in);

	if (got > 0) {
		char *more = realloc(l->text, l->length + got + 1);

		if (!more) {
			free(part);
			return -1;
		}
		l->text = more;
		memcpy(l->text + l->length, part, got + 1);
		l->length += got;
	}
	free(part);
	if (got <= 0)
		return ferror(l->in) ? -1 : 0;
	if (l->text[l->length - 1] != '\n')
		return 0;
	l->text[l->length - 1] = 0;
	l->number++;
	return strlen(l->text) == l->length - 1 ? 1 : -1;
}

static int end_of_lines(const struct lines_in *l, const char *path)
{
	if (!l->length)
		return 0;
	return fail("%s:%u: the last line is cut off", path, l->number + 1);
}

static int print_line(struct saved *s, struct lines_in *l, const struct options *o, FILE *out,
		      bool *header, uint64_t *count)
{
	char name[64];
	struct why why;

	switch (saved_take(s, l->text, &why)) {
	case SAVED_WRONG:
		return fail("%s:%u: %s", o->device, l->number, why.text);
	case SAVED_HEADER:
		*header = true;
		break;
	case SAVED_MARK:
		/* LDMS: the first line has the names of the columns. */
		if (*header && s->kind != SAVED_LDMS) {
			saved_print_header(out, s, o);
			*header = false;
		}
		saved_print_mark(out, l->text, o);
		break;
	case SAVED_INTERVAL:
		if (!*count && saved_missing_event(s, o, name))
			return fail("%s: no column of event '%s': name those of its header", o->device,
				    name);
		saved_print(out, s, o, *header);
		*header = false;
		++*count;
		break;
	case SAVED_NOTHING:
		break;
	}
	l->length = 0;
	return ferror(out) ? report_output_error(o) : 0;
}

static int print_saved_lines(struct lines_in *l, const struct options *o, FILE *out)
{
	static struct saved s;
	bool header = false;
	uint64_t count = 0;
	int got, ret = 0;

	while (!ret && !signals_stopped() && (!o->count || count < o->count)) {
		got = read_more(l);
		if (got > 0) {
			ret = print_line(&s, l, o, out, &header, &count);
		} else if (got < 0) {
			ret = fail("%s:%u: not a line of text", o->device, l->number);
		} else if (!o->follow) {
			ret = end_of_lines(l, o->device);
			break;
		} else if (fflush(out)) {
			ret = report_output_error(o);
		} else if (!wait_for_lines(l->in)) {
			ret = fail("%s: the file has become shorter", o->device);
		}
	}
	saved_free(&s);
	return ret;
}

/**
 * saved_run() - print the lines of a file
 * @o: the command line
 *
 * Returns the exit status, after reporting an error.
 */
int saved_run(const struct options *o)
{
	struct lines_in l = { .in = fopen(o->device, "re") };
	struct options options = *o;
	FILE *out = NULL;
	int ret = 0;

	if (!l.in)
		return fail("%s: %s", o->device, strerror(errno));
	out = o->output ? output_file_open(o->output, o->device) : stdout;
	ret = out ? check_saved_options(&options, out) : EXIT_FAILURE;
	if (!ret && output_file_begin(out))
		ret = report_output_error(o);
	if (!ret)
		ret = print_saved_lines(&l, &options, out);
	if (out && fflush(out) && !ret)
		ret = report_output_error(o);
	fclose(l.in);
	if (out && out != stdout && fclose(out) && !ret)
		ret = report_output_error(o);
	free(l.text);
	return ret;
}
