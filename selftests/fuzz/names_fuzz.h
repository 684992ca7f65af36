/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * names_fuzz.h - resolves names on an artificial machine, the same in every run.
 */
#ifndef RCR_NAMES_FUZZ_H
#define RCR_NAMES_FUZZ_H

#include "fuzz.h"
#include "names.h"

/* Select AMD Family 15h in libpfm4, and the kernel's PMUs in the directory "sysfs". */
static inline void fuzz_machine(void)
{
	setenv("LIBPFM_FORCE_PMU", "amd64_fam15h_interlagos", 1);
	setenv("RCR_SYSFS", FUZZ_FOLDER "/sysfs", 1);
	setenv("RCR_TRACEFS", FUZZ_FOLDER "/tracefs", 1);
	setenv("RCR_DICTIONARY", "/nonexistent", 1);
}

static inline void fuzz_no_line(void *to, unsigned int number, const char *sentence)
{
	(void)to;
	FUZZ_HOLDS(number && strlen(sentence));
}

/* Select the processor and the source of counts by a byte of the input. */
static inline void fuzz_names(struct names *n, unsigned int byte)
{
	static const char *const families[] = {
		"AMD Fam15h", "AMD Fam10h", "AMD Fam17h", "AMD PerfMonV2", "Intel Nehalem",
		"Intel Haswell", "Intel Ice Lake-SP", "",
	};
	static const char *const policies[] = { "auto", "perf", "msr", "" };

	names_init(n, families[byte % 8], fuzz_no_line, NULL);
	names_set_policy(n, policies[byte / 8 % 4]);
}

#endif
