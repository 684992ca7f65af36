// SPDX-License-Identifier: GPL-2.0-or-later
/* files.c - helpers of the sources: lists directories in order, and reads whole files. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "source/source.h"

void *files_open(const struct rcr_source *s, const char *root, char missing[SOURCE_MISSING_LEN])
{
	char *state;

	if (!s->find(s, root, missing))
		return NULL;
	state = strdup(root);
	if (!state)
		snprintf(missing, SOURCE_MISSING_LEN, "no memory");
	return state;
}

void files_close(void *state)
{
	free(state);
}

unsigned int files_each(const char *folder, const char *prefix,
			void (*visit)(void *to, const char *folder, const char *name), void *to)
{
	struct dirent **each;
	unsigned int found = 0;
	int i, count = scandir(folder, &each, NULL, alphasort);

	for (i = 0; i < count; i++) {
		if (each[i]->d_name[0] != '.' &&
		    !strncmp(each[i]->d_name, prefix, strlen(prefix))) {
			found++;
			if (visit)
				visit(to, folder, each[i]->d_name);
		}
		free(each[i]);
	}
	if (count >= 0)
		free(each);
	return found;
}

bool files_can_read(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, R_OK);
}

char *files_text(const char *path, size_t *size)
{
	struct why why;

	return files_can_read(path) ? file_read(path, size, &why) : NULL;
}
