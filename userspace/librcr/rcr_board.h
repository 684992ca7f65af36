/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rcr_board.h - librcr: reads meters from the blackboard, and waits for them.
 *
 * A board is there for all threads of a program. Every function takes a NULL
 * object and answers EINVAL; without the module, or when it has stopped sampling,
 * there is an error and never a fault. Functions that can fail return -1 or
 * NULL with errno set.
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

/* The public board, which rcrd(8) writes where a site enables it. */
#define RCR_BOARD_PUBLIC_FILE "/run/rcrtool/public"

struct rcr_blackboard;

/**
 * struct rcr_meter - a meter at a place, once it has been found
 * @entry: number of its entry
 * @serial: of its meter
 * @digits: values are in the meter's unit x 10^-digits
 * @type: enum rcr_time_type: which value is meant where one is asked for
 * @scale_ns: its time scale
 */
struct rcr_meter {
	uint32_t entry;
	uint32_t serial;
	uint32_t digits;
	uint32_t type;
	uint64_t scale_ns;
};

/**
 * rcr_board_open() - maps blackboard 1
 * @path: the device, or a file with a board; NULL is RCR_BOARD_DEVICE
 *
 * With NULL, a caller who may not open the device gets the public board, if there is one.
 * The descriptor of the device stays open until rcr_board_close(): it holds the
 * subscriptions.
 *
 * Errors: ENOENT no module is loaded, EACCES, EPROTO another version, ENOMEM.
 */
struct rcr_blackboard *rcr_board_open(const char *path);

/* Unmaps it; NULL is allowed. No other thread uses it any more. */
void rcr_board_close(struct rcr_blackboard *b);

/* One sentence on why rcr_board_open(@path) failed with @error, and what to do. */
char *rcr_board_open_error(const char *path, int error, char *text, size_t size);

/**
 * rcr_board_find() - find a meter at a place, and subscribe it
 * @b: the board
 * @name: of the meter, or its number in decimal
 * @kind: of the place
 * @number: of the place, as the kernel numbers it; of the machine: 0
 * @meter: output; good until the meter is removed
 *
 * The module evaluates the meter at that place from now on, every 100 ms, or at the interval
 * of an earlier rcr_board_subscribe(); its values are up to date when the call returns.
 *
 * Errors: ENOENT no such meter, ENODATA one of its counters is not in the set,
 * ENXIO it has no values for that place, EPROTO what the board says of it cannot be,
 * EAGAIN meters come and go all the while, ENOSPC too many subscriptions, EBADF the program
 * has closed the descriptor of the device.
 */
int rcr_board_find(const struct rcr_blackboard *b, const char *name,
		   enum rcr_place_kind kind, unsigned int number,
		   struct rcr_meter *meter);

/**
 * rcr_board_subscribe() - have a meter at a place evaluated at another interval
 * @b: the board
 * @meter: from rcr_board_find()
 * @interval_ns: at least a millisecond and a sampling period, else that; 0: 100 ms
 *
 * The module evaluates nothing that nobody has subscribed. Subscriptions end with
 * rcr_board_close(). A board in a file has none, and the call then does nothing: rcrd keeps
 * the public board up to date.
 *
 * Errors: ESTALE the meter is gone, EINVAL, ENOSPC too many, EBADF as above.
 */
int rcr_board_subscribe(const struct rcr_blackboard *b, const struct rcr_meter *meter,
			uint64_t interval_ns);

/**
 * rcr_board_subscribe_meter() - have a meter evaluated at all its places
 * @b: the board
 * @meter: from rcr_board_meters(); nothing is done for one that has no entries
 * @interval_ns: as above
 *
 * Places that the meter gets later are included. Errors: as above.
 */
int rcr_board_subscribe_meter(const struct rcr_blackboard *b,
			      const struct rcr_board_meter *meter, uint64_t interval_ns);

/**
 * rcr_board_read() - the values of a meter, whole, of one evaluation
 * @b: the board
 * @meter: from rcr_board_find()
 * @value: output
 *
 * No system call. Values of an entry that nobody has subscribed are those of its last
 * evaluation, whenever that was; the board goes stale when nobody has subscribed anything.
 *
 * Errors: ESTALE nothing is sampled, no subscription was served lately, or the meter is
 * gone; ENODATA there is no value yet; EAGAIN the writer came in between RCR_BOARD_TRIES
 * times.
 */
int rcr_board_read(const struct rcr_blackboard *b, const struct rcr_meter *meter,
		   struct rcr_board_value *value);

/*
 * The value that the meter's type means, in its unit; NAN where there is none, or none of
 * now.
 */
double rcr_board_get(const struct rcr_blackboard *b, const struct rcr_meter *meter);

/**
 * rcr_board_wait() - waits until a meter crosses a bound
 * @b: the board
 * @watch: what to wait for; @watch.entry and @watch.serial are set from @meter
 * @meter: from rcr_board_find()
 * @timeout_ms: -1 for ever
 * @crossing: gets it; NULL is allowed
 *
 * Returns 1 when it was crossed, 0 when it was not in time.
 * Errors: ESTALE, EINTR, EPERM, EINVAL.
 */
int rcr_board_wait(struct rcr_blackboard *b, const struct rcr_watch *watch,
		   const struct rcr_meter *meter, int timeout_ms,
		   struct rcr_crossing *crossing);

/**
 * rcr_board_watch() - has a descriptor told of each time that a meter crosses a bound
 * @b: the board
 * @watch: what to wait for; @watch.entry and @watch.serial are set from @meter
 * @meter: from rcr_board_find()
 *
 * For who waits again and again: nothing is lost between two waits, and what has
 * been crossed is crossed again only after the value was back.
 *
 * Returns the descriptor, for poll() and rcr_board_crossing(); to be closed.
 * Errors: ESTALE the meter is gone, EPERM, EACCES, EINVAL.
 */
int rcr_board_watch(const struct rcr_blackboard *b, const struct rcr_watch *watch,
		    const struct rcr_meter *meter);

/* The next crossing of @fd: 1, 0 for none in time, or -1. EINTR, ESTALE. */
int rcr_board_crossing(int fd, int timeout_ms, struct rcr_crossing *crossing);

/**
 * rcr_board_meters() - which meters stand on the board, as it was at one moment
 * @b: the board
 * @meters: gets them
 * @most: how many of them at most
 *
 * Returns how many there are of these. Errors: EAGAIN meters come and go all the while.
 */
int rcr_board_meters(const struct rcr_blackboard *b, struct rcr_board_meter *meters,
		     unsigned int most);

/* For who walks through the board: its head, and elements by number, or NULL. */
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
