/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rcr.h - librcr: reads what the rcrtool module samples.
 *
 * Every function that can fail returns -1 or NULL with errno set. Every
 * function takes a NULL object and answers EINVAL. An object belongs to one
 * thread at a time.
 */
#ifndef RCR_H
#define RCR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/rcrtool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RCR_DEVICE "/dev/rcrtool"

struct rcr_reader;

/**
 * rcr_open() - opens the stream of records, at "now"
 * @path: the device; NULL is RCR_DEVICE. A file into which a stream was
 *	written works as well.
 *
 * The set is read at once, so rcr_reader_set() answers.
 *
 * Errors: ENOENT no module is loaded, EACCES not in the device's group, EPROTO
 * what is there is no stream that this library reads, ENOMEM.
 */
struct rcr_reader *rcr_open(const char *path);

/* Closes it; NULL is allowed. */
void rcr_close(struct rcr_reader *r);

/* Writes one sentence on why rcr_open(@path) failed with @error, and what to do. */
char *rcr_open_error(const char *path, int error, char *text, size_t size);

/* Bytes of a sentence that the library writes, with the 0. */
#define RCR_SENTENCE_LEN 320

/**
 * rcr_reason_text() - says why the module could not do something
 * @r: the reason, as rcr_set.reason
 * @text: gets a sentence: what is wrong, and what to do
 * @size: bytes of @text; RCR_SENTENCE_LEN is enough
 *
 * A reason that this library does not know is told by its number and its arguments.
 *
 * Returns @text.
 */
char *rcr_reason_text(const struct rcr_reason *r, char *text, size_t size);

/* Goes to the oldest records that the rings still hold. */
int rcr_rewind(struct rcr_reader *r);

/**
 * rcr_choose_items() - delivers only some types of items from now on
 * @r: the reader
 * @types: bit n for enum rcr_item_type n; RCR_ITEMS_ALL is what a reader begins with
 *
 * A reader without any of RCR_ITEMS_OF_RINGS is not woken by samples. Items that are in the
 * reader's buffer are delivered all the same.
 *
 * Returns 0, or -1 and errno: EINVAL no type, or an unknown one; ENOTTY a file, or a
 * module that does not know this.
 */
int rcr_choose_items(struct rcr_reader *r, uint64_t types);

/* Descriptor for poll(2): POLLIN when there may be an item. */
int rcr_fd(const struct rcr_reader *r);

/**
 * rcr_next() - the next item
 * @r: the reader
 * @item: set to the item, which stands until the next call that has to read, see
 *	rcr_has_next(); it is as long as its type says, and its texts have an end
 * @timeout_ms: how long to wait for one; -1 as long as it takes
 *
 * Returns 1 with an item, 0 when none came in time.
 * Errors: ENODATA the end, no item will ever come; EINTR a signal; EPROTO.
 */
int rcr_next(struct rcr_reader *r, const struct rcr_item **item, int timeout_ms);

/*
 * Is there an item that has been read already? Then rcr_next() reads nothing, and
 * what it gave before stays where it is.
 */
bool rcr_has_next(const struct rcr_reader *r);

/* The set that the items belong to; never NULL for an open reader. */
const struct rcr_set *rcr_reader_set(const struct rcr_reader *r);

struct rcr_map;

/**
 * rcr_map() - maps the ring of a CPU of the reader's set, at "now"
 *
 * Records are then read in place, without a system call. The mapping outlives
 * the reader.
 *
 * Errors: EINVAL a CPU that is not sampled, ESTALE another set has taken the place of the
 * reader's meanwhile, EPROTO, ENOMEM, ENODEV a saved stream.
 */
struct rcr_map *rcr_map(struct rcr_reader *r, unsigned int cpu);

/* Unmaps it; NULL is allowed. */
void rcr_unmap(struct rcr_map *m);

/**
 * rcr_map_next() - the next record, where it stands
 * @m: the ring
 * @record: set to the record; see rcr_map_valid()
 * @lost: set to how many were overwritten before it was reached
 *
 * Returns 1 with a record, 0 when there is none yet.
 * Errors: ENODATA the set has changed and this ring has ended.
 */
int rcr_map_next(struct rcr_map *m, const struct rcr_record **record, uint64_t *lost);

/*
 * Was the record still there? To be asked after it was used, or copied: what was
 * taken from it is worth something only if the answer is yes. If not, the next
 * rcr_map_next() tells it as lost.
 */
bool rcr_map_valid(struct rcr_map *m);

/* Bytes that rcr_map_copy() needs: all slots of the ring. */
size_t rcr_map_bytes(const struct rcr_map *m);

/**
 * struct rcr_copy - what a copy of a ring holds
 * @first: position of the oldest record in it
 * @end: position after the newest one
 * @record_size: bytes from one slot to the next
 * @capacity: slots, a power of two: record p is in slot p % capacity
 * @generation: of the set that the records belong to
 */
struct rcr_copy {
	uint64_t first;
	uint64_t end;
	uint64_t record_size;
	uint64_t capacity;
	uint32_t generation;
};

/**
 * rcr_map_copy() - copies all slots of a ring
 * @m: the ring
 * @to: buffer of rcr_map_bytes() bytes, aligned to 8
 * @copy: filled in: which records are valid there
 *
 * Makes no system call and allocates nothing. Records that were overwritten meanwhile are
 * not in @copy. The position of rcr_map_next() stays as it is.
 *
 * Errors: EINVAL.
 */
int rcr_map_copy(const struct rcr_map *m, void *to, struct rcr_copy *copy);

struct rcr_history;

/**
 * rcr_history_map() - maps the mark rings of a CPU of the reader's set
 *
 * At the first sample at or after each sixteenth of a time scale the module keeps a copy of
 * the record as a mark, for the time scales of all meters. The mapping outlives the reader.
 *
 * Errors: EINVAL a CPU that is not sampled, EPROTO, ENOMEM, ENODEV a saved stream.
 */
struct rcr_history *rcr_history_map(struct rcr_reader *r, unsigned int cpu);

/* Unmaps it; NULL is allowed. */
void rcr_history_unmap(struct rcr_history *h);

/**
 * rcr_history_scales() - the time scales for which there are marks
 * @h: the mark rings
 * @scales: gets them, ns, as many as fit
 * @room: how many fit; RCR_SCALES is enough
 *
 * Returns how many there are.
 */
int rcr_history_scales(const struct rcr_history *h, uint64_t *scales, unsigned int room);

/**
 * rcr_history_read() - copies the marks of a time scale
 * @h: the mark rings
 * @scale: the time scale, ns
 * @marks: gets records of the set's record_size one behind the other, the oldest first
 * @bytes: room there; if there is not enough the newest are copied. RCR_SCALE_MARKS records
 *	are enough
 *
 * Returns how many marks.
 * Errors: ENOENT there are no marks for that time scale.
 */
int rcr_history_read(const struct rcr_history *h, uint64_t scale, void *marks, size_t bytes);

/**
 * struct rcr_part - what a counter did from one sample of a CPU to another
 * @count: what it counted
 * @cycles: in how many cycles of the TSC
 */
struct rcr_part {
	uint64_t count;
	uint64_t cycles;
};

/**
 * rcr_part() - does the time between two samples of a CPU count?
 * @set: their set
 * @from: the earlier sample, or mark
 * @to: the later one
 * @i: the counter
 * @part: gets what it counted; 0 if the time does not count
 *
 * It does if the counter is RCR_STATUS_OK in both, and was in all samples between them.
 * For a gauge @count means nothing.
 */
bool rcr_part(const struct rcr_set *set, const struct rcr_record *from,
	      const struct rcr_record *to, unsigned int i, struct rcr_part *part);

/**
 * rcr_map_until() - when the next record of a ring comes at the earliest
 * @m: the ring
 *
 * To be asked before rcr_map_next(): if that then has no record, none with a time before this
 * will come. So records of several rings can be put in order: the oldest one is the next as
 * soon as no other ring without a record may have an older one.
 *
 * Returns CLOCK_MONOTONIC, ns; RCR_RING_NEVER while the CPU is not sampled.
 */
uint64_t rcr_map_until(const struct rcr_map *m);

/* Has the set of the ring been replaced? Then no record will come any more. */
bool rcr_map_ended(const struct rcr_map *m);

/* Counter @i of a set, 0 <= @i < ncounters, or NULL. */
const struct rcr_counter *rcr_set_counter(const struct rcr_set *set, unsigned int i);

/* Is @cpu among those that are sampled? */
bool rcr_set_has_cpu(const struct rcr_set *set, unsigned int cpu);

/* Status of counter @i in a sample of @set, or 0. */
enum rcr_status rcr_record_status(const struct rcr_set *set,
				  const struct rcr_record *sample, unsigned int i);

/* Total of counter @i in a sample of @set, or 0. */
uint64_t rcr_record_total(const struct rcr_set *set, const struct rcr_record *sample,
			  unsigned int i);

/**
 * rcr_record_copy() - copies the totals and statuses of all counters of a sample
 * @set: its set
 * @sample: the sample
 * @totals: @set->ncounters of them
 * @statuses: likewise
 *
 * The same as rcr_record_total() and rcr_record_status() of each, and faster.
 */
void rcr_record_copy(const struct rcr_set *set, const struct rcr_record *sample,
		     uint64_t *totals, uint8_t *statuses);

/* Is counter @i of @set read outside of the tick, with a time of its own? */
bool rcr_set_is_slow(const struct rcr_set *set, unsigned int i);

/* Is the total of counter @i of @set a value and no count: a temperature? */
bool rcr_set_is_gauge(const struct rcr_set *set, unsigned int i);

/* When the slow counters of a sample of @set were read; NULL without such. */
const struct rcr_slow *rcr_record_slow(const struct rcr_set *set,
				       const struct rcr_record *sample);

/* "ok", "foreign", ... */
const char *rcr_status_name(enum rcr_status status);

/* "text", "begin", "end" */
const char *rcr_mark_kind_name(enum rcr_mark_kind kind);

#ifdef __cplusplus
}
#endif

#endif
