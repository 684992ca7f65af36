// SPDX-License-Identifier: GPL-2.0-only
/*
 * snaps.c FILE INTERVAL_MS - writes what all meters read to a file until it is told
 * to end: blackboard 1 by its contract alone, and each tenth time the meters' files.
 */
#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "snapshot.h"

#define FILES "/sys/kernel/debug/rcrtool/meters/"
#define FILES_EACH 10

static const char *board;
static int device;
static FILE *out;
static volatile sig_atomic_t ended;

static void end(int unused)
{
	(void)unused;
	ended = 1;
}

static const struct rcr_board *head(void)
{
	return (const void *)board;
}

static const struct rcr_board_meter *meter_at(uint32_t n)
{
	return (const void *)(board + head()->meter_offset + n * head()->meter_size);
}

static const struct rcr_board_place *place_at(uint32_t n)
{
	return (const void *)(board + head()->place_offset + n * head()->place_size);
}

static const struct rcr_board_entry *entry_at(uint32_t n)
{
	return (const void *)(board + head()->entry_offset + n * head()->entry_size);
}

static bool map_board(void)
{
	uint64_t bytes;
	void *at;

	device = open("/dev/rcrboard", O_RDONLY);
	if (device < 0)
		return false;
	at = mmap(NULL, 4096, PROT_READ, MAP_SHARED, device, RCR_BOARD_ALL);
	if (at == MAP_FAILED)
		return false;
	bytes = ((const struct rcr_board *)at)->bytes;
	at = mmap(NULL, bytes, PROT_READ, MAP_SHARED, device, RCR_BOARD_ALL);
	board = at;
	return at != MAP_FAILED;
}

/* Section 3 of <linux/rcrboard.h>. */
static bool read_entry(const struct rcr_board_entry *e, uint32_t serial,
		       struct rcr_board_value *v)
{
	unsigned int tries;
	uint64_t h;

	for (tries = 0; tries < RCR_BOARD_TRIES; tries++) {
		h = __atomic_load_n(&e->head, __ATOMIC_ACQUIRE);
		if (!h)
			return false;
		memcpy(v, &e->slot[h % 2], sizeof(*v));
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&e->reserved, __ATOMIC_RELAXED) < h + 2)
			return __atomic_load_n(&e->serial, __ATOMIC_RELAXED) == serial;
	}
	return false;
}

static void put(struct snapshot *s)
{
	static uint64_t order;

	s->order = order++;
	if (fwrite(s, sizeof(*s), 1, out) != 1)
		exit(1);
}

/* What the head of a meter says of all its places; false: it is not there. */
static bool describe(uint32_t n, struct snapshot *s)
{
	const struct rcr_board_meter *m = meter_at(n);

	memset(s, 0, sizeof(*s));
	s->serial = __atomic_load_n(&m->serial, __ATOMIC_ACQUIRE);
	memcpy(s->name, m->name, sizeof(s->name));
	s->digits = m->digits;
	s->scale_ns = m->scale_ns;
	return s->serial && m->entries && !(m->flags & RCR_METER_POSTED);
}

/* Has all of a meter evaluated as often as the module does; it may be gone. */
static void subscribe_meter(uint32_t n, uint32_t serial)
{
	static uint32_t subscribed[RCR_METERS_MAX];
	struct rcr_subscription s = {
		.size = sizeof(s), .flags = RCR_SUBSCRIBE_METER, .entry = meter_at(n)->first,
		.serial = serial, .interval_ns = 1000000,
	};

	if (subscribed[n] != serial && !ioctl(device, RCR_BOARD_SUBSCRIBE, &s))
		subscribed[n] = serial;
}

static void look_at_board(void)
{
	const struct rcr_board_place *place;
	struct snapshot s;
	uint32_t n, i;

	for (n = 0; n < head()->meters; n++) {
		uint32_t changes = __atomic_load_n(&head()->changes, __ATOMIC_ACQUIRE);

		if (changes % 2 || !describe(n, &s))
			continue;
		subscribe_meter(n, s.serial);
		for (i = 0; i < meter_at(n)->entries; i++) {
			const struct rcr_board_entry *e = entry_at(meter_at(n)->first + i);

			if (!read_entry(e, s.serial, &s.value) || !s.value.time)
				continue;
			place = place_at(e->place);
			s.kind = place->kind;
			s.number = place->number;
			if (__atomic_load_n(&head()->changes, __ATOMIC_ACQUIRE) == changes)
				put(&s);
		}
	}
}

/* A number with a point, as a whole one of its last digit. */
static int64_t number_of(const char *text)
{
	bool below = *text == '-';
	uint64_t n = 0;

	for (text += below; isdigit(*text) || *text == '.'; text++)
		if (*text != '.')
			n = n * 10 + *text - '0';
	return below ? -n : n;
}

static void take_line(struct snapshot *s, const char *key, const char *text)
{
	struct rcr_board_value *v = &s->value;

	if (!strcmp(key, "current"))
		v->current_value = number_of(text);
	else if (!strcmp(key, "average"))
		v->average = number_of(text);
	else if (!strcmp(key, "sum"))
		v->sum = number_of(text);
	else if (!strcmp(key, "peak"))
		v->peak = number_of(text);
	else if (!strcmp(key, "highest"))
		v->highest = number_of(text);
	else if (!strcmp(key, "updated"))
		v->time = number_of(text);
	else if (!strcmp(key, "unseen"))
		v->unseen = number_of(text);
	else if (!strcmp(key, "window_ns"))
		v->begin = v->time - number_of(text);
	else if (!strcmp(key, "counted_ns"))
		v->counted_ns = number_of(text);
	else if (!strcmp(key, "status"))
		v->status = strcmp(text, "ok\n") ? 0 : RCR_STATUS_OK;
}

static void take_place(const struct snapshot *of, const char *line)
{
	static const char *const kinds[] = {
		[RCR_PLACE_NODE] = "node", [RCR_PLACE_PACKAGE] = "package",
		[RCR_PLACE_DIE] = "die", [RCR_PLACE_LLC] = "llc",
		[RCR_PLACE_CORE] = "core", [RCR_PLACE_CPU] = "cpu",
	};
	char kind[16], current[32], average[32], sum[32], peak[32], status[16];
	struct snapshot s = *of;

	if (sscanf(line, "%15s %u: current %31s average %31s sum %31s peak %31s %15s", kind,
		   &s.number, current, average, sum, peak, status) != 7)
		return;
	for (s.kind = RCR_PLACE_NODE; s.kind < RCR_PLACE_CPU; s.kind++)
		if (!strcmp(kind, kinds[s.kind]))
			break;
	s.value.current_value = number_of(current);
	s.value.average = number_of(average);
	s.value.sum = number_of(sum);
	s.value.peak = number_of(peak);
	s.value.status = strcmp(status, "ok") ? 0 : RCR_STATUS_OK;
	put(&s);
}

static void look_at_file(struct snapshot *s)
{
	char line[512], key[16];
	bool told = false;
	FILE *f;
	int at;

	snprintf(line, sizeof(line), FILES "%s", s->name);
	f = fopen(line, "r");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%15[a-z_]: %n", key, &at) == 1 && line[strlen(key)] == ':')
			take_line(s, key, line + at);
		else
			take_place(s, line);
		if (!told && !strcmp(key, "status") && s->value.time) {
			put(s);
			told = true;
		}
	}
	if (f)
		fclose(f);
}

static void look_at_files(void)
{
	struct snapshot s;
	uint32_t n;

	for (n = 0; n < head()->meters; n++) {
		if (!describe(n, &s))
			continue;
		s.from_file = 1;
		look_at_file(&s);
	}
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = end };
	unsigned int rounds;

	out = argc == 3 ? fopen(argv[1], "w") : NULL;
	if (!out || !map_board())
		return 1;
	sigaction(SIGTERM, &action, NULL);
	for (rounds = 1; !ended; rounds++) {
		if (head()->state == RCR_BOARD_RUNNING)
			look_at_board();
		if (rounds % FILES_EACH == 0)
			look_at_files();
		usleep(atoi(argv[2]) * 1000);
	}
	return fclose(out) ? 1 : 0;
}
