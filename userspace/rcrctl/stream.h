/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stream.h - what a thread of the built-in load does to memory.
 */
#ifndef RCRCTL_STREAM_H
#define RCRCTL_STREAM_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of a block, which is what is timed. */
#define STREAM_BLOCK	16384

/**
 * struct stream - a walk through a buffer
 * @buffer: of two halves, aligned to a page
 * @size: of the buffer, a multiple of two blocks
 * @at: bytes to where the next block begins
 * @state: of the random one, and what came of reads
 */
struct stream {
	uint8_t *buffer;
	size_t size;
	size_t at;
	uint64_t state;
};

/* Does one block of @kind, an enum mix. */
void stream_block(struct stream *s, unsigned int kind);

#endif
