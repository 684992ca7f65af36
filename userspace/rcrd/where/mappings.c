// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mappings.c - table of mappings. Since programs choose their mappings, all tables have limits. A
 * mapping that does not fit is counted, and its addresses remain unknown.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "where/mappings.h"

#define LIST_FIRST	8	/* entries of a new list */
#define SWEEPS		16	/* sweeps that check all processes once */

static struct mapped_process **process_bucket(struct mappings *m, uint32_t tgid)
{
	return &m->bucket[tgid * 2654435761u >> 20];
}

struct mapped_process *mappings_find(const struct mappings *m, uint32_t tgid)
{
	struct mapped_process *p = *process_bucket((struct mappings *)m, tgid);

	while (p && p->tgid != tgid)
		p = p->next;
	return p;
}

/* Remove a process from the list of ended ones, as it is alive or about to be freed. */
static void unlink_ended(struct mappings *m, struct mapped_process *p)
{
	if (!p->is_ended)
		return;
	*(p->older ? &p->older->newer : &m->oldest) = p->newer;
	*(p->newer ? &p->newer->older : &m->newest) = p->older;
	p->older = NULL;
	p->newer = NULL;
	p->is_ended = false;
}

static void link_ended(struct mappings *m, struct mapped_process *p)
{
	unlink_ended(m, p);
	p->is_ended = true;
	p->older = m->newest;
	*(m->newest ? &m->newest->newer : &m->oldest) = p;
	m->newest = p;
}

static void put_list(struct mappings *m, struct mapping_list *list)
{
	unsigned int i;

	if (!list || --list->refs)
		return;
	for (i = 0; i < list->count; i++)
		files_put(&m->files, list->mapping[i].file);
	m->count -= list->room;
	free(list);
}

static void forget_process(struct mappings *m, struct mapped_process *p)
{
	struct mapped_process **at = process_bucket(m, p->tgid);

	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	unlink_ended(m, p);
	put_list(m, p->list);
	free(p);
	m->processes--;
}

/* Forget the process that ended first, but not @except. Returns false if there is none. */
static bool forget_oldest(struct mappings *m, const struct mapped_process *except)
{
	struct mapped_process *p = m->oldest;

	if (p && p == except)
		p = p->newer;
	if (!p)
		return false;
	forget_process(m, p);
	return true;
}

/* Forget ended processes until this many processes and mappings fit. False if they do not. */
static bool forget_ended(struct mappings *m, unsigned int processes, unsigned int mappings,
			 const struct mapped_process *except)
{
	while (m->processes + processes > MAPPINGS_PROCESSES ||
	       m->count + mappings > MAPPINGS_MOST)
		if (!forget_oldest(m, except))
			return false;
	return true;
}

/*
 * Find a process, or add it; NULL if it does not fit. An ended process remains ended, although
 * other threads may still run, because its end will not be reported again.
 */
static struct mapped_process *find_or_add_process(struct mappings *m, uint32_t tgid)
{
	struct mapped_process *p = mappings_find(m, tgid), **bucket = process_bucket(m, tgid);

	if (p)
		return p;
	p = forget_ended(m, 1, 0, NULL) ? calloc(1, sizeof(*p)) : NULL;
	if (!p) {
		m->refused++;
		return NULL;
	}
	p->tgid = tgid;
	p->next = *bucket;
	*bucket = p;
	m->processes++;
	return p;
}

/* As find_or_add_process(), for a process that is known to be alive and may have reused the id. */
static struct mapped_process *revive_process(struct mappings *m, uint32_t tgid)
{
	struct mapped_process *p = find_or_add_process(m, tgid);

	if (p)
		unlink_ended(m, p);
	return p;
}

static void drop_list(struct mappings *m, struct mapped_process *p)
{
	put_list(m, p->list);
	p->list = NULL;
}

/* Give the process an unshared list with two free entries. Returns false if it does not fit. */
static bool unshare_list(struct mappings *m, struct mapped_process *p)
{
	struct mapping_list *old = p->list, *new;
	unsigned int i, room, count = old ? old->count : 0;

	if (count + 2 > MAPPINGS_OF_ONE)
		return false;
	if (old && old->refs == 1 && old->room >= count + 2)
		return true;
	room = count + 2 > LIST_FIRST ? 2 * (count + 2) : LIST_FIRST;
	if (room > MAPPINGS_OF_ONE)
		room = MAPPINGS_OF_ONE;
	if (!forget_ended(m, 0, room, p))
		return false;
	new = malloc(sizeof(*new) + room * sizeof(new->mapping[0]));
	if (!new)
		return false;
	*new = (struct mapping_list){ .refs = 1, .count = count, .room = room };
	for (i = 0; i < count; i++) {
		new->mapping[i] = old->mapping[i];
		if (new->mapping[i].file)
			new->mapping[i].file->refs++;
	}
	m->count += room;
	put_list(m, old);
	p->list = new;
	return true;
}

/* Index of the first mapping that ends after @address. */
static unsigned int mapping_after(const struct mapping_list *list, uint64_t address)
{
	unsigned int low = 0, high = list->count, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (list->mapping[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void insert_mapping(struct mapping_list *list, unsigned int at, const struct mapping *new)
{
	memmove(&list->mapping[at + 1], &list->mapping[at],
		(list->count - at) * sizeof(list->mapping[0]));
	list->mapping[at] = *new;
	list->count++;
}

static void remove_mapping(struct mappings *m, struct mapping_list *list, unsigned int at)
{
	files_put(&m->files, list->mapping[at].file);
	list->count--;
	memmove(&list->mapping[at], &list->mapping[at + 1],
		(list->count - at) * sizeof(list->mapping[0]));
}

/* Remove what a new mapping covers, since the kernel does not report munmap(). */
static void cut_mappings(struct mappings *m, struct mapping_list *list, uint64_t begin,
			 uint64_t end)
{
	unsigned int i = mapping_after(list, begin);

	if (i < list->count && list->mapping[i].begin < begin && list->mapping[i].end > end) {
		struct mapping rest = list->mapping[i];

		rest.offset += end - rest.begin;
		rest.begin = end;
		if (rest.file)
			rest.file->refs++;
		list->mapping[i].end = begin;
		insert_mapping(list, i + 1, &rest);
		return;
	}
	if (i < list->count && list->mapping[i].begin < begin)
		list->mapping[i++].end = begin;
	while (i < list->count && list->mapping[i].end <= end)
		remove_mapping(m, list, i);
	if (i < list->count && list->mapping[i].begin < end) {
		list->mapping[i].offset += end - list->mapping[i].begin;
		list->mapping[i].begin = end;
	}
}

/*
 * Limit the code of a process. If the record of an exec is lost, addresses of the new program are
 * looked up in the old mappings: in a file of many TiB, the offset would disclose such an address.
 */
static bool fits_code(const struct mapping_list *list, uint64_t length)
{
	uint64_t bytes = 0;
	unsigned int i;

	for (i = 0; i < list->count; i++)
		if (list->mapping[i].file)
			bytes += list->mapping[i].end - list->mapping[i].begin;
	return length <= MAPPINGS_BYTES && bytes <= MAPPINGS_BYTES - length;
}

/* Get a file, forgetting ended processes to make room for it. NULL if it does not fit. */
static struct mapped_file *get_file(struct mappings *m, const struct file_key *key,
				    const struct mapped_process *except)
{
	struct mapped_file *file;

	do {
		file = files_get(&m->files, key);
	} while (!file && strlen(key->path) < FILE_PATH && forget_oldest(m, except));
	return file;
}

static void add_mapping(struct mappings *m, const struct change *c)
{
	struct mapping new = { c->begin, c->begin + c->length, c->offset, NULL };
	struct mapped_process *p;

	if (!c->length || new.end < new.begin)
		return;
	p = find_or_add_process(m, c->tgid);
	if (!p)
		return;
	/* Without this mapping the others are not valid either: it may have replaced some. */
	if (!unshare_list(m, p)) {
		drop_list(m, p);
		m->refused++;
		return;
	}
	cut_mappings(m, p->list, new.begin, new.end);
	if (c->is_file) {
		if (fits_code(p->list, c->length))
			new.file = get_file(m, &c->file, p);
		/* Add no mapping without a file: that would be code generated at run time. */
		if (!new.file) {
			m->refused++;
			return;
		}
	}
	insert_mapping(p->list, mapping_after(p->list, new.begin), &new);
}

static void fork_process(struct mappings *m, const struct change *c)
{
	struct mapped_process *child, *parent;

	child = revive_process(m, c->tgid);
	parent = mappings_find(m, c->parent);
	if (!child || child == parent)
		return;
	drop_list(m, child);
	child->since = c->time;
	*child->name = 0;
	if (!parent)
		return;
	memcpy(child->name, parent->name, sizeof(child->name));
	child->list = parent->list;
	if (child->list)
		child->list->refs++;
}

static void exec_or_rename(struct mappings *m, const struct change *c)
{
	struct mapped_process *p = c->kind == CHANGE_EXEC ? revive_process(m, c->tgid) :
							    find_or_add_process(m, c->tgid);

	if (!p)
		return;
	snprintf(p->name, sizeof(p->name), "%.15s", c->name);
	if (c->kind != CHANGE_EXEC)
		return;
	drop_list(m, p);
	p->since = c->time;
}

void mappings_take(struct mappings *m, const struct change *c)
{
	struct mapped_process *p;

	switch (c->kind) {
	case CHANGE_OTHER:
		break;
	case CHANGE_FORK:
		fork_process(m, c);
		break;
	case CHANGE_EXEC:
	case CHANGE_NAME:
		exec_or_rename(m, c);
		break;
	case CHANGE_MAP:
		add_mapping(m, c);
		break;
	case CHANGE_EXIT:
		p = mappings_find(m, c->tgid);
		if (p)
			link_ended(m, p);
		break;
	case CHANGE_LOST:
		m->lost += c->lost;
		break;
	}
}

/* True if a table is full, and there is no ended process to forget. */
static bool is_full(const struct mappings *m)
{
	return !m->oldest && (m->processes >= MAPPINGS_PROCESSES ||
			      m->count + MAPPINGS_OF_ONE > MAPPINGS_MOST ||
			      m->files.count >= FILES_MOST ||
			      m->files.bytes + FILE_PATH > FILES_BYTES);
}

void mappings_sweep(struct mappings *m, mappings_alive is_alive)
{
	unsigned int i;

	for (i = 0; is_full(m) && i < MAPPINGS_BUCKETS / SWEEPS; i++) {
		struct mapped_process *each = m->bucket[m->swept++ % MAPPINGS_BUCKETS];

		for (; each; each = each->next)
			if (!each->is_ended && !is_alive(each->tgid))
				link_ended(m, each);
	}
}

const struct mapping *mapping_at(const struct mapped_process *p, uint64_t address)
{
	unsigned int i;

	if (!p || !p->list)
		return NULL;
	i = mapping_after(p->list, address);
	if (i == p->list->count || p->list->mapping[i].begin > address)
		return NULL;
	return &p->list->mapping[i];
}

void mappings_clear(struct mappings *m)
{
	unsigned int i;

	for (i = 0; i < MAPPINGS_BUCKETS; i++)
		while (m->bucket[i])
			forget_process(m, m->bucket[i]);
}
