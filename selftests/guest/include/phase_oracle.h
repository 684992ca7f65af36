/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * phase_oracle.h - the phases of the virtual PMU (vpmu/phase.h) as a test knows them: the log of
 * all requests, which the program phase writes, and the counts that follow from it.
 *
 * The log is a text file, /tmp/phase.log or $PHASE_LOG, with a line "register request start" in
 * hexadecimal for each request that the virtual PMU has accepted.
 */
#ifndef RCR_GUEST_PHASE_ORACLE_H
#define RCR_GUEST_PHASE_ORACLE_H

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "phase.h"

/* An event of one unit, as in rate.h and phase.h. */
struct phase_what {
	uint32_t rate;
	uint32_t unit, event, umask, instance;
};

/**
 * phase_rate() - return the rate of an event of any unit
 * @what: the event; @what->rate is ignored
 */
static inline uint32_t phase_rate(const struct phase_what *what)
{
	switch (what->unit) {
	case VPMU_UNIT_CORE:
		return vpmu_rate(what->event, what->umask, what->instance);
	case VPMU_UNIT_ENERGY:
		return vpmu_energy_rate(what->event, what->instance);
	case VPMU_UNIT_CLOCK:
		return what->event == 0xe7 ? VPMU_MPERF_RATE : vpmu_aperf_rate(what->instance);
	}
	return vpmu_unit_rate(what->unit, what->event, what->umask, what->instance);
}

/**
 * phase_count() - return the count at @tsc of a counter that never stopped
 * @p: state of the phases
 * @what: the event
 * @tsc: the time
 */
static inline uint64_t phase_count(const struct vpmu_phases *p,
				   const struct phase_what *what, uint64_t tsc)
{
	return vpmu_warped_count(what->rate, vpmu_phases_warp(p, what->unit, what->event,
							      what->umask, what->instance, tsc));
}

static inline const char *phase_log_path(void)
{
	const char *path = getenv("PHASE_LOG");

	return path ? path : "/tmp/phase.log";
}

/*
 * phase_log_add() - append a request to the log
 *
 * Return: false with errno if it cannot be written.
 */
static inline bool phase_log_add(uint32_t msr, uint64_t request, uint64_t start)
{
	FILE *f = fopen(phase_log_path(), "a");
	bool ok;

	if (!f)
		return false;
	ok = fprintf(f, "%" PRIx32 " %" PRIx64 " %" PRIx64 "\n", msr, request, start) > 0;
	return !fclose(f) && ok;
}

/**
 * phase_log_replay() - apply all logged requests to the power-on state
 * @p: output: the state
 *
 * Return: false with errno if the log cannot be read, or has a request that would be refused.
 */
static inline bool phase_log_replay(struct vpmu_phases *p)
{
	FILE *f = fopen(phase_log_path(), "r");
	uint64_t request, start;
	bool ok = true;
	char line[80];
	uint32_t msr;

	vpmu_phases_init(p);
	if (!f)
		return errno == ENOENT;
	/* Leave an incomplete line for the next call. */
	while (ok && fgets(line, sizeof(line), f) && strchr(line, '\n'))
		ok = sscanf(line, "%" SCNx32 " %" SCNx64 " %" SCNx64,
			    &msr, &request, &start) == 3 &&
		     vpmu_phases_take(p, msr, request, start, start);
	fclose(f);
	if (!ok)
		errno = EPROTO;
	return ok;
}

/**
 * phase_passed() - return the number of phases of a class that started between two TSCs
 */
static inline unsigned int phase_passed(const struct vpmu_phases *p, uint32_t class,
					uint64_t from, uint64_t to)
{
	const struct vpmu_class *c = &p->class[class];
	unsigned int passed = 0;
	uint32_t i;

	for (i = 1; i < c->phases; i++)
		passed += c->phase[i].start > from && c->phase[i].start <= to;
	return passed;
}

#endif
