// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * recorder.c - wait for a trigger, copy all rings, and write their last seconds to a file. Memory
 * for the copies is allocated and locked when the recorder is armed. The rings are read as by any
 * other reader, without the help of the module.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "clock.h"
#include "message.h"
#include "recorder.h"
#include "store.h"
#include "parse/trigger.h"

/* Maximum time to wait for CPUs to write their records from before the trigger, ns. */
#define PATIENCE_NS 100000000ull

/* Delay before the state is saved after triggers that are only counted, ns. */
#define SAVE_NS 1000000000ull

/* The previous run is kept for the length of the window plus this time, ns. */
#define SPAN_NS 1000000000ull

static bool is_armed(const struct recorder *r)
{
	return r->state.window_ns;
}

/* True if a window is kept and not fetched yet. */
static bool is_window_kept(const struct recorder *r)
{
	return r->state.kept_bytes && !r->state.fetched;
}

/* Write the state now. A failure is logged; the next change of the state tries again. */
static void save_state(struct recorder *r)
{
	struct why why;

	loop_set_timer(&r->save, 0);
	if (store_write_state(r->dir, &r->state, &why))
		note("%s", why.text);
}

static void close_before(void *arg, uint32_t events)
{
	struct recorder *r = arg;

	(void)events;
	loop_set_timer(&r->expire, 0);
	run_close(r->before);
	r->before = NULL;
}

/* Lock memory for the current run; if there is too little for both runs, drop the previous one. */
static void reserve_current(struct recorder *r)
{
	if (!run_reserve(r->run, &r->reason) || !r->before)
		return;
	note("cannot record across the change of the set: %s", r->reason.text);
	close_before(r, 0);
	*r->reason.text = 0;
	run_reserve(r->run, &r->reason);
}

/* Get ready to record the current run, or set the reason why it cannot be recorded. */
static void prepare_run(struct recorder *r)
{
	*r->reason.text = 0;
	if (is_armed(r) && r->run && !run_check_window(r->run, r->state.window_ns, &r->reason))
		reserve_current(r);
	if (is_armed(r) && !r->run)
		because(&r->reason, "the rings could not be mapped: restart rcrd");
	if (*r->reason.text)
		note("cannot record: %s", r->reason.text);
	r->ready = is_armed(r) && !*r->reason.text && !is_window_kept(r);
}

/* Wait until all CPUs have written their records up to @time, typically for a few ms. */
static void wait_for_records(const struct recorder *r, uint64_t time)
{
	while (!run_is_past(r->run, time) && now_ns() < time + PATIENCE_NS)
		poll(NULL, 0, 1);
}

/*
 * Write the window before the trigger, from one or two sets. The trigger is its last mark, and
 * belongs to the last set.
 */
static int write_window(struct recorder *r, const struct rcr_mark *trigger,
			struct store_window *w, struct why *why)
{
	uint64_t end = trigger->time, begin = end - r->state.window_ns;
	struct rcr_mark last = *trigger;
	struct run *run = r->run;
	int ret = 0;

	if (r->state.window_ns > end)
		begin = 0;
	if (store_begin(w, r->dir, STORE_PATH, STORE_WINDOW, why))
		return -1;
	if (r->before && merge_has_records(&r->before->merge, begin, end)) {
		ret = merge_items(&r->before->merge, begin, end, store_append, w);
		if (!merge_has_records(&r->run->merge, begin, end))
			run = r->before;
	}
	if (!ret && run == r->run)
		ret = merge_items(&run->merge, begin, end, store_append, w);
	last.position = run->merge.marks;
	last.item.generation = run->merge.set->item.generation;
	if (!ret && !store_append(w, &last, sizeof(last)))
		return store_commit(w, why);
	because(why, STORE_PATH "/window: %s", strerror(errno));
	store_abandon(w);
	return -1;
}

/* True if the copies have any record of the window. */
static bool has_window(const struct recorder *r, uint64_t end)
{
	uint64_t begin = end > r->state.window_ns ? end - r->state.window_ns : 0;

	return merge_has_records(&r->run->merge, begin, end) ||
	       (r->before && merge_has_records(&r->before->merge, begin, end));
}

static void keep_window(struct recorder *r, const struct rcr_mark *trigger)
{
	static struct store_window window;
	uint64_t begin, copied, older;
	struct why why;

	wait_for_records(r, trigger->time);
	begin = now_ns();
	run_copy(r->run);
	if (r->before)
		run_copy(r->before);
	copied = now_ns();
	/* For a trigger before the restart, the window may have been overwritten. */
	if (r->recovers && !has_window(r, trigger->time)) {
		r->state.missed++;
		return;
	}
	if (write_window(r, trigger, &window, &why)) {
		r->state.missed++;
		note("%s: cannot save the window: %s", trigger->text, why.text);
		because(&r->reason, "%s", why.text);
		loop_set_timer(&r->save, SAVE_NS);
		return;
	}
	*r->reason.text = 0;
	r->ready = false;
	r->state.missed = 0;
	r->state.number++;
	r->state.fetched = false;
	r->state.kept_bytes = window.bytes;
	snprintf(r->state.kept, sizeof(r->state.kept), "%s", trigger->text);
	save_state(r);
	note("%s: saved the last %llu ms in " STORE_PATH "/window; copied %u rings in %llu us, %llu us after the trigger",
	     trigger->text, (unsigned long long)r->state.window_ns / 1000000,
	     r->run->merge.rings, (unsigned long long)(copied - begin) / 1000,
	     (unsigned long long)(begin - trigger->time) / 1000);
	older = merge_count_older(&r->run->merge, trigger->time - r->state.window_ns);
	if (older != UINT64_MAX)
		note("each copy has at least %llu older records",
		     (unsigned long long)older);
}

/* Handle a trigger; @mark has its time, TSC and description. */
static void take_trigger(struct recorder *r, uint32_t cause, const struct rcr_mark *mark)
{
	if (!(r->state.triggers & cause))
		return;
	if (r->ready) {
		keep_window(r, mark);
		return;
	}
	r->state.missed++;
	loop_set_timer(&r->save, SAVE_NS);
}

/* Count possible triggers that were overwritten before they were read. */
static void miss_triggers(struct recorder *r, uint32_t cause, uint64_t count)
{
	if (!count || !(r->state.triggers & cause))
		return;
	note("%llu marks or crossings were not read in time", (unsigned long long)count);
	r->state.missed += count;
	loop_set_timer(&r->save, SAVE_NS);
}

static struct rcr_mark make_trigger(uint64_t time, uint64_t tsc)
{
	return (struct rcr_mark){
		.item = { .size = sizeof(struct rcr_mark), .type = RCR_ITEM_MARK, .cpu = ~0u },
		.time = time, .tsc = tsc, .kind = RCR_MARK_TEXT,
	};
}

/* Extrapolate from the current TSC to that at @time, which is recent. */
static uint64_t tsc_at(const struct recorder *r, uint64_t time)
{
	uint64_t tsc_khz = rcr_reader_set(r->reader)->tsc_khz, now = now_ns();

	return __builtin_ia32_rdtsc() - (now - time) * tsc_khz / 1000000;
}

static void handle_mark(struct recorder *r, const struct rcr_mark *mark)
{
	struct rcr_mark trigger = make_trigger(mark->time, mark->tsc);
	const char *kind = mark->kind == RCR_MARK_TEXT ? "" : rcr_mark_kind_name(mark->kind);
	bool is_new = mark->time > r->state.seen_ns;

	if (r->run)
		run_add_mark(r->run, mark);
	if (!is_new)
		return;
	r->state.seen_ns = mark->time;
	miss_triggers(r, RCR_TRIGGER_MARK, mark->lost);
	/* Marks of unprivileged users must not trigger a recorder that root has armed. */
	if (!(mark->item.flags & RCR_MARK_ADMIN))
		return;
	if (snprintf(trigger.text, sizeof(trigger.text), "trigger: mark %s%s%s", kind,
		     *kind ? " " : "", mark->text) >= (int)sizeof(trigger.text))
		trigger.text[sizeof(trigger.text) - 1] = 0;
	take_trigger(r, RCR_TRIGGER_MARK, &trigger);
}

/* Switch to a new set; keep the previous run for the length of a window. */
static void change_run(struct recorder *r)
{
	struct why why;

	run_close(r->before);
	r->before = r->run;
	r->run = run_open(r->reader, &why);
	if (!r->run)
		note("%s", why.text);
	r->changed(r->changed_arg, r->run);
	prepare_run(r);
	if (!r->before || !r->before->copy || !is_armed(r))
		close_before(r, 0);
	else
		loop_set_timer(&r->expire, r->state.window_ns + SPAN_NS);
}

/* Handle all pending sets and marks. */
static void read_pending(struct recorder *r)
{
	const struct rcr_item *item;
	int got;

	while ((got = rcr_next(r->reader, &item, 0)) == 1) {
		if (item->type == RCR_ITEM_SET)
			change_run(r);
		else if (item->type == RCR_ITEM_MARK)
			handle_mark(r, (const struct rcr_mark *)item);
	}
	if (got >= 0 || errno == EINTR)
		return;
	note("%s: %s", RCR_DEVICE, strerror(errno));
	r->failed = true;
	loop_stop(r->loop);
}

/* Ignore kills before the recorder was armed; count those before a restart as missed. */
static void read_kills(struct recorder *r)
{
	struct rcr_mark trigger;
	struct oom_kill kill;
	uint64_t now;

	while (oom_next(&r->oom, &kill)) {
		now = now_ns();
		if (kill.time <= r->armed_ns || kill.time > now)
			continue;
		trigger = make_trigger(kill.time, tsc_at(r, kill.time));
		snprintf(trigger.text, sizeof(trigger.text),
			 "trigger: out of memory, killed %d", kill.pid);
		if (r->recovers && (r->state.triggers & RCR_TRIGGER_OOM))
			r->state.missed++;
		else
			take_trigger(r, RCR_TRIGGER_OOM, &trigger);
	}
}

static void read_crossings(struct recorder *r)
{
	struct crossing crossing;
	struct rcr_mark trigger;

	while (crossings_next(&r->crossings, &crossing)) {
		miss_triggers(r, RCR_TRIGGER_CROSSING, crossing.lost);
		trigger = make_trigger(crossing.time, tsc_at(r, crossing.time));
		memcpy(trigger.text, crossing.text, sizeof(trigger.text));
		take_trigger(r, RCR_TRIGGER_CROSSING, &trigger);
	}
}

/* Handle all pending events, those of the stream first, because it has the current set. */
static void catch_up(struct recorder *r)
{
	read_pending(r);
	read_kills(r);
	read_crossings(r);
}

static void handle_events(void *arg, uint32_t events)
{
	(void)events;
	catch_up(arg);
}

static void save_later(void *arg, uint32_t events)
{
	(void)events;
	save_state(arg);
}

/* Restore the watches of the current state. */
static void restore_watches(struct recorder *r)
{
	struct why why;

	if (!(r->state.triggers & RCR_TRIGGER_CROSSING))
		crossings_end(&r->crossings);
	else if (crossings_watch(&r->crossings, &r->state.lines, false, &why))
		note("%s", why.text);
}

/* All steps of arming that can fail, except for writing the state. */
static int prepare_arming(struct recorder *r, const struct request *q, struct why *why)
{
	if ((q->triggers & RCR_TRIGGER_OOM) && r->oom.fd < 0)
		return because(why, "cannot record OOM kills: %s", r->no_oom.text);
	if (!r->run)
		return because(why, "%s", r->reason.text);
	if (run_check_window(r->run, q->window_ns, why) || run_reserve(r->run, why))
		return -1;
	if (q->triggers & RCR_TRIGGER_CROSSING)
		return crossings_watch(&r->crossings, &q->lines, true, why);
	return 0;
}

static int arm_recorder(struct recorder *r, const struct request *q, struct why *why)
{
	struct state before = r->state;
	bool had_copy = r->run && r->run->copy;

	if (prepare_arming(r, q, why)) {
		if (r->run && !had_copy)
			run_release(r->run);
		return -1;
	}
	r->armed_ns = now_ns();
	r->state.window_ns = q->window_ns;
	r->state.triggers = q->triggers;
	r->state.lines = q->lines;
	r->state.seen_ns = r->armed_ns;
	r->state.missed = 0;
	r->state.kept_bytes = 0;
	r->state.fetched = false;
	*r->state.kept = 0;
	if (store_write_state(r->dir, &r->state, why)) {
		r->state = before;
		restore_watches(r);
		if (!had_copy)
			run_release(r->run);
		return -1;
	}
	store_forget_window(r->dir);
	if (!(q->triggers & RCR_TRIGGER_CROSSING))
		crossings_end(&r->crossings);
	prepare_run(r);
	return 0;
}

static int disarm_recorder(struct recorder *r, struct why *why)
{
	struct state before = r->state;

	r->state.window_ns = 0;
	r->state.triggers = 0;
	r->state.lines.count = 0;
	r->state.missed = 0;
	r->state.kept_bytes = 0;
	r->state.fetched = false;
	*r->state.kept = 0;
	if (store_write_state(r->dir, &r->state, why)) {
		r->state = before;
		return -1;
	}
	store_forget_window(r->dir);
	crossings_end(&r->crossings);
	close_before(r, 0);
	if (r->run)
		run_release(r->run);
	prepare_run(r);
	return 0;
}

static void answer_state(const struct recorder *r, struct answer *answer)
{
	const struct state *s = &r->state;
	const char *word = "armed";

	if (!is_armed(r))
		word = "off";
	else if (is_window_kept(r))
		word = "kept";
	else if (*r->reason.text)
		word = "failed";
	snprintf(answer->text, sizeof(answer->text),
		 "recorder %s\nreason %s\nwindow_ns %llu\ntriggers %u\nbounds %u\namiss %s\n"
		 "window_bytes %zu\nkept %s\nkept_bytes %llu\nmissed %llu\n",
		 word, r->reason.text, (unsigned long long)s->window_ns, s->triggers,
		 r->crossings.count, r->crossings.amiss.text,
		 r->run ? r->run->copy_bytes : 0, s->kept, (unsigned long long)s->kept_bytes,
		 (unsigned long long)s->missed);
}

static int answer_window(const struct recorder *r, struct answer *answer, struct why *why)
{
	if (!r->state.kept_bytes)
		return because(why, "nothing is kept: no trigger has come since the recorder was armed");
	answer->fd = store_open_window(r->dir);
	if (answer->fd < 0)
		return because(why, STORE_PATH "/window: %s", strerror(errno));
	snprintf(answer->text, sizeof(answer->text), "number %llu\n",
		 (unsigned long long)r->state.number);
	return 0;
}

/* Release the kept window, unless another one has replaced it, and wait for the next trigger. */
static void release_fetched_window(struct recorder *r, uint64_t number)
{
	if (!is_window_kept(r) || number != r->state.number)
		return;
	r->state.fetched = true;
	r->ready = is_armed(r) && !*r->reason.text;
	save_state(r);
}

int recorder_take(void *recorder, const struct caller *caller, const struct request *q,
		  struct answer *answer, struct why *why)
{
	struct recorder *r = recorder;

	if (!caller->reads)
		return because(why, "not permitted: become root or a member of the group rcrtool");
	if (caller->uid && q->kind != REQUEST_LS && q->kind != REQUEST_FETCH)
		return because(why, "not permitted: become root");
	/* Handle all events that happened before the request. */
	catch_up(r);
	switch (q->kind) {
	case REQUEST_ARM:
		return arm_recorder(r, q, why);
	case REQUEST_OFF:
		return disarm_recorder(r, why);
	case REQUEST_LS:
		answer_state(r, answer);
		return 0;
	case REQUEST_FETCH:
		return answer_window(r, answer, why);
	case REQUEST_FETCHED:
		release_fetched_window(r, q->number);
		return 0;
	default:
		break;
	}
	return because(why, "unknown request");
}

/* Forget the kept window of the state if its file no longer exists. */
static void check_kept_window(struct recorder *r)
{
	int fd = r->state.kept_bytes ? store_open_window(r->dir) : -1;

	if (fd >= 0) {
		close(fd);
		return;
	}
	r->state.kept_bytes = 0;
	r->state.fetched = false;
	*r->state.kept = 0;
}

int recorder_begin(struct recorder *r, struct loop *loop, struct why *why)
{
	r->loop = loop;
	r->stream = (struct loop_source){ rcr_fd(r->reader), handle_events, r };
	r->kills = (struct loop_source){ r->oom.fd, handle_events, r };
	r->save = (struct loop_source){ -1, save_later, r };
	r->expire = (struct loop_source){ -1, close_before, r };
	r->armed_ns = r->state.seen_ns;
	check_kept_window(r);
	r->run = run_open(r->reader, why);
	if (!r->run)
		return -1;
	r->changed(r->changed_arg, r->run);
	crossings_begin(&r->crossings, loop, handle_events, r);
	if (loop_add_timer(loop, &r->save) || loop_add_timer(loop, &r->expire) ||
	    loop_add(loop, &r->stream, EPOLLIN) ||
	    (r->kills.fd >= 0 && loop_add(loop, &r->kills, EPOLLIN)))
		return because(why, "epoll: %s", strerror(errno));
	/* Fail if memory cannot be locked; but if the window does not fit, the set may change. */
	if (is_armed(r) && !run_check_window(r->run, r->state.window_ns, why) &&
	    run_reserve(r->run, why))
		return -1;
	prepare_run(r);
	restore_watches(r);
	if (r->state.triggers & RCR_TRIGGER_CROSSING)
		note("watching bounds again; crossings while rcrd was not running are unknown");
	r->recovers = true;
	catch_up(r);
	r->recovers = false;
	return store_write_state(r->dir, &r->state, why);
}

void recorder_end(struct recorder *r)
{
	if (!r->failed)
		catch_up(r);
	save_state(r);
}
