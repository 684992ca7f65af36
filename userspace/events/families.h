/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * families.h - the list of tables: one line for each file. The first table is that of any machine.
 * Meters are added in the order of this list.
 */
#ifndef EVENTS_FAMILIES_H
#define EVENTS_FAMILIES_H

#define EVENT_FAMILIES(table) \
	table(events_any) \
	table(events_amd_f10h) \
	table(events_amd_f15h) \
	table(events_amd_f17h) \
	table(events_intel_nhm) \
	table(events_intel_snb) \
	table(events_intel_hsw) \
	table(events_intel_skx) \
	table(events_intel_icx)

#endif
