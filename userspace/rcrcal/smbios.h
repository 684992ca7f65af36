/* SPDX-License-Identifier: GPL-2.0-or-later */
/* smbios.h - theoretical bandwidth of the machine's memory, from the firmware's tables. */
#ifndef RCRCAL_SMBIOS_H
#define RCRCAL_SMBIOS_H

#include <stddef.h>
#include <stdint.h>

/* The firmware's table, readable by root. */
#define SMBIOS_TABLE "/sys/firmware/dmi/tables/DMI"

/**
 * smbios_memory_bw() - total bandwidth of all memory channels, bytes per second
 * @table: consecutive structures
 * @size: bytes of @table
 *
 * The bandwidth of a channel with memory is its speed (as configured, if reported) times its width.
 * Devices whose locators name the same channel ("P0 CHANNEL A") share it; a device without a
 * channel name counts as a channel of its own, so the limit may be too high but not too low.
 *
 * Return: 0 if the firmware does not report it.
 */
uint64_t smbios_memory_bw(const uint8_t *table, size_t size);

#endif
