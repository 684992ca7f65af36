// SPDX-License-Identifier: GPL-2.0-or-later
/* profile.c - sum counts by place. The last entry is reserved for samples that do not fit. */
#include <string.h>

#include "live/book.h"
#include "where/profile.h"

static const char *const kinds[PLACE_KINDS] = {
	[PLACE_CODE] = "code", [PLACE_MADE] = "made", [PLACE_UNKNOWN] = "unknown",
	[PLACE_KERNEL] = "kernel", [PLACE_IDLE] = "idle", [PLACE_OTHER] = "other",
};

const char *place_kind_name(enum place_kind kind)
{
	return kinds[kind];
}

unsigned int profile_process(struct profile *p, uint32_t tgid, uint64_t since, bool *is_new)
{
	unsigned int i;

	*is_new = false;
	for (i = 0; i < p->processes; i++)
		if (p->process[i].tgid == tgid && p->process[i].since == since)
			return i;
	if (p->processes == PROFILE_PROCESSES)
		return PROFILE_PROCESSES;
	*is_new = true;
	p->process[i] = (struct profile_process){ .tgid = tgid, .since = since };
	return p->processes++;
}

void profile_disown(struct profile *p, uint32_t tgid, uint64_t time)
{
	unsigned int i;

	for (i = 0; i < p->processes; i++) {
		struct profile_process *each = &p->process[i];

		if (each->tgid == tgid && each->since < time && time <= each->asked)
			each->uid = BOOK_NO_USER;
	}
}

static unsigned int place_bucket(unsigned int process, const struct place_sample *s)
{
	uint64_t hash = (uintptr_t)s->file / 16 + s->offset;

	hash = (hash * 64 + process) * 8 + s->kind;
	return hash * 0x9e3779b97f4a7c15ull >> 53;
}

static struct profile_place *find_profile_place(struct profile *p, unsigned int process,
						const struct place_sample *s)
{
	uint16_t at = p->bucket[place_bucket(process, s)];

	for (; at; at = p->place[at - 1].next) {
		struct profile_place *each = &p->place[at - 1];

		if (each->process == process && each->kind == s->kind && each->file == s->file &&
		    each->offset == s->offset)
			return each;
	}
	return NULL;
}

static struct profile_place *new_profile_place(struct profile *p, unsigned int process,
					       const struct place_sample *s)
{
	uint16_t *bucket = &p->bucket[place_bucket(process, s)];
	struct profile_place *new = &p->place[p->places++];

	*new = (struct profile_place){
		.next = *bucket, .kind = s->kind, .process = process,
		.file = s->file, .offset = s->offset,
	};
	if (new->file)
		new->file->refs++;
	*bucket = p->places;
	return new;
}

void profile_add(struct profile *p, unsigned int process, const struct place_sample *s)
{
	static const struct place_sample other = { .kind = PLACE_OTHER };
	const struct place_sample *key = process < PROFILE_PROCESSES ? s : &other;
	struct profile_place *place = find_profile_place(p, process, key);

	if (!place && p->places >= PROFILE_PLACES - 1) {
		process = PROFILE_PROCESSES;
		key = &other;
		place = find_profile_place(p, process, key);
	}
	if (!place)
		place = new_profile_place(p, process, key);
	place->samples++;
	place->weight += s->count;
	place->squares += s->count * s->count;
}

void profile_clear(struct profile *p, struct files *files)
{
	unsigned int i;

	for (i = 0; i < p->places; i++)
		files_put(files, p->place[i].file);
	memset(p, 0, sizeof(*p));
}
