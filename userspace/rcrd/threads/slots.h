/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * slots.h - a client's memfd of slots: what rcrd accepts, and how it reads it. It is never
 * mapped: a read of a hole is zeros, and one of what is gone is short.
 */
#ifndef RCRD_SLOTS_H
#define RCRD_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "rcr_board2.h"

/* Slots that are read at a time. */
#define SLOTS_AT_ONCE	256

/* A reader of clients' slots, one at a time. */
struct slots_reader {
	char bytes[SLOTS_AT_ONCE * 64];
};

/* May it be read without being mapped, without waiting and with a bound? 0, or -EINVAL. */
int slots_check(int fd);

/**
 * struct slots_form - where the slots are, by the client's own word, which was checked
 * @offset: of the first
 * @size: of each
 * @count: how many; all of them are within RCR_SLOTS_BYTES
 */
struct slots_form {
	uint32_t offset;
	uint32_t size;
	uint32_t count;
};

/* Checks a head; false: it makes no sense, or its version does not fit. */
bool slots_parse(const struct rcr_slots *head, struct slots_form *form);

/* Reads and checks the head; false: there is nothing to be read. */
bool slots_read_form(int fd, struct slots_form *form);

/*
 * Reads at most SLOTS_AT_ONCE slots from @first on. Returns how many were read; 0: there is
 * none there.
 */
unsigned int slots_read(struct slots_reader *r, int fd, const struct slots_form *form,
			unsigned int first);

/* Slot @n of those that were read, copied. */
void slots_get(const struct slots_reader *r, const struct slots_form *form, unsigned int n,
	       struct rcr_thread *t);

#endif
