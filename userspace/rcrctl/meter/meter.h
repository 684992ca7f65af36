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
/* Prints the meter @name as in the JSON output of "meter ls". */
int meter_show_json(struct call *c, const char *name);
int check_meter_add(struct call *c);
/* Likewise, and sets *@name, *@formula (NULL if there is none) and *@posted. */
int check_meter_words(struct call *c, const char **name, const char **formula, bool *posted);
int do_meter_add(struct call *c);
int check_meter_max(struct call *c);
int do_meter_max(struct call *c);

/* Status: the set changed since it was read, and the user gave no generation: try again. */
#define METER_LOOK_AGAIN (-1)

/*
 * Adds the meter @r, whose @formula rcrd computes because the module cannot, for the reason
 * @unfolded. Returns EXIT_SUCCESS, EXIT_FAILURE after reporting an error, or METER_LOOK_AGAIN.
 */
int meter_add_parts(const struct meanings *m, const struct rcr_meter_request *r,
		    const char *formula, const struct why *unfolded);

/* Removes the meters of parts that meter_add_parts() added for a removed meter. */
void meter_remove_parts(struct session *s, const char *meter);

/* "ok", "busy" or "contention"; NULL: no verdict. */
const char *meter_verdict_name(uint32_t verdict);

#endif
