// SPDX-License-Identifier: GPL-2.0-only
/*
 * lines.c FILE CPUS COUNTERS TICKS TIMES - what rcrstat is compared with: a memcpy of
 * the recording's bytes, and its lines by snprintf alone, one for each tick, whose
 * rates nobody has to work out. In CPU time.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"
#include "recording.h"

#define CHUNK (256 * 1024)

static unsigned int cpus, counters;

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static uint64_t copy_all(const char *file, size_t size, char *to)
{
	uint64_t begin = cpu_ns();
	size_t at;

	for (at = 0; at < size; at += CHUNK) {
		memcpy(to, file + at, size - at < CHUNK ? size - at : CHUNK);
		__asm__ volatile("" : : "r"(to) : "memory");
	}
	return cpu_ns() - begin;
}

static size_t print_line(char *line, size_t size, uint64_t tick)
{
	size_t n = snprintf(line, size, "%.6f,%.6g,%u,%u,ok",
			    (REALTIME + tick * PERIOD_NS) / 1e9, PERIOD_NS / 1e9, 0, 0);
	unsigned int cpu, i;

	for (cpu = 0; cpu < cpus; cpu++)
		for (i = 0; i < counters; i++)
			n += snprintf(line + n, size - n, ",%.1f",
				      rate_of(cpu, i) + tick % 1000 / 10.0);
	return n;
}

static uint64_t print_all(uint64_t ticks, int null)
{
	size_t size = 64 + 32ul * cpus * counters;
	char *line = malloc(size);
	uint64_t begin = cpu_ns(), tick;

	if (!line)
		err(1, "memory");
	for (tick = 0; tick < ticks; tick++)
		if (write(null, line, print_line(line, size, tick)) < 0)
			err(1, "/dev/null");
	free(line);
	return cpu_ns() - begin;
}

static void tell(const char *name, uint64_t *ns, unsigned int times)
{
	printf("bench|%s|%" PRIu64 "|ns|%u\n", name, median(ns, times), times);
}

int main(int argc, char **argv)
{
	unsigned int i, times;
	struct stat st;
	uint64_t *ns;
	char *file, *to;
	int fd, null = open("/dev/null", O_WRONLY);

	if (argc != 6)
		errx(1, "FILE CPUS COUNTERS TICKS TIMES");
	cpus = atoi(argv[2]);
	counters = atoi(argv[3]);
	times = atoi(argv[5]);
	ns = calloc(times, sizeof(*ns));
	fd = open(argv[1], O_RDONLY);
	if (fd < 0 || null < 0 || fstat(fd, &st))
		err(1, "%s", argv[1]);
	file = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
	to = malloc(CHUNK);
	if (file == MAP_FAILED || !to || !ns)
		err(1, "memory");
	copy_all(file, st.st_size, to);
	for (i = 0; i < times; i++)
		ns[i] = copy_all(file, st.st_size, to);
	tell("memcpy", ns, times);
	for (i = 0; i < times; i++)
		ns[i] = print_all(strtoull(argv[4], NULL, 10), null);
	tell("snprintf", ns, times);
	return 0;
}
