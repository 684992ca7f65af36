/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_LINUX_SLAB_H
#define UNIT_LINUX_SLAB_H

#include <stdlib.h>

#define GFP_KERNEL 0
#define kmalloc(size, flags) malloc(size)
#define kfree(p) free(p)
#define kvcalloc(n, size, flags) calloc(n, size)
#define kvfree(p) free(p)

#endif
