// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_replay.c - rcrd --replay under the sanitizers: truncated and damaged files give verdicts or
 * an error, and a file gives the same verdicts each time.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <linux/rcrtool.h>

#include "ksft.h"
#include "labelled.h"
#include "model/replay.h"

static char *bytes;
static size_t size;
static char path[32] = "/tmp/test_replay.XXXXXX";

static struct replay replay = { .path = path, .capacity = 6.4e9 };

static void write_file(size_t length)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	if (fd < 0 || write(fd, bytes, length) != (ssize_t)length)
		ksft_exit_fail_msg("cannot write %s\n", path);
	close(fd);
}

/* Replay the file; capture stdout or stderr (@fd) in @text. Return the exit status. */
static int replay_into(char *text, size_t room, int stream)
{
	int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
	int null = open("/dev/null", O_WRONLY), status;
	FILE *file = tmpfile();
	ssize_t got;

	fflush(stdout);
	dup2(null, STDOUT_FILENO);
	dup2(fileno(file), stream);
	status = replay_file(&replay);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	got = pread(fileno(file), text, room - 1, 0);
	text[got > 0 ? got : 0] = 0;
	fclose(file);
	close(null);
	close(out);
	close(err);
	return status;
}

static void make_file(enum labelled_kind kind, uint32_t ticks)
{
	struct labelled_options o = {
		.kind = kind, .seed = 5, .nodes = 1, .node_cpus = 4, .ticks = ticks,
		.period_ns = 2000000, .noise = 0.1, .lost = 0.02,
	};
	struct labelled_truth t;

	free(bytes);
	bytes = labelled_bytes(&o, &t, &size);
	if (!bytes)
		ksft_exit_fail_msg("cannot make a recording\n");
	write_file(size);
}

static void test_same(void)
{
	static char first[65536], second[65536];
	unsigned int bad = 0;

	make_file(LABELLED_THRASHER, 1500);
	for (replay.json = false; ; replay.json = true) {
		bad += replay_into(first, sizeof(first), STDOUT_FILENO) != 0;
		bad += replay_into(second, sizeof(second), STDOUT_FILENO) != 0;
		bad += strcmp(first, second) || !strstr(first, "one process takes the L3");
		if (replay.json)
			break;
	}
	replay.json = false;
	ksft_test_result(!bad, "replay: a file gives the same bytes twice, as text and as JSON\n");
}

/* Make a recording of a Nehalem whose set has only the events of finding "lines". */
static void make_nehalem(enum labelled_kind kind)
{
	static const struct {
		enum labelled_counter counter;
		uint64_t select;
	} of[] = {
		{ LABELLED_CYCLES, 0x43003c }, { LABELLED_INSTRUCTIONS, 0x4300c0 },
		{ LABELLED_L2_MISSES, 0x434f2e }, { LABELLED_MODIFIED, 0x43020f },
	};
	struct rcr_counter *c;
	struct rcr_set *set;
	unsigned int i;

	make_file(kind, 1500);
	set = (struct rcr_set *)bytes;
	strcpy(set->family, "Intel Nehalem");
	c = (struct rcr_counter *)(bytes + set->counter_offset);
	for (i = 0; i < sizeof(of) / sizeof(of[0]); i++)
		c[of[i].counter].select = of[i].select;
	write_file(size);
}

static void test_doubt(void)
{
	static const char doubt[] = "modified lines of other packages are not counted";
	static char text[65536], json[65536];
	const char *end;
	bool ok;

	make_nehalem(LABELLED_LINES);
	ok = !replay_into(text, sizeof(text), STDOUT_FILENO);
	end = strstr(text, "lines: ok again; it lasted");
	ok = ok && end && strstr(end, doubt) && strstr(end, doubt) < strchr(end, '\n');
	ksft_test_result(ok, "replay: the line about the end of a finding repeats what makes it doubtful\n");

	make_nehalem(LABELLED_QUIET);
	ok = !replay_into(text, sizeof(text), STDOUT_FILENO) && !strstr(text, "ok: the recording") &&
	     strstr(text, doubt);
	replay.json = true;
	ok = ok && !replay_into(json, sizeof(json), STDOUT_FILENO) && strstr(json, doubt);
	replay.json = false;
	ksft_test_result(ok, "replay: nothing is reported ok if all findings are doubtful, in text and JSON\n");
}

/* Verdicts on the complete items go to standard output, which is not checked here. */
static void test_cut(void)
{
	static char said[65536];
	unsigned int bad = 0, damaged = 0, i;
	size_t at;

	make_file(LABELLED_BANDWIDTH, 150);
	for (i = 0; i < 200; i++) {
		at = size * i / 200 + i % 7;
		write_file(at);
		if (!replay_into(said, sizeof(said), STDERR_FILENO)) {
			bad += *said != 0;
			continue;
		}
		damaged++;
		bad += !strstr(said, path) || strchr(said, '\n') != said + strlen(said) - 1;
	}
	ksft_test_result(!bad && damaged > 100,
			 "replay: of 200 truncated files %u give a line of error, those cut between items none\n", damaged);
}

static void test_damaged(void)
{
	static char said[65536];
	unsigned int bad = 0, i;
	uint64_t random = 11;

	make_file(LABELLED_SUM, 150);
	for (i = 0; i < 100; i++) {
		size_t at;
		char before;
		int status;

		random = random * 6364136223846793005ull + 1442695040888963407ull;
		at = (random >> 33) % size;
		before = bytes[at];
		bytes[at] ^= 1 << (random >> 60) % 8;
		write_file(size);
		status = replay_into(said, sizeof(said), STDERR_FILENO);
		bad += status != 0 && status != 1;
		bytes[at] = before;
	}
	ksft_test_result(!bad, "replay: 100 files with one flipped bit give verdicts or an error\n");
}

static void test_no_file(void)
{
	char said[4096];
	unsigned int bad = 0;

	write_file(0);
	bad += replay_into(said, sizeof(said), STDERR_FILENO) != 1 || !strstr(said, path);
	replay.path = "/dev/null";
	bad += replay_into(said, sizeof(said), STDERR_FILENO) != 1 || !strstr(said, "is not a file");
	replay.path = "/none";
	bad += replay_into(said, sizeof(said), STDERR_FILENO) != 1 || !strstr(said, "/none");
	ksft_test_result(!bad, "replay: an empty file, a device and no file are refused\n");
}

static void write_whole(FILE *f, const void *from, size_t length)
{
	if (length && fwrite(from, length, 1, f) != 1)
		ksft_exit_fail_msg("cannot write %s\n", path);
}

static void write_fact(FILE *f, const char *fact)
{
	union {
		struct rcr_node node;
		char bytes[128];
	} item = { .node.item = { sizeof(item), RCR_ITEM_NODE, 0, ~0u, 1 } };

	snprintf(item.node.text, sizeof(item) - sizeof(item.node), "%s", fact);
	write_whole(f, &item, sizeof(item));
}

/* Write the recording with @facts, which are separated by blanks, after its set. */
static void write_facts(const char *facts)
{
	size_t set = ((const struct rcr_item *)bytes)->size;
	char *copy = strdup(facts), *rest = NULL, *fact;
	FILE *f = fopen(path, "w");

	write_whole(f, bytes, set);
	for (fact = strtok_r(copy, " ", &rest); fact; fact = strtok_r(NULL, " ", &rest))
		write_fact(f, fact);
	write_whole(f, bytes + set, size - set);
	fclose(f);
	free(copy);
}

#define LINES	"1e8"	/* memory lines per second of a node with 4 CPUs */
#define MANY	"1e12"
#define CPUS	"machine.cpus.0=0-3 machine.cpus.1=4-7 "

/* Each fact overrides one default; options override facts. */
static void test_facts(void)
{
	static const struct {
		const char *facts;
		double capacity, latency;
		const char *has, *has_not;
	} cases[] = {
		/* Bandwidth is not judged without the capacity of the memory. */
		{ "", 0, 0, "bandwidth", "bandwidth: busy" },
		{ "producer=rcrd", 0, 0, "bandwidth", "bandwidth: busy" },
		{ "", 6.4e9, 0, "node 1 bandwidth: busy", "node 2" },
		{ CPUS "machine.lines.0=" LINES " machine.lines.1=" LINES, 0, 0,
		  "node 1 bandwidth: busy", "node 2" },
		{ CPUS "machine.lines.0=" MANY " machine.lines.1=" LINES, 0, 0,
		  "node 1 bandwidth: busy", "node 0 bandwidth: busy" },
		{ CPUS "machine.lines.0=" MANY " machine.lines.1=" MANY, 0, 0, "", "bandwidth: busy" },
		/* Without CPU lists the number of nodes is derived as for a file without facts. */
		{ "machine.lines.0=" LINES " machine.lines.1=" LINES, 0, 0,
		  "node 1 bandwidth: busy", "node 2" },
		{ "machine.cpus.0=0-7 machine.lines.0=" LINES, 0, 0, "node 0 bandwidth: busy", "node 1" },
		/* The options. */
		{ CPUS "machine.lines.0=" MANY " machine.lines.1=" MANY, 6.4e9, 0,
		  "node 1 bandwidth: busy", "node 2" },
		{ CPUS "machine.lines.0=" LINES " machine.lines.1=" LINES, 6.4e13, 0, "", "bandwidth: busy" },
		{ CPUS "machine.lines.0=" LINES " machine.lines.1=" LINES
		  " machine.latency.0=1e6 machine.latency.1=1e6", 0, 0, "%, 0.0 times the latency",
		  "%, 13.5 times the latency" },
		{ CPUS "machine.lines.0=" LINES " machine.lines.1=" LINES
		  " machine.latency.0=1e6 machine.latency.1=1e6", 0, 200, "%, 13.5 times the latency",
		  "%, 0.0 times the latency" },
	};
	const struct labelled_options o = {
		.kind = LABELLED_BANDWIDTH, .seed = 5, .nodes = 2, .node_cpus = 4, .ticks = 1500,
		.period_ns = 2000000, .noise = 0.1,
	};
	static char text[65536];
	struct labelled_truth t;
	unsigned int bad = 0, i;

	free(bytes);
	bytes = labelled_bytes(&o, &t, &size);
	if (!bytes)
		ksft_exit_fail_msg("cannot make a recording\n");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		write_facts(cases[i].facts);
		replay.capacity = cases[i].capacity;
		replay.latency = cases[i].latency;
		if (!replay_into(text, sizeof(text), STDOUT_FILENO) && strstr(text, cases[i].has) &&
		    !strstr(text, cases[i].has_not))
			continue;
		ksft_print_msg("case %u, facts \"%s\":\n%s", i, cases[i].facts, text);
		bad++;
	}
	replay.capacity = 6.4e9;
	replay.latency = 0;
	ksft_test_result(!bad, "replay: facts of a recording are used, options override them, of %u\n", i);
}

/* The recording has thresholds that nothing reaches; an option lowers one of them. */
static void test_bounds(void)
{
	static const char most[] =
		"bound.memory.utilization=1 bound.memory.busy_utilization=1 bound.memory.busy_alone=1.5 bound.memory.latency=100";
	struct bounds before = replay.bounds;
	static char text[65536];
	struct why why;
	bool ok;

	make_file(LABELLED_BANDWIDTH, 1500);
	ok = !replay_into(text, sizeof(text), STDOUT_FILENO) && strstr(text, " bandwidth: busy");
	write_facts(most);
	ok = ok && !replay_into(text, sizeof(text), STDOUT_FILENO) && !strstr(text, " bandwidth: busy");
	ksft_test_result(ok, "replay: a recording is judged by its own thresholds\n");
	ok = !bounds_set(&replay.bounds, "memory.busy_alone=95%", &why) &&
	     !replay_into(text, sizeof(text), STDOUT_FILENO) && strstr(text, " bandwidth: busy");
	replay.bounds = before;
	ksft_test_result(ok, "replay: thresholds of the options override those of a recording\n");
}

int main(void)
{
	int fd = mkstemp(path);

	ksft_print_header();
	ksft_set_plan(9);
	close(fd);
	bounds_init(&replay.bounds);
	test_same();
	test_doubt();
	test_cut();
	test_damaged();
	test_facts();
	test_bounds();
	test_no_file();
	unlink(path);
	free(bytes);
	ksft_finished();
}
