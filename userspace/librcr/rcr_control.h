/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rcr_control.h - librcr: changes what the rcrtool module counts.
 *
 * Every function that can fail returns -1 or NULL with errno set, and then
 * rcr_control_reason() has a sentence. An object belongs to one thread at a
 * time. Link with libnl-genl-3 and libnl-3.
 */
#ifndef RCR_CONTROL_H
#define RCR_CONTROL_H

#include <stdbool.h>
#include <stdint.h>
#include "rcr.h"

#ifdef __cplusplus
extern "C" {
#endif

struct rcr_control;

/**
 * struct rcr_counter_state - a counter that runs, that is staged, or both
 * @name: as the user named it
 * @event: what it counts, in the raw form without "NAME="; of one that runs and is staged
 *	as another event: what runs
 * @running: it is programmed now
 * @staged: finalize would program it
 * @select: value of its control register, of a running one
 * @control: address of its control register, of a running one; 0: none
 * @counter: address of its count register, of a running one
 * @status: enum rcr_status of a running one, the worst of all CPUs
 * @cpus: where its status is not RCR_STATUS_OK, as 0-3,8
 */
struct rcr_counter_state {
	char name[RCR_NAME_LEN];
	char event[RCR_EVENT_LEN];
	bool running;
	bool staged;
	bool held;
	uint64_t select;
	uint64_t control;
	uint64_t counter;
	uint32_t status;
	char cpus[64];
};

/**
 * struct rcr_state - what the module counts
 * @generation: of the state; a change may be made to depend on it
 * @error: 0, or the errno for which nothing is counted
 * @reason: one sentence on that
 * @source: how the registers are reached
 * @policy: how they were asked to be: auto, perf or msr
 * @family: what kind of PMU this is
 * @held: somebody holds events
 * @holders: who, as "rcrctl (1234), rcrjob (99)"; cut where there are too many
 * @period_ns: distance of two samples
 * @tsc_khz: TSC cycles in a millisecond
 * @ncounters: entries of @counter
 * @counter: in the order in which they run, then those only staged
 * @core_counters: general counters of a core; 0: not known
 * @core_used: those that the set uses on a CPU
 * @core_watchdog: enum rcr_watchdog: whether the NMI watchdog uses one, or may
 * @core_others: those that pinned events of others hold
 */
struct rcr_state {
	uint32_t generation;
	int error;
	char reason[RCR_SENTENCE_LEN];
	char source[16];
	char policy[16];
	char family[32];
	bool held;
	char holders[128];
	uint64_t period_ns;
	uint32_t tsc_khz;
	unsigned int ncounters;
	struct rcr_counter_state counter[2 * RCR_MAX_COUNTERS];
	uint32_t core_counters;
	uint32_t core_used;
	uint32_t core_watchdog;
	uint32_t core_others;
};

/*
 * Errors: ENOENT no module is loaded, EPROTO module and program are of different versions,
 * ENOMEM; see rcr_control_open_error().
 */
struct rcr_control *rcr_control_open(void);

/* One sentence on why rcr_control_open() failed with @error, and what to do. */
const char *rcr_control_open_error(int error);

/* Closes it; NULL is allowed. */
void rcr_control_close(struct rcr_control *c);

/* One sentence on why the last call on @c failed, and what to do. */
const char *rcr_control_reason(const struct rcr_control *c);

/*
 * The generation of the last answer: after a change that of this very change, else the
 * present one. 0: there was none.
 */
uint32_t rcr_control_generation(const struct rcr_control *c);

/* Looks at the state. Errors: EPERM. */
int rcr_control_look(struct rcr_control *c, struct rcr_state *state);

/*
 * The verbs; see section 5 of Documentation/interface.md. @generation is that of a state
 * that was looked at, or 0 for any. Errors: EPERM, ESTALE, and what each names.
 */

/* Adds @count events in the raw form, all or none. EINVAL, EEXIST, ENOSPC. */
int rcr_control_add(struct rcr_control *c, uint32_t generation,
		    const char *const *events, unsigned int count);

/* Takes @name out of the staged set, NULL: all. ENOENT. */
int rcr_control_remove(struct rcr_control *c, uint32_t generation, const char *name);

/*
 * Programs the staged set. With @hold, a descriptor of the caller's open
 * /dev/rcrtool, it lasts until that is closed; -1: until the next change.
 * ENODATA, EINVAL, ENOSPC, EBUSY, ENODEV, EIO; EBADF for another @hold.
 */
int rcr_control_finalize(struct rcr_control *c, uint32_t generation, int hold);

/*
 * Of what runs, the counter @name, NULL: all. ENOENT.
 * halt: not read any more; continue: read again; rewrite: programmed again
 * where its registers are not ours any more.
 */
int rcr_control_halt(struct rcr_control *c, uint32_t generation, const char *name);
int rcr_control_continue(struct rcr_control *c, uint32_t generation, const char *name);
int rcr_control_rewrite(struct rcr_control *c, uint32_t generation, const char *name);

/* Counts @event instead of @name. ENOENT, EINVAL, EEXIST, ENOSPC, EBUSY, EIO. */
int rcr_control_reassign(struct rcr_control *c, uint32_t generation,
			 const char *name, const char *event);

/* Marks this moment in the stream. EINVAL for a text that is too long. */
int rcr_control_mark(struct rcr_control *c, enum rcr_mark_kind kind, const char *text);

/*
 * Which counters can count @event (in the raw form), of those of its unit: bit n
 * for counter n, bit 32 + n for fixed counter n; none for what the kernel counts.
 * EINVAL when this machine cannot count it.
 */
int rcr_control_where(struct rcr_control *c, const char *event, uint64_t *counters);

/* Counts nothing. */
int rcr_control_reset(struct rcr_control *c, uint32_t generation);

/* Samples every @period_ns. EINVAL. */
int rcr_control_period(struct rcr_control *c, uint32_t generation, uint64_t period_ns);

/**
 * struct rcr_changes - hears of each change of what is counted or staged
 *
 * Any user of the initial network namespace may.
 */
struct rcr_changes;

/* Errors: ENOENT no module is loaded, ENOMEM. What changes from now on is heard. */
struct rcr_changes *rcr_changes_open(void);

/* Closes it; NULL is allowed. */
void rcr_changes_close(struct rcr_changes *changes);

/* A descriptor to poll() for reading; -1 for NULL. It stays that of @changes. */
int rcr_changes_fd(const struct rcr_changes *changes);

/*
 * The generation of the next change, without waiting. Errors: EAGAIN there is none yet;
 * ENOBUFS some have been lost: look at the state; EINVAL.
 */
int rcr_changes_next(struct rcr_changes *changes, uint32_t *generation);

#ifdef __cplusplus
}
#endif

#endif
