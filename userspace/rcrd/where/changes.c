// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * changes.c - parse records of perf and lines of /proc/PID/maps. The kernel writes them, but
 * programs choose the paths and names in them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "where/changes.h"

/* The sample_id at the end of each record, with the fields that change_init_attr() selects. */
struct record_end {
	uint32_t pid, tid;
	uint64_t time;
};

struct record_task {
	struct perf_event_header head;
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;
};

struct record_name {
	struct perf_event_header head;
	uint32_t pid, tid;
	char name[];
};

struct record_map {
	struct perf_event_header head;
	uint32_t pid, tid;
	uint64_t begin, length, offset;
	union {
		struct {
			uint32_t major, minor;
			uint64_t inode, generation;
		} place;
		struct {
			uint8_t size, pad[3];
			uint8_t id[FILE_ID];
		} build;
	} file;
	uint32_t prot, flags;
	char path[];
};

struct record_lost {
	struct perf_event_header head;
	uint64_t id, lost;
};

void change_init_attr(struct perf_event_attr *attr)
{
	*attr = (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(*attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.mmap = 1, .mmap2 = 1, .build_id = 1,
		.comm = 1, .comm_exec = 1, .task = 1,
		.use_clockid = 1, .clockid = CLOCK_MONOTONIC,
		/* Never wake up a reader. */
		.watermark = 1, .wakeup_watermark = UINT32_MAX,
	};
}

/* The sample_id of a record with at least @least bytes before it; NULL if it is shorter. */
static const struct record_end *end_of_record(const void *record, size_t size, size_t least)
{
	const struct perf_event_header *head = record;

	if (size < sizeof(*head) || head->size != size || size % 8 ||
	    size < least + sizeof(struct record_end))
		return NULL;
	return (const void *)((const char *)record + size - sizeof(struct record_end));
}

uint64_t change_time(const void *record, size_t size)
{
	const struct record_end *end = end_of_record(record, size,
						     sizeof(struct perf_event_header));

	return end ? end->time : 0;
}

/* True if @text is terminated before @end. */
static bool has_text(const char *text, const struct record_end *end)
{
	return text < (const char *)end && memchr(text, 0, (const char *)end - text);
}

static void read_name(struct change *c, const struct record_name *r, const struct record_end *end)
{
	/* A process has the name of its first thread. */
	if (r->pid != r->tid || !has_text(r->name, end))
		return;
	c->kind = r->head.misc & PERF_RECORD_MISC_COMM_EXEC ? CHANGE_EXEC : CHANGE_NAME;
	c->tgid = r->pid;
	snprintf(c->name, sizeof(c->name), "%.15s", r->name);
}

/*
 * Names such as "[vdso]" and "//anon" are not paths. The offset of memory without a file is its
 * address, which must not be disclosed.
 */
static void take_path(struct change *c, const char *path)
{
	c->is_file = *path == '/' && path[1] != '/';
	c->file.path = c->is_file ? path : "";
	if (!c->is_file)
		c->offset = 0;
}

static void read_map(struct change *c, const struct record_map *r, const struct record_end *end)
{
	if (!(r->prot & PROT_EXEC) || !has_text(r->path, end))
		return;
	*c = (struct change){
		.kind = CHANGE_MAP, .time = c->time, .tgid = r->pid,
		.begin = r->begin, .length = r->length, .offset = r->offset,
	};
	take_path(c, r->path);
	if (!(r->head.misc & PERF_RECORD_MISC_MMAP_BUILD_ID)) {
		c->file.major = r->file.place.major;
		c->file.minor = r->file.place.minor;
		c->file.inode = r->file.place.inode;
		return;
	}
	c->file.id_size = r->file.build.size <= FILE_ID ? r->file.build.size : 0;
	memcpy(c->file.id, r->file.build.id, c->file.id_size);
}

static void read_task(struct change *c, const struct record_task *r)
{
	/* Ignore all threads but the first. */
	if (r->pid != r->tid)
		return;
	c->kind = r->head.type == PERF_RECORD_FORK ? CHANGE_FORK : CHANGE_EXIT;
	c->tgid = r->pid;
	c->parent = r->ppid;
}

void change_read(struct change *c, const void *record, size_t size)
{
	const struct perf_event_header *head = record;
	const struct record_end *end = end_of_record(record, size, sizeof(*head));

	*c = (struct change){ .kind = CHANGE_OTHER };
	if (!end)
		return;
	c->time = end->time;
	if (head->type == PERF_RECORD_COMM &&
	    end_of_record(record, size, sizeof(struct record_name)))
		read_name(c, record, end);
	else if (head->type == PERF_RECORD_MMAP2 &&
		 end_of_record(record, size, sizeof(struct record_map)))
		read_map(c, record, end);
	else if ((head->type == PERF_RECORD_FORK || head->type == PERF_RECORD_EXIT) &&
		 end_of_record(record, size, sizeof(struct record_task)))
		read_task(c, record);
	else if (head->type == PERF_RECORD_LOST &&
		 end_of_record(record, size, sizeof(struct record_lost))) {
		c->kind = CHANGE_LOST;
		c->lost = ((const struct record_lost *)record)->lost;
	}
}

/* The kernel escapes a newline in a path as "\012". */
static void restore_newlines(char *path)
{
	char *at = path;

	while ((at = strstr(at, "\\012"))) {
		*at++ = '\n';
		memmove(at, at + 3, strlen(at + 3) + 1);
	}
}

bool change_read_maps(struct change *c, uint32_t tgid, char *line)
{
	char rights[5] = "";
	int path = 0;
	uint64_t end;

	*c = (struct change){ .kind = CHANGE_MAP, .tgid = tgid };
	line[strcspn(line, "\n")] = 0;
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n",
		   &c->begin, &end, rights, &c->offset, &c->file.major, &c->file.minor,
		   &c->file.inode, &path) < 7 || !path || rights[2] != 'x' || end <= c->begin)
		return false;
	c->length = end - c->begin;
	restore_newlines(line + path);
	take_path(c, line + path);
	return true;
}
