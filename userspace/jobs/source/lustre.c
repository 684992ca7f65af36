// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lustre.c - statistics of the Lustre client: of mounts (llite), of metadata and object servers
 * (mdc, osc), and of its network (lnet).
 *
 * Their location depends on the version: 2.5 has them in /proc, later ones in debugfs, which only
 * root can read. For each kind, the first location that has it is read.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/source.h"
#include "source/text.h"

static const char *const lustre_places[] = {
	"/proc/fs/lustre", "/sys/kernel/debug/lustre", "/sys/fs/lustre",
};

static const char *const lnet_places[] = {
	"/proc/sys/lnet/stats", "/sys/kernel/debug/lnet/stats",
};

#define LUSTRE_PLACES (sizeof(lustre_places) / sizeof(lustre_places[0]))
#define LNET_PLACES (sizeof(lnet_places) / sizeof(lnet_places[0]))

/**
 * struct lustre_walk - a walk over the instances of a kind
 * @add: called with each value
 * @to: first argument of @add
 * @found: number of instances that have statistics
 */
struct lustre_walk {
	source_add_fn *add;
	void *to;
	unsigned int found;
};

static void add_lustre_value(const struct lustre_walk *w, const char *instance,
			     const struct lustre_stat *stat, const char *field, const char *unit,
			     uint64_t value)
{
	struct source_value v = { .value = value };

	snprintf(v.instance, sizeof(v.instance), "%s", instance);
	snprintf(v.name, sizeof(v.name), "%s.%s", stat->name, field);
	snprintf(v.unit, sizeof(v.unit), "%s", unit);
	w->add(w->to, &v);
}

static void add_lustre_stats(struct lustre_walk *w, const char *instance, const char *text,
			     size_t size)
{
	static const char *const field[] = { "min", "max", "sum", "sumsq" };
	static struct lustre_stat stat[LUSTRE_STATS_MAX];
	unsigned int i, n, count = lustre_parse(text, size, stat);

	for (i = 0; i < count; i++) {
		add_lustre_value(w, instance, &stat[i], "samples", "1", stat[i].samples);
		for (n = 0; n < stat[i].fields; n++)
			add_lustre_value(w, instance, &stat[i], field[n], stat[i].unit,
					 stat[i].value[n]);
	}
}

static void visit_instance(void *to, const char *folder, const char *name)
{
	struct lustre_walk *w = to;
	char path[PATH_MAX], *text;
	size_t size;

	snprintf(path, sizeof(path), "%s/%s/stats", folder, name);
	if (!files_can_read(path))
		return;
	w->found++;
	text = w->add ? files_text(path, &size) : NULL;
	if (text)
		add_lustre_stats(w, name, text, size);
	free(text);
}

static unsigned int walk_lustre(const struct rcr_source *s, const char *root,
				source_add_fn *add, void *to)
{
	struct lustre_walk w = { .add = add, .to = to };
	char folder[PATH_MAX];
	unsigned int i;

	for (i = 0; i < LUSTRE_PLACES && !w.found; i++) {
		snprintf(folder, sizeof(folder), "%s%s/%s", root, lustre_places[i], s->of);
		files_each(folder, "", visit_instance, &w);
	}
	return w.found;
}

/* Returns the first path of LNet's statistics that can be read, or NULL. */
static const char *find_lnet(const char *root, char path[PATH_MAX])
{
	unsigned int i;

	for (i = 0; i < LNET_PLACES; i++) {
		snprintf(path, PATH_MAX, "%s%s", root, lnet_places[i]);
		if (files_can_read(path))
			return path;
	}
	return NULL;
}

/* True if this user may not enter the directory. */
static bool is_closed(const char *root, const char *folder)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s", root, folder);
	return access(path, X_OK) && errno == EACCES;
}

bool lustre_find(const struct rcr_source *s, const char *root, char missing[SOURCE_MISSING_LEN])
{
	char path[PATH_MAX];
	bool lnet = !strcmp(s->of, "lnet");

	if (lnet ? !!find_lnet(root, path) : walk_lustre(s, root, NULL, NULL))
		return true;
	if (is_closed(root, "/sys/kernel/debug"))
		snprintf(missing, SOURCE_MISSING_LEN,
			 "not known: only root can read /sys/kernel/debug");
	else if (lnet)
		snprintf(missing, SOURCE_MISSING_LEN, "cannot read %s or %s",
			 lnet_places[0], lnet_places[1]);
	else
		snprintf(missing, SOURCE_MISSING_LEN, "cannot read %s/*/stats in %s, %s or %s",
			 s->of, lustre_places[0], lustre_places[1], lustre_places[2]);
	return false;
}

void lustre_read(const struct rcr_source *s, void *state, source_add_fn *add, void *to)
{
	walk_lustre(s, state, add, to);
}

void lnet_read(const struct rcr_source *s, void *state, source_add_fn *add, void *to)
{
	struct source_value v = { .unit = "1" };
	uint64_t value[LNET_STATS];
	char path[PATH_MAX], *text = NULL;
	unsigned int i;
	size_t size;

	(void)s;
	if (find_lnet(state, path))
		text = files_text(path, &size);
	for (i = 0; text && lnet_parse(text, size, value) && i < LNET_STATS; i++) {
		snprintf(v.name, sizeof(v.name), "%s", lnet_stat_name[i]);
		v.value = value[i];
		add(to, &v);
	}
	free(text);
}
