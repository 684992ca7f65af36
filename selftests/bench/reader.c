// SPDX-License-Identifier: GPL-2.0-only
/*
 * reader.c RCRSTAT RUNS CPUS... - measures the CPU time of reading recorded rings of CPUS CPUs, 12
 * counters and 1 kHz, and compares it with a memcpy() of the same bytes and with printing the same
 * numbers by snprintf().
 *
 * The module's part, from the rings to the stream, is its merge, compiled into this program. For
 * the reader's part rcrstat is run: it reads the stream from a file in memory, which takes a copy
 * like a read() of the device, and writes to another one whose pages are allocated. CPU time is
 * that of user and kernel, including start and exit of rcrstat. Each result is the median of RUNS,
 * in ns; its name ends in the number of CPUs.
 *
 * Checks that rcrstat and snprintf() wrote the same lines, and that the raw format returns the same
 * records.
 */
#include <err.h>
#include <errno.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "stream/merge.h"
#include "ring/ring_protocol.h"
#include "cpu_time.h"
#include "rings.h"

#define COUNTERS 12
#define BUFFER (256 * 1024)	/* bytes of each read() of rcrstat */
#define MOST_RUNS 99

/**
 * struct bench - state of all measurements
 * @rcrstat: path of the program
 * @runs: number of runs of each measurement
 * @rings: the recorded rings
 * @stream: file with the same records as one stream
 * @bytes: size of @stream
 * @head: size of the set at its beginning
 * @out: file for the output of a program
 * @lines: text that snprintf() wrote
 * @line_bytes: size of @lines
 */
struct bench {
	const char *rcrstat;
	unsigned int runs;
	struct rings *rings;
	int stream;
	size_t bytes;
	size_t head;
	int out;
	char *lines;
	size_t line_bytes;
};

static double seconds(const struct bench *b)
{
	return b->rings->records * (b->rings->set->period_ns / 1e9);
}

/* Return the median result of a measurement, in seconds of CPU time. */
static double median(struct bench *b, double (*measure)(struct bench *b))
{
	double time[MOST_RUNS];
	unsigned int i;

	for (i = 0; i < b->runs; i++)
		time[i] = measure(b);
	return median_time(time, b->runs);
}

/**
 * struct way - position of a reader in the rings, as in the module
 * @rings: the rings
 * @merge: selects the CPU whose record is next
 * @position: number of the next record, by CPU
 */
struct way {
	const struct rings *rings;
	struct rcr_merge merge;
	uint64_t *position;
};

static void look_at_next(struct way *w, unsigned int cpu)
{
	const struct rcr_ring *ring = rings_of(w->rings, cpu);
	const struct rcr_record *r = rcr_ring_slot(ring, w->position[cpu]);

	rcr_merge_set(&w->merge, cpu, w->position[cpu] < rcr_ring_head(ring) ?
		      READ_ONCE(r->time) : RCR_MERGE_NONE);
}

static void begin_way(struct way *w, const struct rings *rings)
{
	uint32_t places = rcr_merge_places(rings->cpus), cpu;

	*w = (struct way){
		.rings = rings,
		.merge = {
			.places = places,
			.time = calloc(places, sizeof(*w->merge.time)),
			.winner = calloc(places, sizeof(*w->merge.winner)),
		},
		.position = calloc(rings->cpus, sizeof(*w->position)),
	};
	if (!w->merge.time || !w->merge.winner || !w->position)
		errx(EXIT_FAILURE, "no memory for %u CPUs", rings->cpus);
	rcr_merge_clear(&w->merge);
	for (cpu = 0; cpu < rings->cpus; cpu++)
		look_at_next(w, cpu);
}

static void end_way(struct way *w)
{
	free(w->merge.time);
	free(w->merge.winner);
	free(w->position);
}

/* Copy the next record in time order. Return: its size; 0 at the end of all rings. */
static size_t next_record(struct way *w, char *at)
{
	unsigned int cpu = rcr_merge_first(&w->merge);

	if (rcr_merge_oldest(&w->merge) == RCR_MERGE_NONE)
		return 0;
	if (rcr_ring_read(rings_of(w->rings, cpu), w->position[cpu], (__u64 *)at) !=
	    RCR_RING_RECORD)
		errx(EXIT_FAILURE, "lost a record of a ring that is not written");
	w->position[cpu]++;
	look_at_next(w, cpu);
	return w->rings->set->record_size;
}

/* Merge the rings into a buffer, as the module does before it copies records to the reader. */
static double measure_merge(struct bench *b)
{
	double begin = cpu_time_used();
	struct way w;
	static char record[4096];

	begin_way(&w, b->rings);
	while (next_record(&w, record))
		;
	end_way(&w);
	return cpu_time_used() - begin;
}

static void write_fully(int fd, const void *data, size_t size)
{
	if (write(fd, data, size) != (ssize_t)size)
		err(EXIT_FAILURE, "writing the stream");
}

static void make_stream(struct bench *b)
{
	static char buffer[BUFFER];
	size_t filled = 0, got;
	struct way w;

	b->stream = memfd_create("stream", 0);
	b->out = memfd_create("out", 0);
	if (b->stream < 0 || b->out < 0)
		err(EXIT_FAILURE, "a file in memory");
	b->head = b->rings->set->item.size;
	write_fully(b->stream, b->rings->set, b->head);
	begin_way(&w, b->rings);
	while ((got = next_record(&w, buffer + filled))) {
		filled += got;
		if (filled + b->rings->set->record_size <= sizeof(buffer))
			continue;
		write_fully(b->stream, buffer, filled);
		filled = 0;
	}
	write_fully(b->stream, buffer, filled);
	end_way(&w);
	b->bytes = lseek(b->stream, 0, SEEK_CUR);
}

static void *map_pages(int fd, size_t bytes, int protection)
{
	void *at = mmap(NULL, bytes, protection, MAP_SHARED | MAP_POPULATE, fd, 0);

	if (at == MAP_FAILED)
		err(EXIT_FAILURE, "mapping %zu bytes", bytes);
	return at;
}

static double measure_memcpy(struct bench *b)
{
	static char *from, *to;
	static size_t bytes;
	double begin;

	if (bytes != b->bytes) {
		bytes = b->bytes;
		from = map_pages(b->stream, bytes, PROT_READ);
		to = malloc(bytes);
		if (!to)
			errx(EXIT_FAILURE, "no memory for a copy");
		memset(to, 1, bytes);
	}
	begin = cpu_time_used();
	memcpy(to, from, bytes);
	__asm__ volatile("" : : "r"(to) : "memory");
	return cpu_time_used() - begin;
}

/* Lower bound of any program that reads a stream and writes it. */
static double measure_readwrite(struct bench *b)
{
	static char buffer[BUFFER];
	double begin = cpu_time_used();
	ssize_t got;

	lseek(b->stream, 0, SEEK_SET);
	lseek(b->out, 0, SEEK_SET);
	while ((got = read(b->stream, buffer, sizeof(buffer))) > 0)
		write_fully(b->out, buffer, got);
	return cpu_time_used() - begin;
}

/* Start rcrstat, which reads the stream and writes @out. fork() would copy the rings. */
static pid_t start_rcrstat(const struct bench *b, const char *const *argv)
{
	const char *args[16] = { b->rcrstat, "-d" };
	posix_spawn_file_actions_t actions;
	char path[32];
	unsigned int i;
	pid_t pid;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", b->stream);
	args[2] = path;
	for (i = 0; argv[i]; i++)
		args[3 + i] = argv[i];
	lseek(b->out, 0, SEEK_SET);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, b->out, STDOUT_FILENO);
	errno = posix_spawn(&pid, b->rcrstat, &actions, NULL, (char *const *)args, environ);
	if (errno)
		err(EXIT_FAILURE, "%s", b->rcrstat);
	posix_spawn_file_actions_destroy(&actions);
	return pid;
}

/* Run rcrstat with @argv. Return: its CPU time, s. */
static double run_rcrstat(struct bench *b, const char *const *argv)
{
	pid_t pid = start_rcrstat(b, argv);
	struct rusage usage;
	int status;

	if (wait4(pid, &status, 0, &usage) != pid)
		err(EXIT_FAILURE, "rcrstat");
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		errx(EXIT_FAILURE, "rcrstat ended with status %x", status);
	return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static double measure_binary(struct bench *b)
{
	static const char *const argv[] = { "-f", "raw", NULL };

	return run_rcrstat(b, argv);
}

/* Print a line every 100 ms: some recordings are shorter than the default interval of 1 s. */
static double measure_csv(struct bench *b)
{
	static const char *const argv[] = { "-f", "csv", "-i", "0.1", NULL };

	return run_rcrstat(b, argv);
}

static double measure_csv_each(struct bench *b)
{
	static const char *const argv[] = { "-f", "csv", "-i", "1ms", NULL };

	return run_rcrstat(b, argv);
}

/* Check that @out has these bytes and no more. */
static void check_out(const struct bench *b, const char *from, size_t bytes,
		      const char *what)
{
	char *out = map_pages(b->out, bytes, PROT_READ);

	if (memcmp(out, from, bytes))
		errx(EXIT_FAILURE, "rcrstat did not write %s", what);
	munmap(out, bytes);
}

static void check_binary(struct bench *b)
{
	char *stream = map_pages(b->stream, b->bytes, PROT_READ);

	if (ftruncate(b->out, 0))
		err(EXIT_FAILURE, "a file in memory");
	measure_binary(b);
	if (lseek(b->out, 0, SEEK_END) != (off_t)b->bytes)
		errx(EXIT_FAILURE, "rcrstat did not write all records");
	check_out(b, stream, b->bytes, "the records that it read");
	munmap(stream, b->bytes);
}

static double rate_of(const struct bench *b, const struct rcr_record *from,
		      const struct rcr_record *to, unsigned int counter)
{
	uint64_t begin = from->tsc + (from->tsc_end - from->tsc) / 2;
	uint64_t end = to->tsc + (to->tsc_end - to->tsc) / 2;

	return (double)(to->value[counter] - from->value[counter]) *
	       (b->rings->set->tsc_khz * 1e3) / (double)(end - begin);
}

static const struct rcr_record *record_of(const struct bench *b, unsigned int cpu,
					  unsigned int tick)
{
	return rcr_ring_slot(rings_of(b->rings, cpu), tick);
}

static char *put_line(const struct bench *b, char *at, unsigned int tick)
{
	unsigned long long time = record_of(b, 0, tick)->time +
				  b->rings->set->clock_realtime -
				  b->rings->set->clock_monotonic;
	unsigned int cpu, i;

	at += sprintf(at, "%llu.%06u,%.6g,%u,%u,ok", time / 1000000000,
		      (unsigned int)(time % 1000000000 / 1000), 0.001, 0, 0);
	for (cpu = 0; cpu < b->rings->cpus; cpu++)
		for (i = 0; i < COUNTERS; i++)
			at += snprintf(at, 32, ",%.1f",
				       rate_of(b, record_of(b, cpu, tick - 1),
					       record_of(b, cpu, tick), i));
	*at++ = '\n';
	return at;
}

/* Print the same lines as rcrstat, one for each sample, with snprintf(). */
static double measure_snprintf(struct bench *b)
{
	char *at = b->lines;
	double begin = cpu_time_used();
	unsigned int tick;

	for (tick = 1; tick < b->rings->records; tick++)
		at = put_line(b, at, tick);
	b->line_bytes = at - b->lines;
	return cpu_time_used() - begin;
}

static void check_lines(struct bench *b)
{
	size_t most = (size_t)b->rings->records * (100 + 20 * b->rings->cpus * COUNTERS);
	size_t bytes;
	char *out;

	b->lines = malloc(most);
	if (!b->lines)
		errx(EXIT_FAILURE, "no memory for lines");
	memset(b->lines, 0, most);
	measure_snprintf(b);
	if (ftruncate(b->out, 0))
		err(EXIT_FAILURE, "a file in memory");
	measure_csv_each(b);
	bytes = lseek(b->out, 0, SEEK_END);
	out = map_pages(b->out, bytes, PROT_READ);
	/* Compare from the first line after the header. */
	if (bytes < b->line_bytes || out[bytes - b->line_bytes - 1] != '\n' ||
	    memcmp(out + bytes - b->line_bytes, b->lines, b->line_bytes))
		errx(EXIT_FAILURE, "rcrstat and snprintf did not write the same lines");
	munmap(out, bytes);
}

static void tell(const struct bench *b, const char *name, double value,
		 const char *unit, unsigned int measurements)
{
	printf("bench|%s_%u|%.0f|%s|%u\n", name, b->rings->cpus, value, unit, measurements);
}

static void tell_time(const struct bench *b, const char *name, double time)
{
	tell(b, name, 1e9 * time, "ns", b->runs);
}

static void tell_binary(struct bench *b)
{
	double merge = median(b, measure_merge), binary;

	check_binary(b);
	binary = median(b, measure_binary);
	tell_time(b, "merge", merge);
	tell_time(b, "memcpy", median(b, measure_memcpy));
	tell_time(b, "readwrite", median(b, measure_readwrite));
	tell_time(b, "raw", binary);
	tell_time(b, "follow_raw", merge + binary);
	tell_time(b, "follow_csv", merge + median(b, measure_csv));
}

static void tell_lines(struct bench *b)
{
	check_lines(b);
	tell_time(b, "snprintf", median(b, measure_snprintf));
	tell_time(b, "csv_each", median(b, measure_csv_each));
}

static void tell_recording(const struct bench *b)
{
	tell(b, "recorded", 1e9 * seconds(b), "ns", 1);
	tell(b, "records", (double)b->rings->records * b->rings->cpus, "records", 1);
	tell(b, "stream", b->bytes, "bytes", 1);
}

/* Return: ms to record, for 250,000 records in all, but at least 500. */
static unsigned int records_of(unsigned int cpus)
{
	return cpus < 512 ? 256000 / cpus : 500;
}

static void bench(struct bench *b, unsigned int cpus)
{
	b->rings = rings_make(cpus, COUNTERS, records_of(cpus));
	if (!b->rings)
		errx(EXIT_FAILURE, "no memory for the rings of %u CPUs", cpus);
	make_stream(b);
	tell_recording(b);
	tell_binary(b);
	tell_lines(b);
	free(b->lines);
	close(b->stream);
	close(b->out);
	rings_free(b->rings);
}

int main(int argc, char **argv)
{
	struct bench b = { };
	int i;

	if (argc < 4)
		errx(1, "usage: reader RCRSTAT RUNS CPUS...");
	b.rcrstat = argv[1];
	b.runs = atoi(argv[2]);
	if (b.runs < 1 || b.runs > MOST_RUNS)
		errx(1, "invalid RUNS: use 1 to %u", MOST_RUNS);
	for (i = 3; i < argc; i++)
		bench(&b, atoi(argv[i]));
	return EXIT_SUCCESS;
}
