// SPDX-License-Identifier: GPL-2.0-only
/*
 * layout32.c - checks that structures and ioctl numbers of the ABI are the same in 32-bit and
 * 64-bit programs. It is only compiled, with -m32 -fsyntax-only.
 */
#include <stddef.h>

#include <linux/rcrboard.h>
#include <linux/rcrtool.h>

#include "../../userspace/librcr/rcr_board2.h"

#define MEMBER(type, member, offset, bytes)						\
	_Static_assert(offsetof(struct type, member) == (offset) &&			\
		       sizeof(((struct type *)0)->member) == (bytes), #type "." #member);
#define REST(type, member, offset)							\
	_Static_assert(offsetof(struct type, member) == (offset), #type "." #member);
#define GROWS(type, bytes) _Static_assert(sizeof(struct type) == (bytes), #type);
#define WHOLE(type, bytes) GROWS(type, bytes)

#include "layout_rows.h"

_Static_assert(RCR_ITEMS == 0x40105240, "RCR_ITEMS");
_Static_assert(RCR_BOARD_WATCH == 0x40385241, "RCR_BOARD_WATCH");
#ifndef __i386__
#error "not a 32-bit build"
#endif
