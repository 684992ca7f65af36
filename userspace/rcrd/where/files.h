/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * files.h - table of the files that processes execute. Mappings and places share the entry of a
 * file by reference counting.
 */
#ifndef RCRD_FILES_H
#define RCRD_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FILES_MOST	16384
#define FILES_BYTES	(8u << 20)	/* maximum size of all paths */
#define FILE_ID		20		/* longest build id, bytes */
#define FILE_PATH	4096

/**
 * struct file_key - identity of a file
 * @id_size: bytes of @id; 0: the kernel reported no build id
 * @id: build id
 * @major: major number of the device, if there is no build id
 * @minor: minor number of the device, if there is no build id
 * @inode: inode number, if there is no build id; 0: unknown
 * @path: path in the mount namespace of the process
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
 * @next: next file in the same bucket
 * @hash: hash of @key
 * @refs: number of references from mappings and places
 * @key: identity of the file; its path is @path
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
 * struct files - table of files
 * @count: number of files
 * @bytes: size of all paths
 * @bucket: lists of files, by hash
 */
struct files {
	unsigned int count;
	size_t bytes;
	struct mapped_file *bucket[FILES_BUCKETS];
};

/* Takes a reference to a file. Returns NULL if the table is full, or without memory. */
struct mapped_file *files_get(struct files *f, const struct file_key *key);

/* Drops a reference; @file may be NULL. */
void files_put(struct files *f, struct mapped_file *file);

#endif
