/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * msr_register.h - one counter's registers: saved, programmed, put back.
 */
#ifndef RCR_MSR_REGISTER_H
#define RCR_MSR_REGISTER_H

#include <linux/types.h>

struct rcr_failure;
struct rcr_register;
struct rcr_saved;

int rcr_register_save(const struct rcr_register *r, struct rcr_saved *saved,
		      struct rcr_failure *f);
int rcr_register_program(const struct rcr_register *r, const char *name,
			 struct rcr_saved *saved, struct rcr_failure *f);
int rcr_register_rewrite(const struct rcr_register *r, const char *name,
			 struct rcr_saved *saved, struct rcr_failure *f);
bool rcr_register_restore(const struct rcr_register *r, struct rcr_saved *saved);
void rcr_register_disable(const struct rcr_register *r);

#endif
