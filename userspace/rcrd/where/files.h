/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * files.h - the files that processes execute. Each is kept once, however many mappings and places
 * name it, and for as long as one of them does.
 */
#ifndef RCRD_FILES_H
#define RCRD_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FILES_MOST	16384
#define FILES_BYTES	(8u << 20)	/* of all paths */
#define FILE_ID		20		/* longest build id, bytes */
#define FILE_PATH	4096

/**
 * struct file_key - identity of a file
 * @id_size: bytes of @id; 0: the kernel has read no build id
 * @id: build id
 * @major: without a build id: of its device
 * @minor: likewise
 * @inode: likewise; 0: not known
 * @path: as the process sees it
 */
struct file_key {
	unsigned int id_size;
	uint8_t id[FILE_ID];
	uint32_t major, minor;
	uint64_t inode;
	const char *path;
};

/**
 * struct mapped_file - a file
 * @next: of the same hash
 * @hash: of its key
 * @refs: mappings and places that name it
 * @key: its key, with @path as the path
 * @path: the path
 */
struct mapped_file {
	struct mapped_file *next;
	uint32_t hash;
	unsigned int refs;
	struct file_key key;
	char path[];
};

#define FILES_BUCKETS	4096

/**
 * struct files - all of them
 * @count: files
 * @bytes: of their paths
 * @bucket: by hash
 */
struct files {
	unsigned int count;
	size_t bytes;
	struct mapped_file *bucket[FILES_BUCKETS];
};

/* Returns the file with another reference, or NULL: there are too many, or there is no memory. */
struct mapped_file *files_get(struct files *f, const struct file_key *key);

/* Drops a reference; @file may be NULL. */
void files_put(struct files *f, struct mapped_file *file);

#endif
