// SPDX-License-Identifier: GPL-2.0-or-later
/* slots.c - read slots of clients, which may change at any time and contain any value. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "slots.h"

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

/* Maximum size of a slot of a later version. */
#define SLOT_SIZE_MAX 256

/*
 * Only a memfd can have these seals, so a read never blocks on a disk, a network or FUSE. A memfd
 * of hugetlbfs is refused, because its pages can be missing.
 */
int slots_check(int fd)
{
	int flags = fcntl(fd, F_GETFL), seals = fcntl(fd, F_GET_SEALS);
	struct statfs fs;
	struct stat st;

	if (flags < 0 || (flags & O_ACCMODE) == O_WRONLY || seals < 0 ||
	    (seals & SEALS) != SEALS)
		return -EINVAL;
	if (fstatfs(fd, &fs) || fs.f_type != TMPFS_MAGIC || fstat(fd, &st) ||
	    st.st_size < (off_t)sizeof(struct rcr_slots) || st.st_size > RCR_SLOTS_BYTES)
		return -EINVAL;
	return 0;
}

bool slots_parse(const struct rcr_slots *head, struct slots_form *form)
{
	if (head->magic != RCR_SLOTS_MAGIC || head->version < RCR_BOARD2_COMPAT_VERSION ||
	    head->compat_version > RCR_BOARD2_VERSION)
		return false;
	if (head->slot_size < sizeof(struct rcr_thread) || head->slot_size > SLOT_SIZE_MAX ||
	    head->slot_offset > RCR_SLOTS_BYTES)
		return false;
	form->offset = head->slot_offset;
	form->size = head->slot_size;
	form->count = (RCR_SLOTS_BYTES - head->slot_offset) / head->slot_size;
	if (form->count > head->slots)
		form->count = head->slots;
	return true;
}

bool slots_read_form(int fd, struct slots_form *form)
{
	struct rcr_slots head;

	return pread(fd, &head, sizeof(head), 0) == sizeof(head) && slots_parse(&head, form);
}

unsigned int slots_read(struct slots_reader *r, int fd, const struct slots_form *form,
			unsigned int first)
{
	unsigned int count;
	ssize_t got;

	if (first >= form->count)
		return 0;
	count = form->count - first;
	if (count > sizeof(r->bytes) / form->size)
		count = sizeof(r->bytes) / form->size;
	got = pread(fd, r->bytes, count * form->size,
		    form->offset + (off_t)first * form->size);
	return got > 0 ? got / form->size : 0;
}

void slots_get(const struct slots_reader *r, const struct slots_form *form, unsigned int n,
	       struct rcr_thread *t)
{
	memcpy(t, r->bytes + (size_t)n * form->size, sizeof(*t));
}
