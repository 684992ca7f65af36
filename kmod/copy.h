/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * copy.h - structures of the ABI that begin with their size.
 */
#ifndef RCR_COPY_H
#define RCR_COPY_H

#include <linux/ioctl.h>
#include <linux/mm.h>
#include <linux/uaccess.h>

/* Is @cmd the ioctl @known, of a program that may know more of its structure? */
static inline bool rcr_is_ioctl(unsigned int cmd, unsigned int known)
{
	return !((cmd ^ known) & ~IOCSIZE_MASK);
}

/**
 * rcr_copy_sized() - copies a structure that begins with its size
 * @to: filled in
 * @least: minimum size of the caller's structure
 * @from: the structure of the caller, which may be larger than that of this module
 *
 * Context: may sleep.
 * Return: 0; -EFAULT; -EINVAL: it is too small; -E2BIG: a field that this module does not know is
 * not 0.
 */
static inline int rcr_copy_sized(void *to, size_t least, const void __user *from)
{
	u32 size;

	if (get_user(size, (const u32 __user *)from))
		return -EFAULT;
	if (size < least)
		return -EINVAL;
	if (size > PAGE_SIZE)
		return -E2BIG;
	return copy_struct_from_user(to, least, from, size);
}

#endif
