/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix.h - kinds of memory access, which have different limits. */
#ifndef METERS_MIX_H
#define METERS_MIX_H

enum mix {
	MIX_READ,
	MIX_WRITE,
	MIX_COPY,
	MIX_RANDOM,
	MIXES,
};

#endif
