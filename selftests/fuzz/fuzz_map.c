// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_map.c - the reader of mapped rings, on a ring with any content, which changes while it is
 * read. The mapping is memory of exactly its size.
 *
 * An input is the set's description of its records, the ring, and then changes of the ring:
 * two bytes of offset, two of value. If the first byte is odd, it is a ring of places.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "fuzz.h"
#include "rcr.h"

static uint8_t *ring;
static struct fuzz_input input;
static uint64_t sum;

static void *fuzz_mmap(size_t bytes)
{
	ring = aligned_alloc(64, (bytes + 63) / 64 * 64);
	FUZZ_HOLDS(ring);
	fuzz_bytes(&input, ring, bytes);
	return ring;
}

static void fuzz_munmap(void *at)
{
	FUZZ_HOLDS(at == ring);
	free(at);
	ring = NULL;
}

#define mmap(at, bytes, prot, flags, fd, offset) ((void)(offset), fuzz_mmap(bytes))
#define munmap(at, bytes) fuzz_munmap(at)
#include "../../userspace/librcr/stream/map.c"

/* In place of the reader of the device: it has this set. */
static struct {
	struct rcr_set set;
	uint64_t cpus;
} known;

const struct rcr_set *rcr_reader_set(const struct rcr_reader *r)
{
	(void)r;
	return &known.set;
}

int rcr_fd(const struct rcr_reader *r)
{
	static int fd = -1;

	(void)r;
	if (fd < 0)
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return fd;
}

static void make_known(void)
{
	unsigned int counters = fuzz_byte(&input) % (RCR_MAX_COUNTERS + 1);
	unsigned int slow = fuzz_byte(&input), lines = fuzz_byte(&input) % 128 + 1;

	known.set = (struct rcr_set){
		.version = RCR_ABI_VERSION,
		.value_offset = sizeof(struct rcr_record),
		.value_size = 8,
		.status_offset = sizeof(struct rcr_record) + 8 * counters,
		.status_size = 1,
		.ncpus = 2,
		.cpus_offset = offsetof(typeof(known), cpus),
		.ncounters = counters,
		.slow_offset = slow * 8,
		.ring_bytes = lines * 64,
		.places_bytes = lines * 64,
	};
	known.set.slow = known.set.slow_offset;
	known.set.record_size = sizeof(struct rcr_record) + 9 * known.set.ncounters;
	if (known.set.slow_offset < known.set.record_size)
		known.set.slow_offset = 0;
	known.set.record_size = (known.set.record_size + 7) / 8 * 8;
	if (known.set.slow_offset)
		known.set.record_size = known.set.slow_offset + sizeof(struct rcr_slow);
	known.cpus = 2;
}

/* Use a record like a reader. */
static void use_map_record(const struct rcr_record *r)
{
	const struct rcr_slow *slow = rcr_record_slow(&known.set, r);
	unsigned int i;

	for (i = 0; i < known.set.ncounters; i++)
		sum += rcr_record_total(&known.set, r, i) + rcr_record_status(&known.set, r, i);
	sum += r->tsc + (slow ? slow->tsc : 0);
}

static void change_ring(void)
{
	uint8_t where[2], what[2];
	size_t at;

	fuzz_bytes(&input, where, 2);
	fuzz_bytes(&input, what, 2);
	at = where[0] * 256 + where[1];
	ring[at % known.set.ring_bytes] = what[0];
	ring[(at + 1) % known.set.ring_bytes] = what[1];
}

/* Read places at positions near the head. */
static void use_places(void)
{
	struct rcr_places *p = rcr_places_map(NULL, 1);
	struct rcr_record sample = { };
	struct rcr_place place;
	int turn, got;

	for (turn = 0; p && turn < 64; turn++) {
		sample.item.cpu = p->map.ring->cpu;
		sample.item.generation = p->map.ring->generation;
		sample.position = rcr_map_head(&p->map) - fuzz_byte(&input);
		got = rcr_places_read(p, &sample, &place);
		FUZZ_HOLDS(got >= 0 || errno == ENODATA);
		if (got > 0) {
			FUZZ_HOLDS(place.position == sample.position);
			sum += place.pc + place.tid;
		}
		change_ring();
	}
	rcr_places_unmap(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct rcr_record *r;
	struct rcr_map *map;
	uint64_t lost;
	int got = 0, turn;

	input = (struct fuzz_input){ data, size };
	make_known();
	FUZZ_HOLDS(!rcr_map(NULL, 0) && errno == EINVAL);
	if (size && data[0] & 1) {
		use_places();
		FUZZ_HOLDS(!ring);
		return 0;
	}
	map = rcr_map(NULL, 1);
	if (size > 1 && data[1] & 1)
		rcr_map_rewind(map);
	for (turn = 0; map && turn < 64 && got >= 0; turn++) {
		got = rcr_map_next(map, &r, &lost);
		FUZZ_HOLDS(got >= 0 || errno == ENODATA);
		if (got > 0) {
			use_map_record(r);
			sum += rcr_map_valid(map);
		}
		change_ring();
	}
	rcr_unmap(map);
	FUZZ_HOLDS(!ring);
	return 0;
}
