// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * public.c - write the public board to a file. The file is reused when rcrd restarts, and its size
 * never changes, so that readers can keep it mapped.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "public.h"
#include "rcr.h"

#define NEW_PATH PUBLIC_PATH ".new"

/* Interval of searches for meters while none is shown, ns. */
#define SEARCH_NS 1000000000ull

static bool is_coarse(uint32_t kind)
{
	return kind <= RCR_PLACE_PACKAGE;
}

/* Map the page of a file. Returns NULL on failure. */
static struct page_board *map_page(int fd)
{
	void *at = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return at == MAP_FAILED ? NULL : at;
}

/* Open the page of an earlier rcrd. Returns NULL if there is none, or its version differs. */
static struct page_board *open_old_page(void)
{
	int fd = open(PUBLIC_PATH, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	struct page_board *at = NULL;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && !st.st_uid &&
	    (st.st_mode & 07777) == 0644 && st.st_size == PAGE_BYTES)
		at = map_page(fd);
	close(fd);
	if (at && !page_is_known(at)) {
		munmap(at, PAGE_BYTES);
		at = NULL;
	}
	return at;
}

/* Create the file. Write zeros, since touching a hole without free memory causes SIGBUS. */
static struct page_board *create_page(struct page *p, const struct rcr_board *all)
{
	static const char zero[PAGE_BYTES];
	struct page_board *at = NULL;
	int fd;

	if (unlink(NEW_PATH) && errno != ENOENT)
		return NULL;
	fd = open(NEW_PATH, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return NULL;
	errno = ENOSPC;
	if (write(fd, zero, sizeof(zero)) == sizeof(zero))
		at = map_page(fd);
	close(fd);
	if (!at)
		return NULL;
	page_begin(p, at, all);
	return rename(NEW_PATH, PUBLIC_PATH) ? NULL : at;
}

int public_open(struct public *p, bool enabled, struct why *why)
{
	char text[RCR_SENTENCE_LEN];
	struct page_board *at;

	if (!enabled)
		return unlink(PUBLIC_PATH) && errno != ENOENT ?
		       because(why, PUBLIC_PATH ": %s", strerror(errno)) : 0;
	p->board = rcr_board_open(NULL);
	if (!p->board)
		return because(why, "%s", rcr_board_open_error(NULL, errno, text, sizeof(text)));
	p->changes = 1;
	at = open_old_page();
	if (at)
		page_begin(&p->page, at, rcr_board_head(p->board));
	else
		at = create_page(&p->page, rcr_board_head(p->board));
	return at ? 0 : because(why, PUBLIC_PATH ": %s", strerror(errno));
}

/* Find the entries of a meter of blackboard 1 at coarse places, at most PAGE_ENTRIES. */
static unsigned int find_sources(const struct public *p, const struct rcr_board_meter *m,
				 struct page_source from[PAGE_ENTRIES])
{
	const struct rcr_board_entry *e;
	const struct rcr_board_place *place;
	unsigned int i, count = 0;

	for (i = m->first; i < m->first + m->entries && count < PAGE_ENTRIES; i++) {
		e = rcr_board_entry(p->board, i);
		place = e ? rcr_board_place(p->board, e->place) : NULL;
		if (!place || e->serial != m->serial || !is_coarse(place->kind))
			continue;
		from[count++] = (struct page_source){ i, m->serial, place->kind, place->number };
	}
	return count;
}

/* Ignore errors: if a meter was removed, the board has changed and will be read again. */
static void subscribe_shown(const struct public *p)
{
	struct rcr_meter meter = { 0 };
	unsigned int i;

	for (i = 0; i < PAGE_ENTRIES; i++) {
		meter.entry = p->page.shown[i].entry;
		meter.serial = p->page.shown[i].serial;
		if (meter.serial)
			rcr_board_subscribe(p->board, &meter, PAGE_PERIOD_NS);
	}
}

/* Show the public meters of blackboard 1, unless it changes in the meantime. */
static void update_meters(struct public *p, uint32_t changes)
{
	static struct rcr_board_meter meters[RCR_METERS_MAX];
	struct page_source from[PAGE_ENTRIES];
	int i, count = rcr_board_meters(p->board, meters, RCR_METERS_MAX), left = 0;
	unsigned int entries;

	if (count < 0)
		return;
	for (i = 0; i < count; i++)
		if (meters[i].flags & RCR_METER_PUBLIC && meters[i].entries)
			meters[left++] = meters[i];
	page_keep_meters(&p->page, meters, left);
	for (i = 0; i < left; i++) {
		entries = find_sources(p, &meters[i], from);
		page_set_meter(&p->page, &meters[i], from, entries);
	}
	subscribe_shown(p);
	p->changes = changes;
}

/* Copy the values of all shown entries. Returns their number. */
static unsigned int copy_values(struct public *p)
{
	struct rcr_board_value value;
	struct rcr_meter meter = { 0 };
	unsigned int i, count = 0;

	for (i = 0; i < PAGE_ENTRIES; i++) {
		meter.entry = p->page.shown[i].entry;
		meter.serial = p->page.shown[i].serial;
		if (!meter.serial)
			continue;
		count++;
		if (!rcr_board_read(p->board, &meter, &value))
			page_write(&p->page, i, &value);
	}
	return count;
}

static void copy_board(void *arg, uint32_t events)
{
	struct public *p = arg;
	const struct rcr_board *all = rcr_board_head(p->board);
	uint32_t changes = __atomic_load_n(&all->changes, __ATOMIC_ACQUIRE);
	unsigned int count;

	(void)events;
	if (changes != p->changes && !(changes & 1))
		update_meters(p, changes);
	count = copy_values(p);
	page_beat(&p->page, all, now_ns());
	loop_set_timer(&p->timer, count ? PAGE_PERIOD_NS : SEARCH_NS);
}

int public_begin(struct public *p, struct loop *loop)
{
	if (!p->board)
		return 0;
	p->timer = (struct loop_source){ -1, copy_board, p };
	if (loop_add_timer(loop, &p->timer))
		return -1;
	copy_board(p, 0);
	return 0;
}

void public_end(struct public *p)
{
	if (p->board)
		page_end(&p->page);
}
