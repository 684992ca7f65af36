// SPDX-License-Identifier: GPL-2.0-only
/*
 * native.c - the names that libpfm4 knows for the processor's own events.
 *
 * libpfm4 finds the processor by itself; LIBPFM_FORCE_PMU names another one.
 */
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "native.h"

#define NAME_MAX_LEN 512

/* The core PMU that was found, asked for once. */
static const pfm_pmu_info_t *core_pmu(void)
{
	static pfm_pmu_info_t info;
	static bool asked;
	pfm_pmu_t pmu;

	if (asked)
		return info.name ? &info : NULL;
	asked = true;
	if (pfm_initialize() != PFM_SUCCESS)
		return NULL;
	pfm_for_all_pmus(pmu) {
		memset(&info, 0, sizeof(info));
		info.size = sizeof(info);
		/* Intel's architectural events are events of each Intel, too. */
		if (pfm_get_pmu_info(pmu, &info) == PFM_SUCCESS && info.is_present &&
		    info.type == PFM_PMU_TYPE_CORE && pmu != PFM_PMU_INTEL_X86_ARCH)
			return &info;
	}
	info.name = NULL;
	return NULL;
}

const char *native_pmu(void)
{
	const pfm_pmu_info_t *info = core_pmu();

	return info ? info->name : "";
}

static bool is_amd(void)
{
	return !strncmp(native_pmu(), "amd64", 5);
}

const char *native_family(void)
{
	/* How libpfm4's name begins, and the module's. */
	static const char *const families[][2] = {
		{ "amd64_fam15h", "AMD Fam15h" },
		{ "amd64_fam19h_zen4", "AMD PerfMonV2" },
		{ "amd64_fam17h", "AMD Fam17h" },
		{ "amd64_fam19h", "AMD Fam19h" },
		{ "nhm", "Intel Nehalem" },
		{ "wsm", "Intel Nehalem" },
		{ "snb_ep", "Intel Sandy Bridge" },
		{ "ivb_ep", "Intel Ivy Bridge" },
		{ "hsw_ep", "Intel Haswell" },
		{ "bdw_ep", "Intel Broadwell" },
		{ "skx", "Intel Skylake-SP" },
		{ "clx", "Intel Skylake-SP" },
		{ "icx", "Intel Ice Lake-SP" },
		{ "spr", "Intel Sapphire Rapids" },
		{ "emr", "Intel Sapphire Rapids" },
	};
	const char *pmu = native_pmu();
	size_t i;

	for (i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (!strncmp(pmu, families[i][0], strlen(families[i][0])))
			return families[i][1];
	return "";
}

static int encode(const char *pmu, const char *name, pfm_pmu_encode_arg_t *arg)
{
	char full[NAME_MAX_LEN];

	*arg = (pfm_pmu_encode_arg_t){ .size = sizeof(*arg) };
	if (strstr(name, "::"))
		snprintf(full, sizeof(full), "%s", name);
	else
		snprintf(full, sizeof(full), "%s::%s", pmu, name);
	return pfm_get_os_event_encoding(full, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, arg);
}

/* What the module calls the unit whose PMU libpfm4 calls so; NULL: it has none. */
static const char *unit_of(pfm_pmu_t pmu)
{
	const pfm_pmu_info_t *core = core_pmu();

	if (core && core->pmu == pmu)
		return "";
	switch (pmu) {
	case PFM_PMU_AMD64_FAM15H_NB:
		return "nb";
	case PFM_PMU_AMD64_FAM19H_ZEN3_L3:
		return "l3";
	default:
		return NULL;
	}
}

static int refuse_shared(const char *name, struct why *why)
{
	return because(why, "\"%s\" is an event of a shared unit: this version counts none of that kind",
		       name);
}

static int take_code(const char *name, const pfm_pmu_encode_arg_t *arg,
		     struct code *c, struct why *why)
{
	pfm_event_info_t info = { .size = sizeof(info) };
	const char *unit = NULL;
	struct why inner;

	if (pfm_get_event_info(arg->idx, PFM_OS_NONE, &info) == PFM_SUCCESS)
		unit = unit_of(info.pmu);
	if (!unit)
		return refuse_shared(name, why);
	if (arg->count != 1)
		return because(why, "\"%s\" needs a register besides its control (offcore response, load latency), which is not programmed: choose another event",
			       name);
	if (code_from_select(arg->codes[0], *unit || is_amd(), c, &inner))
		return because(why, "\"%s\" cannot be counted: %s", name, inner.text);
	snprintf(c->unit, sizeof(c->unit), "%s", unit);
	return 0;
}

static int refuse(const char *name, int error, struct why *why)
{
	int event = strcspn(name, ":");

	if (error == PFM_ERR_UMASK)
		return because(why, "\"%s\" wants a unit mask, or other ones: see 'rcrctl list \"%.*s*\"'",
			       name, event, name);
	if (error == PFM_ERR_ATTR)
		return because(why, "\"%s\" has a unit mask or modifier that there is none of: see 'rcrctl list \"%.*s*\"'; modifiers are u, k, e, i and c=N",
			       name, event, name);
	return because(why, "\"%s\": %s", name, pfm_strerror(error));
}

static enum native_answer find_in(const pfm_pmu_info_t *pmu, const char *name,
				  struct code *c, struct why *why)
{
	enum native_answer answer = NATIVE_REFUSED;
	pfm_pmu_encode_arg_t arg;
	int ret;

	ret = encode(pmu->name, name, &arg);
	if (ret == PFM_ERR_NOTFOUND)
		answer = NATIVE_UNKNOWN;
	else if (ret == PFM_SUCCESS && !take_code(name, &arg, c, why))
		answer = NATIVE_FOUND;
	else if (ret != PFM_SUCCESS && !unit_of(pmu->pmu))
		refuse_shared(name, why);
	else if (ret != PFM_SUCCESS)
		refuse(name, ret, why);
	free(arg.codes);
	return answer;
}

/* The PMU of that number, if this processor has it and it is of a shared unit. */
static bool is_uncore(pfm_pmu_t pmu, pfm_pmu_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return pfm_get_pmu_info(pmu, info) == PFM_SUCCESS && info->is_present &&
	       info->type == PFM_PMU_TYPE_UNCORE;
}

enum native_answer native_find(const char *name, struct code *c, struct why *why)
{
	const pfm_pmu_info_t *core = core_pmu();
	enum native_answer answer = NATIVE_UNKNOWN;
	pfm_pmu_info_t info;
	pfm_pmu_t pmu;

	if (strlen(name) > NAME_MAX_LEN / 2)
		return NATIVE_UNKNOWN;
	if (core)
		answer = find_in(core, name, c, why);
	pfm_for_all_pmus(pmu) {
		if (answer != NATIVE_UNKNOWN)
			break;
		if (is_uncore(pmu, &info))
			answer = find_in(&info, name, c, why);
	}
	return answer;
}

static void each_umask(const pfm_event_info_t *event,
		       void (*each)(void *to, const char *name, const char *description),
		       void *to)
{
	char name[NAME_MAX_LEN], description[NAME_MAX_LEN];
	pfm_event_attr_info_t attr;
	int i;

	pfm_for_each_event_attr(i, event) {
		memset(&attr, 0, sizeof(attr));
		attr.size = sizeof(attr);
		if (pfm_get_event_attr_info(event->idx, i, PFM_OS_NONE, &attr) ||
		    attr.type != PFM_ATTR_UMASK)
			continue;
		snprintf(name, sizeof(name), "%s:%s", event->name, attr.name);
		snprintf(description, sizeof(description), "%s: %s", event->desc,
			 attr.desc);
		each(to, name, description);
	}
}

static void each_event(const pfm_pmu_info_t *pmu,
		       void (*each)(void *to, const char *name, const char *description),
		       void *to)
{
	pfm_event_info_t event;
	int i;

	for (i = pmu->first_event; i >= 0; i = pfm_get_event_next(i)) {
		memset(&event, 0, sizeof(event));
		event.size = sizeof(event);
		if (pfm_get_event_info(i, PFM_OS_NONE, &event) != PFM_SUCCESS)
			continue;
		each(to, event.name, event.desc);
		each_umask(&event, each, to);
	}
}

void native_each(void (*each)(void *to, const char *name, const char *description),
		 void *to)
{
	const pfm_pmu_info_t *core = core_pmu();
	pfm_pmu_info_t info;
	pfm_pmu_t pmu;

	if (core)
		each_event(core, each, to);
	pfm_for_all_pmus(pmu)
		if (is_uncore(pmu, &info) && unit_of(pmu))
			each_event(&info, each, to);
}
