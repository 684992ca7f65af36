// SPDX-License-Identifier: GPL-2.0-only
/*
 * join.c - reads the first message of a client of blackboard 2. A later librcr may send
 * more members, as long as they are 0.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "join.h"

static bool is_zero(const unsigned char *at, size_t size)
{
	while (size && !at[size - 1])
		size--;
	return !size;
}

int join_parse(const void *bytes, size_t size, struct rcr_join *join)
{
	memset(join, 0, sizeof(*join));
	if (size < sizeof(*join) || size > JOIN_MAX)
		return -EINVAL;
	memcpy(join, bytes, sizeof(*join));
	if (join->size != size || join->pad)
		return -EINVAL;
	if (join->version < RCR_BOARD2_COMPAT_VERSION ||
	    join->compat_version > RCR_BOARD2_VERSION)
		return -EPROTO;
	return is_zero((const unsigned char *)bytes + sizeof(*join), size - sizeof(*join)) ?
	       0 : -EPROTO;
}
