/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loaded.h - whether the module is there to stay: a descriptor that is opened while a later
 * step of the load may fail would be one of a module that is gone.
 */
#ifndef RCR_LOADED_H
#define RCR_LOADED_H

#include <linux/types.h>

bool rcr_is_loaded(void);

#endif
