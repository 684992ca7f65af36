// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * initialize.c - loads a file: a dictionary of LDMS, which defines names, or a saved set, which
 * replaces the staged set.
 *
 * All errors in the file are reported; with any error, nothing is changed unless --skip-wrong is
 * given.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "message.h"
#include "saved.h"
#include "set/staged.h"
#include "verbs.h"

/**
 * struct source - the file
 * @path: its path
 * @text: its contents
 * @size: bytes of @text
 * @skip: skip invalid lines
 */
struct source {
	const char *path;
	char *text;
	size_t size;
	bool skip;
};

static void note_set_line(void *to, unsigned int line, const char *sentence)
{
	const struct source *src = to;

	note_line(src->path, line, "%s", sentence);
}

static int report_invalid(const struct source *src, int wrong)
{
	return fail("%s: %d invalid line%s, nothing was loaded; --skip-wrong loads the others",
		    src->path, wrong, wrong == 1 ? "" : "s");
}

/* A row of a dictionary has a comma after a plain name; a line of a saved set does not. */
static bool is_dictionary(const char *text)
{
	size_t len;

	while (*text) {
		text += strspn(text, " \t\r\n");
		len = strcspn(text, ",:=/\n");
		if (*text != '#' && text[len] && text[len] != '\n')
			return text[len] == ',';
		text += strcspn(text, "\n");
	}
	return false;
}

static int empty_staged(struct session *s)
{
	if (!session_has_module(s))
		return EXIT_SUCCESS;
	return done(s, rcr_control_remove(s->control, s->generation, NULL));
}

/* Warns about rows that have no effect, because rcrtool uses their names for other events. */
static void warn_of_meanings(const struct source *src, const struct names *n, const struct ldms *d)
{
	unsigned int i;

	for (i = 0; i < d->rows; i++)
		if (names_differ(n, &d->row[i]))
			note_line(src->path, d->row[i].line,
				  "warning: '%s' is ignored: rcrtool uses this name for another event",
				  d->row[i].name);
}

static void write_rows(FILE *out, const struct ldms *d)
{
	unsigned int i;

	for (i = 0; i < d->rows; i++)
		fprintf(out, "%.*s\n", d->row[i].length, d->row[i].text);
}

/* Replaces the dictionary only after the staged set was emptied. */
static int keep_dictionary(struct session *s, const struct ldms *d)
{
	const char *path = names_dictionary();
	struct file_new f;
	struct why why;
	int status;

	if (file_make_folders(path, &why) || file_begin(&f, path, &why))
		return fail("%s", why.text);
	write_rows(f.stream, d);
	status = empty_staged(s);
	if (status) {
		file_abandon(&f);
		return status;
	}
	if (file_commit(&f, &why))
		return fail("%s", why.text);
	session_forget_names(s);
	return EXIT_SUCCESS;
}

static int use_dictionary(struct session *s, struct source *src)
{
	const struct names *n = session_names(s);
	struct ldms d;
	int status, bad;

	bad = ldms_read(&d, src->text, src->size, note_set_line, src);
	src->text = NULL;	/* owned by the dictionary now */
	if (bad < 0)
		return fail("%s: %s", src->path, strerror(ENOMEM));
	if (bad && !src->skip) {
		status = report_invalid(src, bad);
	} else if (!d.rows) {
		status = fail("%s: no row is valid", src->path);
	} else if (!strncmp(n->family, "Intel", 5)) {
		status = fail("%s names AMD registers, but the PMU of this machine is an %s",
			      src->path, n->family);
	} else {
		warn_of_meanings(src, n, &d);
		status = keep_dictionary(s, &d);
	}
	ldms_free(&d);
	return status;
}

/* Queries the module for each event, to report the line numbers of invalid ones. */
static int check_events(struct session *s, struct source *src, struct saved *set)
{
	uint64_t counters;
	unsigned int i = 0;
	int bad = 0;

	while (i < set->count) {
		if (!rcr_control_where(s->control, set->event[i], &counters) ||
		    errno != EINVAL) {
			i++;
			continue;
		}
		note_line(src->path, set->line[i], "%s", rcr_control_reason(s->control));
		saved_remove(set, i);
		bad++;
	}
	return bad;
}

static int add_staged(struct session *s, char (*event)[RCR_EVENT_LEN], unsigned int count)
{
	const char *events[RCR_MAX_COUNTERS];
	unsigned int i;

	for (i = 0; i < count; i++)
		events[i] = event[i];
	return count ? rcr_control_add(s->control, 0, events, count) : 0;
}

static int stage_saved(struct session *s, struct saved *set)
{
	int status = session_look(s);

	if (status)
		return status;
	if (rcr_control_remove(s->control, s->generation, NULL))
		return done(s, -1);
	if (!add_staged(s, set->event, set->count) &&
	    (!set->period_ns || !rcr_control_period(s->control, 0, set->period_ns)))
		return EXIT_SUCCESS;
	status = done(s, -1);
	session_restage(s);
	return status;
}

static int use_saved(struct session *s, struct source *src)
{
	static struct saved set;
	int bad;

	bad = saved_read(&set, src->text, src->size, session_names(s), note_set_line, src);
	if (session_has_module(s))
		bad += check_events(s, src, &set);
	if (bad && !src->skip)
		return report_invalid(src, bad);
	if (!set.count && !set.period_ns)
		return fail("%s: contains neither rows of a dictionary nor events",
			    src->path);
	return stage_saved(s, &set);
}

int do_initialize(struct call *c)
{
	struct source src = { .skip = take_option(c, "--skip-wrong") };
	struct why why;
	int status;

	if (c->count != 1)
		return wrong("initialize takes one file, or --skip-wrong and one file");
	src.path = without_key(c->args[0], "conffile");
	src.text = file_read(src.path, &src.size, &why);
	if (!src.text)
		return fail("%s", why.text);
	if (is_dictionary(src.text))
		status = use_dictionary(c->session, &src);
	else
		status = use_saved(c->session, &src);
	free(src.text);
	return status;
}

int do_load(struct call *c)
{
	int status;

	if (c->count != 1 && (c->count != 2 || strcmp(c->args[0], "--skip-wrong")))
		return wrong("load takes one file or default, or --skip-wrong and one file");
	if (c->count == 1 && !strcmp(c->args[0], "default"))
		return do_load_default(c);
	status = do_initialize(c);
	if (!status && session_has_module(c->session))
		staged_report(c->session);
	return status;
}

int do_save(struct call *c)
{
	struct file_new f;
	struct why why;
	int status = session_look(c->session);

	if (status)
		return status;
	if (file_begin(&f, c->args[0], &why))
		return fail("%s", why.text);
	saved_write(f.stream, &c->session->state);
	return file_commit(&f, &why) ? fail("%s", why.text) : EXIT_SUCCESS;
}
