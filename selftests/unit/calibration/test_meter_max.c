// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_meter_max.c - the limits that 'rcrctl meter max' sets at each place, on a board in a file.
 * This file receives the requests instead of the module.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "board_maker.h"
#include "ksft.h"
#include "meter/meter.h"

#define REQUESTS 8

static struct rcr_meter_limits sent[REQUESTS];
static unsigned int count, refused;
static struct rcr_meter_state state;
static struct made_board made;
static char board_file[32];

int rcr_control_meter_maximum(struct rcr_control *c, uint32_t generation, const char *name,
			      const struct rcr_meter_limits *limits)
{
	(void)c;
	if (generation != 7 || strcmp(name, state.name) || count == REQUESTS)
		ksft_exit_fail_msg("unexpected request: %s\n", name);
	sent[count++] = *limits;
	return count == refused ? -1 : 0;
}

const struct rcr_meter_state *meters_find(struct session *s, struct rcr_meters *meters,
					  const char *name)
{
	(void)s;
	(void)meters;
	return strcmp(name, state.name) ? NULL : &state;
}

int done(const struct session *s, int ret)
{
	(void)s;
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}

static void make_state(const char *name, unsigned int digits, const char *unit, bool adds_up)
{
	memset(&state, 0, sizeof(state));
	strcpy(state.name, name);
	strcpy(state.unit, unit);
	state.digits = digits;
	state.form.above.terms = 1;
	state.form.above.term[0].kind = RCR_TERM_RATE;
	state.form.below.terms = !adds_up;
}

static void write_board(void)
{
	FILE *file = fopen(board_file, "w");

	if (!file || fwrite(&made, sizeof(made), 1, file) != 1 || fclose(file))
		ksft_exit_fail_msg("cannot write %s\n", board_file);
}

/* Run "rcrctl meter max @words". */
static int run(const char *words)
{
	static char text[128], *args[16];
	static struct session s;
	struct call c = { .session = &s, .args = args };

	s.generation = 7;
	snprintf(text, sizeof(text), "%s", words);
	for (args[0] = strtok(text, " "); args[c.count]; args[c.count] = strtok(NULL, " "))
		c.count++;
	memset(sent, 0, sizeof(sent));
	count = 0;
	return check_meter_max(&c) ? -1 : do_meter_max(&c);
}

static bool was_sent(unsigned int n, uint32_t kind, uint32_t number, int64_t maximum,
		     int64_t contention)
{
	const struct rcr_meter_limits *l = &sent[n];
	bool right = n < count && l->kind == kind && l->number == number &&
		     l->has_maximum == (maximum >= 0) && l->has_contention == (contention >= 0) &&
		     (maximum < 0 || l->maximum == maximum) &&
		     (contention < 0 || l->contention == contention);

	if (!right)
		ksft_print_msg("request %u of %u: kind %u, number %u, %lld, %lld\n", n, count,
			       l->kind, l->number, (long long)l->maximum,
			       (long long)l->contention);
	return right;
}

static void test_shares(void)
{
	make_state("mem_bw", 0, "B/s", true);
	ksft_test_result(!run("mem_bw --maximum 20G --contention 16GB/s") && count == 3 &&
			 was_sent(0, RCR_PLACE_MACHINE, 0, 20000000000, 16000000000) &&
			 was_sent(1, RCR_PLACE_NODE, 0, 10000000000, 8000000000) &&
			 was_sent(2, RCR_PLACE_NODE, 1, 10000000000, 8000000000),
			 "meter max: each node has its share of a bandwidth\n");
	ksft_test_result(!run("mem_bw --contention 16G") && count == 3 &&
			 was_sent(0, RCR_PLACE_MACHINE, 0, -1, 16000000000) &&
			 was_sent(2, RCR_PLACE_NODE, 1, -1, 8000000000),
			 "meter max: a limit that is not given is not sent\n");
	make_state("ipc", 3, "1", false);
	ksft_test_result(!run("ipc --maximum 4") && count == 3 &&
			 was_sent(0, RCR_PLACE_MACHINE, 0, 4000, -1) &&
			 was_sent(1, RCR_PLACE_CPU, 0, 4000, -1) &&
			 was_sent(2, RCR_PLACE_CPU, 1, 4000, -1),
			 "meter max: a ratio has the same limit everywhere\n");
	make_state("flops", 0, "1/s", true);
	ksft_test_result(!run("flops --maximum 3") && count == 1 &&
			 was_sent(0, RCR_PLACE_MACHINE, 0, 3, -1),
			 "meter max: a meter without entries has a limit for the machine only\n");
}

static void test_place(void)
{
	make_state("mem_bw", 0, "B/s", true);
	ksft_test_result(!run("mem_bw --at node1 --maximum 20G") && count == 1 &&
			 was_sent(0, RCR_PLACE_NODE, 1, 20000000000, -1) &&
			 !run("mem_bw --maximum 1 --at machine") && count == 1 &&
			 was_sent(0, RCR_PLACE_MACHINE, 0, 1, -1) &&
			 !run("mem_bw --at cpu:12 --contention 5") && count == 1 &&
			 was_sent(0, RCR_PLACE_CPU, 12, -1, 5),
			 "meter max: --at sends one request, for that place\n");
	ksft_test_result(!run("mem_bw --at node0 --contention 50%") &&
			 was_sent(0, RCR_PLACE_NODE, 0, -1, 10000000000) &&
			 !run("mem_bw --at node0 --maximum 4 --contention 50%") &&
			 was_sent(0, RCR_PLACE_NODE, 0, 4, 2),
			 "meter max: a percentage is of --maximum, or else of the known maximum\n");
	state.maximum = 40000000000;
	ksft_test_result(!run("mem_bw --contention 80%") && count == 3 &&
			 was_sent(0, RCR_PLACE_MACHINE, 0, -1, 32000000000) &&
			 was_sent(1, RCR_PLACE_NODE, 0, -1, 16000000000) &&
			 run("mem_bw --at cpu7 --contention 80%") == EXIT_FAILURE && !count,
			 "meter max: a percentage of an unknown maximum is refused\n");
}

static void test_failures(void)
{
	make_state("mem_bw", 0, "B/s", true);
	refused = 1;
	ksft_test_result(run("mem_bw --maximum 20G") == EXIT_FAILURE && count == 1,
			 "meter max: no request is sent after one that was refused\n");
	refused = 0;
	ksft_test_result(run("mem_bw --maximum 20W") == EXIT_FAILURE && !count &&
			 run("mem_bw --maximum") == -1 && run("mem_bw") == -1 && !count &&
			 run("nobody --maximum 1") == EXIT_FAILURE && !count,
			 "meter max: malformed arguments send nothing\n");
}

int main(void)
{
	snprintf(board_file, sizeof(board_file), "/tmp/rcr-max-XXXXXX");
	close(mkstemp(board_file));
	setenv("RCR_BOARD", board_file, 1);
	make_board(&made);
	write_board();
	ksft_print_header();
	ksft_set_plan(4 + 3 + 2);
	test_shares();
	test_place();
	test_failures();
	unlink(board_file);
	ksft_finished();
}
