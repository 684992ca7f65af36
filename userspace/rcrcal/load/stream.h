/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream.h - memory access of a thread of the built-in load. */
#ifndef RCRCAL_STREAM_H
#define RCRCAL_STREAM_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of a block, the unit of timing. */
#define STREAM_BLOCK	16384

/**
 * struct stream - a walk through a buffer
 * @buffer: the buffer, page-aligned
 * @size: of the buffer, a multiple of two blocks
 * @at: offset of the next block
 * @state: random state, and sum of the data read
 */
struct stream {
	uint8_t *buffer;
	size_t size;
	size_t at;
	uint64_t state;
};

/* Processes one block of @kind, an enum mix. */
void stream_block(struct stream *s, unsigned int kind);

#endif
