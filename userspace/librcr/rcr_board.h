/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rcr_board.h - librcr: reads meters from the blackboard, and waits for them.
 *
 * A board may be used by all threads of a program. All functions accept a NULL object and fail with
 * EINVAL; if the module is not loaded, or has stopped sampling, they return an error and never
 * fault. Functions that can fail return -1 or NULL with errno set.
 */
#ifndef RCR_BOARD_H
#define RCR_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/rcrboard.h>
#include <linux/rcrtool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RCR_BOARD_DEVICE "/dev/rcrboard"

/* The public board, which rcrd(8) writes if the site enables it. */
#define RCR_BOARD_PUBLIC_FILE "/run/rcrtool/public"

struct rcr_blackboard;

/**
 * struct rcr_meter - handle of a meter at a place
 * @entry: index of its entry
 * @serial: serial of the meter
 * @digits: values are in the meter's unit x 10^-digits
 * @type: enum rcr_time_type: the value that rcr_board_get() returns
 * @scale_ns: time scale, ns
 */
struct rcr_meter {
	uint32_t entry;
	uint32_t serial;
	uint32_t digits;
	uint32_t type;
	uint64_t scale_ns;
};

/**
 * rcr_board_open() - map blackboard 1
 * @path: the device, or a file that contains a board; NULL is RCR_BOARD_DEVICE
 *
 * With NULL, a caller without access to the device gets the public board, if there is one. The
 * descriptor of the device stays open until rcr_board_close(), because it holds the subscriptions.
 *
 * Errors: ENOENT no module is loaded, EACCES, EPROTO another version, ENOMEM.
 */
struct rcr_blackboard *rcr_board_open(const char *path);

/* Unmaps a board, which no other thread may use any longer; @b may be NULL. */
void rcr_board_close(struct rcr_blackboard *b);

/* Formats one sentence: why rcr_board_open(@path) failed with @error, and the remedy. */
char *rcr_board_open_error(const char *path, int error, char *text, size_t size);

/**
 * rcr_board_find() - find a meter at a place, and subscribe to it
 * @b: the board
 * @name: name of the meter, or its number in decimal
 * @kind: kind of the place
 * @number: number of the place, as in the kernel; 0 for the machine
 * @meter: output buffer; valid until the meter is removed
 *
 * The module then evaluates the meter at that place every 100 ms, or at the interval of an earlier
 * rcr_board_subscribe(); its values are up to date when the call returns.
 *
 * Errors: ENOENT no such meter, ENODATA one of its counters is not in the set, ENXIO it has no
 * values for that place, EPROTO its description on the board is invalid, EAGAIN the board changes
 * too often, ENOSPC too many subscriptions, EBADF the program has closed the descriptor of the
 * device.
 */
int rcr_board_find(const struct rcr_blackboard *b, const char *name,
		   enum rcr_place_kind kind, unsigned int number,
		   struct rcr_meter *meter);

/**
 * rcr_board_subscribe() - set the evaluation interval of a meter at a place
 * @b: the board
 * @meter: from rcr_board_find()
 * @interval_ns: raised to a millisecond and to the sampling period; 0: 100 ms
 *
 * The module evaluates only entries that have a subscription. Subscriptions end with
 * rcr_board_close(). A board in a file has none, and the call does nothing: rcrd keeps the public
 * board up to date.
 *
 * Errors: ESTALE the meter was removed, EINVAL, ENOSPC too many, EBADF as above.
 */
int rcr_board_subscribe(const struct rcr_blackboard *b, const struct rcr_meter *meter,
			uint64_t interval_ns);

/**
 * rcr_board_subscribe_meter() - subscribe to a meter at all its places
 * @b: the board
 * @meter: from rcr_board_meters(); without entries, nothing is done
 * @interval_ns: as above
 *
 * Places that are added to the meter later are included. Errors: as above.
 */
int rcr_board_subscribe_meter(const struct rcr_blackboard *b,
			      const struct rcr_board_meter *meter, uint64_t interval_ns);

/**
 * rcr_board_read() - read the values of a meter, consistently from one evaluation
 * @b: the board
 * @meter: from rcr_board_find()
 * @value: output buffer
 *
 * Makes no system call. The values of an entry without a subscription are those of its last
 * evaluation, at any time in the past; without any subscription, the board becomes stale.
 *
 * Errors: ESTALE nothing is sampled, no subscription was served lately, or the meter was removed;
 * ENODATA there is no value yet; EAGAIN the writer interfered RCR_BOARD_TRIES times.
 */
int rcr_board_read(const struct rcr_blackboard *b, const struct rcr_meter *meter,
		   struct rcr_board_value *value);

/* The value of the meter's type, in its unit; NAN if there is no value or it is not current. */
double rcr_board_get(const struct rcr_blackboard *b, const struct rcr_meter *meter);

/**
 * rcr_board_wait() - wait until a meter crosses a bound
 * @b: the board
 * @watch: the bound; @watch.entry and @watch.serial are set from @meter
 * @meter: from rcr_board_find()
 * @timeout_ms: -1: unlimited
 * @crossing: output buffer; may be NULL
 *
 * Returns 1 if the bound was crossed, 0 after a timeout. Errors: ESTALE, EINTR, EPERM, EINVAL.
 */
int rcr_board_wait(struct rcr_blackboard *b, const struct rcr_watch *watch,
		   const struct rcr_meter *meter, int timeout_ms,
		   struct rcr_crossing *crossing);

/**
 * rcr_board_watch() - open a descriptor that reports each crossing of a bound
 * @b: the board
 * @watch: the bound; @watch.entry and @watch.serial are set from @meter
 * @meter: from rcr_board_find()
 *
 * For repeated waits: no crossing is lost between two waits, and a bound is crossed again only
 * after the value has come back.
 *
 * Returns the descriptor, for poll() and rcr_board_crossing(); the caller closes it. Errors: ESTALE
 * the meter was removed, EPERM, EACCES, EINVAL.
 */
int rcr_board_watch(const struct rcr_blackboard *b, const struct rcr_watch *watch,
		    const struct rcr_meter *meter);

/* Reads the next crossing of @fd: returns 1, 0 after a timeout, or -1: EINTR, ESTALE. */
int rcr_board_crossing(int fd, int timeout_ms, struct rcr_crossing *crossing);

/**
 * rcr_board_meters() - read the descriptions of all meters, consistently
 * @b: the board
 * @meters: output buffer
 * @most: entries of @meters
 *
 * Returns the number of entries filled in. Errors: EAGAIN the board changes too often.
 */
int rcr_board_meters(const struct rcr_blackboard *b, struct rcr_board_meter *meters,
		     unsigned int most);

/* Direct access to the board: its head, and elements by index, or NULL. */
const struct rcr_board *rcr_board_head(const struct rcr_blackboard *b);
const struct rcr_board_meter *rcr_board_meter(const struct rcr_blackboard *b, unsigned int n);
const struct rcr_board_place *rcr_board_place(const struct rcr_blackboard *b, unsigned int n);
const struct rcr_board_entry *rcr_board_entry(const struct rcr_blackboard *b, unsigned int n);

/* "machine", "node", "package", "die", "llc", "core", "cpu" */
const char *rcr_place_kind_name(enum rcr_place_kind kind);
int rcr_place_kind_parse(const char *name, enum rcr_place_kind *kind);

#ifdef __cplusplus
}
#endif

#endif
