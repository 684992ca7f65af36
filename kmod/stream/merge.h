/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * merge.h - finds the ring with the oldest record among many.
 *
 * A tournament tree: the places play in pairs, the one with the older record goes on to the next
 * round, and the winner of the last game is the oldest. When a place gets another record, only
 * the games on its path are played again, one for each round: 6 for 64 CPUs, 10 for 1,024.
 *
 * Pure: compiled into the unit tests and the bench as well.
 */
#ifndef RCR_MERGE_H
#define RCR_MERGE_H

#include <linux/compiler.h>
#include <linux/types.h>

/* The unit test counts games here. */
#ifndef RCR_MERGE_HOOK
#define RCR_MERGE_HOOK() do { } while (0)
#endif

/* Time of a place without a record. */
#define RCR_MERGE_NONE (~0ull)

/**
 * struct rcr_merge - a tournament
 * @places: number of places, a power of two from 2
 * @time: by place: time of its record, ns, or RCR_MERGE_NONE
 * @winner: by game: the place that won it. Game 1 is the last one; game n is between the winners
 *	of the games 2n and 2n + 1, or, in the first round, between the places 2n - @places and
 *	2n + 1 - @places
 */
struct rcr_merge {
	__u32 places;
	__u64 *time;
	__u32 *winner;
};

/* Number of places of a tournament of at least @n. */
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

/* Of two records of the same time that of the lower place is first. */
static inline void rcr_merge_play(struct rcr_merge *m, __u32 game)
{
	__u32 a = rcr_merge_entrant(m, 2 * game);
	__u32 b = rcr_merge_entrant(m, 2 * game + 1);

	RCR_MERGE_HOOK();
	m->winner[game] = m->time[b] < m->time[a] ? b : a;
}

/**
 * rcr_merge_clear() - removes the records of all places
 * @m: the tournament: @places, and memory for that many times and winners
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
 * rcr_merge_set() - sets the record of a place
 * @m: the tournament
 * @place: less than @places
 * @time: time of the record, or RCR_MERGE_NONE for none
 */
static inline void rcr_merge_set(struct rcr_merge *m, __u32 place, __u64 time)
{
	__u32 game;

	m->time[place] = time;
	for (game = (m->places + place) / 2; game; game /= 2)
		rcr_merge_play(m, game);
}

/* The place with the oldest record; any place if there is no record. */
static inline __u32 rcr_merge_first(const struct rcr_merge *m)
{
	return m->winner[1];
}

static inline __u64 rcr_merge_oldest(const struct rcr_merge *m)
{
	return m->time[m->winner[1]];
}

#endif
