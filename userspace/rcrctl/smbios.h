/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * smbios.h - what the machine's memory can do at most, as its firmware tells it.
 */
#ifndef RCRCTL_SMBIOS_H
#define RCRCTL_SMBIOS_H

#include <stddef.h>
#include <stdint.h>

/* The table of the firmware; readable for root. */
#define SMBIOS_TABLE "/sys/firmware/dmi/tables/DMI"

/**
 * smbios_memory_bw() - bytes a second that all memory channels move together
 * @table: the structures, one behind the other
 * @size: bytes of them
 *
 * Of each channel that has memory, speed (as configured, where that is told) times
 * width. Devices are of one channel where their locators name the same one ("P0
 * CHANNEL A"); where no channel is named, each device counts as one, so that the limit
 * may be too high but not too low.
 *
 * Return: 0 where the firmware does not tell.
 */
uint64_t smbios_memory_bw(const uint8_t *table, size_t size);

#endif
