// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmu_sysfs.c - reads the descriptions of the kernel's PMUs in sysfs: a directory for each, with a
 * file for each term (format/event: "config:0-7,32-35") and for each event that has a name
 * (events/energy-pkg: "event=0x02").
 *
 * See the kernel's Documentation/ABI/testing/sysfs-bus-event_source-devices-format and -events.
 * RCR_SYSFS replaces /sys, for tests.
 */
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "pmu_sysfs.h"
#include "topology.h"

static const char *sysfs_root(void)
{
	const char *test = getenv("RCR_SYSFS");

	return test ? test : TOPOLOGY_ROOT;
}

/* True for a name that stays within its directory. */
static bool is_file_name(const char *name)
{
	const char *at;

	for (at = name; *at; at++)
		if (!isalnum((unsigned char)*at) && !strchr("_-.", *at))
			return false;
	return *name && *name != '.' && at - name < PMU_NAME_LEN;
}

static void pmu_path(char path[PATH_MAX], const char *pmu, const char *file)
{
	snprintf(path, PATH_MAX, "%s/bus/event_source/devices/%s/%s", sysfs_root(), pmu, file);
}

void pmu_files(const char *pmu, const char *folder,
	       void (*each)(void *to, const char *name), void *to)
{
	struct dirent **entry;
	char path[PATH_MAX];
	int i, count;

	pmu_path(path, pmu, folder);
	count = scandir(path, &entry, NULL, alphasort);
	for (i = 0; i < count; i++) {
		if (is_file_name(entry[i]->d_name))
			each(to, entry[i]->d_name);
		free(entry[i]);
	}
	if (count >= 0)
		free(entry);
}

bool pmu_line(const char *pmu, const char *file, char *line, int size)
{
	char path[PATH_MAX];

	if (!is_file_name(pmu))
		return false;
	pmu_path(path, pmu, file);
	return file_line(path, line, size);
}

int pmu_type(const char *pmu)
{
	char line[32], *end;
	long type;

	if (!pmu_line(pmu, "type", line, sizeof(line)))
		return -1;
	type = strtol(line, &end, 10);
	return end == line || *end || type < 0 || type > INT_MAX ? -1 : type;
}

/* Parses ranges of bits such as "0-7,32-35". */
static bool read_bits(const char *text, uint64_t *mask)
{
	unsigned long first, last;
	char *end;

	for (*mask = 0;; text = end + 1) {
		first = strtoul(text, &end, 10);
		last = first;
		if (end != text && *end == '-')
			last = strtoul(end + 1, &end, 10);
		if (end == text || first > last || last > 63)
			return false;
		*mask |= ~0ull >> (63 - last) & ~0ull << first;
		if (*end != ',')
			return !*end;
	}
}

/* Returns the number of "config", "config1" or "config2", or -1. */
static int config_number(const char *name, size_t len)
{
	if (len < 6 || strncmp(name, "config", 6))
		return -1;
	if (len == 6)
		return 0;
	return len == 7 && name[6] >= '1' && name[6] < '0' + PMU_CONFIGS ?
	       name[6] - '0' : -1;
}

bool pmu_term(const char *pmu, const char *name, struct pmu_term *term)
{
	char file[PMU_NAME_LEN + 8], line[128], *colon;
	int config = config_number(name, strlen(name));

	if (!is_file_name(name))
		return false;
	snprintf(term->name, sizeof(term->name), "%s", name);
	snprintf(file, sizeof(file), "format/%s", name);
	if (!pmu_line(pmu, file, line, sizeof(line))) {
		/* perf accepts these terms for each PMU. */
		term->config = config;
		term->mask = ~0ull;
		return config >= 0;
	}
	colon = strchr(line, ':');
	config = colon ? config_number(line, colon - line) : -1;
	term->config = config;
	return config >= 0 && read_bits(colon + 1, &term->mask);
}

bool pmu_scatter(uint64_t mask, uint64_t value, uint64_t *bits)
{
	uint64_t bit;

	for (*bits = 0; mask && value; mask &= mask - 1, value >>= 1) {
		bit = mask & -mask;
		*bits |= value & 1 ? bit : 0;
	}
	return !value;
}

uint64_t pmu_gather(uint64_t mask, uint64_t bits)
{
	uint64_t value = 0;
	unsigned int n;

	for (n = 0; mask; mask &= mask - 1, n++)
		value |= (uint64_t)!!(bits & mask & -mask) << n;
	return value;
}

static bool same_package(const struct place *a, const struct place *b)
{
	return a->package == b->package;
}

static bool same_die(const struct place *a, const struct place *b)
{
	return same_package(a, b) && a->die == b->die;
}

static bool same_llc(const struct place *a, const struct place *b)
{
	return same_package(a, b) && a->llc == b->llc;
}

static bool same_core(const struct place *a, const struct place *b)
{
	return same_die(a, b) && a->core == b->core;
}

/* The scope of a PMU is the first of these that no two CPUs of its cpumask share. */
static const struct {
	unsigned int scope;
	bool (*same)(const struct place *a, const struct place *b);
} scopes[] = {
	{ RCR_SCOPE_PACKAGE, same_package },
	{ RCR_SCOPE_DIE, same_die },
	{ RCR_SCOPE_LLC, same_llc },
	{ RCR_SCOPE_CORE, same_core },
};

static bool all_apart(const struct place *place, unsigned int count,
		      bool (*same)(const struct place *a, const struct place *b))
{
	unsigned int i, k;

	for (i = 0; i < count; i++)
		for (k = 0; k < i; k++)
			if (same(&place[i], &place[k]))
				return false;
	return true;
}

static unsigned int find_places(const bool *cpu, struct place *place)
{
	unsigned int n, count = 0;

	for (n = 0; n < CPU_LIMIT; n++)
		if (cpu[n])
			place[count++] = topology_place(sysfs_root(), n);
	return count;
}

/* The file "cpumask" of a PMU has one CPU per unit; it is missing if each CPU is a unit. */
static bool read_cpumask(const char *pmu, bool cpu[CPU_LIMIT])
{
	char line[4096];

	return pmu_line(pmu, "cpumask", line, sizeof(line)) && cpulist_parse(line, cpu);
}

unsigned int pmu_scope(const char *pmu)
{
	static struct place place[CPU_LIMIT];
	bool cpu[CPU_LIMIT] = { false };
	unsigned int count;
	size_t i;

	if (!read_cpumask(pmu, cpu))
		return RCR_SCOPE_CPU;
	count = find_places(cpu, place);
	for (i = 0; i < sizeof(scopes) / sizeof(scopes[0]); i++)
		if (all_apart(place, count, scopes[i].same))
			return scopes[i].scope;
	return RCR_SCOPE_CPU;
}

unsigned int pmu_count(const char *pmu)
{
	bool cpu[CPU_LIMIT] = { false };
	unsigned int n, count = 0;

	if (read_cpumask(pmu, cpu))
		for (n = 0; n < CPU_LIMIT; n++)
			count += cpu[n];
	return count;
}
