/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * genl.h - differences between kernel versions in generic netlink.
 */
#ifndef RCR_COMPAT_GENL_H
#define RCR_COMPAT_GENL_H

#include <net/genetlink.h>

/* Type of the operation passed to pre_doit: split operations are new in 6.2. */
#ifdef RCR_HAVE_GENL_SPLIT_OPS
#define rcr_genl_op genl_split_ops
#else
#define rcr_genl_op genl_ops
#endif

/* Attributes of a dump request: in struct genl_info since 6.6. */
static inline struct nlattr **rcr_genl_dump_attrs(struct netlink_callback *cb)
{
#ifdef RCR_HAVE_GENL_INFO_DUMP
	return genl_info_dump(cb)->attrs;
#else
	return genl_dumpit_info(cb)->attrs;
#endif
}

#endif
