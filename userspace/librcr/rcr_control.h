/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rcr_control.h - librcr: controls what the rcrtool module counts.
 *
 * Functions that can fail return -1 or NULL with errno set, and then rcr_control_reason() returns a
 * sentence. An object must be used by one thread at a time. Link with libnl-genl-3 and libnl-3.
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

/* Enough for any list of 1,024 CPUs. */
#define RCR_CPUS_LEN 4096

/**
 * struct rcr_counter_state - a counter that is running, staged, or both
 * @name: name given by the user
 * @event: event in the raw form without "NAME="; if it is running and staged with different
 *	events: the running one
 * @running: it is programmed now
 * @staged: finalize would program it
 * @held: running: added by a holder; staged: not counted while a set is held
 * @select: value of its control register, if running
 * @control: address of its control register, if running; 0: none
 * @counter: address of its count register, if running
 * @status: enum rcr_status if running, the worst of all CPUs
 * @cpus: CPUs where its status is not RCR_STATUS_OK, as 0-3,8; "...": RCR_CPUS_LEN bytes or more
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
	char cpus[RCR_CPUS_LEN];
};

/**
 * struct rcr_state - state of the module
 * @generation: generation of the state, on which a change can be made conditional
 * @error: 0, or the errno why nothing is counted
 * @reason: one sentence about @error
 * @source: how the registers are accessed
 * @policy: requested source: auto, perf or msr
 * @family: kind of PMU
 * @held: a set is held
 * @holders: the holders, as "rcrctl (1234), rcrjob (99)"; truncated if there are too many
 * @period_ns: sampling period, ns
 * @tsc_khz: TSC cycles per millisecond
 * @ncounters: entries of @counter
 * @counter: the running counters in order, then those that are only staged
 * @core_counters: general counters of a core; 0: not known
 * @core_used: general counters that the set uses on a CPU
 * @core_watchdog: enum rcr_watchdog: whether the NMI watchdog uses one, or may
 * @core_others: general counters held by pinned events of other users
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
 * Connects to the module. Errors: ENOENT no module is loaded, EPROTO module and program have
 * different versions, ENOMEM; see rcr_control_open_error().
 */
struct rcr_control *rcr_control_open(void);

/* Formats one sentence: why rcr_control_open() failed with @error, and the remedy. */
const char *rcr_control_open_error(int error);

/* Closes a connection; @c may be NULL. */
void rcr_control_close(struct rcr_control *c);

/* One sentence: why the last call on @c failed, and the remedy. */
const char *rcr_control_reason(const struct rcr_control *c);

/*
 * Generation in the last answer: after a change, the generation of that change, else the current
 * one. 0: there was no answer.
 */
uint32_t rcr_control_generation(const struct rcr_control *c);

/* Reads the module's state. Errors: EPERM. */
int rcr_control_look(struct rcr_control *c, struct rcr_state *state);

/*
 * The verbs; see section 5 of Documentation/dev/interface.md. @generation is that of a state read
 * before, or 0 for any. Errors: EPERM, ESTALE, and those listed with each.
 */

/* Stages @count events in the raw form, all or none. EINVAL, EEXIST, ENOSPC. */
int rcr_control_add(struct rcr_control *c, uint32_t generation,
		    const char *const *events, unsigned int count);

/* Removes @name from the staged set, NULL: all. ENOENT. */
int rcr_control_remove(struct rcr_control *c, uint32_t generation, const char *name);

/*
 * Programs the staged set. With @hold, a descriptor of the caller's open /dev/rcrtool, the set
 * lasts until that is closed; with -1, until the next change. ENODATA, EINVAL, ENOSPC, EBUSY,
 * ENODEV, EIO; EBADF for another @hold.
 */
int rcr_control_finalize(struct rcr_control *c, uint32_t generation, int hold);

/*
 * These apply to the running counter @name, NULL: all. ENOENT. halt: stop reading it; continue:
 * read it again; rewrite: program it again if its registers were changed by others.
 */
int rcr_control_halt(struct rcr_control *c, uint32_t generation, const char *name);
int rcr_control_continue(struct rcr_control *c, uint32_t generation, const char *name);
int rcr_control_rewrite(struct rcr_control *c, uint32_t generation, const char *name);

/* Counts @event in place of @name. ENOENT, EINVAL, EEXIST, ENOSPC, EBUSY, EIO. */
int rcr_control_reassign(struct rcr_control *c, uint32_t generation,
			 const char *name, const char *event);

/* Adds a mark to the stream, now. EINVAL for a text that is too long. */
int rcr_control_mark(struct rcr_control *c, enum rcr_mark_kind kind, const char *text);

/*
 * Finds which counters of its unit can count @event (in the raw form): bit n for counter n, bit 32
 * + n for fixed counter n; no bits for kernel events. EINVAL if this machine cannot count it.
 */
int rcr_control_where(struct rcr_control *c, const char *event, uint64_t *counters);

/* Stops counting and restores all registers. */
int rcr_control_reset(struct rcr_control *c, uint32_t generation);

/* Sets the sampling period. EINVAL. */
int rcr_control_period(struct rcr_control *c, uint32_t generation, uint64_t period_ns);

/**
 * struct rcr_changes - notifications of each change of the running or staged set
 *
 * Available to any user of the initial network namespace.
 */
struct rcr_changes;

/* Errors: ENOENT no module is loaded, ENOMEM. Receives all changes from now on. */
struct rcr_changes *rcr_changes_open(void);

/* Closes it; @changes may be NULL. */
void rcr_changes_close(struct rcr_changes *changes);

/* Descriptor for poll(); -1 for NULL. It stays owned by @changes. */
int rcr_changes_fd(const struct rcr_changes *changes);

/*
 * Returns the generation of the next change, without waiting. Errors: EAGAIN there is none yet;
 * ENOBUFS some were lost: read the state again; EINVAL.
 */
int rcr_changes_next(struct rcr_changes *changes, uint32_t *generation);

#ifdef __cplusplus
}
#endif

#endif
