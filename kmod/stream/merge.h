/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * merge.h - a tournament tree that finds the oldest record of many rings.
 *
 * Places are compared in pairs, and the one with the older record advances to the next
 * round. When the record of one place changes, only the games on its path are replayed, one
 * per round: 6 for 64 CPUs, 10 for 1,024.
 *
 * Has no kernel state: also compiled into the unit tests and the benchmark.
 */
#ifndef RCR_MERGE_H
#define RCR_MERGE_H

#include <linux/compiler.h>
#include <linux/types.h>

/* The unit test defines this to count games. */
#ifndef RCR_MERGE_HOOK
#define RCR_MERGE_HOOK() do { } while (0)
#endif

/* Time of a place without a record. */
#define RCR_MERGE_NONE (~0ull)

/**
 * struct rcr_merge - a tournament tree
 * @places: number of places, a power of two, at least 2
 * @time: time of each place's record, ns, or RCR_MERGE_NONE
 * @winner: by game: the place that won it. Game 1 is the final. The entrants of game n are
 *	the winners of games 2n and 2n + 1, and in the first round the places 2n - @places
 *	and 2n + 1 - @places
 */
struct rcr_merge {
	__u32 places;
	__u64 *time;
	__u32 *winner;
};

/* Number of places of a tournament for @wanted rings. */
static inline __u32 rcr_merge_places(__u32 wanted)
{
	__u32 places = 2;

	while (places < wanted)
		places *= 2;
	return places;
}

static inline __u32 rcr_merge_entrant(const struct rcr_merge *m, __u32 n)
{
	return n < m->places ? m->winner[n] : n - m->places;
}

/* Play one game; the lower place wins a tie. */
static inline void rcr_merge_play(struct rcr_merge *m, __u32 game)
{
	__u32 a = rcr_merge_entrant(m, 2 * game);
	__u32 b = rcr_merge_entrant(m, 2 * game + 1);

	RCR_MERGE_HOOK();
	m->winner[game] = m->time[b] < m->time[a] ? b : a;
}

/**
 * rcr_merge_clear() - set all places to RCR_MERGE_NONE
 * @m: the tournament, with @places set and @time and @winner allocated
 */
static inline void rcr_merge_clear(struct rcr_merge *m)
{
	__u32 i;

	for (i = 0; i < m->places; i++)
		m->time[i] = RCR_MERGE_NONE;
	for (i = m->places - 1; i > 0; i--)
		rcr_merge_play(m, i);
}

/**
 * rcr_merge_set() - set the time of a place and replay its games
 * @m: the tournament
 * @place: the place, less than @places
 * @time: time of its record, ns, or RCR_MERGE_NONE
 */
static inline void rcr_merge_set(struct rcr_merge *m, __u32 place, __u64 time)
{
	__u32 game;

	m->time[place] = time;
	for (game = (m->places + place) / 2; game; game /= 2)
		rcr_merge_play(m, game);
}

/* The place with the oldest record; any place if rcr_merge_oldest() is RCR_MERGE_NONE. */
static inline __u32 rcr_merge_first(const struct rcr_merge *m)
{
	return m->winner[1];
}

static inline __u64 rcr_merge_oldest(const struct rcr_merge *m)
{
	return m->time[m->winner[1]];
}

#endif
