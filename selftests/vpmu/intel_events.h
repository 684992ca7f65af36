/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * intel_events.h - which general counters of Intel's cores can count an event, for
 * vpmu_family.allowed.
 */
#ifndef RCR_VPMU_INTEL_EVENTS_H
#define RCR_VPMU_INTEL_EVENTS_H

#include <stdint.h>

unsigned int vpmu_nehalem_allowed(uint32_t event, uint32_t umask);
unsigned int vpmu_westmere_allowed(uint32_t event, uint32_t umask);
unsigned int vpmu_snb_allowed(uint32_t event, uint32_t umask);
unsigned int vpmu_ivb_allowed(uint32_t event, uint32_t umask);
unsigned int vpmu_hsw_allowed(uint32_t event, uint32_t umask);
unsigned int vpmu_bdw_allowed(uint32_t event, uint32_t umask);
unsigned int vpmu_skx_allowed(uint32_t event, uint32_t umask);
unsigned int vpmu_icx_allowed(uint32_t event, uint32_t umask);
unsigned int vpmu_spr_allowed(uint32_t event, uint32_t umask);

#endif
