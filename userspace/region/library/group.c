// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * group.c - the events of a thread: one pinned perf group, whose events count all the time or are
 * in error, so that no count is scaled. Its pages are mapped one after the other where the kernel
 * lets programs read counters by rdpmc.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "library/fast.h"

/* What read() of a group returns. */
struct group_counts {
	uint64_t events;
	uint64_t enabled_ns;
	uint64_t running_ns;
	uint64_t count[REGION_EVENTS];
};

/*
 * The program has the low numbers to itself, half of its limit or so many: it may take 3 by dup2(),
 * and needs a file for each of its own threads.
 */
#define FIRST_DESCRIPTOR	1024

/* Gives a descriptor a high number; returns that, or -1. */
static int raise_descriptor(int fd)
{
	struct rlimit limit;
	int first = FIRST_DESCRIPTOR, high, error;

	if (fd < 0)
		return fd;
	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur / 2 < FIRST_DESCRIPTOR)
		first = limit.rlim_cur / 2;
	high = fcntl(fd, F_DUPFD_CLOEXEC, first);
	error = errno;
	close(fd);
	errno = error;
	return high;
}

static int open_group_event(const struct region_event *event, int leader)
{
	struct perf_event_attr attr = {
		.type = event->type,
		.size = sizeof(attr),
		.config = event->config,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = leader < 0,
		.pinned = leader < 0,
		.exclude_kernel = !region_process.kernel,
		.exclude_hv = 1,
	};

	return raise_descriptor(syscall(SYS_perf_event_open, &attr, 0, -1, leader,
					PERF_FLAG_FD_CLOEXEC));
}

/* True unless the program has closed the event, and may have a file of its own there. */
static bool is_own_event(const struct region_thread *t, unsigned int event)
{
	uint64_t id;

	return t->fd[event] >= 0 && !ioctl(t->fd[event], PERF_EVENT_IOC_ID, &id) &&
	       id == t->id[event];
}

static void close_event(struct region_thread *t, unsigned int event)
{
	if (is_own_event(t, event))
		close(t->fd[event]);
	t->fd[event] = -1;
}

/* Maps the pages of all events. */
static bool map_group_pages(struct region_thread *t)
{
	unsigned int i;

	t->page = mmap(NULL, REGION_EVENTS * REGION_PAGE, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (t->page == MAP_FAILED) {
		t->page = NULL;
		return false;
	}
	for (i = 0; i < t->count; i++) {
		if (mmap(t->page + i * REGION_PAGE, REGION_PAGE, PROT_READ, MAP_SHARED | MAP_FIXED,
			 t->fd[i], 0) == MAP_FAILED)
			return false;
	}
	return true;
}

static void unmap_group_pages(struct region_thread *t)
{
	if (t->page)
		munmap(t->page, REGION_EVENTS * REGION_PAGE);
	t->page = NULL;
}

/* True if the kernel lets this thread read the events by rdpmc, and all are of one width. */
static bool can_use_rdpmc(struct region_thread *t)
{
	const volatile struct perf_event_mmap_page *page;
	unsigned int i;

	for (i = 0; i < t->count; i++) {
		page = region_page(t, i);
		if (!page->cap_user_rdpmc || !page->pmc_width || page->pmc_width > 63 ||
		    (i && page->pmc_width != t->width))
			return false;
		t->width = page->pmc_width;
	}
	t->mask = (1ull << t->width) - 1;
	return true;
}

/* Reads the group, and the time for which it was enabled and did not count. */
static bool read_group_counts(const struct region_thread *t, uint64_t count[REGION_EVENTS],
			      uint64_t *missed_ns)
{
	struct group_counts counts;
	size_t size = offsetof(struct group_counts, count) + t->count * sizeof(uint64_t);

	/* The end of the file: a pinned group is in error. */
	if (!t->count || read(t->fd[0], &counts, sizeof(counts)) != (ssize_t)size ||
	    counts.events != t->count)
		return false;
	memcpy(count, counts.count, t->count * sizeof(uint64_t));
	*missed_ns = counts.enabled_ns - counts.running_ns;
	return true;
}

/* The events of @t that are open count. */
static bool enable_group(struct region_thread *t)
{
	uint64_t count[REGION_EVENTS];

	return is_own_event(t, 0) &&
	       !ioctl(t->fd[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP) &&
	       read_group_counts(t, count, &t->missed_ns);
}

/* Opens the first @count events of the process, which do not count yet; returns 0 or an errno. */
static int open_group_events(struct region_thread *t, unsigned int count)
{
	int error;

	for (t->count = 0; t->count < count; t->count++) {
		t->fd[t->count] = open_group_event(&region_process.event[t->count],
						   t->count ? t->fd[0] : -1);
		if (t->fd[t->count] >= 0) {
			if (ioctl(t->fd[t->count], PERF_EVENT_IOC_ID, &t->id[t->count]))
				t->id[t->count] = 0;
			continue;
		}
		error = errno;
		region_group_close(t);
		return error;
	}
	return 0;
}

static bool is_right_counter(unsigned int event, uint32_t counter)
{
	uint32_t counters = region_process.event[event].counters;

	return !counters || (counter < 32 && counters >> counter & 1);
}

/* Reads where the counters are; false if they do not count, or not their events. */
static bool locate_counters(struct region_thread *t)
{
	const volatile struct perf_event_mmap_page *page;
	uint64_t missed_ns = t->missed_ns;
	uint32_t lock, locks = 0;
	unsigned int i;

	for (i = 0; i < t->count; i++) {
		page = region_page(t, i);
		do {
			lock = page->lock;
			t->index[i] = page->index - 1;
			t->offset[i] = page->offset;
			/* On a CPU that has no such events the group waits, and is not in error. */
			if (!i)
				missed_ns = page->time_enabled - page->time_running;
		} while (page->lock != lock);
		locks += lock;
		/* Of another sum than this the next call finds that they were moved. */
		t->locks = locks - 1;
		if (t->index[i] == -1u || !is_right_counter(i, t->index[i]))
			return false;
	}
	if (missed_ns != t->missed_ns)
		return false;
	t->locks = locks;
	return true;
}

int region_group_open(struct region_thread *t)
{
	int error = open_group_events(t, region_process.count);
	unsigned int i;
	bool mapped;

	if (error)
		return error;
	/* The offsets of pages that are mapped later can be short by 2^width. */
	mapped = map_group_pages(t);
	if (!enable_group(t)) {
		region_group_close(t);
		return EAGAIN;
	}
	if (!mapped || !can_use_rdpmc(t)) {
		unmap_group_pages(t);
		return 0;
	}
	t->fast = t->count;
	locate_counters(t);
	region_process.by_rdpmc = true;
	/* Their pages keep the events. */
	for (i = 1; i < t->count; i++)
		close_event(t, i);
	return 0;
}

void region_group_close(struct region_thread *t)
{
	unsigned int count = t->count;

	t->fast = 0;
	t->count = 0;
	unmap_group_pages(t);
	while (count--)
		close_event(t, count);
}

void region_group_disable(const struct region_thread *t)
{
	if (t->count && is_own_event(t, 0))
		ioctl(t->fd[0], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
}

bool region_group_read(const struct region_thread *t, uint64_t count[REGION_EVENTS])
{
	uint64_t missed_ns;

	return read_group_counts(t, count, &missed_ns) && missed_ns == t->missed_ns;
}

/* The count of an event whose register has that value, which is sign-extended. */
static uint64_t register_count(const struct region_thread *t, unsigned int event, uint64_t value)
{
	unsigned int shift = 64 - t->width;

	return t->offset[event] + (uint64_t)((int64_t)(value << shift) >> shift);
}

uint64_t region_start_count(const struct region_thread *t, const struct region_set *r,
			    unsigned int event)
{
	uint64_t value = r->start[event].whole;

	return r->depth & REGION_WHOLE ? value : register_count(t, event, value);
}

/* Starts that have values of registers get counts, before the offsets of these are replaced. */
static void keep_starts(struct region_thread *t)
{
	struct region_set *r;
	unsigned int i;

	for (r = t->first; r; r = r->next) {
		if (!region_is_open(r) || r->depth & REGION_WHOLE)
			continue;
		/* A signal handler in RCR_Start(), which finds that they were moved, or has. */
		if (r->depth & REGION_STARTING) {
			r->depth |= REGION_LOST | REGION_WHOLE;
			continue;
		}
		for (i = 0; i < t->count; i++)
			r->start[i].whole = register_count(t, i, r->start[i].whole);
		FORGET_VALUES();
		r->depth |= REGION_WHOLE;
	}
	/* dump.c: with a depth without REGION_WHOLE the offsets are those of the start. */
	FORGET_VALUES();
}

static bool counts_by_rdpmc(struct region_thread *t, uint64_t count[REGION_EVENTS])
{
	unsigned int i;

	for (;;) {
		if (!region_unmoved(t, t->fast, t->locks)) {
			keep_starts(t);
			if (!locate_counters(t))
				return false;
		}
		for (i = 0; i < t->fast; i++)
			count[i] = register_count(t, i, read_pmc(t->index[i]));
		if (region_unmoved(t, t->fast, t->locks))
			return true;
	}
}

/*
 * The counts of the calling thread. False if the counters were taken away: the sections that are
 * open then have no counts, and those that start later do if there are counters again.
 */
bool region_counts(struct region_thread *t, uint64_t count[REGION_EVENTS])
{
	struct region_set *r;
	bool counted = t->fast ? counts_by_rdpmc(t, count) : region_group_read(t, count);

	if (!counted) {
		for (r = t->first; r; r = r->next)
			r->depth |= region_is_open(r) ? REGION_LOST | REGION_WHOLE : 0;
		/* A pinned group in error is tried again by enabling it. */
		counted = t->count && enable_group(t) &&
			  (t->fast ? counts_by_rdpmc(t, count) : region_group_read(t, count));
	}
	return counted;
}

/* True if each event of the group is where it is counted. */
static bool is_group_right(struct region_thread *t)
{
	unsigned int i;

	if (t->fast)
		return locate_counters(t);
	/* Where the events are is not known. */
	for (i = 0; i < t->count && !region_process.event[i].counters; i++)
		;
	return i == t->count;
}

/* Opens the group, which does not stay open; returns 0 or an errno. */
static int try_group(uint32_t counter[REGION_EVENTS])
{
	static struct region_thread trial;
	int error = region_group_open(&trial);
	unsigned int i;

	if (!error && !is_group_right(&trial))
		error = EXDEV;
	for (i = 0; i < REGION_EVENTS; i++)
		counter[i] = trial.fast && i < trial.count ?
			     region_page(&trial, i)->index - 1 : -1u;
	region_group_close(&trial);
	return error;
}

/* Gives each counter from the one of number @i on an event that is not in @used; false: cannot. */
static bool match_counters(const uint32_t counter[REGION_EVENTS], unsigned int i, uint32_t used,
			   unsigned int order[REGION_EVENTS])
{
	unsigned int event;

	if (i == region_process.count)
		return true;
	for (event = 0; event < region_process.count; event++) {
		if (used >> event & 1 || !is_right_counter(event, counter[i]))
			continue;
		order[i] = event;
		if (match_counters(counter, i + 1, used | 1u << event, order))
			return true;
	}
	return false;
}

/*
 * The kernel takes counters in the order of the events: puts these into an order in which each gets
 * one that counts it. Returns false if there is none.
 */
static bool reorder_group(const uint32_t counter[REGION_EVENTS])
{
	struct region_process *p = &region_process;
	struct region_event was[REGION_EVENTS];
	unsigned int order[REGION_EVENTS], i;

	if (counter[0] == -1u || !match_counters(counter, 0, 0, order))
		return false;
	memcpy(was, p->event, sizeof(was));
	for (i = 0; i < p->count; i++)
		p->event[i] = was[order[i]];
	return true;
}

/* Adds an event to the group; returns 0, or an errno with the group as it was. */
int region_add_event(const struct region_event *event)
{
	struct region_process *p = &region_process;
	struct region_event was[REGION_EVENTS];
	uint32_t counter[REGION_EVENTS];
	int error;

	if (p->count == REGION_EVENTS)
		return EINVAL;
	memcpy(was, p->event, sizeof(was));
	p->event[p->count++] = *event;
	error = try_group(counter);
	if (error == EXDEV && reorder_group(counter))
		error = try_group(counter);
	if (!error)
		return 0;
	memcpy(p->event, was, sizeof(was));
	p->count--;
	return error;
}
