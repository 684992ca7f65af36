// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * formulas.c - compute formulas of meters ten times per second, and post the results. If an operand
 * has no current value, its status is posted instead.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "formulas.h"
#include "rcr.h"

#define FILE_NAME "formulas"
#define NEW_NAME "formulas.new"
#define FILE_BYTES (FORMULAS_MAX * (RCR_METER_NAME_LEN + EXPRESSION_LEN + 8))
#define INTERVAL_NS 100000000ull

/* An operand has no current value if it is older than both this and its time scale, ns. */
#define OLD_NS 2000000000ull

static const double powers[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };

static struct formula *find_formula(struct formulas *f, const char *name)
{
	unsigned int i;

	for (i = 0; i < FORMULAS_MAX; i++)
		if (!strcmp(f->formula[i].name, name))
			return &f->formula[i];
	return NULL;
}

static int set_formula(struct formula *to, const char *name, unsigned int digits,
		       const char *text, struct why *why)
{
	struct formula new = { .digits = digits };

	if (!*name || strlen(name) >= sizeof(new.name) || digits > 9)
		return because(why, "invalid meter '%.80s' or number of digits %u", name, digits);
	if (expression_parse(text, &new.expression, why))
		return -1;
	strcpy(new.name, name);
	strcpy(new.text, text);
	*to = new;
	return 0;
}

/* Parse a line of the file: name, digits and text. */
static int parse_formula_line(struct formulas *f, char *line, struct why *why)
{
	char *rest = NULL, *name = strtok_r(line, " ", &rest), *digits, *text;
	struct formula *to = find_formula(f, "");

	digits = strtok_r(NULL, " ", &rest);
	text = strtok_r(NULL, " ", &rest);
	if (!to || !name || !digits || !text || strspn(digits, "0123456789") != strlen(digits))
		return because(why, "/var/lib/rcrtool/record/" FILE_NAME " is not a file of formulas of this version of rcrd: remove it");
	return set_formula(to, name, strtoul(digits, NULL, 10), text, why);
}

static int read_formulas(struct formulas *f, struct why *why)
{
	static char text[FILE_BYTES + 1];
	int fd = openat(f->dir, FILE_NAME, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), ret = 0;
	char *rest = text, *line;
	ssize_t got;

	if (fd < 0)
		return errno == ENOENT ? 0 : because(why, FILE_NAME ": %s", strerror(errno));
	got = read(fd, text, FILE_BYTES);
	close(fd);
	if (got < 0)
		return because(why, FILE_NAME ": %s", strerror(errno));
	text[got] = 0;
	while (!ret && (line = strsep(&rest, "\n")))
		ret = *line ? parse_formula_line(f, line, why) : 0;
	return ret;
}

/* Write all formulas to the file, replacing it atomically. */
static int write_file(struct formulas *f, struct why *why)
{
	static char text[FILE_BYTES + 1];
	size_t used = 0;
	unsigned int i;
	bool good;
	int fd;

	for (i = 0; i < FORMULAS_MAX; i++)
		if (*f->formula[i].name)
			used += snprintf(text + used, sizeof(text) - used, "%s %u %s\n",
					 f->formula[i].name, f->formula[i].digits,
					 f->formula[i].text);
	fd = openat(f->dir, NEW_NAME, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0640);
	if (fd < 0)
		return because(why, FILE_NAME ": %s", strerror(errno));
	errno = ENOSPC;
	good = write(fd, text, used) == (ssize_t)used && !fsync(fd);
	good &= !close(fd) && good;
	if (good && !renameat(f->dir, NEW_NAME, f->dir, FILE_NAME))
		return 0;
	because(why, FILE_NAME ": %s", strerror(errno));
	unlinkat(f->dir, NEW_NAME, 0);
	return -1;
}

/* Drop formulas whose meter was removed or replaced by a different one. */
static int drop_stale_formulas(struct formulas *f, struct why *why)
{
	static struct rcr_meters meters;
	const struct rcr_meter_state *m;
	unsigned int i;

	if (rcr_control_meters(f->control, &meters))
		return because(why, "%s", rcr_control_reason(f->control));
	for (i = 0; i < FORMULAS_MAX; i++) {
		m = *f->formula[i].name ? rcr_meters_find(&meters, f->formula[i].name) : NULL;
		if (!m || !(m->flags & RCR_METER_POSTED) || m->digits != f->formula[i].digits)
			*f->formula[i].name = 0;
	}
	return 0;
}

int formulas_open(struct formulas *f, int dir, struct rcr_control *control, struct why *why)
{
	char text[RCR_SENTENCE_LEN];

	f->dir = dir;
	f->control = control;
	f->board = rcr_board_open(NULL);
	if (!f->board)
		return because(why, "%s", rcr_board_open_error(NULL, errno, text, sizeof(text)));
	return read_formulas(f, why) || drop_stale_formulas(f, why) ? -1 : 0;
}

static int64_t value_by_type(const struct rcr_board_value *v, uint32_t type)
{
	switch (type) {
	case RCR_TIME_SUM:
		return v->sum;
	case RCR_TIME_AVERAGE:
		return v->average;
	case RCR_TIME_PEAK:
		return v->peak;
	}
	return v->current_value;
}

/* Read a meter. Returns its status, with its value if that is RCR_STATUS_OK. */
static uint32_t read_operand(struct formulas *f, const char *name, struct rcr_meter *m,
			     double *value)
{
	struct rcr_board_value v;
	bool found = m->serial && !rcr_board_read(f->board, m, &v);
	uint32_t status;

	if (!found && (rcr_board_find(f->board, name, RCR_PLACE_MACHINE, 0, m) ||
		       rcr_board_read(f->board, m, &v))) {
		m->serial = 0;
		return RCR_STATUS_GAP;
	}
	if ((now_ns() - v.time > OLD_NS && now_ns() - v.time > m->scale_ns) || m->digits > 9)
		return RCR_STATUS_GAP;
	status = m->type == RCR_TIME_CURRENT ? v.current_status : v.status;
	/* The module would refuse any other status, such as 0 (no divisor): post a gap instead. */
	if (status < RCR_STATUS_OK || status > RCR_STATUS_MISPLACED)
		return RCR_STATUS_GAP;
	*value = value_by_type(&v, m->type) / powers[m->digits];
	return status;
}

/* Compute a formula. Returns RCR_STATUS_OK with its value, or the status to post instead. */
static uint32_t compute_formula(struct formulas *f, struct formula *one, int64_t *value)
{
	double operand[EXPRESSION_METERS], result;
	uint32_t status = RCR_STATUS_OK, of_one;
	unsigned int i;

	/* Read all operands, so that all of them stay subscribed. */
	for (i = 0; i < one->expression.meters; i++) {
		of_one = read_operand(f, one->expression.meter[i], &one->meter[i], &operand[i]);
		if (status == RCR_STATUS_OK)
			status = of_one;
	}
	if (status != RCR_STATUS_OK)
		return status;
	if (!expression_compute(&one->expression, operand, &result))
		return RCR_STATUS_GAP;
	result *= powers[one->digits];
	if (fabs(result) >= 9.2e18)
		return RCR_STATUS_GAP;
	*value = llround(result);
	return RCR_STATUS_OK;
}

/* Drop the formula if its meter was removed; the next change of formulas updates the file. */
static void post_formula(struct formulas *f, struct formula *one)
{
	int64_t value = 0;
	uint32_t status = compute_formula(f, one, &value);
	int ret;

	if (status == RCR_STATUS_OK)
		ret = rcr_control_meter_post(f->control, one->name, value, 0);
	else
		ret = rcr_control_meter_post_status(f->control, one->name, status, 0);
	if (ret && (errno == ENOENT || errno == EPERM))
		*one->name = 0;
}

static void post_formulas(void *arg, uint32_t events)
{
	struct formulas *f = arg;
	bool any = false;
	unsigned int i;

	(void)events;
	for (i = 0; i < FORMULAS_MAX; i++) {
		if (*f->formula[i].name)
			post_formula(f, &f->formula[i]);
		any |= *f->formula[i].name;
	}
	loop_set_timer(&f->timer, any ? INTERVAL_NS : 0);
}

int formulas_begin(struct formulas *f, struct loop *loop)
{
	f->timer = (struct loop_source){ -1, post_formulas, f };
	if (loop_add_timer(loop, &f->timer))
		return -1;
	post_formulas(f, 0);
	return 0;
}

int formulas_add(struct formulas *f, const char *name, unsigned int digits, const char *text,
		 struct why *why)
{
	struct formula *to = find_formula(f, name), old;

	if (!to)
		to = find_formula(f, "");
	if (!to)
		return because(why, "rcrd computes %d formulas already: remove a meter that has one",
			       FORMULAS_MAX);
	old = *to;
	if (set_formula(to, name, digits, text, why))
		return -1;
	if (write_file(f, why)) {
		*to = old;
		return -1;
	}
	post_formulas(f, 0);
	return 0;
}

void formulas_end(struct formulas *f)
{
	unsigned int i;

	for (i = 0; i < FORMULAS_MAX; i++)
		if (*f->formula[i].name)
			rcr_control_meter_post_status(f->control, f->formula[i].name,
						      RCR_STATUS_GAP, 0);
}
