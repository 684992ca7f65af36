// SPDX-License-Identifier: GPL-2.0-only
/*
 * register_log.c - the log of a CPU's counters, see register_log.h.
 */
#include <stdlib.h>
#include <string.h>

#include "register_log.h"

struct vpmu_log {
	bool on;
	uint64_t last[VPMU_COUNTERS];	/* the word that was logged last */
	uint64_t words;			/* in the log */
	uint64_t taken;			/* of these, by the guest */
	uint64_t lost;			/* changes */
	uint64_t word[2 * VPMU_LOG_CHANGES];
};

/* Fixed counters begin at VPMU_FIXED0, after a gap. */
static bool has_counter(const struct vpmu_family *f, unsigned int i)
{
	return i < VPMU_FIXED0 ? i < f->counters : i - VPMU_FIXED0 < f->fixed;
}

static uint64_t word_of(const struct vpmu_cpu *cpu, unsigned int i)
{
	struct vpmu_event e = cpu->vendor->event(cpu, i);

	return vpmu_change_word(i, e.event, e.umask, cpu->vendor->enabled(cpu, i),
				cpu->vendor->what(cpu, i).rate);
}

static void append_change(struct vpmu_log *log, uint64_t tsc, uint64_t word)
{
	if (log->words == 2 * VPMU_LOG_CHANGES) {
		log->lost++;
		return;
	}
	log->word[log->words++] = tsc;
	log->word[log->words++] = word;
}

void vpmu_log_note(struct vpmu_cpu *cpu, uint64_t tsc)
{
	struct vpmu_log *log = cpu->log;
	unsigned int i;
	uint64_t word;

	if (!log || !log->on)
		return;
	for (i = 0; i < VPMU_COUNTERS; i++) {
		if (!has_counter(cpu->family, i))
			continue;
		word = word_of(cpu, i);
		if (word == log->last[i])
			continue;
		log->last[i] = word;
		append_change(log, tsc, word);
	}
}

static enum vpmu_answer start_log(struct vpmu_cpu *cpu, uint64_t tsc)
{
	if (!cpu->log)
		cpu->log = malloc(sizeof(*cpu->log));
	if (!cpu->log)
		return VPMU_FAULT;
	memset(cpu->log, 0, offsetof(struct vpmu_log, word));
	cpu->log->on = true;
	vpmu_log_note(cpu, tsc);
	return VPMU_DONE;
}

enum vpmu_answer vpmu_log_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *val)
{
	struct vpmu_log *log = cpu->log;

	if (msr == VPMU_LOG_LOST_MSR)
		*val = log ? log->lost : 0;
	else if (msr == VPMU_LOG_MSR)
		*val = log && log->taken < log->words ? log->word[log->taken++] : 0;
	else
		return VPMU_NOT_MINE;
	return VPMU_DONE;
}

enum vpmu_answer vpmu_log_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t tsc,
				uint64_t val)
{
	if (msr == VPMU_LOG_LOST_MSR || (msr == VPMU_LOG_MSR && val > 1))
		return VPMU_FAULT;
	if (msr != VPMU_LOG_MSR)
		return VPMU_NOT_MINE;
	if (val)
		return start_log(cpu, tsc);
	if (cpu->log)
		cpu->log->on = false;
	return VPMU_DONE;
}
