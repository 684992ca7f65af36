// SPDX-License-Identifier: GPL-2.0-or-later
/* places.c - parses the lines of rcrd's answers. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon.h"
#include "where/places.h"

/* Returns @table with space for one more entry, or NULL without memory. */
static void *grow_table(void *table, unsigned int count, size_t size)
{
	/* The table is full if the count is 0 or a power of two. */
	if (count & (count - 1))
		return table;
	return realloc(table, (count ? 2 * (size_t)count : 1) * size);
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes the "\xHH" that @text begins with; 0 if there is none. */
static int escaped_byte(const char *text)
{
	if (strncmp(text, "\\x", 2) || digit_of(text[2]) < 0 || digit_of(text[3]) < 0)
		return 0;
	return 16 * digit_of(text[2]) + digit_of(text[3]);
}

/* Decodes the bytes that rcrd has escaped, in place; with @shown, blanks only. */
static void unescape_text(char *text, bool shown)
{
	char *to = text;
	int byte;

	while (*text) {
		byte = escaped_byte(text);
		if (byte && (!shown || byte == ' ')) {
			*to++ = byte;
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = 0;
}

static int take_contention(struct places *p, const char *line, struct why *why)
{
	struct contention c = { 0 }, *room;
	unsigned int i;
	int lasts;

	if (sscanf(line, "contention %" SCNu64 " %15s %15s %u %" SCNu64 " %" SCNu64 " %" SCNu64
		   " %d %15s %" SCNu64,
		   &c.serial, c.model, c.finding, &c.node, &c.since_ns, &c.from_ns, &c.until_ns,
		   &lasts, c.measure, &c.lost) != 10)
		return because(why, UNKNOWN_ANSWER);
	c.lasts = lasts;
	for (i = 0; i < p->contentions; i++)
		if (p->contention[i].serial == c.serial)
			return 0;
	room = grow_table(p->contention, p->contentions, sizeof(c));
	if (!room)
		return because(why, "%s", strerror(ENOMEM));
	p->contention = room;
	p->contention[p->contentions++] = c;
	return 0;
}

/* Finds or adds a file; returns its index in @p->file, or -1 without memory. */
static int find_file(struct places *p, const struct code_file *f)
{
	struct code_file *room;
	unsigned int i;

	for (i = 0; i < p->files; i++) {
		const struct code_file *each = &p->file[i];

		if (!strcmp(each->path, f->path) && !strcmp(each->id, f->id) &&
		    each->major == f->major && each->minor == f->minor && each->inode == f->inode)
			return i;
	}
	room = grow_table(p->file, p->files, sizeof(*f));
	if (!room)
		return -1;
	p->file = room;
	p->file[i] = *f;
	p->file[i].path = strdup(f->path);
	p->file[i].shown = strdup(f->shown);
	if (!p->file[i].path || !p->file[i].shown)
		return -1;
	p->files++;
	return i;
}

static int take_place(struct places *p, char *line, struct why *why)
{
	struct place new = { .contention = p->contentions - 1 }, *room;
	struct code_file f = { 0 };
	int path = 0, file = 0;

	if (!p->contentions ||
	    sscanf(line, "place %15s %" SCNu32 " %71s %" SCNu64 " %lg %lg %40s %u:%u:%" SCNu64
		   " %" SCNu64 " %n",
		   new.kind, &new.tgid, new.process, &new.samples, &new.weight, &new.squares, f.id,
		   &f.major, &f.minor, &f.inode, &new.offset, &path) < 11 || !path)
		return because(why, UNKNOWN_ANSWER);
	unescape_text(new.process, true);
	if (!strcmp(f.id, "-"))
		*f.id = 0;
	if (!strcmp(new.kind, "code")) {
		f.path = line + path;
		f.shown = strdup(f.path);
		file = -1;
		if (f.shown) {
			unescape_text(f.path, false);
			unescape_text(f.shown, true);
			file = find_file(p, &f);
			free(f.shown);
		}
	}
	room = grow_table(p->place, p->count, sizeof(new));
	if (!room || file < 0)
		return because(why, "%s", strerror(ENOMEM));
	new.file = file;
	p->place = room;
	p->place[p->count++] = new;
	return 0;
}

static void take_answer_number(const char *line, const char *name, uint64_t *value)
{
	size_t size = strlen(name);

	if (!strncmp(line, name, size))
		*value = strtoull(line + size, NULL, 10);
}

int places_take(struct places *p, char *line, struct why *why)
{
	if (!strncmp(line, "contention ", 11))
		return take_contention(p, line, why);
	if (!strncmp(line, "place ", 6))
		return take_place(p, line, why);
	if (!strncmp(line, "missing ", 8))
		snprintf(p->missing, sizeof(p->missing), "%s", line + 8);
	/* Ignore unknown lines, which a later rcrd may send. */
	take_answer_number(line, "lost ", &p->lost);
	take_answer_number(line, "refused ", &p->refused);
	take_answer_number(line, "absent ", &p->absent);
	return 0;
}

void places_free(struct places *p)
{
	unsigned int i;

	for (i = 0; i < p->files; i++) {
		free(p->file[i].path);
		free(p->file[i].shown);
	}
	free(p->file);
	free(p->place);
	free(p->contention);
}
