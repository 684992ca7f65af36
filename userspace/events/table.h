/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - tables of CPU families: one table for each file of kmod/pmu, and one for any machine,
 * each in a file. Each array of a table ends with an empty row; NULL: no rows.
 */
#ifndef EVENTS_TABLE_H
#define EVENTS_TABLE_H

#include <stdbool.h>

#include "events.h"
#include "families.h"
#include "signal_row.h"

/**
 * struct family_names - rcrtool's own names on a family
 * @family: name of the family, as in kmod/pmu
 * @model: beginning of libpfm4's name of the core PMU, if models differ; "": any model
 * @names: the names; ends with an empty row
 * @ldms: the set @ldms: Table I of the LDMS MSR sampler paper, or the closest events that fit on
 *	the counters of a core; ends with NULL
 * @defaults: the set that the module counts when it is loaded, as in kmod/pmu; NULL: @ldms
 *
 * The first row that matches is used.
 */
struct family_names {
	const char *family;
	const char *model;
	const struct own_name *names;
	const char *const *ldms;
	const char *const *defaults;
};

/**
 * struct pfm_name - libpfm4's name of a PMU
 * @pmu: beginning of the name
 * @family: the family that has this PMU
 */
struct pfm_name {
	const char *pmu;
	const char *family;
};

#define ANY_UMASK	0

/**
 * struct known_defect - a documented defect of an event
 * @family: name of the family
 * @event: event select
 * @umask: unit masks that have one of these bits; ANY_UMASK: all
 * @text: the defect, with its source
 */
struct known_defect {
	const char *family;
	unsigned int event;
	unsigned int umask;
	const char *text;
};

/**
 * struct event_table - the families of one file
 * @names: rcrtool's own names
 * @cores: libpfm4's names of the core PMUs; the first row that matches is used
 * @units: libpfm4's names of the PMUs of shared units, if all processors of the family have them
 * @defects: known defects of events
 * @relations: relations that hold between counters
 * @meters: meters; the rows of one meter are consecutive, the best first
 * @signals: events that models of contention read
 */
struct event_table {
	const struct family_names *names;
	const struct pfm_name *cores;
	const struct pfm_name *units;
	const struct known_defect *defects;
	const struct known_relation *relations;
	const struct catalogue_row *meters;
	const struct signal_row *signals;
};

#define EVENT_DECLARE(table)	extern const struct event_table table;
EVENT_FAMILIES(EVENT_DECLARE)

/* Returns the table in line @number of families.h, from 0 on; NULL after the last one. */
const struct event_table *event_table(unsigned int number);

#define EVENT_SET(...)	((const char *const []){ __VA_ARGS__, NULL })

/* Event select and unit mask of a core's counter */
#define CORE(e, u)	{ .event = (e), .umask = (u) }

#define CYCLES		"clock cycles, not halted"
#define INSTRUCTIONS	"instructions retired"
#define INTEL_CYCLES	"TOT_CYC=event:0x3c"

#endif
