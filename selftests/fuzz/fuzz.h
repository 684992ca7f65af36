/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz.h - functions of all targets: take texts, files and numbers from an input, and check
 * properties of the result.
 */
#ifndef RCR_FUZZ_H
#define RCR_FUZZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Crash if a property does not hold, so that libFuzzer reports it. */
#define FUZZ_HOLDS(what) do {							\
		if (!(what)) {							\
			fprintf(stderr, "%s:%d: it does not hold that %s\n",	\
				__FILE__, __LINE__, #what);			\
			abort();						\
		}								\
	} while (0)

/**
 * struct fuzz_input - the rest of an input
 * @data: the next byte
 * @size: bytes from there on
 */
struct fuzz_input {
	const uint8_t *data;
	size_t size;
};

/* Take a byte; 0 if none is left. */
static inline unsigned int fuzz_byte(struct fuzz_input *in)
{
	if (!in->size)
		return 0;
	in->size--;
	return *in->data++;
}

/* Take @size bytes; those that are missing are 0. */
static inline void fuzz_bytes(struct fuzz_input *in, void *to, size_t size)
{
	size_t some = size < in->size ? size : in->size;

	memset(to, 0, size);
	memcpy(to, in->data, some);
	in->data += some;
	in->size -= some;
}

/* Copy bytes to memory of exactly that size plus a terminating 0. The caller frees it. */
static inline char *fuzz_copy(const void *data, size_t size)
{
	char *text = malloc(size + 1);

	FUZZ_HOLDS(text);
	if (size)
		memcpy(text, data, size);
	text[size] = 0;
	return text;
}

/* Take the bytes up to the end of the line as a string. The caller frees it. */
static inline char *fuzz_line(struct fuzz_input *in)
{
	const uint8_t *end = in->size ? memchr(in->data, '\n', in->size) : NULL;
	size_t length = end ? (size_t)(end - in->data) : in->size;
	char *text = fuzz_copy(in->data, length);

	in->data += length + !!end;
	in->size -= length + !!end;
	return text;
}

/* Write bytes to a file. Return: its path, which is valid until the next call. */
static inline const char *fuzz_file(const void *data, size_t size)
{
	static char path[32];
	static int fd = -1;

	if (fd < 0)
		fd = syscall(SYS_memfd_create, "fuzz", 0);
	FUZZ_HOLDS(fd >= 0 && !ftruncate(fd, 0));
	FUZZ_HOLDS(!size || pwrite(fd, data, size, 0) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

#endif
