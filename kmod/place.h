/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place.h - which counter gets which event.
 */
#ifndef RCR_PLACE_H
#define RCR_PLACE_H

#include <linux/types.h>

int rcr_place(const u32 *allowed, unsigned int events, u8 *counter);

#endif
