// SPDX-License-Identifier: GPL-2.0-only
/*
 * subscriber.c WHAT [ARGUMENT]... - subscribes to meters of blackboard 1 as documented, without
 * librcr. PLACE is "machine", "package0", "cpu3" and so on.
 *
 *	log METER PLACE INTERVAL_MS
 *		subscribes, and prints a line for each version until the end of standard input:
 *		TIME BEGIN TSC COUNTED_NS STATUS CURRENT AVERAGE SUM PEAK HIGHEST UNSEEN
 *	once METER PLACE [METER PLACE]...
 *		subscribes to one after the other and prints such a line once for each
 *	limits METER PLACE...
 *		subscribes, and prints PLACE UTILIZATION VERDICT MAXIMUM CONTENTION of each
 *	hold METER INTERVAL_MS
 *		subscribes to all places; with METER "map" only maps the board. Prints "held", and
 *		for each line of standard input whether the board is stale
 *	cross METER PLACE BOUND BACK WINDOW_MS
 *		watches the bound, and prints TIME COUNT VALUE LOST of each crossing until the end
 *		of standard input
 *	versions METER PLACE INTERVAL_MS METER PLACE INTERVAL_MS MS
 *		subscribes to both for MS, and prints the number of versions of each, the elapsed
 *		nanoseconds and the board's period_ns
 *	entry METER PLACE
 *		prints ENTRY SERIAL VERSION TIME
 *	stay METER PLACE
 *		subscribes, and compares each version with the previous one until the end of
 *		standard input. Prints the number of versions, and how many were wrong: another
 *		meter in the entry, or a time or sum that went backwards
 *	clock
 *		prints CLOCK_MONOTONIC and the TSC
 */
#include <poll.h>

#include "entries.h"

static int device;
static const struct rcr_board *board;

static void print_value(const struct rcr_board_value *v)
{
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %u %" PRId64 " %" PRId64
	       " %" PRId64 " %" PRId64 " %" PRId64 " %" PRIu64 "\n", (uint64_t)v->time,
	       (uint64_t)v->begin, (uint64_t)v->tsc, (uint64_t)v->counted_ns, v->status,
	       (int64_t)v->current_value, (int64_t)v->average, (int64_t)v->sum,
	       (int64_t)v->peak, (int64_t)v->highest, (uint64_t)v->unseen);
	fflush(stdout);
}

static uint64_t ns_of_ms(const char *ms)
{
	return strtod(ms, NULL) * 1000000;
}

static void map_board(void)
{
	device = board_open();
	board = board_map(device);
}

/* Subscribe to a meter at a place; return the number of the entry. */
static uint32_t subscribe(const char *meter, const char *place, uint64_t interval)
{
	uint32_t entry = board_find(board, meter, place);

	errno = board_subscribe(device, entry, board_entry(board, entry)->serial, 0, interval);
	if (errno)
		board_die(meter);
	return entry;
}

/* Wait for @ms; return whether standard input has ended. */
static bool input_ended(int ms)
{
	struct pollfd p = { .fd = 0, .events = POLLIN };
	char byte;

	return poll(&p, 1, ms) == 1 && read(0, &byte, 1) <= 0;
}

static int log_versions(char **word)
{
	uint64_t version, last = 0;
	struct rcr_board_value v;
	uint32_t entry;

	map_board();
	entry = subscribe(word[0], word[1], ns_of_ms(word[2]));
	do {
		version = board_read(board_entry(board, entry), &v);
		if (version != last)
			print_value(&v);
		last = version;
	} while (!input_ended(1));
	return 0;
}

static int read_once(char **word)
{
	struct rcr_board_value v[16];
	uint32_t entry;
	int i, n;

	map_board();
	for (n = 0; n < 16 && word[2 * n] && word[2 * n + 1]; n++) {
		entry = subscribe(word[2 * n], word[2 * n + 1], RCR_SCALE_MAX_NS);
		board_read(board_entry(board, entry), &v[n]);
	}
	for (i = 0; i < n; i++)
		print_value(&v[i]);
	return 0;
}

static int show_limits(char **word)
{
	struct rcr_board_value v;
	int i;

	map_board();
	for (i = 1; word[i]; i++) {
		board_read(board_entry(board, subscribe(word[0], word[i], RCR_SCALE_MAX_NS)), &v);
		printf("%s %u %u %" PRId64 " %" PRId64 "\n", word[i], v.utilization, v.verdict,
		       (int64_t)v.maximum, (int64_t)v.contention);
	}
	return 0;
}

static void hold_something(const char *what, const char *interval)
{
	const struct rcr_board_meter *m;

	map_board();
	if (!strcmp(what, "map"))
		return;
	m = board_meter(board, what);
	errno = m ? board_subscribe(device, m->first, m->serial, RCR_SUBSCRIBE_METER,
				    ns_of_ms(interval)) : ENOENT;
	if (errno)
		board_die(what);
}

static int hold(char **word)
{
	char line[80];

	hold_something(word[0], word[1]);
	puts("held");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		puts(board_is_stale(board) ? "stale" : "fresh");
		fflush(stdout);
	}
	return 0;
}

static int cross(char **word)
{
	struct rcr_watch watch = {
		.size = sizeof(watch), .bound = strtoll(word[2], NULL, 0),
		.back = strtoll(word[3], NULL, 0), .window_ns = ns_of_ms(word[4]),
	};
	struct pollfd p[2] = { { .fd = 0, .events = POLLIN }, { .events = POLLIN } };
	struct rcr_crossing c;

	map_board();
	watch.entry = board_find(board, word[0], word[1]);
	watch.serial = board_entry(board, watch.entry)->serial;
	if (ioctl(device, RCR_BOARD_WATCH, &watch))
		board_die("watch");
	puts("watches");
	fflush(stdout);
	p[1].fd = device;
	while (poll(p, 2, -1) > 0 && !p[0].revents) {
		if (read(device, &c, sizeof(c)) != sizeof(c))
			board_die("crossing");
		printf("%" PRIu64 " %" PRIu64 " %" PRId64 " %" PRIu64 "\n", (uint64_t)c.time,
		       (uint64_t)c.count, (int64_t)c.value, (uint64_t)c.lost);
		fflush(stdout);
	}
	return 0;
}

static uint64_t version_of(uint32_t entry)
{
	return __atomic_load_n(&board_entry(board, entry)->head, __ATOMIC_ACQUIRE);
}

static int count_versions(char **word)
{
	uint64_t began, first[2];
	uint32_t entry[2];
	int i;

	map_board();
	for (i = 0; i < 2; i++)
		entry[i] = subscribe(word[3 * i], word[3 * i + 1], ns_of_ms(word[3 * i + 2]));
	began = board_ns();
	for (i = 0; i < 2; i++)
		first[i] = version_of(entry[i]);
	usleep(ns_of_ms(word[6]) / 1000);
	for (i = 0; i < 2; i++)
		printf("%" PRIu64 " ", version_of(entry[i]) - first[i]);
	printf("%" PRIu64 " %" PRIu64 "\n", board_ns() - began, (uint64_t)board->period_ns);
	return 0;
}

static int show_entry(char **word)
{
	struct rcr_board_value v;
	uint32_t entry;
	uint64_t version;

	map_board();
	entry = board_find(board, word[0], word[1]);
	version = board_read(board_entry(board, entry), &v);
	printf("%u %u %" PRIu64 " %" PRIu64 "\n", entry, board_entry(board, entry)->serial,
	       version, (uint64_t)v.time);
	return 0;
}

static int stay(char **word)
{
	uint64_t version, last = 0, versions = 0, wrong = 0;
	struct rcr_board_value v, before = { };
	const struct rcr_board_entry *e;
	uint32_t serial;

	map_board();
	e = board_entry(board, subscribe(word[0], word[1], ns_of_ms("5")));
	serial = e->serial;
	puts("stays");
	fflush(stdout);
	do {
		version = board_read(e, &v);
		if (version == last)
			continue;
		versions++;
		wrong += e->serial != serial || version < last || v.time < before.time ||
			 v.sum < before.sum || v.status != RCR_STATUS_OK;
		last = version;
		before = v;
	} while (!input_ended(1));
	printf("%" PRIu64 " versions, %" PRIu64 " wrong\n", versions, wrong);
	return 0;
}

static int show_clock(char **word)
{
	(void)word;
	printf("%" PRIu64 " %" PRIu64 "\n", board_ns(), rdtsc());
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int words;
		int (*fn)(char **word);
	} all[] = {
		{ "log", 3, log_versions }, { "once", 2, read_once },
		{ "limits", 2, show_limits }, { "hold", 1, hold },
		{ "cross", 5, cross }, { "versions", 7, count_versions },
		{ "entry", 2, show_entry }, { "stay", 2, stay },
		{ "clock", 0, show_clock },
	};
	size_t i;

	for (i = 0; argc > 1 && i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(argv[1], all[i].name) && argc - 2 >= all[i].words)
			return all[i].fn(argv + 2);
	fprintf(stderr, "usage: see the head of subscriber.c\n");
	return 2;
}
