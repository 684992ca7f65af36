// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmu_raw.c - events of kernel PMUs in the raw form, and the kernel PMUs of the module's units
 * and registers.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "pmu_raw.h"
#include "pmu_sysfs.h"

static const char *const configs[PMU_CONFIGS] = { "config", "config1", "config2" };

static const char *const scopes[] = {
	[RCR_SCOPE_CPU] = "cpu", [RCR_SCOPE_DIE] = "die",
	[RCR_SCOPE_PACKAGE] = "package", [RCR_SCOPE_LLC] = "llc",
	[RCR_SCOPE_CORE] = "core",
};

bool pmu_raw_text(char *text, size_t size, const char *name, const struct pmu_event *e)
{
	size_t len, i;

	len = snprintf(text, size, "%s=pmu:%u", name, e->type);
	for (i = 0; i < PMU_CONFIGS && len < size; i++)
		if (e->config[i])
			len += snprintf(text + len, size - len, ",%s:0x%llx", configs[i],
					(unsigned long long)e->config[i]);
	if (len < size)
		len += snprintf(text + len, size - len, ",scope:%s%s%s", scopes[e->scope],
				e->joules ? ",joules" : "", e->slow ? ",slow" : "");
	return len < size;
}

static bool take_config(struct pmu_event *e, const char *field)
{
	const char *colon = strchr(field, ':');
	char *end;
	size_t i;

	for (i = 0; colon && i < PMU_CONFIGS; i++) {
		if (strlen(configs[i]) != (size_t)(colon - field) ||
		    strncmp(field, configs[i], colon - field))
			continue;
		e->config[i] = strtoull(colon + 1, &end, 0);
		return isdigit((unsigned char)colon[1]) && !*end;
	}
	return false;
}

static bool take_scope(struct pmu_event *e, const char *field)
{
	size_t i;

	if (strncmp(field, "scope:", 6))
		return false;
	for (i = 0; i < sizeof(scopes) / sizeof(scopes[0]); i++) {
		e->scope = i;
		if (!strcmp(scopes[i], field + 6))
			return true;
	}
	return false;
}

static bool take_raw_flag(struct pmu_event *e, const char *field)
{
	if (!strcmp(field, "joules"))
		e->joules = true;
	else if (!strcmp(field, "slow"))
		e->slow = true;
	else
		return false;
	return true;
}

bool pmu_raw_parse(const char *text, struct pmu_event *e)
{
	char copy[RCR_EVENT_LEN], *field, *save, *end;

	memset(e, 0, sizeof(*e));
	if (strncmp(text, "pmu:", 4) || strlen(text) >= sizeof(copy))
		return false;
	strcpy(copy, text + 4);
	field = strtok_r(copy, ",", &save);
	if (!field || !isdigit((unsigned char)*field))
		return false;
	e->type = strtoul(field, &end, 10);
	if (*end)
		return false;
	while ((field = strtok_r(NULL, ",", &save)))
		if (!take_config(e, field) && !take_scope(e, field) && !take_raw_flag(e, field))
			return false;
	return true;
}

int pmu_raw_check(const char *raw, struct why *why)
{
	struct pmu_event e;

	if (!pmu_raw_parse(raw, &e) || !pmu_of_type(e.type, e.pmu))
		return 0;
	return pmu_check_count(&e, raw, why);
}

const char *pmu_readable(const char *raw, char text[RCR_EVENT_LEN])
{
	struct pmu_event e;

	if (pmu_raw_parse(raw, &e) && pmu_of_type(e.type, e.pmu) && pmu_spell(&e, text))
		return text;
	return raw;
}

/*
 * @name is the module's name of the unit, @pmu the kernel's. @umask is the kernel's name of the
 * unit mask; NULL: "umask". The number of a box follows both names: cbo3 and uncore_cbox_3.
 * @everywhere: a PMU that every node has, if the kernel numbers the boxes of all nodes
 * consecutively (arch/x86/events/amd/uncore.c): with 12 boxes a node, amd_umc_12 is umc0 of the
 * second node.
 */
static const struct unit {
	const char *name;
	const char *pmu;
	const char *umask;
	const char *everywhere;
} units[] = {
	{ "nb", "amd_nb", NULL, NULL },
	{ "l3", "amd_l3", NULL, NULL },
	{ "df", "amd_df", NULL, NULL },
	{ "umc", "amd_umc", "rdwrmask", "amd_df" },
	{ "uncore", "uncore", NULL, NULL },
	{ "cbo", "uncore_cbox", NULL, NULL },
	{ "cha", "uncore_cha", NULL, NULL },
	{ "pcu", "uncore_pcu", "occ_sel", NULL },
	{ "ubox", "uncore_ubox", NULL, NULL },
	{ "ha", "uncore_ha", NULL, NULL },
	{ "imc", "uncore_imc", NULL, NULL },
	{ "qpi", "uncore_qpi", NULL, NULL },
	{ "upi", "uncore_upi", NULL, NULL },
	{ "m2m", "uncore_m2m", NULL, NULL },
	{ "r2pcie", "uncore_r2pcie", NULL, NULL },
	{ "r3qpi", "uncore_r3qpi", NULL, NULL },
};

/* Free-running registers, and the kernel's events that count the same. */
static const struct {
	const char *raw;
	const char *event;
} registers[] = {
	{ "register:aperf", "msr/aperf/" },
	{ "register:mperf", "msr/mperf/" },
	{ "register:energy-pkg", "power/energy-pkg/" },
	{ "register:energy-cores", "power/energy-cores/" },
	{ "register:energy-ram", "power/energy-ram/" },
};

static bool is_on_all_nodes(const struct unit *unit, const char *pmu)
{
	return !unit->everywhere || pmu_count(pmu) >= pmu_count(unit->everywhere);
}

/* Finds a unit and the name of its kernel PMU; returns NULL if not all nodes have that PMU. */
static const struct unit *find_pmu_unit(const char *name, char pmu[PMU_NAME_LEN])
{
	const char *box;
	size_t i, len;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		len = strlen(units[i].name);
		box = name + len;
		if (strncmp(name, units[i].name, len) ||
		    strspn(box, "0123456789") != strlen(box))
			continue;
		snprintf(pmu, PMU_NAME_LEN, "%s%s%.8s", units[i].pmu, *box ? "_" : "", box);
		return pmu_exists(pmu) && is_on_all_nodes(&units[i], pmu) ? &units[i] : NULL;
	}
	return NULL;
}

static void put_field(char *text, const char *name, unsigned int value)
{
	size_t len = strlen(text);

	if (value)
		snprintf(text + len, RCR_EVENT_LEN - len, ",%s=0x%x", name, value);
}

/* True if only the module can count it: per node, on a given counter, or in given modes. */
static bool is_ours_alone(const struct code *c)
{
	return c->per_node || c->pinned || c->os || c->user || c->host || c->guest;
}

static int unit_instead(const struct code *c, struct pmu_event *e, struct why *why)
{
	char pmu[PMU_NAME_LEN], word[RCR_EVENT_LEN];
	const struct unit *unit = find_pmu_unit(c->unit, pmu);

	if (!unit || is_ours_alone(c))
		return 0;
	snprintf(word, sizeof(word), "%s/event=0x%02x", pmu, c->event);
	put_field(word, unit->umask ? unit->umask : "umask", c->umask);
	put_field(word, pmu_has_term(pmu, "cmask") ? "cmask" : "thresh", c->cmask);
	put_field(word, "inv", c->inv);
	put_field(word, "edge", c->edge);
	strcat(word, "/");
	if (pmu_resolve(word, e, why))
		return -1;
	e->slow |= c->slow;
	return 1;
}

int pmu_instead(const char *raw, struct pmu_event *e, struct why *why)
{
	struct code c;
	size_t i;

	if (code_parse(raw, &c))
		return *c.unit ? unit_instead(&c, e, why) : 0;
	for (i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
		if (!strcmp(raw, registers[i].raw))
			return !pmu_resolve(registers[i].event, e, why);
	return 0;
}
