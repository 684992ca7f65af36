// SPDX-License-Identifier: GPL-2.0-or-later
/* files.c - hash table of reference-counted files. */
#include <stdlib.h>
#include <string.h>

#include "where/files.h"

/* FNV-1a */
static uint32_t hash_bytes(uint32_t hash, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	while (size--)
		hash = (hash ^ *at++) * 16777619u;
	return hash;
}

static uint32_t hash_key(const struct file_key *k)
{
	uint32_t hash = hash_bytes(2166136261u, k->path, strlen(k->path));

	hash = hash_bytes(hash, k->id, k->id_size);
	return hash_bytes(hash, &k->inode, sizeof(k->inode));
}

static bool is_same_file(const struct file_key *a, const struct file_key *b)
{
	return a->id_size == b->id_size && !memcmp(a->id, b->id, a->id_size) &&
	       a->major == b->major && a->minor == b->minor && a->inode == b->inode &&
	       !strcmp(a->path, b->path);
}

static struct mapped_file *make_file(struct files *f, const struct file_key *key, uint32_t hash)
{
	size_t size = strlen(key->path) + 1;
	struct mapped_file *file;

	if (size > FILE_PATH || f->count >= FILES_MOST || f->bytes + size > FILES_BYTES)
		return NULL;
	file = malloc(sizeof(*file) + size);
	if (!file)
		return NULL;
	file->hash = hash;
	file->refs = 1;
	file->key = *key;
	memcpy(file->path, key->path, size);
	file->key.path = file->path;
	file->next = f->bucket[hash % FILES_BUCKETS];
	f->bucket[hash % FILES_BUCKETS] = file;
	f->count++;
	f->bytes += size;
	return file;
}

struct mapped_file *files_get(struct files *f, const struct file_key *key)
{
	uint32_t hash = hash_key(key);
	struct mapped_file *each;

	for (each = f->bucket[hash % FILES_BUCKETS]; each; each = each->next)
		if (each->hash == hash && is_same_file(&each->key, key)) {
			each->refs++;
			return each;
		}
	return make_file(f, key, hash);
}

void files_put(struct files *f, struct mapped_file *file)
{
	struct mapped_file **at;

	if (!file || --file->refs)
		return;
	at = &f->bucket[file->hash % FILES_BUCKETS];
	while (*at != file)
		at = &(*at)->next;
	*at = file->next;
	f->count--;
	f->bytes -= strlen(file->path) + 1;
	free(file);
}
