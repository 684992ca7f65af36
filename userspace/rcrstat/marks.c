// SPDX-License-Identifier: GPL-2.0-only
/*
 * marks.c - marks of the stream, until the lines that they stand between are
 * known, and as lines themselves.
 *
 * A mark comes in the stream when it was made, and the line of an interval when
 * every CPU has gone beyond its end: a mark made meanwhile waits for that line.
 *
 * Pure but for the time zone. Compiled into the unit tests as well.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "marks.h"
#include "wall.h"

/* Makes room for one more: twice as much, or what was taken out. */
static bool make_room(struct marks *m)
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

/* Keeps a copy; false: there is no memory. */
bool marks_add(struct marks *m, const struct rcr_mark *mark)
{
	if (m->count == m->room && !make_room(m))
		return false;
	m->mark[m->count++] = *mark;
	return true;
}

/**
 * marks_take() - takes the first mark out
 * @m: the marks
 * @until: CLOCK_MONOTONIC, ns; what is later than this waits on
 *
 * Returns the mark, which stands until the next call of any function here, or
 * NULL.
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

/* Whatever the text is, it stays in its line. */
static void print_text(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc(iscntrl((unsigned char)*text) ? '?' : *text, out);
	fputc('\n', out);
}

/**
 * mark_comment() - a mark as a line that readers of CSV pass over
 * @out: where to
 * @mark: the mark
 * @offset: realtime minus monotonic, ns
 *
 *	# mark 1795182808.658123 lost 3
 *	# mark 1795182808.658123 begin 4711
 *
 * The first only when marks just before this one were lost.
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
 * mark_sentences() - a mark for people
 * @out: where to
 * @mark: the mark
 * @offset: realtime minus monotonic, ns
 *
 * Returns how many lines it printed.
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
