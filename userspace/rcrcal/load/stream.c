// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stream.c - reads, writes, copies, or reads random cache lines, one block at a time.
 *
 * Writes bypass the caches: otherwise each would cause a read as well.
 */
#include <emmintrin.h>

#include "mix.h"
#include "stream.h"

#define LINE	64
#define LINES	(STREAM_BLOCK / LINE)

static uint64_t word_at(const uint8_t *at)
{
	return *(const uint64_t *)at;
}

static void write_cache_line(uint8_t *to, __m128i value)
{
	int i;

	for (i = 0; i < LINE / 16; i++)
		_mm_stream_si128((__m128i *)to + i, value);
}

/* Returns a sum of the data, so that the compiler keeps the reads. */
static uint64_t read_lines(const uint8_t *from)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < LINES; i++)
		sum += word_at(from + i * LINE);
	return sum;
}

static void write_lines(uint8_t *to)
{
	const __m128i value = _mm_set1_epi8(1);
	int i;

	for (i = 0; i < LINES; i++)
		write_cache_line(to + i * LINE, value);
	_mm_sfence();
}

static void copy_lines(uint8_t *to, const uint8_t *from)
{
	int i;

	for (i = 0; i < LINES; i++)
		write_cache_line(to + i * LINE, _mm_set1_epi64x(word_at(from + i * LINE)));
	_mm_sfence();
}

/* Each address depends on the data read before it. */
static void chase_lines(struct stream *s)
{
	int i;

	for (i = 0; i < LINES; i++) {
		s->state = s->state * 6364136223846793005ull + 1442695040888963407ull;
		s->state ^= word_at(s->buffer + (s->state >> 20) % (s->size / LINE) * LINE);
	}
}

void stream_block(struct stream *s, unsigned int kind)
{
	size_t half = s->size / 2;

	switch (kind) {
	case MIX_READ:
		s->state += read_lines(s->buffer + s->at);
		break;
	case MIX_WRITE:
		write_lines(s->buffer + s->at);
		break;
	case MIX_COPY:
		copy_lines(s->buffer + s->at, s->buffer + (s->at + half) % s->size);
		break;
	case MIX_RANDOM:
		chase_lines(s);
		break;
	}
	s->at = (s->at + STREAM_BLOCK) % s->size;
}
