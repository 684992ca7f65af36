// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * marks.c - queues marks until their place between the lines is known, and prints them.
 *
 * A mark is in the stream where it was made, but the line of an interval is printed when every CPU
 * is past its end: marks that arrive meanwhile wait for that line.
 *
 * Pure except for the time zone: also compiled into the unit tests.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "format/marks.h"
#include "print/wall.h"

/* Makes space for one more mark: reuses the entries taken out, or doubles the array. */
static bool grow_marks(struct marks *m)
{
	struct rcr_mark *more;

	if (m->first) {
		m->count -= m->first;
		memmove(m->mark, m->mark + m->first, m->count * sizeof(*m->mark));
		m->first = 0;
		return true;
	}
	more = reallocarray(m->mark, m->room * 2 + 1, sizeof(*more));
	if (!more)
		return false;
	m->mark = more;
	m->room = m->room * 2 + 1;
	return true;
}

/* Queues a copy of a mark; false if out of memory. */
bool marks_add(struct marks *m, const struct rcr_mark *mark)
{
	if (m->count == m->room && !grow_marks(m))
		return false;
	m->mark[m->count++] = *mark;
	return true;
}

/**
 * marks_take() - take out the first mark
 * @m: the marks
 * @until: CLOCK_MONOTONIC, ns; later marks stay queued
 *
 * Returns the mark, valid until the next call of any function here, or NULL.
 */
const struct rcr_mark *marks_take(struct marks *m, uint64_t until)
{
	if (m->first == m->count || m->mark[m->first].time > until)
		return NULL;
	return &m->mark[m->first++];
}

void marks_free(struct marks *m)
{
	free(m->mark);
	*m = (struct marks){ };
}

/* Replaces control characters, so that the text stays on one line. */
static void print_text(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc(iscntrl((unsigned char)*text) ? '?' : *text, out);
	fputc('\n', out);
}

/**
 * mark_comment() - print a mark as a comment line for CSV
 * @out: output stream
 * @mark: the mark
 * @offset: realtime minus monotonic, ns
 *
 *	# mark 1795182808.658123 lost 3
 *	# mark 1795182808.658123 begin 4711
 *
 * The first line is printed only if marks just before this one were lost.
 */
void mark_comment(FILE *out, const struct rcr_mark *mark, int64_t offset)
{
	uint64_t time = mark->time + offset;

	if (mark->lost) {
		fputs("# mark ", out);
		wall_seconds(out, time);
		fprintf(out, " lost %u\n", mark->lost);
	}
	fputs("# mark ", out);
	wall_seconds(out, time);
	fprintf(out, " %s ", rcr_mark_kind_name(mark->kind));
	print_text(out, mark->text);
}

/**
 * mark_sentences() - print a mark for people
 * @out: output stream
 * @mark: the mark
 * @offset: realtime minus monotonic, ns
 *
 * Returns the number of lines printed.
 */
unsigned int mark_sentences(FILE *out, const struct rcr_mark *mark, int64_t offset)
{
	if (mark->lost)
		fprintf(out, "%u mark%s lost\n", mark->lost,
			mark->lost > 1 ? "s were" : " was");
	fputs("marked ", out);
	wall_date(out, mark->time + offset, true);
	fprintf(out, ": %s ", rcr_mark_kind_name(mark->kind));
	print_text(out, mark->text);
	return mark->lost ? 2 : 1;
}
