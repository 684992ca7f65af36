/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loaded.h - whether module init has succeeded. Devices refuse open() before that: a file
 * must not outlive a module whose init fails in a later step.
 */
#ifndef RCR_LOADED_H
#define RCR_LOADED_H

#include <linux/types.h>

bool rcr_is_loaded(void);

#endif
