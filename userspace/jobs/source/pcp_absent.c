// SPDX-License-Identifier: GPL-2.0-or-later
/* pcp_absent.c - replaces pcp.c in builds without the headers of libpcp. */
#include <stdio.h>

#include "source/source.h"

bool pcp_find(const struct rcr_source *s, const char *root, char missing[SOURCE_MISSING_LEN])
{
	return pcp_open(s, root, missing);
}

void *pcp_open(const struct rcr_source *s, const char *root, char missing[SOURCE_MISSING_LEN])
{
	(void)s;
	(void)root;
	snprintf(missing, SOURCE_MISSING_LEN, "built without libpcp");
	return NULL;
}

void pcp_read(const struct rcr_source *s, void *state, source_add_fn *add, void *to)
{
	(void)s;
	(void)state;
	(void)add;
	(void)to;
}

void pcp_close(void *state)
{
	(void)state;
}
