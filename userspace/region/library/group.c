// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * group.c - the events of a thread: one pinned perf group, which either counts all the time or is
 * in error, so that counts need no scaling. If the kernel lets programs use rdpmc, the pages of the
 * events are mapped one after the other.
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

/* Layout of what read() returns for the group. */
struct group_counts {
	uint64_t events;
	uint64_t enabled_ns;
	uint64_t running_ns;
	uint64_t count[REGION_EVENTS];
};

/*
 * Leave the descriptors below this, or below half of the limit, to the program: it may expect fixed
 * numbers, as with dup2(), and may need a file for each of its threads.
 */
#define FIRST_DESCRIPTOR	1024

/* Moves a descriptor to a high number; returns the new one, or -1. */
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

/* False if the program has closed the descriptor, and may have reused its number. */
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

/* True if this thread may read the events with rdpmc, and all counters have the same width. */
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

/* Reads the group, and for how long it was enabled but did not count. */
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

/* Enables the group; returns false if it does not count. */
static bool enable_group(struct region_thread *t)
{
	uint64_t count[REGION_EVENTS];

	return is_own_event(t, 0) &&
	       !ioctl(t->fd[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP) &&
	       read_group_counts(t, count, &t->missed_ns);
}

/* Opens the first @count events of the process, disabled; returns 0 or an errno. */
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

/* Reads the numbers of the counters; returns false if one does not count its event. */
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
			/* On a CPU of another kind the group pauses without being in error. */
			if (!i)
				missed_ns = page->time_enabled - page->time_running;
		} while (page->lock != lock);
		locks += lock;
		/* If this fails halfway, a wrong sum makes the next call locate them again. */
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
	/* Map before enabling: the offset of a page that is mapped later may lack 2^width. */
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
	/* The mapped pages keep the events open. */
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

/* Returns the count of an event from the value of its register, which it sign-extends. */
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

/* Converts the starts of open sections to counts, before the offsets are replaced. */
static void keep_starts(struct region_thread *t)
{
	struct region_set *r;
	unsigned int i;

	for (r = t->first; r; r = r->next) {
		if (!region_is_open(r) || r->depth & REGION_WHOLE)
			continue;
		/* This signal handler interrupted RCR_Start(): the values there may be of both. */
		if (r->depth & REGION_STARTING) {
			r->depth |= REGION_LOST | REGION_WHOLE;
			continue;
		}
		for (i = 0; i < t->count; i++)
			r->start[i].whole = register_count(t, i, r->start[i].whole);
		FORGET_VALUES();
		r->depth |= REGION_WHOLE;
	}
	/* dump.c expects that offsets only change after REGION_WHOLE is set. */
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
 * Reads the counts of the calling thread. If the counters were taken away, marks all open sections
 * as lost, and tries to get counters again; returns false if there are none.
 */
bool region_counts(struct region_thread *t, uint64_t count[REGION_EVENTS])
{
	struct region_set *r;
	bool counted = t->fast ? counts_by_rdpmc(t, count) : region_group_read(t, count);

	if (!counted) {
		for (r = t->first; r; r = r->next)
			r->depth |= region_is_open(r) ? REGION_LOST | REGION_WHOLE : 0;
		/* Enabling a pinned group in error makes the kernel retry. */
		counted = t->count && enable_group(t) &&
			  (t->fast ? counts_by_rdpmc(t, count) : region_group_read(t, count));
	}
	return counted;
}

/* True if each event of the group has a counter that counts it. */
static bool is_group_right(struct region_thread *t)
{
	unsigned int i;

	if (t->fast)
		return locate_counters(t);
	/* Without rdpmc the counters are not known: allow only events that any counter counts. */
	for (i = 0; i < t->count && !region_process.event[i].counters; i++)
		;
	return i == t->count;
}

/* Opens the group, reads its counters, and closes it again; returns 0 or an errno. */
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

/* Assigns an event that is not in @used to each counter from @i on; returns false if impossible. */
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
 * Reorders the events so that each gets a counter that counts it: the kernel assigns the counters
 * in the order of the events. Returns false if there is no such order.
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

/* Adds an event to the group; returns 0, or an errno with the group unchanged. */
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
