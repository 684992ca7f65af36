/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the kernel that the module's pure files need, for unit tests in userspace. Each
 * header in this directory replaces the kernel's header of the same name.
 */
#ifndef UNIT_LINUX_KERNEL_H
#define UNIT_LINUX_KERNEL_H

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <linux/limits.h>
#include <linux/types.h>

#define sizeof_field(type, member) sizeof(((type *)0)->member)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define min(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a < _b ? _a : _b; })
#define max(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))

#define scnprintf(text, size, ...) ({						\
	size_t _size = (size);							\
	int _len = snprintf(text, _size, __VA_ARGS__);				\
	_len < (int)_size ? _len : (int)_size - 1; })

/* Like the kernel's: the whole string must be a number, without sign and leading blanks. */
static inline int kstrtou64(const char *s, unsigned int base, u64 *res)
{
	unsigned long long val;
	char *end;

	if (!isalnum((unsigned char)*s))
		return -EINVAL;
	errno = 0;
	val = strtoull(s, &end, base);
	if (*end || end == s)
		return -EINVAL;
	if (errno)
		return -ERANGE;
	*res = val;
	return 0;
}

static inline int kstrtouint(const char *s, unsigned int base, unsigned int *res)
{
	u64 val;
	int err = kstrtou64(s, base, &val);

	if (err || val > UINT_MAX)
		return err ?: -ERANGE;
	*res = val;
	return 0;
}

#endif
