// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * meter_parts.c - adds a meter whose formula has no fixed form in the module: meters of its parts,
 * NAME.part1 and so on, and a posted meter that rcrd computes from them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon.h"
#include "message.h"
#include "meter.h"
#include "split.h"

/* Decimal digits of the parts. */
#define PART_DIGITS 6

static int part_folds(void *context, const char *part, struct why *why)
{
	struct rcr_form form;

	return meter_compile(context, part, PART_DIGITS, &form, why);
}

static bool is_posted(void *context, const char *name)
{
	const struct meanings *m = context;
	const struct rcr_meter_state *meter = rcr_meters_find(m->meters, name);

	return meter && meter->flags & RCR_METER_POSTED && !strcmp(meter->name, name);
}

/* Checks that rcrd can compute the meter. */
static int check_request(const struct rcr_meter_request *r, const char *formula)
{
	if (r->over != RCR_METER_ANY && r->over != RCR_PLACE_MACHINE)
		return fail("'%s' is computed by rcrd, which computes values of the machine only: leave out --over",
			    formula);
	if (strpbrk(r->name, " ,@") || strlen(r->name) > 54)
		return fail("'%s' is computed by rcrd: use a name of at most 54 characters without blank, comma and @",
			    formula);
	return EXIT_SUCCESS;
}

static int add_part(const struct meanings *m, const struct split *split,
		    const struct rcr_meter_request *r, unsigned int i)
{
	struct session *s = m->session;
	char name[RCR_METER_NAME_LEN];
	struct rcr_form form;
	struct rcr_meter_request part = {
		.name = name, .form = &form, .scale_ns = r->scale_ns, .type = r->type,
		.over = RCR_PLACE_MACHINE, .digits = PART_DIGITS,
		/* All events are added with the first part. */
		.events = m->events, .nevents = i ? 0 : m->count,
	};
	struct why why;

	split_part_name(name, r->name, i + 1);
	if (meter_compile(m, split->part[i], PART_DIGITS, &form, &why)) {
		errno = EINVAL;
		return -1;
	}
	return rcr_control_meter_add(s->control, i ? 0 : s->generation ? s->generation :
				     s->state.generation, &part, NULL);
}

/* Ignores errors: the first part that was not added ends the loop. */
static void remove_parts(struct session *s, const char *meter, unsigned int count)
{
	char name[RCR_METER_NAME_LEN];
	unsigned int i;

	for (i = 1; i <= count; i++) {
		split_part_name(name, meter, i);
		if (rcr_control_meter_remove(s->control, 0, name))
			break;
	}
}

void meter_remove_parts(struct session *s, const char *meter)
{
	remove_parts(s, meter, SPLIT_PARTS);
}

/* Adds the meter itself, whose values rcrd posts. */
static int add_posted(struct session *s, const struct rcr_meter_request *r)
{
	struct rcr_meter_request posted = *r;

	posted.type = RCR_TIME_CURRENT;
	posted.over = RCR_PLACE_MACHINE;
	return rcr_control_meter_add(s->control, 0, &posted, NULL);
}

/* Adds the parts and the meter, and makes rcrd compute it; on failure, removes them again. */
static int add_computed_meter(const struct meanings *m, const struct split *split,
			      const struct rcr_meter_request *r, int daemon)
{
	struct session *s = m->session;
	unsigned int i;
	struct why why;
	int error;

	for (i = 0; i < split->parts; i++)
		if (add_part(m, split, r, i))
			goto failed;
	if (add_posted(s, r))
		goto failed;
	if (!daemon_formula(daemon, r->name, r->digits, split->program, &why))
		return EXIT_SUCCESS;
	rcr_control_meter_remove(s->control, 0, r->name);
	remove_parts(s, r->name, split->parts);
	return fail("rcrd: %s", why.text);
failed:
	error = errno;
	because(&why, "%s", rcr_control_reason(s->control));
	remove_parts(s, r->name, i);
	errno = error;
	if (error == ESTALE && !i && !s->generation)
		return METER_LOOK_AGAIN;
	return fail("%s", why.text);
}

int meter_add_parts(const struct meanings *m, const struct rcr_meter_request *r,
		    const char *formula, const struct why *unfolded)
{
	static struct split split;
	const struct split_names names = {
		.folds = part_folds, .is_posted = is_posted, .context = (void *)m,
		.tsc_hz = m->session->state.tsc_khz * 1000ull,
	};
	int status = EXIT_SUCCESS, daemon;
	struct why why;

	if (formula_split(formula, r->name, &names, &split, &why))
		return fail("%s", why.text);
	status = check_request(r, formula);
	if (status)
		return status;
	daemon = daemon_connect();
	if (daemon < 0)
		return fail("%s; rcrd can: start it with 'systemctl start rcrd'",
			    unfolded->text);
	status = add_computed_meter(m, &split, r, daemon);
	close(daemon);
	return status;
}
