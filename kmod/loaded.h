/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loaded.h - whether the module will stay loaded: a descriptor that is opened before the last
 * step of the load could outlive a module whose load fails.
 */
#ifndef RCR_LOADED_H
#define RCR_LOADED_H

#include <linux/types.h>

bool rcr_is_loaded(void);

#endif
