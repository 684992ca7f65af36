// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * threads.c - takes, updates and frees slots of blackboard 2.
 *
 * A slot is taken by one atomic instruction: a child of clone() with CLONE_VM may not have waited
 * for the lock.
 */
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "rcr_threads.h"
#include "thread_pages.h"

/* Minimum time between searches for slots of dead threads. */
#define SEARCH_SECONDS 1

/* The slot that this thread used last, in TLS that is accessed without a call. */
static __thread struct {
	unsigned long generation;
	struct rcr_thread *slot;
} latest __attribute__((tls_model("initial-exec")));

/* Protected by the lock: position to search for a free slot, and time of the last search. */
static unsigned int hint;
static struct timespec searched;

#define get(field) __atomic_load_n(&(field), __ATOMIC_RELAXED)
#define set(field, value) __atomic_store_n(&(field), value, __ATOMIC_RELAXED)

static uint64_t id_of(int id)
{
	return (unsigned int)id;
}

static bool holds_id(const struct rcr_thread *s, int id)
{
	return __atomic_load_n(&s->state, __ATOMIC_ACQUIRE) == RCR_THREAD_RUNNING &&
	       get(s->id) == id_of(id);
}

/* Differs after each fork(); 0: there are no slots. */
static unsigned long current_generation(void)
{
	const struct rcr_pages *p = rcr_pages_get();

	/* Pairs with the release of rcr_pages_make(). */
	return p ? __atomic_load_n(&p->generation, __ATOMIC_ACQUIRE) : 0;
}

static unsigned int slots_in_use(void)
{
	/* Pairs with the release of rcr_pages_grow(). */
	return current_generation() ?
	       __atomic_load_n(&rcr_pages_get()->slots, __ATOMIC_ACQUIRE) : 0;
}

static struct rcr_thread *slot_at(unsigned int n)
{
	return &rcr_pages_get()->slot[n];
}

static void cache_slot(struct rcr_thread *s)
{
	latest.generation = current_generation();
	latest.slot = s;
}

/* A slot of an earlier generation is not mapped in this process. */
static struct rcr_thread *find_slot(int id)
{
	unsigned int i, slots;

	if (latest.slot && latest.generation == current_generation() &&
	    holds_id(latest.slot, id))
		return latest.slot;
	slots = slots_in_use();
	for (i = 0; i < slots; i++) {
		if (!holds_id(slot_at(i), id))
			continue;
		cache_slot(slot_at(i));
		return latest.slot;
	}
	errno = ENOENT;
	return NULL;
}

static void leave_slot(struct rcr_thread *s)
{
	/* Pairs with the exchange of take_slot(): no writes to the slot follow. */
	__atomic_store_n(&s->state, RCR_THREAD_FREE, __ATOMIC_RELEASE);
}

static pid_t own_tid(void)
{
	return syscall(SYS_gettid);
}

/* Frees all slots of the calling thread when it ends. */
static void leave_all(void)
{
	unsigned int i, slots = slots_in_use();
	uint32_t tid = own_tid();

	for (i = 0; i < slots; i++)
		if (get(slot_at(i)->state) == RCR_THREAD_RUNNING &&
		    get(slot_at(i)->tid) == tid)
			leave_slot(slot_at(i));
}

static bool is_dead(const struct rcr_thread *s)
{
	int saved = errno;
	bool dead = syscall(SYS_tkill, get(s->tid), 0) && errno == ESRCH;

	errno = saved;
	return dead;
}

static struct rcr_thread *take_slot(void)
{
	unsigned int i, slots = slots_in_use();

	for (i = 0; i < slots; i++) {
		struct rcr_thread *s = slot_at((hint + i) % slots);
		uint32_t free = RCR_THREAD_FREE;

		if (get(s->state) != RCR_THREAD_FREE ||
		    !__atomic_compare_exchange_n(&s->state, &free, RCR_THREAD_TAKEN, false,
						 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			continue;
		hint = (hint + i + 1) % slots;
		return s;
	}
	return NULL;
}

/*
 * Frees the slots of dead threads: threads created by clone() without the C library do not run
 * leave_all(). This takes one system call per slot, so it is rate-limited. A slot that is being
 * filled in has no tid yet, and is skipped.
 */
static bool free_dead_slots(void)
{
	unsigned int i, slots = slots_in_use();
	struct timespec now;
	bool found = false;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	if (searched.tv_sec && now.tv_sec - searched.tv_sec <= SEARCH_SECONDS)
		return false;
	searched = now;
	for (i = 0; i < slots; i++) {
		if (get(slot_at(i)->state) != RCR_THREAD_RUNNING ||
		    !is_dead(slot_at(i)))
			continue;
		leave_slot(slot_at(i));
		found = true;
	}
	return found;
}

static struct rcr_thread *make_slot_room(void)
{
	struct rcr_thread *s;

	while (rcr_pages_grow() == 0) {
		s = take_slot();
		if (s)
			return s;
	}
	return slots_in_use() && free_dead_slots() ? take_slot() : NULL;
}

static void fill_slot(struct rcr_thread *s, int id, uint64_t pc)
{
	set(s->tid, own_tid());
	set(s->id, id_of(id));
	set(s->pc, pc);
	set(s->wish, 0);
	set(s->since, __builtin_ia32_rdtsc());
	set(s->updates, 0);
	/* Pairs with the acquire of holds_id(). */
	__atomic_store_n(&s->state, RCR_THREAD_RUNNING, __ATOMIC_RELEASE);
}

/* Called with the lock held. */
static bool start_thread(int id, uint64_t pc)
{
	struct rcr_thread *s;

	if (rcr_pages_make())
		return false;
	s = find_slot(id);
	if (s && !is_dead(s)) {
		errno = EEXIST;
		return false;
	}
	if (s)
		leave_slot(s);
	s = take_slot();
	if (!s)
		s = make_slot_room();
	if (!s)
		return false;
	fill_slot(s, id, pc);
	cache_slot(s);
	rcr_pages_stay();
	return true;
}

bool RCRStartThread(int id, uint64_t pc)
{
	bool ok;

	rcr_pages_lock(leave_all);
	ok = start_thread(id, pc);
	if (ok)
		rcr_join_update();
	rcr_pages_unlock();
	return ok;
}

static void touch_slot(struct rcr_thread *s)
{
	set(s->since, __builtin_ia32_rdtsc());
	set(s->updates, get(s->updates) + 1);
}

bool RCRUpdateThread(int id, uint64_t pc)
{
	struct rcr_thread *s = find_slot(id);

	if (!s)
		return false;
	set(s->pc, pc);
	touch_slot(s);
	return true;
}

bool rcr_thread_wish(int id, uint64_t wish)
{
	struct rcr_thread *s = find_slot(id);

	if (!s)
		return false;
	set(s->wish, wish);
	touch_slot(s);
	return true;
}

bool RCRCompleteThread(int id)
{
	struct rcr_thread *s;

	rcr_pages_lock(leave_all);
	s = find_slot(id);
	if (s) {
		leave_slot(s);
		rcr_join_update();
	}
	rcr_pages_unlock();
	return s;
}

bool rcr_threads_connect(void)
{
	bool made;

	rcr_pages_lock(leave_all);
	made = !rcr_pages_make();
	if (made) {
		rcr_join_update();
		made = rcr_join_is_made();
	}
	rcr_pages_unlock();
	return made;
}
