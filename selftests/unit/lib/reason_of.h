/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reason_of.h - the message that librcr prints for an error of the module.
 */
#ifndef UNIT_REASON_OF_H
#define UNIT_REASON_OF_H

#include "../../userspace/librcr/rcr.h"
#include "error.h"

/* Return the message, which is valid until the next call. */
static inline const char *reason_of(const struct rcr_failure *f)
{
	static char text[RCR_SENTENCE_LEN];

	return rcr_reason_text(&f->reason, text, sizeof(text));
}

#endif
