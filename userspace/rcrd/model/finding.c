// SPDX-License-Identifier: GPL-2.0-or-later
/* finding.c - names, required signals and state of the findings. */
#include <string.h>

#include "model/finding.h"

/* Minimum time in a state. It doubles each time that the finding comes back within that time. */
#define HOLD_NS		1000000000ull
#define LONGEST_HOLD_NS	(16 * HOLD_NS)

#define USES(s)		SIGNAL_BIT(SIGNAL_##s)
#define RUN		(USES(CYCLES) | USES(INSTRUCTIONS))
#define LATENCY		(USES(LOAD) | USES(WAITING) | USES(WAITED))
#define CACHE		(RUN | USES(REQUESTS) | USES(MISSES))

static const struct finding_row {
	const char *name;
	uint32_t needs;
	bool is_note;
} rows[FINDINGS] = {
	[FINDING_BANDWIDTH] = { "bandwidth", LATENCY, false },
	[FINDING_IMBALANCE] = { "imbalance", USES(LOAD) | USES(LOCAL) | USES(REMOTE), false },
	[FINDING_REMOTE] = { "remote", USES(LOAD) | USES(LOCAL) | USES(REMOTE), false },
	[FINDING_CONFLICTS] = { "conflicts", LATENCY | USES(LINES) | USES(CONFLICTS), false },
	[FINDING_DEVICE] = { "device", USES(LOAD) | USES(LINES) | USES(DEVICES), false },
	[FINDING_CHASE] = { "chase", LATENCY | RUN | USES(REQUESTS) | USES(UNDER_WAY), true },
	[FINDING_SLOWER] = { "slower", LATENCY, true },
	[FINDING_ONE] = { "one", CACHE, false },
	[FINDING_SUM] = { "sum", CACHE, false },
	[FINDING_EACH] = { "each", CACHE, false },
	[FINDING_OVERFLOW] = { "overflow", CACHE, true },
	[FINDING_SHARING] = { "sharing", CACHE, true },
	[FINDING_LINES] = { "lines", RUN | USES(REQUESTS) | USES(MODIFIED), false },
};

enum model finding_model(enum finding finding)
{
	return finding <= FINDING_SLOWER ? MODEL_MEMORY : MODEL_CACHE;
}

const char *model_name(enum model model)
{
	return model == MODEL_MEMORY ? "memory" : "cache";
}

const char *finding_name(enum finding finding)
{
	return rows[finding].name;
}

uint32_t finding_needs(enum finding finding)
{
	return rows[finding].needs;
}

bool finding_is_note(enum finding finding)
{
	return rows[finding].is_note;
}

const char *verdict_state_name(enum verdict_state state)
{
	static const char *const names[] = {
		[VERDICT_OK] = "ok", [VERDICT_LOG] = "log", [VERDICT_CONTENTION] = "contention",
		[VERDICT_BUSY] = "busy", [VERDICT_UNKNOWN] = "unknown",
	};

	return names[state];
}

static unsigned int count_levels(const struct finding_state *s, enum verdict_state least)
{
	unsigned int i, n = 0;

	for (i = 0; i < STATE_WINDOWS; i++)
		n += s->level[i] >= least;
	return n;
}

static bool all_clean(const struct finding_state *s)
{
	unsigned int i;

	for (i = 0; i < STATE_WINDOWS && s->clean[i]; i++)
		;
	return i == STATE_WINDOWS;
}

/* The highest state that STATE_AGREE of the newest windows reach; else ok, once all are clean. */
static enum verdict_state agreed_state(const struct finding_state *s)
{
	enum verdict_state state;

	for (state = VERDICT_BUSY; state > VERDICT_OK; state--)
		if (count_levels(s, state) >= STATE_AGREE)
			return state;
	return all_clean(s) ? VERDICT_OK : s->state;
}

static void shift_windows(struct finding_state *s)
{
	memmove(s->level + 1, s->level, sizeof(s->level) - sizeof(s->level[0]));
	memmove(s->clean + 1, s->clean, sizeof(s->clean) - sizeof(s->clean[0]));
	memmove(s->begin + 1, s->begin, sizeof(s->begin) - sizeof(s->begin[0]));
}

/* Wait until no window reaches the state any more, so that busy can fall to ok directly. */
static bool may_fall(const struct finding_state *s, uint64_t end)
{
	return end - s->changed >= s->hold && !count_levels(s, s->state);
}

/* Begin of the oldest of the newest windows in which the finding held. */
static uint64_t find_onset(const struct finding_state *s)
{
	unsigned int i, first = 0;

	for (i = 0; i < STATE_WINDOWS; i++)
		if (s->level[i] > VERDICT_OK)
			first = i;
	return s->begin[first];
}

/* A finding that keeps coming and going must not fill the ring of marks. */
static void lengthen_hold(struct finding_state *s, uint64_t end)
{
	if (!s->hold || end - s->changed >= s->hold)
		s->hold = HOLD_NS;
	else if (s->hold < LONGEST_HOLD_NS)
		s->hold *= 2;
}

bool finding_step(struct finding_state *s, uint64_t begin, uint64_t end,
		  enum verdict_state level, bool clean)
{
	enum verdict_state next;

	shift_windows(s);
	s->level[0] = level;
	s->clean[0] = clean;
	s->begin[0] = begin;
	next = agreed_state(s);
	if (next == s->state || (next < s->state && !may_fall(s, end)))
		return false;
	if (s->state == VERDICT_OK) {
		s->since = find_onset(s);
		lengthen_hold(s, end);
	}
	s->state = next;
	s->changed = end;
	return true;
}
