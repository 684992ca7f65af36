/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sysfs_tree.h - a fake sysfs in a temporary directory, for tests of its readers.
 */
#ifndef RCR_SYSFS_TREE_H
#define RCR_SYSFS_TREE_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ksft.h"

static char root[64] = "/tmp/rcr-sysfs-XXXXXX";

static void begin_tree(void)
{
	if (!mkdtemp(root))
		ksft_exit_fail_msg("cannot make %s\n", root);
}

/* Write @text to a file of the tree; create its parent directories. */
__attribute__((format(printf, 2, 3)))
static void put(const char *text, const char *format, ...)
{
	char path[256], *slash;
	va_list args;
	FILE *f;

	va_start(args, format);
	snprintf(path, sizeof(path), "%s/", root);
	vsnprintf(path + strlen(path), sizeof(path) - strlen(path), format, args);
	va_end(args);
	for (slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(path, 0700);
		*slash = '/';
	}
	f = fopen(path, "w");
	if (!f)
		ksft_exit_fail_msg("cannot write %s\n", path);
	fputs(text, f);
	fclose(f);
}

static inline void put_id(unsigned int cpu, const char *name, unsigned int id)
{
	char text[16];

	snprintf(text, sizeof(text), "%u\n", id);
	put(text, "devices/system/cpu/cpu%u/topology/%s", cpu, name);
}

static void remove_tree(void)
{
	char command[80];

	snprintf(command, sizeof(command), "rm -r %s", root);
	if (system(command))
		ksft_print_msg("%s is left\n", root);
}

#endif
