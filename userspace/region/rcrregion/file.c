// SPDX-License-Identifier: GPL-2.0-or-later
/* file.c - reads and validates the file of a process, which is untrusted. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rcrregion/file.h"

/* Upper bound of the size of a file. */
#define FILE_SIZE_MAX	1073741824ull

/* Later versions may append members to each part. */
#define PART_SIZE_MAX	4096

static bool is_part_size(uint32_t size, size_t least)
{
	return size >= least && size <= PART_SIZE_MAX;
}

/* Copies a part of a file; members that an earlier version lacks become 0. */
static void copy_part(void *to, const void *from, size_t size, uint32_t part_size)
{
	memset(to, 0, size);
	memcpy(to, from, part_size < size ? part_size : size);
}

static bool is_region_text(const char *text, size_t size)
{
	size_t i;

	for (i = 0; i < size - 1 && text[i]; i++)
		if (region_is_control(&text[i]))
			return false;
	return i && !text[i];
}

static int check_header(struct region_file *f, struct why *why)
{
	struct region_header *h = &f->header;
	uint64_t size;

	if (f->size < REGION_HEADER_LEAST)
		return because(why, "truncated within its header");
	memcpy(h, f->data, REGION_HEADER_LEAST);
	if (memcmp(h->magic, REGION_MAGIC, sizeof(h->magic)))
		return because(why, "not a file of librcrregion");
	if (h->version != REGION_VERSION)
		return because(why, "version %u: this program reads version %u", h->version,
			       REGION_VERSION);
	if (!is_part_size(h->header_size, REGION_HEADER_LEAST) ||
	    !is_part_size(h->event_size, sizeof(struct region_file_event)) ||
	    !is_part_size(h->set_size, sizeof(struct region_file_set)) ||
	    !is_part_size(h->record_size, REGION_RECORD_LEAST) ||
	    !h->counted || h->counted > REGION_VALUES || h->events < h->counted ||
	    h->events > REGION_LIST + 1 || h->sets > REGION_SETS ||
	    h->records > REGION_FILE_RECORDS)
		return because(why, "damaged: sizes out of range");
	size = h->header_size + (uint64_t)h->event_size * h->events +
	       (uint64_t)h->set_size * h->sets + (uint64_t)h->record_size * h->records +
	       sizeof(uint64_t);
	if (h->file_size != size)
		return because(why, "damaged: the sizes of its parts do not add up");
	if (f->size < size)
		return because(why, "truncated: %zu of %zu bytes", f->size, (size_t)size);
	if (f->size > size)
		return because(why, "damaged: %zu bytes follow its end", f->size - (size_t)size);
	copy_part(h, f->data, sizeof(*h), h->header_size);
	return 0;
}

static const unsigned char *event_at(const struct region_file *f, unsigned int i)
{
	return f->data + f->header.header_size + (size_t)i * f->header.event_size;
}

static const unsigned char *set_at(const struct region_file *f, unsigned int i)
{
	return event_at(f, f->header.events) + (size_t)i * f->header.set_size;
}

static const unsigned char *region_record_at(const struct region_file *f, unsigned int i)
{
	return set_at(f, f->header.sets) + (size_t)i * f->header.record_size;
}

struct region_file_event region_file_event(const struct region_file *f, unsigned int i)
{
	struct region_file_event event;

	memcpy(&event, event_at(f, i), sizeof(event));
	return event;
}

struct region_file_set region_file_set(const struct region_file *f, unsigned int i)
{
	struct region_file_set set;

	memcpy(&set, set_at(f, i), sizeof(set));
	return set;
}

struct region_record region_file_record(const struct region_file *f, unsigned int i)
{
	struct region_record record;

	copy_part(&record, region_record_at(f, i), sizeof(record), f->header.record_size);
	return record;
}

static bool is_earlier_event(const struct region_file *f, unsigned int event, const char *name)
{
	struct region_file_event earlier;
	unsigned int i;

	for (i = 0; i < event; i++) {
		earlier = region_file_event(f, i);
		if (!strcmp(earlier.name, name))
			return true;
	}
	return false;
}

/* True if the counts of the node in a record are valid. */
static bool is_node_record(const struct region_header *h, const struct region_record *record)
{
	const struct region_node_count *n;

	for (n = record->node; n < record->node + REGION_NODE_COUNTERS; n++)
		if ((n->count && !n->cycles) ||
		    (n->cycles && (!record->calls || n >= record->node + h->node_counters)))
			return false;
	return true;
}

static bool is_node_header(const struct region_header *h)
{
	unsigned int i, k;

	if (h->node_counters > REGION_NODE_COUNTERS ||
	    (*h->family && !is_region_text(h->family, sizeof(h->family))))
		return false;
	for (i = 0; i < h->node_counters; i++) {
		if (!is_region_text(h->node_counter[i], sizeof(h->node_counter[i])))
			return false;
		for (k = 0; k < i; k++)
			if (!strcmp(h->node_counter[k], h->node_counter[i]))
				return false;
	}
	return true;
}

static int check_parts(const struct region_file *f, struct why *why)
{
	const struct region_header *h = &f->header;
	struct region_record record;
	struct region_file_event event;
	struct region_file_set set;
	unsigned int i;

	if (!is_region_text(h->host, sizeof(h->host)) ||
	    !is_region_text(h->mode, sizeof(h->mode)) ||
	    !is_region_text(h->command, sizeof(h->command)) || h->rank < -1 ||
	    h->group > h->groups || !h->group != !h->groups || h->end_tsc < h->begin_tsc ||
	    h->end_ns < h->begin_ns || !is_node_header(h))
		return because(why, "damaged: its header is out of range");
	for (i = 0; i < h->events; i++) {
		event = region_file_event(f, i);
		if (!is_region_text(event.name, sizeof(event.name)))
			return because(why, "damaged: event %u has no name", i);
		if (i < h->counted && is_earlier_event(f, i, event.name))
			return because(why, "damaged: two events are %s", event.name);
	}
	for (i = 0; i < h->sets; i++) {
		set = region_file_set(f, i);
		if (set.number >= REGION_SETS || !is_region_text(set.name, sizeof(set.name)))
			return because(why, "damaged: set %u is out of range", i);
	}
	for (i = 0; i < h->records; i++) {
		record = region_file_record(f, i);
		if (record.set >= h->sets || record.thread >= REGION_THREADS ||
		    !region_record_is_valid(&record, h->counted) || !is_node_record(h, &record))
			return because(why, "damaged: record %u is out of range", i);
	}
	return 0;
}

int region_file_check(struct region_file *f, struct why *why)
{
	uint64_t sum;

	if (check_header(f, why))
		return -1;
	memcpy(&sum, f->data + f->size - sizeof(sum), sizeof(sum));
	if (region_checksum(REGION_CHECKSUM_BEGIN, f->data, f->size - sizeof(sum)) != sum)
		return because(why, "damaged: its checksum is wrong");
	return check_parts(f, why);
}

/* Reads all of a regular file. */
static int read_contents(struct region_file *f, int fd, struct why *why)
{
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st))
		return because(why, "%s", strerror(errno));
	if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size > FILE_SIZE_MAX)
		return because(why, "not a file of librcrregion");
	f->data = malloc(st.st_size + 1);
	if (!f->data)
		return because(why, "out of memory");
	while ((n = read(fd, f->data + f->size, st.st_size + 1 - f->size)) > 0)
		f->size += n;
	return n < 0 ? because(why, "%s", strerror(errno)) : 0;
}

int region_file_read(struct region_file *f, const char *path, struct why *why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), ret;

	*f = (struct region_file){ };
	if (fd < 0)
		return because(why, "%s", strerror(errno));
	ret = read_contents(f, fd, why);
	close(fd);
	if (!ret)
		ret = region_file_check(f, why);
	if (ret)
		region_file_free(f);
	return ret;
}

void region_file_free(struct region_file *f)
{
	free(f->data);
	*f = (struct region_file){ };
}

struct region_total *region_file_totals(const struct region_file *f)
{
	struct region_total *totals = calloc(f->header.sets + 1, sizeof(*totals)), *t;
	struct region_record record;
	struct region_value *v;
	unsigned int i, k;

	for (i = 0; totals && i < f->header.records; i++) {
		record = region_file_record(f, i);
		t = &totals[record.set];
		for (k = 0; record.calls && k < f->header.counted; k++) {
			v = &t->value[k];
			if (!t->calls || record.value[k].min < v->min)
				v->min = record.value[k].min;
			if (record.value[k].max > v->max)
				v->max = record.value[k].max;
			v->sum += record.value[k].sum;
		}
		for (k = 0; k < f->header.node_counters; k++) {
			t->node[k].count += record.node[k].count;
			t->node[k].cycles += record.node[k].cycles;
		}
		t->threads++;
		t->calls += record.calls;
		t->lost += record.lost;
		t->open |= record.flags & REGION_OPEN;
	}
	return totals;
}

bool region_total_rate(const struct region_file *f, const struct region_total *t, unsigned int i,
		       char name[COUNTER_NAME_LEN], double *rate)
{
	const struct region_header *h = &f->header;
	double ns = (int64_t)(h->end_ns - h->begin_ns);

	if (!t->node[i].cycles || ns <= 0)
		return false;
	snprintf(name, COUNTER_NAME_LEN, NODE_PREFIX "%s", h->node_counter[i]);
	*rate = t->node[i].count / t->node[i].cycles * (h->end_tsc - h->begin_tsc) / ns * 1e9;
	return true;
}

void region_file_process(const struct region_file *f, char text[REGION_PROCESS_LEN])
{
	if (f->header.rank >= 0)
		snprintf(text, REGION_PROCESS_LEN, "%d", f->header.rank);
	else
		snprintf(text, REGION_PROCESS_LEN, "%s:%u", f->header.host, f->header.pid);
}
