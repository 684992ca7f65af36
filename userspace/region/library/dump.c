// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * dump.c - writes the file of the process. Writes under another name and renames it, so that no
 * reader finds an incomplete file. Takes no lock and allocates no memory, because a signal handler
 * may call it, while other threads count.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "library/region.h"

/* Most attempts to copy a set while its thread changes it. */
#define COPIES	1000

/**
 * struct region_output - the file that is being written
 * @fd: its descriptor
 * @error: errno of the first failure
 * @sum: checksum of all bytes so far
 * @used: used bytes of @buffer
 * @buffer: bytes that are not written yet
 */
struct region_output {
	int fd;
	int error;
	uint64_t sum;
	size_t used;
	char buffer[4096];
};

/* By set: its index in the file; number of sets in the file. */
static uint32_t file_index[REGION_SETS];
static uint32_t file_sets;

static void flush_output(struct region_output *o)
{
	size_t done = 0;
	ssize_t n;

	while (!o->error && done < o->used) {
		n = write(o->fd, o->buffer + done, o->used - done);
		if (n > 0)
			done += n;
		else if (!n || errno != EINTR)
			o->error = n ? errno : ENOSPC;
	}
	o->used = 0;
}

static void put_output(struct region_output *o, const void *data, size_t size)
{
	const char *at = data;
	size_t part;

	o->sum = region_checksum(o->sum, data, size);
	for (; size; size -= part, at += part) {
		if (o->used == sizeof(o->buffer))
			flush_output(o);
		part = sizeof(o->buffer) - o->used;
		part = part < size ? part : size;
		memcpy(o->buffer + o->used, at, part);
		o->used += part;
	}
}

/*
 * Ends the open section of another thread in @r, a copy of its set. The offsets of the thread match
 * the registers at the start as long as the depth of the original set does not change.
 */
static void end_other(const struct region_thread *t, struct region_set *r)
{
	uint64_t count[REGION_EVENTS], tsc = region_tsc();
	unsigned int i;

	if (r->depth & (REGION_LOST | REGION_STARTING) || !region_group_read(t, count))
		return;
	for (i = 0; i <= t->count; i++) {
		uint64_t n = i ? count[i - 1] - region_start_count(t, r, i - 1) :
				 tsc - r->start_tsc;

		r->value[i].sum += n;
		r->value[i].min = n < r->value[i].min ? n : r->value[i].min;
		r->value[i].max = n > r->value[i].max ? n : r->value[i].max;
	}
	r->calls++;
	r->depth = 0;
}

/* Makes the record of a set while its thread may change it: retries until a copy is consistent. */
static void copy_region_set(const struct region_thread *t, const struct region_set *r,
			    unsigned int thread, struct region_record *record)
{
	unsigned int copies, i, counted = region_process.count + 1;
	struct region_set copy, was;

	for (copies = 0; copies < COPIES; copies++) {
		was = *(const volatile struct region_set *)r;
		copy = was;
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		if (region_is_open(&copy))
			end_other(t, &copy);
		*record = (struct region_record){
			.set = file_index[r->number],
			.thread = thread,
			.flags = region_is_open(&copy) ? REGION_OPEN : 0,
			.calls = copy.calls,
			.lost = copy.lost,
		};
		for (i = 0; copy.calls && i < counted; i++)
			record->value[i] = copy.value[i];
		if (copy.calls)
			memcpy(record->node, copy.node, sizeof(record->node));
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		if (r->calls == was.calls && r->depth == was.depth &&
		    region_record_is_valid(record, counted))
			return;
	}
	/* The thread never pauses, so no copy is consistent: report all of its calls as lost. */
	*record = (struct region_record){
		.set = file_index[r->number],
		.thread = thread,
		.lost = was.lost + was.calls + 1,
	};
}

/* Chooses the records for the file, and numbers their sets; returns the number of records. */
static uint32_t choose_records(void)
{
	struct region_thread *t;
	struct region_set *r;
	uint32_t records = 0;

	memset(file_index, 0xff, sizeof(file_index));
	file_sets = 0;
	for (t = region_process.threads; t; t = t->next) {
		for (r = t->first; r; r = r->next) {
			r->in_file = (r->calls || r->lost || region_is_open(r)) &&
				     records < REGION_FILE_RECORDS;
			records += r->in_file;
			if (r->in_file && file_index[r->number] == -1u)
				file_index[r->number] = file_sets++;
		}
	}
	return records;
}

/* Replaces characters of a name that must not be in the file, or in its name. */
static void clean_name(char name[REGION_TEXT_LEN])
{
	char *at;

	for (at = name; *at; at++)
		*at = region_is_control(at) || *at == '/' ? '?' : *at;
	if (!*name)
		strcpy(name, "unknown");
}

static void make_header(struct region_header *h, uint32_t records, int signal)
{
	const struct region_process *p = &region_process;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	*h = (struct region_header){
		.magic = REGION_MAGIC,
		.version = REGION_VERSION,
		.header_size = sizeof(struct region_header),
		.event_size = sizeof(struct region_file_event),
		.set_size = sizeof(struct region_file_set),
		.record_size = sizeof(struct region_record),
		.events = p->events + 1,
		.counted = p->count + 1,
		.sets = file_sets,
		.records = records,
		.flags = (signal ? 0 : REGION_COMPLETE) | (p->kernel ? REGION_WITH_KERNEL : 0) |
			 (p->by_rdpmc ? REGION_BY_RDPMC : 0),
		.rank = p->rank,
		.pid = p->pid,
		.signal = signal,
		.group = p->group,
		.groups = p->groups,
		.begin_ns = p->begin_ns,
		.begin_tsc = p->begin_tsc,
		.end_ns = p->begin_ns + (now.tv_sec * 1000000000ull + now.tv_nsec -
					 p->begin_steady_ns),
		.end_tsc = region_tsc(),
	};
	h->file_size = sizeof(*h) + h->events * sizeof(struct region_file_event) +
		       h->sets * sizeof(struct region_file_set) +
		       h->records * sizeof(struct region_record) + sizeof(uint64_t);
	if (gethostname(h->host, sizeof(h->host) - 1))
		*h->host = 0;
	clean_name(h->host);
	strncpy(h->command, program_invocation_short_name, sizeof(h->command) - 1);
	clean_name(h->command);
	strncpy(h->mode, p->mode.name, sizeof(h->mode) - 1);
	region_node_describe(h);
}

static void put_events(struct region_output *o)
{
	const struct region_process *p = &region_process;
	struct region_file_event event = { .name = "tsc", .type = -1u, .cost = p->cost[0] };
	unsigned int i;

	put_output(o, &event, sizeof(event));
	for (i = 0; i < p->events; i++) {
		event = (struct region_file_event){
			.type = p->event[i].type,
			.config = p->event[i].config,
			.cost = i < p->count ? p->cost[i + 1] : 0,
		};
		strncpy(event.name, p->event[i].name, sizeof(event.name) - 1);
		put_output(o, &event, sizeof(event));
	}
}

/* Writes the sets in the order of their indices. */
static void put_sets(struct region_output *o)
{
	struct region_file_set set;
	unsigned int number, index;

	for (index = 0; index < file_sets; index++) {
		for (number = 0; file_index[number] != index; number++)
			;
		set = (struct region_file_set){ .number = number };
		if (region_set_name(number))
			strcpy(set.name, region_set_name(number));
		else
			snprintf(set.name, sizeof(set.name), "%u", number);
		put_output(o, &set, sizeof(set));
	}
}

static void put_records(struct region_output *o)
{
	struct region_record record;
	struct region_thread *t;
	unsigned int thread = 0;
	struct region_set *r;

	for (t = region_process.threads; t; t = t->next, thread++) {
		for (r = t->first; r; r = r->next) {
			if (!r->in_file)
				continue;
			copy_region_set(t, r, thread, &record);
			put_output(o, &record, sizeof(record));
		}
	}
}

/* Writes a new file with all parts; returns 0 or an errno. */
static int write_region_file(const char *path, const struct region_header *h)
{
	struct region_output o = {
		.fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666),
		.sum = REGION_CHECKSUM_BEGIN,
	};
	uint64_t sum;

	if (o.fd < 0)
		return errno;
	put_output(&o, h, sizeof(*h));
	put_events(&o);
	put_sets(&o);
	put_records(&o);
	sum = o.sum;
	put_output(&o, &sum, sizeof(sum));
	flush_output(&o);
	if (close(o.fd) && !o.error)
		o.error = errno;
	return o.error;
}

int region_dump(int signal)
{
	static char path[REGION_PATH_LEN + 256], hidden[sizeof(path) + 8];
	struct region_header h;
	uint32_t records = choose_records();
	struct region_quiet quiet;
	int error;

	if (!records && region_process.forked)
		return 0;
	make_header(&h, records, signal);
	snprintf(path, sizeof(path), "%s/%s.%u.%llx.rcr", region_process.directory, h.host, h.pid,
		 (unsigned long long)h.begin_ns);
	snprintf(hidden, sizeof(hidden), "%s.new", path);
	/* Block SIGXFSZ: a limit on file sizes must not end the program. */
	region_quiet(&quiet);
	error = write_region_file(hidden, &h);
	if (!error && rename(hidden, path))
		error = errno;
	region_loud(&quiet);
	if (!error)
		return 0;
	unlink(hidden);
	return region_say(REGION_SAY_FILE, "%s: %s: the counts of this process are lost", path,
			  strerrordesc_np(error));
}
