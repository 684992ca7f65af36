// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * native.c - libpfm4's names of the processor's events.
 *
 * The PMU of a box is written by the module's name of the box, as in
 * cbo3::UNC_C_TOR_INSERTS:ALL; libpfm4's names of PMUs are accepted as well.
 *
 * libpfm4 detects the processor; LIBPFM_FORCE_PMU overrides this. It detects shared units of
 * most Xeons only if the kernel has a driver for them, which the module does not need: those
 * units are selected by family instead.
 */
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "events.h"
#include "native.h"
#include "unit.h"

#define NAME_MAX_LEN 512

/* Returns the detected core PMU, or NULL; detects it once. */
static const pfm_pmu_info_t *core_pmu(void)
{
	static pfm_pmu_info_t info;
	static bool asked;
	pfm_pmu_t pmu;

	if (asked)
		return info.name ? &info : NULL;
	asked = true;
	/* By default, libpfm4 only encodes events of PMUs that it has detected. */
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 0);
	if (pfm_initialize() != PFM_SUCCESS)
		return NULL;
	pfm_for_all_pmus(pmu) {
		memset(&info, 0, sizeof(info));
		info.size = sizeof(info);
		/*
		 * Intel's architectural PMU is present on each Intel. Zen 1 has two PMUs, of which
		 * the first has a deprecated name that does not distinguish it from Zen 2.
		 */
		if (pfm_get_pmu_info(pmu, &info) == PFM_SUCCESS && info.is_present &&
		    info.type == PFM_PMU_TYPE_CORE && pmu != PFM_PMU_INTEL_X86_ARCH &&
		    pmu != PFM_PMU_AMD64_FAM17H)
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
	return events_core_family(native_pmu());
}

/* Returns the part after "PMU::", or the whole name. */
static const char *event_of(const char *name)
{
	const char *colons = strstr(name, "::");

	return colons ? colons + 2 : name;
}

static int encode_event(const char *pmu, const char *name, pfm_pmu_encode_arg_t *arg)
{
	char full[NAME_MAX_LEN];

	*arg = (pfm_pmu_encode_arg_t){ .size = sizeof(*arg) };
	snprintf(full, sizeof(full), "%s::%s", pmu, event_of(name));
	return pfm_get_os_event_encoding(full, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, arg);
}

static int refuse_shared_native(const char *name, const char *pmu, struct why *why)
{
	if (strstr(pmu, "rapl"))
		return because(why, "unknown event '%s': write ENERGY=register:energy-pkg", name);
	return because(why, "'%s' is an event of %s, a shared unit that this version does not support",
		       name, pmu);
}

static int refuse_box(const char *name, const struct unit *u, struct why *why)
{
	return because(why, "'%s' is an event of each %s: name one, as in %s::%s",
		       name, unit_kind_name(u), u->name, name);
}

static int take_core(const pfm_pmu_encode_arg_t *arg, struct code *c, struct why *why)
{
	if (arg->count != 1)
		return because(why, "it needs a second register (offcore response, load latency), which rcrtool does not program: choose another event");
	return code_from_select(arg->codes[0], is_amd(), c, why);
}

static int take_code(const char *name, const struct unit *u,
		     const pfm_pmu_encode_arg_t *arg, struct code *c, struct why *why)
{
	struct why inner;
	int ret;

	if (u)
		ret = unit_code(u, arg->codes, arg->count, c, &inner);
	else
		ret = take_core(arg, c, &inner);
	return ret ? because(why, "'%s' cannot be counted: %s", name, inner.text) : 0;
}

static int refuse_native(const char *name, int error, bool shared, struct why *why)
{
	int event = event_of(name) - name;

	event += strcspn(name + event, ":");
	if (error == PFM_ERR_UMASK)
		return because(why, "'%s' needs a unit mask, or other ones: see 'rcrctl list \"%.*s*\"'",
			       name, event, name);
	if (error == PFM_ERR_ATTR)
		return because(why, "'%s' has an unknown unit mask or modifier, or lacks one: see 'rcrctl list \"%.*s*\"'; modifiers are %s",
			       name, event, name,
			       shared ? "e, i, c=N or t=N, nf=N, ff=N" : "u, k, e, i and c=N");
	return because(why, "'%s': %s", name, pfm_strerror(error));
}

/* Looks up an event in @pmu, the PMU of unit @u, or of the core if @u is NULL. */
static enum native_answer find_in(const char *pmu, const struct unit *u, const char *name,
				  struct code *c, struct why *why)
{
	enum native_answer answer = NATIVE_REFUSED;
	pfm_pmu_encode_arg_t arg;
	int ret;

	ret = encode_event(pmu, name, &arg);
	if (ret == PFM_ERR_NOTFOUND)
		answer = NATIVE_UNKNOWN;
	else if (u && !u->kind)
		refuse_shared_native(name, pmu, why);
	else if (u && u->numbered && event_of(name) == name)
		refuse_box(name, u, why);
	else if (ret != PFM_SUCCESS)
		refuse_native(name, ret, u, why);
	else if (!take_code(name, u, &arg, c, why))
		answer = NATIVE_FOUND;
	free(arg.codes);
	return answer;
}

/* True if @pmu is a PMU of a shared unit of this processor; fills in @info. */
static bool is_uncore(pfm_pmu_t pmu, const char *family, pfm_pmu_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return pfm_get_pmu_info(pmu, info) == PFM_SUCCESS &&
	       info->type == PFM_PMU_TYPE_UNCORE &&
	       (info->is_present || unit_is_of(info->name, family));
}

/* True if @name has no "PMU::", or that of this PMU or unit. */
static bool is_asked(const char *name, const char *pmu, const struct unit *u)
{
	size_t len = event_of(name) - name;

	if (!len)
		return true;
	len -= strlen("::");
	return (strlen(pmu) == len && !strncasecmp(name, pmu, len)) ||
	       (u && strlen(u->name) == len && !strncasecmp(name, u->name, len));
}

enum native_answer native_find(const char *family, const char *name, struct code *c,
			       struct why *why)
{
	const pfm_pmu_info_t *core = core_pmu();
	enum native_answer answer = NATIVE_UNKNOWN;
	pfm_pmu_info_t info;
	struct unit unit;
	pfm_pmu_t pmu;

	if (strlen(name) > NAME_MAX_LEN / 2)
		return NATIVE_UNKNOWN;
	if (core && is_asked(name, core->name, NULL))
		answer = find_in(core->name, NULL, name, c, why);
	pfm_for_all_pmus(pmu) {
		if (answer != NATIVE_UNKNOWN)
			break;
		if (!is_uncore(pmu, family, &info))
			continue;
		unit_from_pmu(info.name, &unit);
		if (is_asked(name, info.name, &unit))
			answer = find_in(info.name, &unit, name, c, why);
	}
	return answer;
}

/* Callback for each name, and the prefix of the names: "cbo3::" or empty. */
struct listener {
	const char *box;
	void (*each)(void *to, const char *name, const char *description);
	void *to;
};

static void each_umask(const pfm_event_info_t *event, const struct listener *l)
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
		snprintf(name, sizeof(name), "%s%s:%s", l->box, event->name, attr.name);
		snprintf(description, sizeof(description), "%s: %s", event->desc,
			 attr.desc);
		l->each(l->to, name, description);
	}
}

static void each_event(const pfm_pmu_info_t *pmu, const struct listener *l)
{
	char name[NAME_MAX_LEN];
	pfm_event_info_t event;
	int i;

	for (i = pmu->first_event; i >= 0; i = pfm_get_event_next(i)) {
		memset(&event, 0, sizeof(event));
		event.size = sizeof(event);
		if (pfm_get_event_info(i, PFM_OS_NONE, &event) != PFM_SUCCESS)
			continue;
		snprintf(name, sizeof(name), "%s%s", l->box, event.name);
		l->each(l->to, name, event.desc);
		each_umask(&event, l);
	}
}

void native_each(const char *family, bool all_boxes,
		 void (*each)(void *to, const char *name, const char *description),
		 void *to)
{
	const pfm_pmu_info_t *core = core_pmu();
	struct listener l = { "", each, to };
	char box[CODE_UNIT_LEN + 2];
	pfm_pmu_info_t info;
	struct unit unit;
	pfm_pmu_t pmu;

	if (core)
		each_event(core, &l);
	l.box = box;
	pfm_for_all_pmus(pmu) {
		if (!is_uncore(pmu, family, &info) || !unit_from_pmu(info.name, &unit) ||
		    (unit.number && !all_boxes))
			continue;
		snprintf(box, sizeof(box), "%s%s", unit.numbered ? unit.name : "",
			 unit.numbered ? "::" : "");
		each_event(&info, &l);
	}
}
