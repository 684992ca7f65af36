/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rcr.h - librcr: reads the samples of the rcrtool module.
 *
 * Functions that can fail return -1 or NULL with errno set. All functions accept a NULL object and
 * fail with EINVAL. An object must be used by one thread at a time.
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
 * rcr_open() - open the stream of records, starting now
 * @path: the device, or a file that contains a saved stream; NULL is RCR_DEVICE
 *
 * Reads the set, so that rcr_reader_set() can return it.
 *
 * Errors: ENOENT no module is loaded, EACCES not in the device's group, EPROTO not a stream that
 * this library can read, ENOMEM.
 */
struct rcr_reader *rcr_open(const char *path);

/* Closes a reader; @r may be NULL. */
void rcr_close(struct rcr_reader *r);

/* Formats one sentence: why rcr_open(@path) failed with @error, and the remedy. */
char *rcr_open_error(const char *path, int error, char *text, size_t size);

/* Maximum length of a sentence of this library, including the terminating 0. */
#define RCR_SENTENCE_LEN 320

/**
 * rcr_reason_text() - describe why the module could not do something
 * @r: the reason, as in rcr_set.reason
 * @text: output buffer for one sentence: the error and its remedy
 * @size: size of @text, bytes; RCR_SENTENCE_LEN is enough
 *
 * A reason that is unknown to this library is printed as its number and arguments.
 *
 * Returns @text.
 */
char *rcr_reason_text(const struct rcr_reason *r, char *text, size_t size);

/* Seeks to the oldest records that are still in the rings. */
int rcr_rewind(struct rcr_reader *r);

/**
 * rcr_choose_items() - select the types of items to deliver from now on
 * @r: the reader
 * @types: bit n for enum rcr_item_type n; RCR_ITEMS_ALL is the default
 *
 * A reader without any of RCR_ITEMS_OF_RINGS is not woken by samples. Items that are already in the
 * reader's buffer are still delivered.
 *
 * Returns 0, or -1 with errno: EINVAL no type, or an unknown one; ENOTTY a file, or a module
 * without this feature.
 */
int rcr_choose_items(struct rcr_reader *r, uint64_t types);

/* Descriptor for poll(2): POLLIN if there may be an item. */
int rcr_fd(const struct rcr_reader *r);

/**
 * rcr_next() - read the next item
 * @r: the reader
 * @item: set to the item, valid until the next call that has to read, see rcr_has_next();
 *	its size matches its type, and its texts are terminated
 * @timeout_ms: maximum time to wait; -1: unlimited
 *
 * Returns 1 with an item, 0 after a timeout. Errors: ENODATA the end of the stream; EINTR a signal;
 * EPROTO.
 */
int rcr_next(struct rcr_reader *r, const struct rcr_item **item, int timeout_ms);

/* True if an item is in the buffer. Then rcr_next() does not read, and earlier items stay valid. */
bool rcr_has_next(const struct rcr_reader *r);

/* The set that the items belong to; never NULL for an open reader. */
const struct rcr_set *rcr_reader_set(const struct rcr_reader *r);

struct rcr_map;

/**
 * rcr_map() - map the ring of a CPU of the reader's set, starting now
 *
 * Records can then be read in place, without a system call. The mapping stays valid after the
 * reader is closed.
 *
 * Errors: EINVAL the CPU is not sampled, ESTALE the reader's set was replaced meanwhile, EPROTO,
 * ENOMEM, ENODEV a saved stream.
 */
struct rcr_map *rcr_map(struct rcr_reader *r, unsigned int cpu);

/* Seeks to the oldest record that is still in the ring. */
void rcr_map_rewind(struct rcr_map *m);

/* Unmaps a ring; @m may be NULL. */
void rcr_unmap(struct rcr_map *m);

/**
 * rcr_map_next() - get the next record in place
 * @m: the ring
 * @record: set to the record; see rcr_map_valid()
 * @lost: set to the number of records that were overwritten before it
 *
 * Returns 1 with a record, 0 if there is none yet. Errors: ENODATA the set has changed and this
 * ring has ended.
 */
int rcr_map_next(struct rcr_map *m, const struct rcr_record **record, uint64_t *lost);

/*
 * Checks whether the record was valid, to be called after it was used or copied: if not, any data
 * taken from it must be discarded, and the next rcr_map_next() counts it as lost.
 */
bool rcr_map_valid(struct rcr_map *m);

/* Position after the newest record of a ring. */
uint64_t rcr_map_head(const struct rcr_map *m);

/**
 * rcr_map_read() - copy the record at a position
 * @m: the ring
 * @position: its position
 * @to: buffer of the set's record_size bytes, aligned to 8
 *
 * Makes no system call, allocates nothing and changes nothing: any number of threads and signal
 * handlers may use a ring so.
 *
 * Returns 1 with a record, 0 if there is none at @position yet, or -1 with errno: ENODATA it was
 * overwritten, EINVAL.
 */
int rcr_map_read(const struct rcr_map *m, uint64_t position, void *to);

/* Size of the buffer for rcr_map_copy(), bytes: all slots of the ring. */
size_t rcr_map_bytes(const struct rcr_map *m);

/**
 * struct rcr_copy - description of a copy of a ring
 * @first: position of the oldest record in it
 * @end: position after the newest one
 * @record_size: distance of two slots, bytes
 * @capacity: number of slots, a power of two: record p is in slot p % capacity
 * @generation: generation of the set that the records belong to
 */
struct rcr_copy {
	uint64_t first;
	uint64_t end;
	uint64_t record_size;
	uint64_t capacity;
	uint32_t generation;
};

/**
 * rcr_map_copy() - copy all slots of a ring
 * @m: the ring
 * @to: buffer of rcr_map_bytes() bytes, aligned to 8
 * @copy: filled in: which records are valid in the copy
 *
 * Makes no system call and allocates nothing. Records that were overwritten meanwhile are excluded
 * from @copy. The position of rcr_map_next() does not change.
 *
 * Errors: EINVAL.
 */
int rcr_map_copy(const struct rcr_map *m, void *to, struct rcr_copy *copy);

struct rcr_places;

/**
 * rcr_places_map() - map the ring of places of a CPU of the reader's set
 *
 * Makes ticks write, with each sample, which thread they interrupt and where, until the reader is
 * closed and all its mappings are unmapped. The reader must have been opened with CAP_PERFMON.
 * A change of the set ends the ring, together with the ring of samples: map that of the next set.
 *
 * Errors: EPERM no CAP_PERFMON; EINVAL the CPU is not sampled, ESTALE the reader's set was replaced
 * meanwhile, EPROTO, ENOMEM, ENODEV a saved stream.
 */
struct rcr_places *rcr_places_map(struct rcr_reader *r, unsigned int cpu);

/* Unmaps a ring of places; @p may be NULL. */
void rcr_places_unmap(struct rcr_places *p);

/**
 * rcr_places_read() - copy the place of a sample
 * @p: ring of places of the sample's CPU and set
 * @record: the sample; see rcr_map_valid() for one that is read in place
 * @place: output buffer
 *
 * The place was written before the sample: it need not be waited for. Makes no system call and
 * allocates nothing.
 *
 * Returns 1 with the place; 0 if there is none, because no reader had mapped the ring at that time,
 * or because @record is not a sample; or -1 with errno: ENODATA it was overwritten; EINVAL, also
 * for a sample of another CPU or set.
 */
int rcr_places_read(const struct rcr_places *p, const struct rcr_record *record,
		    struct rcr_place *place);

struct rcr_history;

/**
 * rcr_history_map() - map the mark rings of a CPU of the reader's set
 *
 * For the time scales of all meters, the module stores the first record at or after each sixteenth
 * of the time scale as a mark. The mapping stays valid after the reader is closed.
 *
 * Errors: EINVAL the CPU is not sampled, EPROTO, ENOMEM, ENODEV a saved stream.
 */
struct rcr_history *rcr_history_map(struct rcr_reader *r, unsigned int cpu);

/* Unmaps mark rings; @h may be NULL. */
void rcr_history_unmap(struct rcr_history *h);

/**
 * rcr_history_scales() - list the time scales that have marks
 * @h: the mark rings
 * @scales: output buffer, ns
 * @room: entries of @scales; RCR_SCALES is enough
 *
 * Returns the number of time scales, which may exceed @room.
 */
int rcr_history_scales(const struct rcr_history *h, uint64_t *scales, unsigned int room);

/**
 * rcr_history_read() - copy the marks of a time scale
 * @h: the mark rings
 * @scale: the time scale, ns
 * @marks: output buffer for consecutive records of the set's record_size, oldest first
 * @bytes: size of @marks; if it is too small, the newest marks are copied. RCR_SCALE_MARKS
 *	records are enough
 *
 * Returns the number of marks. Errors: ENOENT there are no marks of that time scale.
 */
int rcr_history_read(const struct rcr_history *h, uint64_t scale, void *marks, size_t bytes);

/**
 * struct rcr_part - count of a counter between two samples of a CPU
 * @count: the count
 * @cycles: TSC cycles between the two reads
 */
struct rcr_part {
	uint64_t count;
	uint64_t cycles;
};

/**
 * rcr_part() - compute the count between two samples of a CPU, if it is valid
 * @set: their set
 * @from: the earlier sample, or mark
 * @to: the later sample, or mark
 * @i: index of the counter
 * @part: output buffer; 0 if the count is not valid
 *
 * The count is valid if the counter is RCR_STATUS_OK in both and was so in all samples between
 * them. For a gauge, @count has no meaning.
 */
bool rcr_part(const struct rcr_set *set, const struct rcr_record *from,
	      const struct rcr_record *to, unsigned int i, struct rcr_part *part);

/**
 * rcr_map_until() - earliest time of the next record of a ring
 * @m: the ring
 *
 * Call it before rcr_map_next(): if that has no record then, no record with an earlier time will
 * follow. This allows merging rings in order of time: the oldest record is next as soon as no ring
 * without a record can still deliver an older one.
 *
 * Returns CLOCK_MONOTONIC, ns; RCR_RING_NEVER while the CPU is not sampled.
 */
uint64_t rcr_map_until(const struct rcr_map *m);

/* True if the set of the ring was replaced: no more records will be written. */
bool rcr_map_ended(const struct rcr_map *m);

/* Counter @i of a set, 0 <= @i < ncounters, or NULL. */
const struct rcr_counter *rcr_set_counter(const struct rcr_set *set, unsigned int i);

/* True if @cpu is sampled. */
bool rcr_set_has_cpu(const struct rcr_set *set, unsigned int cpu);

/* Status of counter @i in a sample of @set, or 0. */
enum rcr_status rcr_record_status(const struct rcr_set *set,
				  const struct rcr_record *sample, unsigned int i);

/* Total of counter @i in a sample of @set, or 0. */
uint64_t rcr_record_total(const struct rcr_set *set, const struct rcr_record *sample,
			  unsigned int i);

/**
 * rcr_record_copy() - copy the totals and statuses of all counters of a sample
 * @set: its set
 * @sample: the sample
 * @totals: output buffer of @set->ncounters entries
 * @statuses: output buffer of @set->ncounters entries
 *
 * Equivalent to rcr_record_total() and rcr_record_status() for each counter, but faster.
 */
void rcr_record_copy(const struct rcr_set *set, const struct rcr_record *sample,
		     uint64_t *totals, uint8_t *statuses);

/* True if counter @i of @set is read outside of the tick, at times of its own. */
bool rcr_set_is_slow(const struct rcr_set *set, unsigned int i);

/* True if the total of counter @i of @set is a value (a temperature), not a count. */
bool rcr_set_is_gauge(const struct rcr_set *set, unsigned int i);

/* When the slow counters of a sample were read; NULL if there are none. */
const struct rcr_slow *rcr_record_slow(const struct rcr_set *set,
				       const struct rcr_record *sample);

/* "ok", "foreign", ... */
const char *rcr_status_name(enum rcr_status status);

/* "text", "begin", "end", "verdict" */
const char *rcr_mark_kind_name(enum rcr_mark_kind kind);

#ifdef __cplusplus
}
#endif

#endif
