/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * deficiency.h - what is known to be wrong with an event, and who says so.
 */
#ifndef NAMES_DEFICIENCY_H
#define NAMES_DEFICIENCY_H

#include <stdint.h>

/**
 * rcr_deficiency() - what an event counts amiss
 * @family: kind of PMU, as the module names it ("AMD Fam15h")
 * @select: control register with the event and its unit mask
 *
 * It goes by the event, whatever name it was asked for by.
 *
 * Return: one line with its source, or NULL when nothing is known.
 */
const char *rcr_deficiency(const char *family, uint64_t select);

#endif
