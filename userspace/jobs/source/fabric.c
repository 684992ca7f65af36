// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fabric.c - counters of network adapters in sysfs.
 *
 * InfiniBand and Omni-Path: /sys/class/infiniband/DEVICE/ports/PORT/counters, one file with a
 * number per counter. Omni-Path devices are named hfi1_N. Data is counted in words of 4 bytes.
 * Slingshot: /sys/class/cxi/DEVICE/device/telemetry, one file with a number and a time per counter.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/source.h"
#include "source/text.h"

#define INFINIBAND	"/sys/class/infiniband"
#define SLINGSHOT	"/sys/class/cxi"
#define OMNI_PATH	"hfi1_"

/**
 * struct fabric_walk - a walk over devices, ports and counters
 * @of: the kind of network
 * @add: called with each value; NULL: only count the counters
 * @to: first argument of @add
 * @instance: current device, and port if it has ports
 * @found: number of counters
 */
struct fabric_walk {
	const char *of;
	source_add_fn *add;
	void *to;
	char instance[SOURCE_NAME_LEN];
	unsigned int found;
};

/* Converts counts of data from words to bytes; returns false on overflow. */
static bool convert_data(const char *name, struct source_value *v)
{
	strcpy(v->unit, "1");
	if (strcmp(name, "port_xmit_data") && strcmp(name, "port_rcv_data"))
		return true;
	strcpy(v->unit, "bytes");
	return !__builtin_mul_overflow(v->value, 4, &v->value);
}

static void visit_counter(void *to, const char *folder, const char *name)
{
	struct fabric_walk *w = to;
	struct source_value v = { };
	char path[PATH_MAX], *text;
	bool cxi = !strcmp(w->of, "slingshot");
	size_t size;

	w->found++;
	if (!w->add)
		return;
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	text = files_text(path, &size);
	snprintf(v.instance, sizeof(v.instance), "%s", w->instance);
	if (text && snprintf(v.name, sizeof(v.name), "%s", name) < (int)sizeof(v.name) &&
	    (cxi ? telemetry_parse(text, size, &v.value) : count_parse(text, size, &v.value)) &&
	    convert_data(name, &v))
		w->add(w->to, &v);
	free(text);
}

static void visit_port(void *to, const char *folder, const char *name)
{
	struct fabric_walk *w = to;
	char path[PATH_MAX];
	size_t len = strlen(w->instance);

	snprintf(w->instance + len, sizeof(w->instance) - len, "/%s", name);
	snprintf(path, sizeof(path), "%s/%s/counters", folder, name);
	files_each(path, "", visit_counter, w);
	w->instance[len] = 0;
}

static void visit_device(void *to, const char *folder, const char *name)
{
	struct fabric_walk *w = to;
	bool omni_path = !strncmp(name, OMNI_PATH, strlen(OMNI_PATH));
	char path[PATH_MAX];

	snprintf(w->instance, sizeof(w->instance), "%s", name);
	if (!strcmp(w->of, "slingshot")) {
		snprintf(path, sizeof(path), "%s/%s/device/telemetry", folder, name);
		files_each(path, "", visit_counter, w);
	} else if (omni_path == !strcmp(w->of, "omni-path")) {
		snprintf(path, sizeof(path), "%s/%s/ports", folder, name);
		files_each(path, "", visit_port, w);
	}
}

static unsigned int walk_fabric(const char *of, const char *root, source_add_fn *add, void *to)
{
	struct fabric_walk w = { .of = of, .add = add, .to = to };
	char folder[PATH_MAX];

	snprintf(folder, sizeof(folder), "%s%s", root,
		 strcmp(of, "slingshot") ? INFINIBAND : SLINGSHOT);
	files_each(folder, "", visit_device, &w);
	return w.found;
}

bool fabric_find(const struct rcr_source *s, const char *root, char missing[SOURCE_MISSING_LEN])
{
	if (walk_fabric(s->of, root, NULL, NULL))
		return true;
	if (!strcmp(s->of, "slingshot"))
		snprintf(missing, SOURCE_MISSING_LEN, "no counters in %s/*/device/telemetry",
			 SLINGSHOT);
	else
		snprintf(missing, SOURCE_MISSING_LEN, "no counters in %s/%s/ports/*/counters",
			 INFINIBAND, strcmp(s->of, "omni-path") ? "*" : "hfi1_*");
	return false;
}

void fabric_read(const struct rcr_source *s, void *state, source_add_fn *add, void *to)
{
	walk_fabric(s->of, state, add, to);
}
