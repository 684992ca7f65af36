// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * where.c - attribute the counts of each tick to the code that it interrupted. Changes of mappings
 * are applied up to the time of each sample before its address is looked up.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "clock.h"
#include "live/book.h"
#include "message.h"
#include "process.h"
#include "where/where.h"

/* A contention that returns within this time continues its profile, ns. */
#define RETURN_NS	5000000000ull

/* The kernel may still be writing records that are more recent than this, ns. */
#define MARGIN_NS	1000000ull

/* Samples that are read up to this late still find the mappings of their time, ns. */
#define DELAY_NS	500000000ull

/* Read changes only in steps of this size, as all CPUs sample within a few microseconds, ns. */
#define INSTANT_NS	200000ull

#define AGAIN_NS	1000000000ull

/*
 * If a process executed another program between a sample and the lookup of its user, the user may
 * be that of the new program, for example after a set-user-ID program.
 */
static void apply_change(void *to, const struct change *c)
{
	struct where *w = to;
	unsigned int n;

	mappings_take(&w->mappings, c);
	if (c->kind != CHANGE_EXEC)
		return;
	for (n = 0; n < PROFILES; n++)
		profile_disown(&w->profile[n], c->tgid, c->time);
}

static void handle_uevents(void *arg, uint32_t events)
{
	struct where *w = arg;

	(void)events;
	track_online(&w->track);
}

void where_open(struct where *w, const struct machine *machine, struct loop *loop)
{
	unsigned int refused;

	w->machine = machine;
	track_open(&w->track);
	w->uevents = (struct loop_source){ w->track.uevents, handle_uevents, w };
	if (*w->track.missing.text) {
		note("cannot find the code of a contention: %s", w->track.missing.text);
		return;
	}
	if (w->uevents.fd < 0 || loop_add(loop, &w->uevents, EPOLLIN))
		note("cannot find the code of programs that start on CPUs that were offline: uevents: %s",
		     strerror(errno));
	/* Changes during the scan are in the rings. */
	refused = track_scan(apply_change, w);
	if (refused)
		note("cannot find the code of %u processes that were started earlier: reading their mappings needs CAP_SYS_PTRACE",
		     refused);
}

static void forget_samples(struct where *w)
{
	unsigned int i;

	for (i = 0; i < w->cpus; i++) {
		free(w->last[i]);
		w->last[i] = NULL;
	}
}

static void end_places(struct where *w)
{
	unsigned int i;

	forget_samples(w);
	for (i = 0; i < w->cpus; i++)
		rcr_places_unmap(w->places[i]);
	rcr_close(w->reader);
	free(w->places);
	free(w->last);
	w->places = NULL;
	w->last = NULL;
	w->cpus = 0;
	w->reader = NULL;
}

/* Map the rings of places of the current set. Returns 0, or -1 with errno. */
static int map_places(struct where *w)
{
	const struct rcr_set *set = rcr_reader_set(w->reader);
	unsigned int i;

	w->places = calloc(set->ncpus, sizeof(struct rcr_places *));
	w->last = calloc(set->ncpus, sizeof(struct rcr_record *));
	if (!w->places || !w->last)
		return -1;
	w->cpus = set->ncpus;
	for (i = 0; i < w->cpus; i++) {
		if (!rcr_set_has_cpu(set, i))
			continue;
		w->places[i] = rcr_places_map(w->reader, i);
		if (!w->places[i])
			return -1;
	}
	w->generation = set->item.generation;
	signals_bind(&w->signals, set, 0);
	return 0;
}

/* Open a separate reader, since ticks record places until it is closed. */
static void begin_places(struct where *w)
{
	int error;

	w->reader = rcr_open(NULL);
	if (w->reader && !map_places(w)) {
		*w->missing.text = 0;
		return;
	}
	error = errno;
	end_places(w);
	w->again_ns = now_ns() + AGAIN_NS;
	if (error == ESTALE)
		return;
	if (!*w->missing.text)
		note("cannot find the code of a contention: rings of places: %s", strerror(error));
	because(&w->missing, "rings of places: %s", strerror(error));
}

static bool is_alive(uint32_t tgid)
{
	uid_t uid;

	return process_user(tgid, &uid);
}

void where_beat(struct where *w)
{
	mappings_sweep(&w->mappings, is_alive);
}

/* Look up the address that a tick interrupted. */
static void resolve_place(struct where *w, const struct rcr_record *r, const struct rcr_place *at,
			  struct place_sample *s)
{
	const struct mapping *m;

	*s = (struct place_sample){ .tgid = r->tgid };
	if (!at->tid) {
		s->kind = PLACE_IDLE;
		s->tgid = 0;
		return;
	}
	s->kind = PLACE_KERNEL;
	if (!at->pc)
		return;
	m = mapping_at(mappings_find(&w->mappings, r->tgid), at->pc);
	s->kind = PLACE_UNKNOWN;
	if (!m)
		return;
	s->kind = m->file ? PLACE_CODE : PLACE_MADE;
	s->file = m->file;
	if (m->file)
		s->offset = at->pc - m->begin + m->offset;
}

static bool count_of_tick(const struct where *w, const struct rcr_set *set,
			  const struct rcr_record *from, const struct rcr_record *to,
			  enum where_measure measure, double *count)
{
	enum signal signal = measure == MEASURE_MODIFIED ? SIGNAL_MODIFIED : SIGNAL_REQUESTS;
	struct rcr_part part;
	unsigned int i;

	*count = to->tsc - from->tsc;
	if (measure == MEASURE_TIME)
		return true;
	*count = 0;
	for (i = 0; i < set->ncounters && i < RCR_MAX_COUNTERS; i++) {
		if (w->signals.of[i] != signal)
			continue;
		if (!rcr_part(set, from, to, i, &part))
			return false;
		*count += part.count * w->signals.weight[i];
	}
	return true;
}

/* book_user() checks that the id was not reused between the sample and the lookup. */
static unsigned int process_of_sample(struct where *w, struct profile *p, uint32_t tgid,
				      uint64_t time)
{
	const struct mapped_process *known = tgid ? mappings_find(&w->mappings, tgid) : NULL;
	bool is_new;
	unsigned int i = profile_process(p, tgid, known ? known->since : 0, &is_new);

	if (!is_new)
		return i;
	p->process[i].uid = tgid ? book_user(tgid, time) : BOOK_NO_USER;
	p->process[i].asked = now_ns();
	if (known)
		memcpy(p->process[i].name, known->name, sizeof(known->name));
	return i;
}

static void count_at_place(struct where *w, unsigned int n, const struct rcr_set *set,
			   const struct rcr_record *from, const struct rcr_record *to,
			   const struct place_sample *found)
{
	struct profile *p = &w->profile[n];
	struct place_sample s = *found;

	if (!count_of_tick(w, set, from, to, w->measure[n], &s.count)) {
		p->lost++;
		return;
	}
	profile_add(p, process_of_sample(w, p, s.tgid, to->time), &s);
	p->until = to->time;
	if (!p->from)
		p->from = from->time;
}

static bool has_active(const struct where *w, unsigned int node)
{
	unsigned int i;

	for (i = 0; i < FINDINGS; i++)
		if (w->active[i][node])
			return true;
	return false;
}

static void take_placed_sample(struct where *w, const struct rcr_set *set,
			       const struct rcr_record *from, const struct rcr_record *to)
{
	unsigned int node = w->machine->node_of[to->item.cpu], i;
	struct place_sample s;
	struct rcr_place at;
	bool found;

	if (!has_active(w, node))
		return;
	/* The samples of all CPUs at one instant are some microseconds apart: read changes once. */
	if (to->time > w->track.read_ns + INSTANT_NS)
		track_read(&w->track, to->time, apply_change, w);
	found = rcr_places_read(w->places[to->item.cpu], to, &at) == 1;
	if (found)
		resolve_place(w, to, &at, &s);
	for (i = 0; i < FINDINGS; i++) {
		unsigned int n = w->active[i][node];

		if (n && found)
			count_at_place(w, n - 1, set, from, to, &s);
		else if (n)
			w->profile[n - 1].lost++;
	}
}

static void keep_last_sample(struct where *w, const struct rcr_record *r)
{
	struct rcr_record *room = realloc(w->last[r->item.cpu], r->item.size);

	if (!room) {
		free(w->last[r->item.cpu]);
		w->last[r->item.cpu] = NULL;
		return;
	}
	memcpy(room, r, r->item.size);
	w->last[r->item.cpu] = room;
}

void where_item(struct where *w, const struct rcr_set *set, const struct rcr_item *item)
{
	const struct rcr_record *r = (const void *)item, *last;

	if (!w->reader || item->type != RCR_ITEM_SAMPLE || item->generation != w->generation ||
	    item->cpu >= w->cpus || item->cpu >= w->machine->cpus || !w->places[item->cpu])
		return;
	last = w->last[item->cpu];
	if (last && r->tsc > last->tsc)
		take_placed_sample(w, set, last, r);
	keep_last_sample(w, r);
}

/* Find a free profile, or free the oldest that has ended. Returns entry plus 1; 0 if all last. */
static unsigned int free_profile(struct where *w)
{
	unsigned int i, best = 0;

	for (i = 0; i < PROFILES; i++)
		if (!w->profile[i].lasts &&
		    (!best || w->profile[i].serial < w->profile[best - 1].serial))
			best = i + 1;
	if (best)
		profile_clear(&w->profile[best - 1], &w->mappings.files);
	return best;
}

static enum where_measure measure_of(const struct where *w, enum finding which)
{
	if (which == FINDING_LINES && w->signals.has & SIGNAL_BIT(SIGNAL_MODIFIED))
		return MEASURE_MODIFIED;
	return w->signals.has & SIGNAL_BIT(SIGNAL_REQUESTS) ? MEASURE_REQUESTS : MEASURE_TIME;
}

/* Find a profile to continue: same finding and measure, ended recently. Entry plus 1, or 0. */
static unsigned int returned_profile(struct where *w, enum finding which, unsigned int node)
{
	uint64_t now = now_ns();
	unsigned int i;

	for (i = 0; i < PROFILES; i++) {
		const struct profile *p = &w->profile[i];

		if (p->serial && !p->lasts && p->finding == which && p->node == node &&
		    p->until + RETURN_NS > now && w->measure[i] == measure_of(w, which))
			return i + 1;
	}
	return 0;
}

static void begin_profile(struct where *w, struct engine *e, enum finding which, unsigned int node)
{
	unsigned int n = returned_profile(w, which, node);
	struct verdict v = { 0 };

	if (!n) {
		n = free_profile(w);
		if (!n)
			return;
		engine_describe(e, which, node, &v);
		w->profile[n - 1].serial = ++w->serial;
		w->profile[n - 1].finding = which;
		w->profile[n - 1].node = node;
		w->profile[n - 1].since = v.since;
		w->profile[n - 1].until = now_ns();
		w->measure[n - 1] = measure_of(w, which);
	}
	w->profile[n - 1].lasts = true;
	w->active[which][node] = n;
}

static void end_profile(struct where *w, enum finding which, unsigned int node)
{
	w->profile[w->active[which][node] - 1].lasts = false;
	w->active[which][node] = 0;
}

/* The counts that profiles add up may not be in the new set. */
void where_change(struct where *w)
{
	unsigned int which, node;

	end_places(w);
	for (which = 0; which < FINDINGS; which++)
		for (node = 0; node < w->machine->nodes; node++)
			if (w->active[which][node])
				end_profile(w, which, node);
}

static bool is_contended(const struct engine *e, enum finding which, unsigned int node)
{
	enum verdict_state state = e ? engine_state(e, which, node) : VERDICT_UNKNOWN;

	return verdict_is_raised(state);
}

static bool is_any_contended(const struct where *w, const struct engine *e)
{
	unsigned int which, node;

	for (which = 0; which < FINDINGS; which++)
		for (node = 0; node < w->machine->nodes; node++)
			if (is_contended(e, which, node))
				return true;
	return false;
}

/* Begin and end profiles as the states of findings have changed. */
static void compare_states(struct where *w, struct engine *e)
{
	unsigned int which, node;

	for (which = 0; which < FINDINGS; which++)
		for (node = 0; node < w->machine->nodes; node++) {
			bool is = w->reader && is_contended(e, which, node);

			if (is && !w->active[which][node])
				begin_profile(w, e, which, node);
			else if (!is && w->active[which][node])
				end_profile(w, which, node);
		}
}

void where_step(struct where *w, struct engine *e)
{
	uint64_t now = now_ns();

	if (!w->machine || *w->track.missing.text)
		return;
	if (!is_any_contended(w, e))
		end_places(w);
	else if (!w->reader && now >= w->again_ns)
		begin_places(w);
	compare_states(w, e);
	track_read(&w->track, now - (w->reader ? DELAY_NS : MARGIN_NS), apply_change, w);
}
