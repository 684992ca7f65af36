/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slots.h - check and read a client's memfd of slots. The file is never mapped: reading a hole
 * returns zeros, and reading past the end is short, where a mapping would fault.
 */
#ifndef RCRD_SLOTS_H
#define RCRD_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "rcr_board2.h"

/* Slots read at a time. */
#define SLOTS_AT_ONCE	256

/* Buffer for reading slots of one client at a time. */
struct slots_reader {
	char bytes[SLOTS_AT_ONCE * 64];
};

/* Checks that a file is small enough, and that reads do not block. Returns 0 or -EINVAL. */
int slots_check(int fd);

/**
 * struct slots_form - layout of the slots, as claimed by the client and checked
 * @offset: offset of the first slot, bytes
 * @size: size of a slot, bytes
 * @count: number of slots; all of them are within RCR_SLOTS_BYTES
 */
struct slots_form {
	uint32_t offset;
	uint32_t size;
	uint32_t count;
};

/* Parses a head. Returns false if it is invalid or its version is not compatible. */
bool slots_parse(const struct rcr_slots *head, struct slots_form *form);

/* Reads and parses the head. Returns false on failure. */
bool slots_read_form(int fd, struct slots_form *form);

/*
 * Reads slots from @first on, as many as fit into the buffer. Returns the number read; 0: there are
 * no more.
 */
unsigned int slots_read(struct slots_reader *r, int fd, const struct slots_form *form,
			unsigned int first);

/* Copies slot @n of the slots in the buffer. */
void slots_get(const struct slots_reader *r, const struct slots_form *form, unsigned int n,
	       struct rcr_thread *t);

#endif
