// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfevent.c WHAT CONFIG - opens events of the PMU "rcrtool" by perf_event_open().
 *
 *	try		opens an event with each kind of attribute and target; prints "WAY N", N
 *			being 0 or an errno
 *	open		opens an event on every CPU; prints 0 or the errno of the last one
 *	hold		opens an event and prints "open"; for each line of standard input prints
 *			the count, and "runs" or "stands" for an event that is running or not
 *	churn		opens and closes an event and reads the PMU's sysfs files until SIGTERM,
 *			while the module is loaded and unloaded
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PMU	"/sys/bus/event_source/devices/rcrtool"
#define EVENTS	PMU "/events"

static volatile sig_atomic_t ended;

static void end(int unused)
{
	(void)unused;
	ended = 1;
}

/* Return the type of the PMU from sysfs; -1 if it does not exist. */
static int type_of_pmu(void)
{
	FILE *f = fopen(PMU "/type", "re");
	int type = -1;

	if (!f)
		return -1;
	if (fscanf(f, "%d", &type) != 1)
		type = -1;
	fclose(f);
	return type;
}

static struct perf_event_attr of(uint64_t config)
{
	return (struct perf_event_attr) {
		.type = type_of_pmu(),
		.size = sizeof(struct perf_event_attr),
		.config = config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
}

static int open_event(struct perf_event_attr *attr, int pid, int cpu)
{
	return syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Open and close an event; return 0 or an errno. */
static int outcome(struct perf_event_attr attr, int pid, int cpu)
{
	int fd = open_event(&attr, pid, cpu);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int try(uint64_t config)
{
	struct perf_event_attr attr = of(config);

	printf("cpu %d", outcome(attr, -1, 0));
	printf(" other-cpu %d", outcome(attr, -1, 3));
	printf(" task %d", outcome(attr, 0, -1));
	printf(" task-on-cpu %d", outcome(attr, 0, 0));
	attr.sample_period = 1000;
	printf(" sampling %d", outcome(attr, -1, 0));
	attr.sample_period = 0;
	attr.exclude_user = 1;
	printf(" no-user %d", outcome(attr, -1, 0));
	attr.exclude_user = 0;
	attr.exclude_kernel = 1;
	printf(" no-kernel %d", outcome(attr, -1, 0));
	attr.exclude_kernel = 0;
	attr.exclude_idle = 1;
	printf(" no-idle %d", outcome(attr, -1, 0));
	attr.exclude_idle = 0;
	attr.config1 = 1;
	printf(" config1 %d", outcome(attr, -1, 0));
	attr.config1 = 0;
	attr.config2 = 1;
	printf(" config2 %d\n", outcome(attr, -1, 0));
	return 0;
}

static int open_all(uint64_t config)
{
	struct perf_event_attr attr = of(config);
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int cpu, err = 0;

	for (cpu = 0; cpu < cpus; cpu++)
		err = outcome(attr, -1, cpu);
	printf("%d\n", err);
	return 0;
}

/* Print the count of an event; set @ran to the time that it was running. */
static int say(int fd, uint64_t *ran)
{
	uint64_t got[3];

	if (read(fd, got, sizeof(got)) != sizeof(got))
		return -1;
	printf("%" PRIu64 " %s\n", got[0], got[2] > *ran ? "runs" : "stands");
	fflush(stdout);
	*ran = got[2];
	return 0;
}

static int hold(uint64_t config)
{
	struct perf_event_attr attr = of(config);
	int fd = open_event(&attr, -1, 0);
	uint64_t ran = 0;
	char line[80];

	if (fd < 0) {
		perror("perf_event_open");
		return 1;
	}
	puts("open");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin))
		if (say(fd, &ran)) {
			perror("read");
			return 1;
		}
	return 0;
}

static void look(const char *name)
{
	char path[512], text[64];
	int fd;

	snprintf(path, sizeof(path), EVENTS "/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	while (read(fd, text, sizeof(text)) > 0)
		;
	close(fd);
}

static void look_at_all(void)
{
	DIR *dir = opendir(EVENTS);
	struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir)))
		look(entry->d_name);
	closedir(dir);
}

static int churn(uint64_t config)
{
	struct sigaction action = { .sa_handler = end };
	unsigned int opened = 0, i;

	sigaction(SIGTERM, &action, NULL);
	while (!ended) {
		struct perf_event_attr attr = of(config);

		for (i = 0; i < 10; i++)
			opened += !outcome(attr, -1, i % 4);
		look_at_all();
		usleep(1000);
	}
	printf("%u\n", opened);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*fn)(uint64_t config);
	} all[] = {
		{ "try", try }, { "open", open_all }, { "hold", hold }, { "churn", churn },
	};
	unsigned int i;

	for (i = 0; argc == 3 && i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(argv[1], all[i].name))
			return all[i].fn(strtoull(argv[2], NULL, 0));
	fprintf(stderr, "usage: perfevent try|open|hold|churn CONFIG\n");
	return 1;
}
