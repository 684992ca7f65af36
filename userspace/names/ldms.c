// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ldms.c - reads the dictionary of LDMS's msr_interlagos sampler.
 *
 *	Name, Write_addr, Event, Umask, Read_addr, os_user, core_ena, core_sel,
 *	core_flag, ctr_type
 *
 * as in its manual page and its example bw_msr_configs. core_flag is MSR_DEFAULT or
 * UNCORE_PER_NUMA; in older files it is "-a" or empty. Numbers are decimal, or hexadecimal
 * with 0x.
 *
 * Unlike that sampler, this program validates the file: a wrong address can crash the machine.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ldms.h"

#define FIELDS		10

#define CORE_FIRST	0xc0010200u	/* AMD 42301, MSRC001_020[A...0] */
#define CORE_LAST	0xc001020au
#define UNCORE_FIRST	0xc0010240u	/* MSRC001_024[6...0] */
#define UNCORE_LAST	0xc0010246u

enum { NAME, WRITE, EVENT, UMASK, READ, OS_USER, ENA, SEL, FLAG, TYPE };

static const struct {
	const char *name;
	unsigned long max;
} fields[FIELDS] = {
	[NAME] = { "Name", 0 },
	[WRITE] = { "Write_addr", 0xffffffff },
	[EVENT] = { "Event", 0xfff },
	[UMASK] = { "Umask", 0xff },
	[READ] = { "Read_addr", 0xffffffff },
	[OS_USER] = { "os_user", 3 },
	[ENA] = { "core_ena", 1 },
	[SEL] = { "core_sel", 7 },
	[FLAG] = { "core_flag", 0 },
	[TYPE] = { "ctr_type", 0 },
};

static int split_fields(char *line, char **field, struct why *why)
{
	unsigned int count = 0;
	char *at = line;

	for (; at; count++) {
		char *next = strchr(at, ',');

		if (next)
			*next++ = 0;
		if (count < FIELDS)
			field[count] = line_trim(at);
		at = next;
	}
	if (count != FIELDS)
		return because(why, "%u fields instead of %d: Name, Write_addr, Event, Umask, Read_addr, os_user, core_ena, core_sel, core_flag, ctr_type",
			       count, FIELDS);
	return 0;
}

static int parse_field_number(char *const *field, int i, unsigned long *val, struct why *why)
{
	const char *text = field[i];
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = hex ? text + 2 : text;
	char *end;

	errno = 0;
	*val = strtoul(digits, &end, hex ? 16 : 10);
	if (!(hex ? isxdigit((unsigned char)*digits) : isdigit((unsigned char)*digits)) ||
	    *end || (!hex && *digits == '0' && digits[1]))
		return because(why, "%s: invalid number '%.40s': use for example 0x76",
			       fields[i].name, text);
	if (errno || *val > fields[i].max)
		return because(why, "%s: %.40s is too large: the maximum is 0x%lx",
			       fields[i].name, text, fields[i].max);
	return 0;
}

/* True if the unit mask selects nodes; older files have no such rows. */
static bool is_per_node(const char *flag)
{
	return !strcmp(flag, "UNCORE_PER_NUMA");
}

static int check_flag(const char *flag, bool uncore, struct why *why)
{
	if (is_per_node(flag) && !uncore)
		return because(why, "core_flag: UNCORE_PER_NUMA is for CTR_UNCORE only");
	if (!*flag || !strcmp(flag, "-a") || !strcmp(flag, "MSR_DEFAULT") ||
	    is_per_node(flag))
		return 0;
	return because(why, "invalid core_flag '%.40s': write MSR_DEFAULT or UNCORE_PER_NUMA (in older files -a or nothing)",
		       flag);
}

static int check_type(const char *type, bool *uncore, struct why *why)
{
	*uncore = !strcmp(type, "CTR_UNCORE");
	if (*uncore || !strcmp(type, "CTR_NUMCORE"))
		return 0;
	return because(why, "invalid ctr_type '%.40s': write CTR_NUMCORE or CTR_UNCORE",
		       type);
}

/* Checks that the addresses are those of a control register and of its counter. */
static int check_address(const unsigned long *val, bool uncore, unsigned int *counter,
			 struct why *why)
{
	unsigned int first = uncore ? UNCORE_FIRST : CORE_FIRST;
	unsigned int last = uncore ? UNCORE_LAST : CORE_LAST;

	if (val[WRITE] < first || val[WRITE] > last || val[WRITE] % 2)
		return because(why, "Write_addr: invalid control 0x%lx of a %s counter: use an even one from 0x%x to 0x%x",
			       val[WRITE], uncore ? "northbridge" : "core", first, last);
	if (val[READ] != val[WRITE] + 1)
		return because(why, "Read_addr: the counter of control 0x%lx is 0x%lx, not 0x%lx",
			       val[WRITE], val[WRITE] + 1, val[READ]);
	*counter = (val[WRITE] - first) / 2;
	return 0;
}

/* Checks the fields that only one of the two kinds of counters has. */
static int check_kind(const unsigned long *val, bool uncore, struct why *why)
{
	if (!uncore && !val[OS_USER])
		return because(why, "os_user: 0x0 counts nothing: 0x1 is user mode, 0x2 the kernel, 0x3 both");
	if (!uncore && (val[ENA] || val[SEL]))
		return because(why, "core_ena, core_sel: a core counter has neither: write 0x0");
	if (uncore && val[OS_USER])
		return because(why, "os_user: a northbridge counter cannot distinguish kernel and user mode: write 0x0");
	if (uncore && (!val[ENA] || val[SEL]))
		return because(why, "core_ena, core_sel: a northbridge counter counts for every core: write 0x1 and 0x0");
	return 0;
}

static int check_ldms_name(const struct ldms *d, const char *name, struct why *why)
{
	const struct ldms_row *other;

	if (!name_is_valid(name))
		return because(why, "invalid Name '%.70s': use letters, digits and _.:-+, at most %d",
			       name, RCR_NAME_LEN - 1);
	other = ldms_find(d, name);
	if (other)
		return because(why, "Name: '%s' is already in line %u", name,
			       other->line);
	return 0;
}

static int read_fields(char *const *field, unsigned long *val, bool *uncore,
		       struct why *why)
{
	int i;

	for (i = WRITE; i <= SEL; i++)
		if (parse_field_number(field, i, &val[i], why))
			return -1;
	if (check_type(field[TYPE], uncore, why))
		return -1;
	return check_flag(field[FLAG], *uncore, why);
}

static int parse_ldms_row(const struct ldms *d, char *line, struct ldms_row *row,
			  struct why *why)
{
	unsigned long val[FIELDS] = { 0 };
	char *field[FIELDS];
	bool uncore;

	if (split_fields(line, field, why) || check_ldms_name(d, field[NAME], why) ||
	    read_fields(field, val, &uncore, why) ||
	    check_address(val, uncore, &row->code.counter, why) ||
	    check_kind(val, uncore, why))
		return -1;
	strcpy(row->name, field[NAME]);
	strcpy(row->code.unit, uncore ? "nb" : "");
	row->code.event = val[EVENT];
	row->code.umask = val[UMASK];
	row->code.pinned = true;
	row->code.user = val[OS_USER] & 1;
	row->code.os = val[OS_USER] & 2;
	row->code.per_node = uncore && is_per_node(field[FLAG]);
	return 0;
}

static int take_ldms_line(void *to, const struct text_line *line, struct why *why)
{
	struct ldms_row row = {
		.line = line->number, .length = line->length, .text = line->text,
	};
	struct ldms *d = to;

	if (parse_ldms_row(d, line->words, &row, why))
		return -1;
	d->row[d->rows++] = row;
	return 0;
}

static unsigned int count_lines(const char *text, size_t size)
{
	unsigned int lines = 1;
	size_t i;

	for (i = 0; i < size; i++)
		lines += text[i] == '\n';
	return lines;
}

int ldms_read(struct ldms *d, char *text, size_t size, line_wrong wrong, void *to)
{
	const struct line_reader reader = { take_ldms_line, d, wrong, to };

	d->text = text;
	d->rows = 0;
	d->row = calloc(count_lines(text, size), sizeof(*d->row));
	return d->row ? lines_read(&reader, text, size) : -1;
}

const struct ldms_row *ldms_find(const struct ldms *d, const char *name)
{
	unsigned int i;

	for (i = 0; i < d->rows; i++)
		if (!strcmp(d->row[i].name, name))
			return &d->row[i];
	return NULL;
}

void ldms_free(struct ldms *d)
{
	free(d->row);
	free(d->text);
	memset(d, 0, sizeof(*d));
}
