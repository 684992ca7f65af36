// SPDX-License-Identifier: GPL-2.0-only
/*
 * snaps.c FILE INTERVAL_MS - subscribes to all meters at that interval, and records all new values
 * until it is terminated: from the mapped blackboard 1, and less often from the meters' files. Also
 * records the meters' forms, the topology of CPUs, and marks.
 */
#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "machine.h"
#include "rcr.h"
#include "rcr_meters.h"
#include "snapshot.h"

#define FILES		"/sys/kernel/debug/rcrtool/meters/"
#define FILES_NS	300000000ull	/* interval of reading the files */
#define MARKS_NS	50000000ull	/* interval of reading the mark rings */
#define MOST_CPUS	32
#define MOST_METERS	1024		/* most meters in the whole run */

static const char *board;
static int board_fd;
static FILE *out;
static struct rcr_control *control;
static uint64_t interval_ns;
static volatile sig_atomic_t ended;

/* Serials of the meters that are recorded and subscribed. */
static uint32_t known[MOST_METERS];
static unsigned int known_count;

/* Latest recorded version of each entry. */
static uint64_t *versions;

/* Time scales whose oldest mark on a CPU is recorded. */
static uint64_t marked[MOST_CPUS][RCR_SCALES * 4];

static void end(int unused)
{
	(void)unused;
	ended = 1;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
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

	board_fd = open("/dev/rcrboard", O_RDONLY);
	if (board_fd < 0)
		return false;
	at = mmap(NULL, 4096, PROT_READ, MAP_SHARED, board_fd, RCR_BOARD_ALL);
	if (at == MAP_FAILED)
		return false;
	bytes = ((const struct rcr_board *)at)->bytes;
	at = mmap(NULL, bytes, PROT_READ, MAP_SHARED, board_fd, RCR_BOARD_ALL);
	if (at == MAP_FAILED)
		return false;
	board = at;
	versions = calloc(head()->entries, sizeof(*versions));
	return versions;
}

/*
 * Read an entry as in section 8 of Documentation/dev/interface.md; return the version, or 0 if
 * none.
 */
static uint64_t read_entry(const struct rcr_board_entry *e, uint32_t serial,
			   struct rcr_board_value *v)
{
	unsigned int tries;
	uint64_t h;

	for (tries = 0; tries < RCR_BOARD_TRIES; tries++) {
		h = __atomic_load_n(&e->head, __ATOMIC_ACQUIRE);
		if (!h)
			return 0;
		memcpy(v, &e->slot[h % 2], sizeof(*v));
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&e->reserved, __ATOMIC_RELAXED) < h + 2)
			return __atomic_load_n(&e->serial, __ATOMIC_RELAXED) == serial ? h : 0;
	}
	return 0;
}

static void put(void *record, uint32_t size, enum snapshot_type type)
{
	*(struct snapshot_head *)record = (struct snapshot_head){ size, type };
	if (fwrite(record, size, 1, out) != 1)
		exit(1);
}

static void put_values(struct snapshot *s)
{
	static uint64_t order;

	s->order = order++;
	put(s, sizeof(*s), SNAPSHOT_VALUES);
}

static void put_cpus(void)
{
	struct snapshot_cpu c = { .pad = 0 };
	unsigned int kind;

	for (c.cpu = 0; c.cpu < MOST_CPUS; c.cpu++) {
		if (cpu_file(c.cpu, "topology/physical_package_id") < 0)
			continue;
		for (kind = 0; kind <= RCR_PLACE_CPU; kind++)
			c.place[kind] = place_of(c.cpu, kind);
		put(&c, sizeof(c), SNAPSHOT_CPU);
	}
}

static void copy_side(struct form_side *to, const struct rcr_form_side *from)
{
	unsigned int i;

	to->reduction = from->reduction;
	to->terms = from->terms;
	for (i = 0; i < from->terms; i++) {
		memcpy(to->term[i].name, from->term[i].name, sizeof(to->term[i].name));
		to->term[i].kind = from->term[i].kind;
		to->term[i].weight = from->term[i].weight;
	}
}

/* Record a meter, with its form by netlink. */
static bool put_meter(const struct rcr_board_meter *m, uint32_t serial)
{
	static struct rcr_meters meters;
	static struct snapshot_meter s;
	const struct rcr_meter_state *state;

	if (rcr_control_meters(control, &meters))
		return false;
	memset(&s, 0, sizeof(s));
	s.serial = serial;
	memcpy(s.name, m->name, sizeof(s.name));
	state = rcr_meters_find(&meters, s.name);
	if (!state || !state->form.above.terms || state->number != m->number)
		return false;
	s.digits = state->digits;
	s.over = m->over;
	s.scale_ns = state->scale_ns;
	memcpy(s.unit, state->unit, sizeof(s.unit));
	s.form.numerator = state->form.numerator;
	s.form.denominator = state->form.denominator;
	s.form.per_cpu = state->form.per_cpu;
	copy_side(&s.form.side[0], &state->form.above);
	copy_side(&s.form.side[1], &state->form.below);
	put(&s, sizeof(s), SNAPSHOT_METER);
	return true;
}

static bool subscribe_meter(const struct rcr_board_meter *m, uint32_t serial)
{
	const struct rcr_subscription s = {
		.size = sizeof(s), .flags = RCR_SUBSCRIBE_METER, .entry = m->first,
		.serial = serial, .interval_ns = interval_ns,
	};

	return !ioctl(board_fd, RCR_BOARD_SUBSCRIBE, &s);
}

static bool is_known(uint32_t serial)
{
	unsigned int i;

	for (i = 0; i < known_count; i++)
		if (known[i] == serial)
			return true;
	return false;
}

/* Return whether a slot has a meter with values. Record and subscribe to a new one. */
static bool look_at_meter(uint32_t n, uint32_t *serial)
{
	const struct rcr_board_meter *m = meter_at(n);

	*serial = __atomic_load_n(&m->serial, __ATOMIC_ACQUIRE);
	if (!*serial || !m->entries || m->flags & RCR_METER_POSTED)
		return false;
	if (is_known(*serial))
		return true;
	if (known_count == MOST_METERS || !put_meter(m, *serial) || !subscribe_meter(m, *serial))
		return false;
	known[known_count++] = *serial;
	return true;
}

static void look_at_board(void)
{
	const struct rcr_board_place *place;
	struct snapshot s;
	uint32_t n, i;

	for (n = 0; n < head()->meters; n++) {
		uint32_t changes = __atomic_load_n(&head()->changes, __ATOMIC_ACQUIRE);

		memset(&s, 0, sizeof(s));
		if (changes % 2 || !look_at_meter(n, &s.serial))
			continue;
		s.has = HAS_ALL;
		for (i = 0; i < meter_at(n)->entries; i++) {
			uint32_t at = meter_at(n)->first + i;

			s.version = read_entry(entry_at(at), s.serial, &s.value);
			if (!s.version || s.version == versions[at] || !s.value.time)
				continue;
			place = place_at(entry_at(at)->place);
			s.kind = place->kind;
			s.number = place->number;
			if (__atomic_load_n(&head()->changes, __ATOMIC_ACQUIRE) != changes)
				continue;
			versions[at] = s.version;
			put_values(&s);
		}
	}
}

/* Parse a decimal fraction, in units of its last digit. */
static int64_t number_of(const char *text)
{
	bool below = *text == '-';
	uint64_t n = 0;

	for (text += below; isdigit(*text) || *text == '.'; text++)
		if (*text != '.')
			n = n * 10 + *text - '0';
	return below ? -n : n;
}

static uint32_t status_of(const char *text)
{
	static const char *const names[] = {
		[RCR_STATUS_OK] = "ok", [RCR_STATUS_HALTED] = "halted",
		[RCR_STATUS_FOREIGN] = "foreign", [RCR_STATUS_BUSY] = "busy",
		[RCR_STATUS_FAULT] = "fault", [RCR_STATUS_OFFLINE] = "offline",
		[RCR_STATUS_GAP] = "gap", [RCR_STATUS_ELSEWHERE] = "elsewhere",
		[RCR_STATUS_MISPLACED] = "misplaced",
	};
	unsigned int i;

	for (i = 1; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(text, names[i], strlen(names[i])))
			return i;
	return 0;
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
	else if (!strcmp(key, "unseen"))
		v->unseen = number_of(text);
	else if (!strcmp(key, "updated"))
		v->time = number_of(text);
	else if (!strcmp(key, "window_ns"))
		v->begin = v->time - number_of(text);
	else if (!strcmp(key, "counted_ns"))
		v->counted_ns = number_of(text);
	else if (!strcmp(key, "status"))
		v->status = status_of(text);
	else if (!strcmp(key, "current_status"))
		v->current_status = status_of(text);
}

static void take_place(const struct snapshot *of, const char *line)
{
	static const char *const kinds[] = {
		[RCR_PLACE_NODE] = "node", [RCR_PLACE_PACKAGE] = "package",
		[RCR_PLACE_DIE] = "die", [RCR_PLACE_LLC] = "llc",
		[RCR_PLACE_CORE] = "core", [RCR_PLACE_CPU] = "cpu",
	};
	char kind[16], current[32], average[32], sum[32], peak[32], status[16];
	struct snapshot s = { .serial = of->serial, .has = HAS_STATUS };

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
	s.value.status = status_of(status);
	put_values(&s);
}

static void look_at_file(const char *name, uint32_t serial)
{
	struct snapshot s = { .serial = serial, .has = HAS_ALL & ~HAS_TSC };
	char line[512], key[24];
	bool is_put = false;
	FILE *f;
	int at;

	snprintf(line, sizeof(line), FILES "%s", name);
	f = fopen(line, "r");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%23[a-z_]: %n", key, &at) == 1 && line[strlen(key)] == ':')
			take_line(&s, key, line + at);
		else if (is_put)
			take_place(&s, line);
		if (!is_put && !strcmp(key, "status") && s.value.time) {
			put_values(&s);
			is_put = true;
		}
	}
	if (f)
		fclose(f);
}

static void look_at_files(void)
{
	uint32_t n, serial;

	for (n = 0; n < head()->meters; n++)
		if (look_at_meter(n, &serial))
			look_at_file(meter_at(n)->name, serial);
}

/* Record the marks of a CPU for a time scale, if there are any. */
static bool put_marks(const struct rcr_set *set, const struct rcr_history *h, uint32_t cpu,
		      uint64_t scale)
{
	static char marks[RCR_SCALE_MARKS * 4096];
	struct snapshot_mark m = { .cpu = cpu, .scale_ns = scale };
	int i, n = rcr_history_read(h, scale, marks, sizeof(marks));

	m.is_full = n >= RCR_SCALE_MARKS - 1;
	for (i = 0; i < n; i++) {
		m.time = ((const struct rcr_record *)(marks + i * set->record_size))->time;
		put(&m, sizeof(m), SNAPSHOT_MARK);
	}
	return n > 0;
}

/* Record the marks of new time scales, or of all at the end. */
static void look_at_marks(bool all)
{
	struct rcr_reader *r = rcr_open(NULL);
	uint64_t scales[RCR_SCALES];
	struct rcr_history *h;
	unsigned int cpu, k;
	int i, n;

	for (cpu = 0; r && cpu < MOST_CPUS; cpu++) {
		if (!rcr_set_has_cpu(rcr_reader_set(r), cpu))
			continue;
		h = rcr_history_map(r, cpu);
		n = h ? rcr_history_scales(h, scales, RCR_SCALES) : 0;
		for (i = 0; i < n; i++) {
			for (k = 0; marked[cpu][k] && marked[cpu][k] != scales[i]; k++)
				if (k + 2 == RCR_SCALES * 4)
					exit(1);
			if ((all || !marked[cpu][k]) &&
			    put_marks(rcr_reader_set(r), h, cpu, scales[i]))
				marked[cpu][k] = scales[i];
		}
		rcr_history_unmap(h);
	}
	rcr_close(r);
}

static void look_at_all(void)
{
	uint64_t files = 0, marks = 0, now;

	while (!ended) {
		now = now_ns();
		look_at_board();
		if (now >= marks) {
			look_at_marks(false);
			marks = now + MARKS_NS;
		}
		if (now >= files) {
			look_at_files();
			files = now + FILES_NS;
		}
		usleep(interval_ns / 1000 / 8);
	}
	look_at_board();
	look_at_marks(true);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = end };

	out = argc == 3 ? fopen(argv[1], "w") : NULL;
	control = rcr_control_open();
	if (!out || !control || !map_board())
		return 1;
	interval_ns = atoi(argv[2]) * 1000000ull;
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	put_cpus();
	look_at_all();
	return fclose(out) ? 1 : 0;
}
