// SPDX-License-Identifier: GPL-2.0-only
/*
 * threads.c - blackboard 2: the pages of its clients. What stands on them is
 * their own business; the module reads it a word at a time and believes nothing.
 *
 * A page is mapped by the fault handler, from pages that are there since mmap(). So a
 * mapping that is moved, split, or dropped by madvise() finds its page again, and
 * so does one that a child inherits by fork(): it writes on its parent's pages,
 * which harms nobody, where a mapping that fork() takes away would have it die of the
 * next word that it writes. A mapping holds its file, and the file its client: pages
 * go after the last mapping.
 */
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uidgid.h>

#include "caller.h"
#include "threads.h"

#define FIRST_PAGE	((unsigned long)(RCR_BOARD_THREADS >> PAGE_SHIFT))

/**
 * struct rcr_client - an open device, as somebody who may have threads
 * @refs: the open device's, and those of walks that look at it
 * @node: in @clients once it has pages
 * @number: larger than that of each before it; 0: it has no pages
 * @tgid: of who opened it, in the initial namespace
 * @user: whose limit it counts against
 * @lock: of making pages
 * @page: the head and the pages of slots; NULL until first mapped
 */
struct rcr_client {
	struct kref refs;
	struct list_head node;
	u64 number;
	u32 tgid;
	kuid_t user;
	struct mutex lock;	/* page */
	struct page *page[1 + RCR_THREADS_PAGES];
};

/* Those that have pages, in the order of their numbers, and the lock of that list. */
static LIST_HEAD(clients);
static DEFINE_MUTEX(clients_lock);
static u64 clients_made;

static_assert(sizeof(struct rcr_thread) * RCR_THREADS_PAGE == PAGE_SIZE);

/**
 * rcr_client_open() - makes a client for who opens the device
 *
 * It has no pages yet, and does not count as one of RCR_CLIENTS_MAX.
 *
 * Return: the client, or NULL without memory.
 */
struct rcr_client *rcr_client_open(void)
{
	struct rcr_client *c = kzalloc(sizeof(*c), GFP_KERNEL_ACCOUNT);

	if (!c)
		return NULL;
	kref_init(&c->refs);
	mutex_init(&c->lock);
	c->tgid = task_tgid_nr(current);
	c->user = rcr_caller_user();
	return c;
}

static void free_client(struct kref *refs)
{
	struct rcr_client *c = container_of(refs, struct rcr_client, refs);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(c->page); i++)
		if (c->page[i])
			put_page(c->page[i]);
	kfree(c);
}

/* The device is closed, and nothing of it is mapped. Walks may still look. */
void rcr_client_close(struct rcr_client *c)
{
	mutex_lock(&clients_lock);
	if (c->number)
		list_del(&c->node);
	mutex_unlock(&clients_lock);
	kref_put(&c->refs, free_client);
}

/* Room for one more client of @user? With clients_lock held. */
static bool has_room(kuid_t user)
{
	const struct rcr_client *c;
	unsigned int all = 0, of_user = 0;

	list_for_each_entry(c, &clients, node) {
		all++;
		of_user += uid_eq(c->user, user);
	}
	return all < RCR_CLIENTS_MAX && of_user < RCR_CLIENTS_OF_USER;
}

static int enlist(struct rcr_client *c)
{
	int err = 0;

	mutex_lock(&clients_lock);
	if (has_room(c->user)) {
		c->number = ++clients_made;
		list_add_tail(&c->node, &clients);
	} else {
		err = -EUSERS;
	}
	mutex_unlock(&clients_lock);
	return err;
}

static struct rcr_threads *head_of(const struct rcr_client *c)
{
	return page_address(c->page[0]);
}

static int make_page(struct rcr_client *c, unsigned int n)
{
	struct page *page = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);

	if (!page)
		return -ENOMEM;
	/* Pairs with the acquire of page_of(): whoever sees it sees the zeros. */
	smp_store_release(&c->page[n], page);
	return 0;
}

static struct page *page_of(const struct rcr_client *c, unsigned int n)
{
	/* Pairs with the release of make_page(). */
	return smp_load_acquire(&c->page[n]);
}

/* Makes it one of the clients, with a head. With its lock held. */
static int make_head(struct rcr_client *c)
{
	int err;

	if (!c->page[0]) {
		err = make_page(c, 0);
		if (err)
			return err;
		*head_of(c) = (struct rcr_threads) {
			.magic = RCR_THREADS_MAGIC,
			.version = RCR_BOARD_VERSION,
			.compat_version = RCR_BOARD_COMPAT_VERSION,
			.size = sizeof(struct rcr_threads),
			.tgid = c->tgid,
			.slot_size = sizeof(struct rcr_thread),
			.page_slots = RCR_THREADS_PAGE,
			.pages = RCR_THREADS_PAGES,
		};
	}
	return c->number ? 0 : enlist(c);
}

/* Makes those pages that are not there yet. With the client's lock held. */
static int make_pages(struct rcr_client *c, unsigned int first, unsigned int count)
{
	unsigned int i;
	int err;

	for (i = first; i < first + count; i++) {
		if (c->page[i])
			continue;
		err = make_page(c, i);
		if (err)
			return err;
		WRITE_ONCE(head_of(c)->mapped, head_of(c)->mapped + 1);
	}
	return 0;
}

static vm_fault_t client_fault(struct vm_fault *vmf)
{
	const struct rcr_client *c = vmf->vma->vm_private_data;
	unsigned long n = vmf->pgoff - FIRST_PAGE;
	struct page *page;

	if (n >= ARRAY_SIZE(c->page))
		return VM_FAULT_SIGBUS;
	page = page_of(c, n);
	if (!page)
		return VM_FAULT_SIGBUS;
	get_page(page);
	vmf->page = page;
	return 0;
}

static const struct vm_operations_struct client_vm_ops = {
	.fault = client_fault,
};

/* The head is the kernel's word, all behind it the client's. */
bool rcr_client_may_write(const struct vm_area_struct *vma)
{
	return vma->vm_pgoff > FIRST_PAGE;
}

/**
 * rcr_client_mmap() - maps the head, or some of the pages behind it
 * @c: the client
 * @vma: where, behind RCR_BOARD_THREADS; it is shared, cannot grow, and may be
 *	written only where rcr_client_may_write() says so
 *
 * Pages that it made before it failed stay with the client.
 *
 * Context: may sleep; the caller's mmap lock is held.
 * Return: 0; -EINVAL for the head together with others, -ENOSPC for a page behind
 * the last, -EUSERS when there are too many clients, -ENOMEM.
 */
int rcr_client_mmap(struct rcr_client *c, struct vm_area_struct *vma)
{
	unsigned long first = vma->vm_pgoff - FIRST_PAGE;
	unsigned long count = vma_pages(vma);
	int err;

	if (!first && count > 1)
		return -EINVAL;
	if (first + count > ARRAY_SIZE(c->page))
		return -ENOSPC;
	mutex_lock(&c->lock);
	err = make_head(c);
	if (!err)
		err = make_pages(c, first, count);
	mutex_unlock(&c->lock);
	if (err)
		return err;
	vma->vm_private_data = c;
	vma->vm_ops = &client_vm_ops;
	return 0;
}

/* A word each, whatever the client does to them meanwhile. */
static void read_slot(struct rcr_thread *to, const struct rcr_thread *slot)
{
	to->tid = READ_ONCE(slot->tid);
	to->id = READ_ONCE(slot->id);
	to->pc = READ_ONCE(slot->pc);
	to->wish = READ_ONCE(slot->wish);
	to->since = READ_ONCE(slot->since);
	to->updates = READ_ONCE(slot->updates);
}

/* The first slot from @slot on that is taken, into @to; RCR_THREADS_MAX: none. */
static unsigned int find_taken(const struct rcr_client *c, unsigned int slot,
			       struct rcr_thread *to)
{
	const struct rcr_thread *s;
	struct page *page;

	while (slot < RCR_THREADS_MAX) {
		page = page_of(c, 1 + slot / RCR_THREADS_PAGE);
		if (!page) {
			slot = rounddown(slot, RCR_THREADS_PAGE) + RCR_THREADS_PAGE;
			continue;
		}
		s = (struct rcr_thread *)page_address(page) + slot % RCR_THREADS_PAGE;
		/* Pairs with the client's release when it has filled in the rest. */
		to->state = smp_load_acquire(&s->state);
		if (to->state != RCR_THREAD_FREE) {
			read_slot(to, s);
			break;
		}
		slot++;
	}
	return slot;
}

/* The first client whose number is at least that, held; NULL: none. */
static struct rcr_client *get_client(u64 number)
{
	struct rcr_client *c, *found = NULL;

	mutex_lock(&clients_lock);
	list_for_each_entry(c, &clients, node) {
		if (c->number < number)
			continue;
		kref_get(&c->refs);
		found = c;
		break;
	}
	mutex_unlock(&clients_lock);
	return found;
}

/* Ends a walk; one that has ended already, too. */
void rcr_threads_leave(struct rcr_threads_cursor *cursor)
{
	if (cursor->client)
		kref_put(&cursor->client->refs, free_client);
	cursor->client = NULL;
}

/**
 * rcr_threads_seek() - goes to the first taken slot at a position or behind it
 * @cursor: the walk
 * @position: 0 for the first, or a rcr_threads_position()
 *
 * Nobody waits for a walk: it holds the client that it looks at, and no lock.
 *
 * Context: may sleep.
 * Return: whether there is one, which then stands in @cursor.
 */
bool rcr_threads_seek(struct rcr_threads_cursor *cursor, u64 position)
{
	u64 number = position / RCR_THREADS_MAX;
	unsigned int slot = position % RCR_THREADS_MAX;

	rcr_threads_leave(cursor);
	while ((cursor->client = get_client(number))) {
		if (cursor->client->number != number)
			slot = 0;
		cursor->slot = find_taken(cursor->client, slot, &cursor->thread);
		if (cursor->slot < RCR_THREADS_MAX) {
			cursor->tgid = cursor->client->tgid;
			return true;
		}
		number = cursor->client->number + 1;
		slot = 0;
		rcr_threads_leave(cursor);
		cond_resched();
	}
	return false;
}

/* Where a walk is: what rcr_threads_seek() wants to come back. */
u64 rcr_threads_position(const struct rcr_threads_cursor *cursor)
{
	return cursor->client->number * RCR_THREADS_MAX + cursor->slot;
}

/* Goes to the next taken slot; false: there is none. */
bool rcr_threads_next(struct rcr_threads_cursor *cursor)
{
	struct rcr_client *c = cursor->client;

	cursor->slot = find_taken(c, cursor->slot + 1, &cursor->thread);
	return cursor->slot < RCR_THREADS_MAX ||
	       rcr_threads_seek(cursor, (c->number + 1) * RCR_THREADS_MAX);
}
