// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_rcrstat.c - a run of rcrstat on a saved stream, with intervals, relations between counters,
 * and all formats.
 *
 * An input is a byte for the format, one for the grouping of CPUs or the shares of tasks and for
 * the description of the machine, one for the length of an interval, and the stream.
 */
#include "fuzz.h"
#include "options.h"
#include "message.h"
#include "rcr.h"
#include "command/choice.h"
#include "session.h"

/* End the output here: a stream whose time jumps would have an endless number of lines. */
#define MOST_LINES 100

/* In place of message.c: no message is read. */
int fail(const char *format, ...)
{
	FUZZ_HOLDS(strlen(format));
	return EXIT_FAILURE;
}

int wrong(const char *format, ...)
{
	FUZZ_HOLDS(strlen(format));
	return EXIT_USAGE;
}

void note_line(const char *file, unsigned int line, const char *format, ...)
{
	FUZZ_HOLDS(file && line && strlen(format));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Not ctf, whose output is a directory. */
	static const struct format *const formats[] = {
		NULL, &format_csv, &format_table, &format_raw, &format_ldms, &format_openmetrics,
		&format_prometheus, &format_influx, &format_tacc_stats, &format_chrome,
		&format_json,
	};
	static const uint64_t lengths[] = { 1000, 1000000, 10000000, 1000000000, 86400000000000 };
	struct fuzz_input in = { data, size };
	struct choice choice = { .hold = -1 };
	static struct options options;
	struct rcr_reader *reader;
	uint8_t wanted[3];

	fuzz_bytes(&in, wanted, sizeof(wanted));
	options = (struct options){
		.format = formats[wanted[0] % (sizeof(formats) / sizeof(formats[0]))],
		.per = wanted[1] % (PER_ALL + 1),
		.interval = lengths[wanted[2] % 5],
		.count = MOST_LINES,
		/* Read the description in few runs only, as that takes long. */
		.sysfs = wanted[1] < 64 ? FUZZ_FOLDER "/sysfs" : "/nonexistent",
		.output = "/dev/null",
		.all_cpus = true,
	};
	if (wanted[1] >= 192 && options.format && options.format->meters)
		options.tasks = wanted[1] % 2 ? TASK_PROCESS : TASK_CGROUP;
	reader = rcr_open(fuzz_file(in.data, in.size));
	if (!reader)
		return 0;
	session_run(&options, &choice, reader);
	rcr_close(reader);
	return 0;
}
