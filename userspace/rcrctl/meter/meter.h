/* SPDX-License-Identifier: GPL-2.0-or-later */
/* meter.h - the verb "meter", whose second word is the subcommand. */
#ifndef RCRCTL_METER_H
#define RCRCTL_METER_H

#include "meters.h"
#include "verbs.h"

/* Subcommands in files of their own; arguments from the third word on. */
int check_meter_ls(struct call *c);
int do_meter_ls(struct call *c);
int check_meter_show(struct call *c);
int do_meter_show(struct call *c);
/* Prints meter @name as the list in JSON has it. */
int meter_show_json(struct call *c, const char *name);
int check_meter_add(struct call *c);
/* The same; sets what the words name, @formula to NULL if there is none. */
int check_meter_words(struct call *c, const char **name, const char **formula, bool *posted);
int do_meter_add(struct call *c);
int check_meter_max(struct call *c);
int do_meter_max(struct call *c);

/* The set changed since it was read, and the caller gave no generation. */
#define METER_LOOK_AGAIN (-1)

/*
 * Makes the meter @r with the help of rcrd, for a @formula that does not compile for the reason
 * @unfolded. Returns EXIT_SUCCESS, EXIT_FAILURE after reporting an error, or METER_LOOK_AGAIN.
 */
int meter_add_parts(const struct meanings *m, const struct rcr_meter_request *r,
		    const char *formula, const struct why *unfolded);

/* Removes the part meters that meter_add_parts() made for a removed meter. */
void meter_remove_parts(struct session *s, const char *meter);

/* "contention" */
const char *meter_verdict_name(uint32_t verdict);

#endif
