/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rcr_board.h - librcr: reads meters from the blackboard, waits for them, and says
 * there what a program's threads are doing.
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

struct rcr_blackboard;

/**
 * struct rcr_meter - a meter at a place, once it has been found
 * @entry: number of its entry
 * @serial: of its meter
 * @digits: values are in the meter's unit x 10^-digits
 * @timescale: see RCR_TIME_US()
 */
struct rcr_meter {
	uint32_t entry;
	uint32_t serial;
	uint32_t digits;
	uint32_t timescale;
};

/**
 * rcr_board_open() - maps blackboard 1
 * @path: the device; NULL is RCR_BOARD_DEVICE
 *
 * Who is not in the device's group gets the public page, if the site has opened
 * the device to everybody.
 *
 * Errors: ENOENT no module is loaded, EACCES, EPROTO another version, ENOMEM.
 */
struct rcr_blackboard *rcr_board_open(const char *path);

/* Unmaps it; NULL is allowed. No other thread uses it any more. */
void rcr_board_close(struct rcr_blackboard *b);

/* One sentence on why rcr_board_open(@path) failed with @error, and what to do. */
char *rcr_board_open_error(const char *path, int error, char *text, size_t size);

/**
 * rcr_board_find() - finds a meter at a place
 * @b: the board
 * @name: of the meter, or its number in decimal
 * @kind: of the place
 * @number: of the place, as the kernel numbers it; of the machine: 0
 * @meter: gets it; good until the meter is removed
 *
 * Errors: ENOENT no such meter, ENODATA one of its counters is not in the set,
 * ENXIO it is not told for that place, EPROTO what the board says of it cannot be,
 * EAGAIN meters come and go all the while.
 */
int rcr_board_find(const struct rcr_blackboard *b, const char *name,
		   enum rcr_place_kind kind, unsigned int number,
		   struct rcr_meter *meter);

/**
 * rcr_board_read() - the values of a meter, whole, as they were at one tick
 * @b: the board
 * @meter: from rcr_board_find()
 * @value: gets them
 *
 * No system call.
 *
 * Errors: ESTALE nothing is sampled, or the meter is gone; ENODATA there is no value
 * yet; EAGAIN the writer came in between RCR_BOARD_TRIES times.
 */
int rcr_board_read(const struct rcr_blackboard *b, const struct rcr_meter *meter,
		   struct rcr_board_value *value);

/*
 * The value that the meter's time scale means, in its unit; NAN where there is none,
 * or none of now.
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
