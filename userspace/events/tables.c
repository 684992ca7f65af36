// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tables.c - finds names, defects, relations, meters and signals in the tables of all families.
 *
 * The names are those of Table I of the LDMS MSR sampler paper and of that sampler's dictionary,
 * and PAPI presets that papi_events.csv defines by one event. The paper writes PAPI_LL_DCM for
 * PAPI_L1_DCM: both names are known.
 */
#include <string.h>

#include "table.h"

#define ROW(table) &table,
static const struct event_table *const tables[] = { EVENT_FAMILIES(ROW) };

#define TABLES	(sizeof(tables) / sizeof(tables[0]))

static const struct family_names *find_names(const char *family, const char *pmu)
{
	const struct family_names *n;
	size_t i;

	for (i = 0; i < TABLES; i++)
		for (n = tables[i]->names; n && n->family; n++)
			if (!strcmp(n->family, family) && !strncmp(n->model, pmu, strlen(n->model)))
				return n;
	return NULL;
}

const struct own_name *own_names(const char *family, const char *pmu, size_t *count)
{
	const struct family_names *n = find_names(family, pmu);

	for (*count = 0; n && n->names[*count].name; ++*count)
		;
	return n ? n->names : NULL;
}

const char *const *own_ldms(const char *family, const char *pmu)
{
	const struct family_names *n = find_names(family, pmu);

	return n ? n->ldms : NULL;
}

const char *const *own_defaults(const char *family, const char *pmu)
{
	const struct family_names *n = find_names(family, pmu);

	if (!n)
		return NULL;
	return n->defaults ? n->defaults : n->ldms;
}

const struct own_name *own_find(const char *family, const char *pmu, const char *name)
{
	const struct family_names *n = find_names(family, pmu);
	const struct own_name *own;

	for (own = n ? n->names : NULL; own && own->name; own++)
		if (!strcmp(own->name, name))
			return own;
	return NULL;
}

bool own_is_uncore(const char *name)
{
	const struct own_name *own;

	for (own = own_uncore; own->name; own++)
		if (!strcmp(own->name, name))
			return true;
	return false;
}

const char *events_core_family(const char *pmu)
{
	const struct pfm_name *p;
	size_t i;

	for (i = 0; i < TABLES; i++)
		for (p = tables[i]->cores; p && p->pmu; p++)
			if (!strncmp(pmu, p->pmu, strlen(p->pmu)))
				return p->family;
	return "";
}

const char *events_unit_family(const char *pmu, size_t *len)
{
	const struct pfm_name *p;
	size_t i;

	for (i = 0; i < TABLES; i++)
		for (p = tables[i]->units; p && p->pmu; p++)
			if (!strncmp(pmu, p->pmu, strlen(p->pmu))) {
				*len = strlen(p->pmu);
				return p->family;
			}
	return NULL;
}

const char *rcr_deficiency(const char *family, uint64_t select)
{
	unsigned int event = (select & 0xff) | (select >> 24 & 0xf00);
	unsigned int umask = select >> 8 & 0xff;
	const struct known_defect *d;
	size_t i;

	for (i = 0; i < TABLES; i++)
		for (d = tables[i]->defects; d && d->family; d++)
			if (d->event == event && !strcmp(d->family, family) &&
			    (d->umask == ANY_UMASK || (umask & d->umask)))
				return d->text;
	return NULL;
}

const struct known_relation *relation_next(const struct known_relation *before)
{
	const struct known_relation *r;
	bool is_after = !before;
	size_t i;

	for (i = 0; i < TABLES; i++)
		for (r = tables[i]->relations; r && r->text; r++) {
			if (is_after)
				return r;
			is_after = r == before;
		}
	return NULL;
}

static bool row_is_for(const struct catalogue_row *row, const char *family)
{
	return !row->family ||
	       (family && !strncmp(row->family, family, strlen(row->family)));
}

const struct catalogue_row *catalogue_next(const struct catalogue_row *before,
					   const char *family)
{
	const struct catalogue_row *row;
	bool is_after = !before;
	size_t i;

	for (i = 0; i < TABLES; i++)
		for (row = tables[i]->meters; row && row->name; row++) {
			if (is_after && row_is_for(row, family))
				return row;
			is_after |= row == before;
		}
	return NULL;
}

const struct signal_row *signal_next(const struct signal_row *before, const char *family)
{
	const struct signal_row *row;
	bool is_after = !before;
	size_t i;

	for (i = 0; i < TABLES; i++)
		for (row = tables[i]->signals; row && row->family; row++) {
			if (is_after && !strcmp(row->family, family))
				return row;
			is_after |= row == before;
		}
	return NULL;
}

const struct event_table *event_table(unsigned int number)
{
	return number < TABLES ? tables[number] : NULL;
}
