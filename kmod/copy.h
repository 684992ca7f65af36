/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * copy.h - copies extensible ABI structures, which begin with their size, from user space.
 */
#ifndef RCR_COPY_H
#define RCR_COPY_H

#include <linux/ioctl.h>
#include <linux/mm.h>
#include <linux/uaccess.h>

/* Compare ioctl numbers without the size: a newer program may pass a larger structure. */
static inline bool rcr_is_ioctl(unsigned int cmd, unsigned int known)
{
	return !((cmd ^ known) & ~IOCSIZE_MASK);
}

/**
 * rcr_copy_sized() - copy a structure that begins with its size
 * @to: output buffer
 * @least: bytes in @to; the minimum size that user space must pass
 * @from: the structure in user space, which may be larger
 *
 * Context: may sleep.
 * Return: 0; -EFAULT; -EINVAL if the size is smaller than @least; -E2BIG if it exceeds
 * PAGE_SIZE or any byte after @least is not 0.
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
