// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_card.c - cards of runs: a card restores its run, and a damaged card is refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAKER_CPUS 4
#define MAKER_COUNTERS 2
#include "ksft.h"
#include "runs/card.h"
#include "stream_maker.h"

#define TINY (1 / 1e12)

static const struct card_source here = { "boot-1", 17 };
static struct made_set set;
static struct runs runs;
static char *card;

static void set_runs(struct runs *r)
{
	unsigned int scope, cpu;

	for (scope = 0; scope < RATE_SCOPES; scope++)
		for (cpu = 0; cpu < MAKER_CPUS; cpu++)
			r->share[scope][cpu] = cpu;
	runs_set(r, &set.set);
}

static void add_mark(struct runs *r, enum rcr_mark_kind kind, uint64_t us, uint64_t position,
		     const char *id)
{
	struct rcr_mark m = make_mark(us * 1000, kind, id);

	m.position = position;
	runs_add(r, &m.item);
}

static void add_ticks(struct runs *r, uint64_t from_ms, uint64_t to_ms, uint64_t changes)
{
	struct made_record record;
	unsigned int cpu;
	uint64_t ms;

	for (ms = from_ms; ms <= to_ms; ms++)
		for (cpu = 0; cpu < MAKER_CPUS; cpu++) {
			record = make_sample(cpu, ms, ms * 1000 * (cpu + 1), ms * 10 * (cpu + 1));
			record.record.changes = changes;
			if (cpu != 2)
				runs_add(r, &record.record.item);
		}
}

/* Write the card of the latest run. */
static void write_latest(void)
{
	size_t size;
	FILE *out;

	free(card);
	out = open_memstream(&card, &size);
	runs_update(&runs, runs.run[runs.count - 1]);
	card_write(out, &runs, runs.run[runs.count - 1], &here);
	fclose(out);
}

/* Begin a run on CPUs 0 and 3, with samples from 11 to 20 ms. */
static void begin_runs(const char *id)
{
	runs_free(&runs);
	set = make_set();
	set_runs(&runs);
	runs.serial = 5;
	add_ticks(&runs, 1, 10, 3);
	add_mark(&runs, RCR_MARK_BEGIN, 10500, 0, id);
	add_ticks(&runs, 11, 20, 3);
	runs.run[0]->rate->wanted[1] = false;
	runs.run[0]->cpus = 2;
	runs.run[0]->has_uid = true;
	runs.run[0]->uid = 4321;
	runs.run[0]->shared = 3;
}

/* Simulate a restart of the program: only the set and the card are left. */
static struct run *restart_runs(const struct card_source *source)
{
	runs_free(&runs);
	set_runs(&runs);
	return card_read(card, &runs, source);
}

static bool total_is(const struct run *run, unsigned int event, uint64_t count, double completeness)
{
	const struct run_total *t = event < run->totals ? &run->total[event] : NULL;
	double off = t ? t->completeness - completeness : 1;

	if (t && t->known && t->count == count && off * off < TINY)
		return true;
	ksft_print_msg("%llu, %f, %s\n", t ? (unsigned long long)t->count : 0,
		       t ? t->completeness : -1, t ? t->reason : "none");
	return false;
}

static void test_continued(void)
{
	struct run *run;
	char *text;

	begin_runs("4711");
	write_latest();
	run = restart_runs(&here);
	ksft_test_result(run && !strcmp(run->id, "4711") && run->serial == 5 && run->number == 1 &&
			 run->cpus == 2 && run->has_uid && run->uid == 4321 && run->shared == 3 &&
			 run->begin_wall == 1700000000010500000ull && run->state == RUN_RUNNING &&
			 !run->uncertain && runs.serial == 6,
			 "card: a run that has not ended is restored\n");
	text = card;
	card = NULL;
	write_latest();
	ksft_test_result(!strcmp(text, card), "card: the card of a restored run is unchanged\n");
	free(text);
	/* First records that were read before the restart, then new ones. */
	add_mark(&runs, RCR_MARK_BEGIN, 10500, 0, "4711");
	add_ticks(&runs, 15, 20, 3);
	add_ticks(&runs, 31, 40, 3);
	add_mark(&runs, RCR_MARK_END, 40500, 1, "4711");
	add_ticks(&runs, 41, 41, 3);
	ksft_test_result(runs.count == 1 && run->state == RUN_ENDED && !run->uncertain &&
			 total_is(run, 0, 29 * 5000, 1) && total_is(run, 1, 29 * 50, 1),
			 "card: totals of a restored run are complete even if records are missing\n");
	write_latest();
	run = restart_runs(&here);
	ksft_test_result(run && run->state == RUN_ENDED && !run->rate && !runs.opens &&
			 run->end_wall == 1700000000040500000ull && total_is(run, 0, 29 * 5000, 1),
			 "card: an ended run is restored with its totals\n");
	add_mark(&runs, RCR_MARK_BEGIN, 10500, 0, "4711");
	add_mark(&runs, RCR_MARK_END, 40500, 1, "4711");
	ksft_test_result(runs.count == 1 && !runs.strays,
			 "card: marks that are read again do not begin another run\n");
}

/* The longest possible list of CPUs. */
static void test_long_list(void)
{
	char *list = NULL, *text = NULL, *at;
	unsigned int serial, cpu;
	size_t size;
	bool ended;
	FILE *out = open_memstream(&list, &size);

	for (cpu = 0; cpu + 1 < CPU_LIMIT; cpu += 3)
		fprintf(out, "%s%u-%u", cpu ? "," : "", cpu, cpu + 1);
	fclose(out);
	begin_runs("4711");
	write_latest();
	at = strstr(card, "\"0,3\"");
	out = open_memstream(&text, &size);
	fprintf(out, "%.*s\"%s\"%s", at ? (int)(at - card) : 0, card, list, at ? at + 5 : "");
	fclose(out);
	runs_free(&runs);
	set_runs(&runs);
	ksft_test_result(at && card_peek(text, &serial, &ended) && card_read(text, &runs, &here) &&
			 runs.run[0]->rate->wanted[1] && !runs.run[0]->rate->wanted[2],
			 "card: the longest list of CPUs is restored\n");
	free(text);
	free(list);
}

static void test_parts(void)
{
	static const char keys[] = "\"estimate\": 4242, \"estimate_error\": 17, \"estimate_reason\": null, ";
	struct run *run;
	char *at;

	begin_runs("4711");
	add_mark(&runs, RCR_MARK_END, 20500, 1, "4711");
	add_ticks(&runs, 21, 21, 3);
	runs_release(runs.run[0]);
	runs.run[0]->total[0].has_estimate = true;
	runs.run[0]->total[0].estimate = 4242;
	runs.run[0]->total[0].error = 17;
	*runs.run[0]->total[0].estimate_reason = 0;
	write_latest();
	at = strstr(card, keys);
	run = restart_runs(&here);
	ksft_test_result(at && run && run->total[0].has_estimate && run->total[0].estimate == 4242 &&
			 run->total[0].error == 17 && !*run->total[0].estimate_reason &&
			 !run->total[1].has_estimate &&
			 !strcmp(run->total[1].estimate_reason, "its control group is not known"),
			 "card: estimates, and reasons for missing ones, are restored\n");
	if (!at)
		return;
	memmove(at, at + sizeof(keys) - 1, strlen(at + sizeof(keys) - 1) + 1);
	run = restart_runs(&here);
	ksft_test_result(run && !run->total[0].has_estimate && total_is(run, 0, 9 * 5000, 1),
			 "card: cards of versions without estimates are read\n");
}

static void test_changes(void)
{
	struct run *run;

	begin_runs("a");
	write_latest();
	run = restart_runs(&here);
	add_ticks(&runs, 31, 40, 5);
	runs_sync(&runs);
	ksft_test_result(run && total_is(run, 0, 29 * 5000, 18 / 29.0) &&
			 !strcmp(run->total[0].reason, "gap on CPU 0"),
			 "card: if a status changed during the restart, that time counts as incomplete\n");
	begin_runs("a");
	write_latest();
	run = restart_runs(&here);
	add_mark(&runs, RCR_MARK_TEXT, 30500, 2, "");
	ksft_test_result(run && run->uncertain,
			 "card: if marks were lost during the restart, the run is uncertain\n");
}

static void test_elsewhere(void)
{
	const struct card_source reloaded = { "boot-1", 18 }, rebooted = { "boot-2", 17 };
	struct run *run;

	begin_runs("a");
	write_latest();
	run = restart_runs(&reloaded);
	/* Totals restart from 0. */
	add_ticks(&runs, 21, 30, 3);
	runs_sync(&runs);
	ksft_test_result(run && run->uncertain && total_is(run, 0, 18 * 5000, 18 / 19.0),
			 "card: counts from before and after a reload of the module are added up\n");
	run = restart_runs(&rebooted);
	ksft_test_result(run && run->state == RUN_RESTARTED && total_is(run, 0, 9 * 5000, 1) &&
			 run->end_wall == 1700000000020000000ull && !runs.opens,
			 "card: after a reboot the run ends with its last record\n");
	add_mark(&runs, RCR_MARK_BEGIN, 500, 0, "a");
	ksft_test_result(runs.count == 2 && runs.run[1]->number == 2 && runs.opens == 1,
			 "card: after a reboot the same job id begins another run, even at an earlier time\n");
}

static void test_ids(void)
{
	char id[RCR_MARK_LEN];
	unsigned int i, same = 0;
	struct run *run;

	for (i = 1; i + RCR_MARK_LEN < 256 + RCR_MARK_LEN; i++) {
		snprintf(id, sizeof(id), "x%c%c\"\\,\n%c}", i, 255 - i ? 255 - i : 1, i);
		begin_runs(id);
		write_latest();
		run = restart_runs(&here);
		same += run && !strcmp(run->id, id) && !strchr(strchr(card, 'x'), i < ' ' && i != '\n' ? (int)i : 1);
	}
	ksft_test_result(same == 255, "card: ids of any bytes are restored, control characters are escaped\n");
	memset(id, '"', sizeof(id) - 1);
	id[sizeof(id) - 1] = 0;
	begin_runs(id);
	write_latest();
	run = restart_runs(&here);
	ksft_test_result(run && !strcmp(run->id, id), "card: an id of 127 quotes is restored\n");
}

/* Return whether a text is refused and leaves no run. */
static bool is_refused(const char *text)
{
	bool refused;

	runs_free(&runs);
	set_runs(&runs);
	refused = !card_read(text, &runs, &here) && !runs.count && !runs.opens;
	return refused;
}

static void test_garbled(void)
{
	size_t i, len, cut = 0, read = 0;
	unsigned int serial;
	char *text, old;
	bool ended;

	begin_runs("4711");
	write_latest();
	len = strlen(card);
	text = strdup(card);
	for (i = 0; i < len; i++) {
		old = text[i];
		text[i] = 0;
		cut += is_refused(text);
		text[i] = old;
	}
	ksft_test_result(cut == len, "card: a truncated card is refused\n");
	for (i = 0; i < len; i++) {
		old = text[i];
		text[i] = "x9\"{}\\,-\x80\n"[random_number() % 10];
		read += !is_refused(text);
		card_peek(text, &serial, &ended);
		runs_sync(&runs);
		add_ticks(&runs, 21, 23, 3);
		runs_sync(&runs);
		text[i] = old;
	}
	ksft_print_msg("%zu of %zu damaged cards are accepted\n", read, len);
	ksft_test_result(read < len / 2, "card: most cards with a damaged byte are refused\n");
	ksft_test_result(is_refused("") && is_refused("{}") && is_refused("{\"rcrtool_job\": 2, \"name\": \"a\"") &&
			 !is_refused(text), "card: cards of other versions are refused\n");
	free(text);
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(18);
	test_continued();
	test_parts();
	test_long_list();
	test_changes();
	test_elsewhere();
	test_ids();
	test_garbled();
	runs_free(&runs);
	free(card);
	ksft_finished();
}
