// SPDX-License-Identifier: GPL-2.0-or-later
/* output.c - writes lines, tables and records in the selected format. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "format/format.h"
#include "format/marks.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "format/raw.h"
#include "format/screen.h"
#include "output_file.h"
#include "format/table.h"
#include "signals.h"
#include "terminal.h"

/* Most CPUs that have a row each in a table: of more, a band is printed. */
#define BAND_CPUS 32

/* stdio buffer of the output: there is only one output per process. */
static char buffer[256 * 1024];

static int output_failed(const struct output *o)
{
	const char *name = o->options->output ? o->options->output : "standard output";

	/* The pipe has no reader: die of SIGPIPE, as by default. */
	if (errno == EPIPE) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	return fail("%s: %s", name, strerror(errno));
}

/* Writes all pending items and text; returns 0, or -1 with errno. */
static int write_out(struct output *o)
{
	if (!o->file)
		return 0;
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
static int set_buffer(struct output *o, bool in_time)
{
	bool terminal = isatty(fileno(o->file));

	if (!o->format)
		o->format = terminal ? &format_table : &format_csv;
	if (o->format->items && terminal)
		return fail("records are not for a terminal: name a file with -o, or write into a pipe");
	o->look.utf8 = terminal_is_utf8();
	o->look.colour = terminal_has_colours(o->file);
	if (terminal)
		o->look.columns = screen_size(o->file).columns;
	/*
	 * Live tables replace each other on a screen of their own. A single table is printed like
	 * any other output, and tables of a file follow each other.
	 */
	o->screen = o->format == &format_table && o->options->count != 1 && in_time &&
		    screen_is_one(o->file);
	setvbuf(o->file, buffer, _IOFBF, sizeof(buffer));
	if (o->screen) {
		signals_catch_suspend();
		terminal_enter(o->file);
	}
	return 0;
}

/* Creates the directory @path, which may exist, and the file @name in it. */
static FILE *open_in_directory(const char *path, const char *name, const char *input)
{
	char file[PATH_MAX];

	if (mkdir(path, 0755) && errno != EEXIST) {
		fail("%s: %s", path, strerror(errno));
		return NULL;
	}
	if (snprintf(file, sizeof(file), "%s/%s", path, name) >= (int)sizeof(file)) {
		fail("%s: %s", path, strerror(ENAMETOOLONG));
		return NULL;
	}
	return output_file_open(file, input);
}

/* Opens the file of the output; NULL after reporting an error. */
static FILE *open_output(const struct options *options, const struct format *format)
{
	if (format && format->directory)
		return open_in_directory(options->output, format->directory, options->device);
	return options->output ? output_file_open(options->output, options->device) : stdout;
}

/* --component-id overrides the number in any identity. */
static void set_component(struct output *o)
{
	if (!o->options->component_given)
		return;
	o->node.component = o->options->component;
	o->node.has_component = true;
	o->node.origin = NODE_GIVEN;
}

/*
 * Finds the identity of this node. An invalid configuration is an error only if the format needs an
 * identity.
 */
static int find_node(struct output *o)
{
	bool needed = o->format && o->format->identified;
	struct why why;

	if (node_read(&o->node, CONFIG_PATH, &why)) {
		fail("%s", why.text);
		if (needed)
			return EXIT_USAGE;
		o->node = (struct node){ };
	}
	set_component(o);
	return 0;
}

/**
 * output_open() - open the output
 * @o: the output
 * @options: the command line
 * @live: the items are those of this node
 * @in_time: items arrive as time passes; those of a file are all there
 *
 * Returns 0, or after reporting an error EXIT_FAILURE, or EXIT_USAGE if the configuration is wrong.
 */
int output_open(struct output *o, const struct options *options, bool live, bool in_time)
{
	*o = (struct output){ .options = options, .format = options->format };
	o->look.node = &o->node;
	if (live && find_node(o))
		return EXIT_USAGE;
	if (o->format && o->format->program && !child_is_installed(o->format->program))
		return fail("the format %s needs the program %s, which is not installed: install Debian's %s-nox",
			    o->format->name, o->format->program, o->format->program);
	if (o->format && o->format->replaced && options->output)
		return output_file_is(options->output, options->device) ? EXIT_FAILURE : 0;
	o->file = open_output(options, o->format);
	return o->file ? set_buffer(o, in_time) : EXIT_FAILURE;
}

static struct page make_page(const struct output *o, const struct intervals *v)
{
	return (struct page){
		.out = o->file, .v = v, .view = &o->view, .node = &o->node,
		.job = jobs_id(&o->jobs), .sets = o->sets,
		.directory = o->options->output, .size = &o->look,
	};
}

/* Forgets the interval on the screen, whose set is freed. */
void output_forget(struct output *o)
{
	intervals_free(&o->shown);
	o->shown.set = NULL;
}

/* Leaves the alternate screen, and prints the last table on the normal one. */
static void leave_screen(struct output *o)
{
	terminal_leave(o->file);
	o->screen = false;
	if (o->options->tasks && o->text)
		fputs(o->text, o->file);
	else if (o->shown.set)
		table_print(o->file, &o->shown, &o->view,
			    o->mark.item.size ? &o->mark : NULL, &o->look);
}

/*
 * Writes pending output, even if the status so far, @ret, is an error, and closes everything that
 * output_open() opened. @v are the intervals, if there is a set.
 */
int output_close(struct output *o, const struct intervals *v, int ret)
{
	struct page page;

	if (o->screen)
		leave_screen(o);
	if (o->file && o->sets && o->format->end) {
		page = make_page(o, v);
		if (o->format->end(&page) && !ret)
			ret = EXIT_FAILURE;
	}
	view_free(&o->view);
	output_forget(o);
	free(o->text);
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
	o->view.band = !o->options->per_given && v->cpus > BAND_CPUS;
	return 0;
}

/**
 * output_set() - start the output of a new set
 * @o: the output
 * @v: intervals of the new set, still empty
 * @header: the columns have changed; if not, the header is only printed again for another node
 */
int output_set(struct output *o, const struct intervals *v, bool header)
{
	bool other = !node_is_same(&o->named, &o->node);
	struct page page;

	output_forget(o);
	if (other && o->begun && o->format->single)
		return fail("records of another node follow, but the format %s supports only one: convert each recording separately",
			    o->format->name);
	o->named = o->node;
	header |= other;
	if (!o->begun && o->file && output_file_begin(o->file))
		return output_failed(o);
	o->begun = true;
	if (header && !o->format->items && find_view(o, v))
		return EXIT_FAILURE;
	page = make_page(o, v);
	if (header && o->format->set && o->file) {
		if (o->format->set(&page))
			return output_failed(o);
		o->sets++;
	}
	/* The buffered items may include the old set. */
	return output_flush(o);
}

static void print_screen(struct output *o, const struct intervals *v, FILE *out,
			 const struct table_size *size)
{
	struct page page = make_page(o, v);

	page.out = out;
	page.size = size;
	page.mark = o->mark.item.size ? &o->mark : NULL;
	o->format->line(&page);
}

static int show_interval(struct output *o, const struct intervals *v)
{
	struct table_size size = screen_size(o->file);
	char *text = NULL;
	size_t length;
	FILE *f = open_memstream(&text, &length);

	if (!f)
		return fail("no memory for a table");
	size.colour = o->look.colour;
	size.utf8 = o->look.utf8;
	size.node = o->look.node;
	print_screen(o, v, f, &size);
	if (fclose(f)) {
		free(text);
		return fail("no memory for a table");
	}
	screen_show(o->file, text, &size, !o->tables++);
	free(o->text);
	o->text = text;
	return output_flush(o);
}

/* Copies the interval for output_resized(); if memory runs out, there is no copy. */
static void keep_shown(struct output *o, const struct intervals *v)
{
	size_t bytes = v->cpus * sizeof(*v->cpu);

	output_forget(o);
	if (v->tasks)
		return;
	o->shown = *v;
	o->shown.place = NULL;
	o->shown.cpu = malloc(bytes);
	if (o->shown.cpu)
		memcpy(o->shown.cpu, v->cpu, bytes);
	else
		o->shown.set = NULL;
}

/* Prints an empty line between tables and marks. */
static void separate_tables(struct output *o)
{
	if (o->tables++)
		fputc('\n', o->file);
}

/* Writes an interval to a new file, which replaces that of the previous interval. */
static int replace_file(struct output *o, const struct intervals *v)
{
	struct page page = make_page(o, v);
	struct why why;

	if (file_begin(&o->replacement, o->options->output, &why))
		return fail("%s", why.text);
	page.out = o->replacement.stream;
	o->format->line(&page);
	return file_commit(&o->replacement, &why) ? fail("%s", why.text) : 0;
}

/* Prints a finished interval; a screen is updated at once. */
int output_interval(struct output *o, const struct intervals *v)
{
	struct page page = make_page(o, v);

	if (o->format->items)
		return 0;
	if (o->format->single && intervals_wall_time(v) < o->latest)
		return fail("an interval ends before the previous one, which the format %s does not support: convert each recording separately",
			    o->format->name);
	o->latest = intervals_wall_time(v);
	if (!o->file)
		return replace_file(o, v);
	if (o->screen) {
		keep_shown(o, v);
		return show_interval(o, v);
	}
	if (o->format->spaced)
		separate_tables(o);
	o->format->line(&page);
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
	struct page page = make_page(o, v);

	jobs_mark(&o->jobs, mark);
	o->mark = *mark;
	if (!o->format->mark || !o->file || o->screen)
		return 0;
	if (o->format->spaced)
		separate_tables(o);
	o->format->mark(&page, mark);
	return ferror(o->file) ? output_failed(o) : 0;
}

/* Queues an item in the raw format; it must stay in place until output_flush(). */
int output_item(struct output *o, const struct rcr_item *item)
{
	const struct options *options = o->options;

	if (!o->format->items ||
	    !raw_wants(item, options->all_cpus ? NULL : options->cpu) ||
	    raw_takes(&o->raw, item))
		return 0;
	if (output_flush(o))
		return EXIT_FAILURE;
	raw_takes(&o->raw, item);
	return 0;
}

/* Queues the items of the node's identity in the raw format, after the set. */
int output_identity(struct output *o, const struct rcr_set *set)
{
	size_t size = identity_items(o->node_items, &o->node, set), at;
	const struct rcr_item *item;

	for (at = 0; at < size; at += item->size) {
		item = (const struct rcr_item *)((const char *)o->node_items + at);
		if (output_item(o, item))
			return EXIT_FAILURE;
	}
	return 0;
}

/*
 * For a stream without an identity: clears the identity, or uses that of this node if the format
 * needs one. Returns 0, or EXIT_USAGE if the configuration is wrong.
 */
int output_take_none(struct output *o)
{
	o->node = (struct node){ };
	if (o->format->identified)
		return find_node(o);
	set_component(o);
	return 0;
}

/* Takes a part of the stream's identity; ignores an invalid one. */
void output_take_node(struct output *o, const struct rcr_node *part)
{
	struct why why;

	if (!o->node_is_read)
		o->node = (struct node){ };
	o->node_is_read = true;
	if (!node_take_text(&o->node, part->text, &why))
		o->node.origin = part->item.flags & RCR_NODE_DEFAULT ? NODE_DEFAULT : NODE_GIVEN;
	set_component(o);
}

/* Redraws the last table after the size of the terminal has changed. */
int output_resized(struct output *o)
{
	if (!o->screen || !o->shown.set)
		return 0;
	return show_interval(o, &o->shown);
}

/* Suspends this process: restores the terminal, stops, and draws again when continued. */
int output_suspend(struct output *o)
{
	terminal_leave(o->file);
	if (output_flush(o))
		return EXIT_FAILURE;
	raise(SIGSTOP);
	terminal_enter(o->file);
	o->tables = 0;
	return output_resized(o);
}
