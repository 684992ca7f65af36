// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_where.c - profiles of contentions and rcrd's answers about them: sums, limits, visibility to
 * users, and answers in several parts. rcrctl's own code parses the answers.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "ksft.h"
#include "live/book.h"
#include "where/where.h"
#include "../rcrctl/where/places.h"
#include "../rcrctl/where/portion.h"

#define OWN	4711	/* not the user of this test */
#define OTHER	4712
#define GONE	0x7ffffff0	/* no process has this id */

static struct where where;
static struct answer answer;
static const struct caller root = { .uid = 0, .reads = true }, own = { .uid = OWN };

static struct mapped_file *make_file(const char *path)
{
	const struct file_key key = { .id_size = 2, .id = { 0xab, 0xcd }, .path = path };

	return files_get(&where.mappings.files, &key);
}

/* Add a sample at @offset of @path, of process @tgid of user @uid. */
static void add(struct profile *p, uint32_t tgid, uid_t uid, const char *path, uint64_t offset,
		double count)
{
	struct place_sample s = { .kind = PLACE_CODE, .tgid = tgid, .offset = offset, .count = count };
	unsigned int process;
	bool is_new;

	s.file = make_file(path);
	process = profile_process(p, tgid, 1, &is_new);
	if (is_new) {
		p->process[process].uid = uid;
		snprintf(p->process[process].name, PROCESS_NAME, "p%u", tgid % 1000);
	}
	profile_add(p, process, &s);
	files_put(&where.mappings.files, s.file);
}

static void begin(unsigned int n, uint64_t serial, enum finding finding)
{
	where.profile[n].serial = serial;
	where.profile[n].finding = finding;
	where.measure[n] = MEASURE_REQUESTS;
}

static void clear(void)
{
	unsigned int i;

	for (i = 0; i < PROFILES; i++)
		profile_clear(&where.profile[i], &where.mappings.files);
}

/* Parse all answers for a caller as rcrctl does. Return their number, or -1. */
static int ask(const struct caller *caller, unsigned int model, struct places *p)
{
	struct request q = { .kind = REQUEST_WHERE, .model = model };
	char *line, *rest;
	unsigned int more, n = 0;
	struct why why;
	int size;

	*p = (struct places){ 0 };
	do {
		where_answer(&where, caller, &q, &answer, &why);
		if (sscanf(answer.text, "next %" SCNu64 "\nmore %u\n%n", &q.number, &more, &size) != 2)
			return -1;
		for (line = strtok_r(answer.text + size, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
			if (places_take(p, line, &why))
				return -1;
		n++;
	} while (more && n < 10000);
	return n;
}

static void sum_counts(void)
{
	struct places p;

	begin(0, 1, FINDING_ONE);
	add(&where.profile[0], GONE, OWN, "/bin/a b\n\\", 0x1234, 3);
	add(&where.profile[0], GONE, OWN, "/bin/a b\n\\", 0x1234, 4);
	add(&where.profile[0], GONE, OWN, "/bin/a b\n\\", 0x1238, 5);
	ksft_test_result(ask(&root, MODELS, &p) == 1 && p.contentions == 1 && p.count == 2 && p.files == 1,
			 "where: samples at two offsets of a file are two places\n");
	ksft_test_result(p.place[0].samples == 2 && p.place[0].weight == 7 && p.place[0].squares == 25 &&
			 p.place[0].offset == 0x1234 && p.place[1].weight == 5, "where: each place has the sums of its samples\n");
	ksft_test_result(!strcmp(p.file[0].path, "/bin/a b\n\\") && !strcmp(p.file[0].shown, "/bin/a b\\x0a\\x5c") &&
			 !strcmp(p.file[0].id, "abcd"), "where: rcrctl escapes control characters in file names\n");
	ksft_test_result(!strcmp(p.contention[0].finding, "one") && !strcmp(p.contention[0].model, "cache"),
			 "where: an answer has the finding and the model of a contention\n");
	places_free(&p);
	ask(&root, MODEL_MEMORY, &p);
	ksft_test_result(!p.contentions, "where: contentions of other models are left out\n");
	places_free(&p);
}

static void limit_users(void)
{
	struct places p;

	add(&where.profile[0], GONE + 1, OTHER, "/bin/other", 0, 100);
	add(&where.profile[0], getpid(), OWN, "/bin/now", 0, 100);
	begin(1, 2, FINDING_EACH);
	add(&where.profile[1], GONE + 1, OTHER, "/bin/other", 0, 100);
	add(&where.profile[1], GONE + 2, BOOK_NO_USER, "/bin/nobody", 0, 100);
	ask(&own, MODELS, &p);
	ksft_test_result(p.contentions == 1 && p.contention[0].serial == 1 && p.count == 2 && p.files == 1,
			 "where: a user sees only his own processes\n");
	places_free(&p);
	ask(&root, MODELS, &p);
	ksft_test_result(p.contentions == 2 && p.count == 6, "where: root sees the processes of all users\n");
	places_free(&p);
	where.profile[0].process[2].uid = getuid();
	ask(&(struct caller){ .uid = getuid() }, MODELS, &p);
	ksft_test_result(p.contentions == 1 && p.count == 1 && !strcmp(p.file[0].path, "/bin/now"),
			 "where: a running process that has changed its user is hidden from the old one\n");
	places_free(&p);
	clear();
	ksft_test_result(!where.mappings.files.count, "where: dropped profiles release their files\n");
}

/* The program was executed at 1, and its user was read at 100. */
static void disown(void)
{
	struct profile *p = &where.profile[0];
	struct places got;
	bool ok;

	begin(0, 1, FINDING_ONE);
	add(p, GONE, OWN, "/bin/a", 0, 1);
	p->process[0].asked = 100;
	profile_disown(p, GONE, 1);
	profile_disown(p, GONE, 101);
	profile_disown(p, GONE + 1, 50);
	ask(&own, MODELS, &got);
	ok = got.count == 1;
	places_free(&got);
	profile_disown(p, GONE, 50);
	ask(&own, MODELS, &got);
	ksft_test_result(ok && !got.count,
			 "where: an exec() between the sample and the read of the user clears the user\n");
	places_free(&got);
	clear();
}

static void limit_places(void)
{
	struct profile *p = &where.profile[0];
	struct places got;
	double all = 0;
	unsigned int i;
	int parts;

	begin(0, 3, FINDING_ONE);
	for (i = 0; i < 5000; i++)
		add(p, GONE, OWN, i % 2 ? "/bin/one" : "/bin/two", i, 1);
	for (i = 0; i < 400; i++)
		add(p, GONE + 1 - i, OWN, "/bin/one", 0, 1);
	ksft_test_result(p->places == PROFILE_PLACES && p->processes == PROFILE_PROCESSES,
			 "where: %u places and %u processes at most\n", PROFILE_PLACES, PROFILE_PROCESSES);
	begin(1, 4, FINDING_ONE);
	for (i = 0; i < 1000; i++)
		add(&where.profile[1], GONE, OWN, "/bin/one", i, 1);
	parts = ask(&root, MODELS, &got);
	for (i = 0; i < got.count; i++)
		all += got.place[i].weight;
	ksft_test_result(parts > 1 && got.contentions == 2 && got.count == PROFILE_PLACES + 1000 && all == 6400,
			 "where: %d answers list each place once, and count the samples beyond the limit\n", parts);
	places_free(&got);
	clear();
}

/* Under the sanitizers: damaged lines are parsed or refused. */
static void random_lines(void)
{
	static const char letters[] = "contention place code 0123456789-:\\x/. \t";
	char line[200];
	struct places p = { 0 };
	unsigned int i, at;
	struct why why;

	srandom(1);
	for (i = 0; i < 100000; i++) {
		unsigned int size = random() % (sizeof(line) - 1);

		at = 0;
		if (i % 3)
			at = snprintf(line, sizeof(line), i % 3 == 1 ? "place code 1 a 1 1 1 ab 1:1:1 1 /" :
				      "contention 1 cache one 0 0 0 0 0 time 0 ");
		for (; at < size; at++)
			line[at] = letters[random() % (sizeof(letters) - 1)];
		line[at < sizeof(line) ? at : sizeof(line) - 1] = 0;
		places_take(&p, line, &why);
	}
	ksft_test_result(true, "where: rcrctl survives 100000 damaged lines\n");
	places_free(&p);
}

/* Count how many of 20,000 confidence intervals of a share contain the true share. */
static void judge_intervals(void)
{
	const struct tally ten = { 10, 10, 10 }, hundred = { 100, 100, 100 };
	struct portion s = portion_of(&ten, &hundred);
	unsigned int i, n, inside = 0;
	const double tiny = 0.000000001;

	ksft_test_result(fabs(s.value - 0.1) < tiny &&
			 fabs(s.error - 1.959964 * sqrt(0.1 * 0.9 / 100)) < tiny,
			 "where: the error of equal counts is that of a binomial share\n");
	s = portion_of(&ten, &ten);
	ksft_test_result(s.value == 1 &&
			 fabs(1 - s.error - 10 / (10 + 1.959964 * 1.959964)) < tiny &&
			 portion_of(&(struct tally){ 0 }, &ten).error == s.error,
			 "where: a share of 10 out of 10 has an error\n");
	srandom(2);
	for (i = 0; i < 20000; i++) {
		struct tally part = { 0 }, all = { 0 };

		/* Counts of 1 to 9; those of the part (30 % of the ticks) are halved. */
		for (n = 0; n < 400; n++) {
			bool is_part = random() % 10 < 3;
			double count = (1 + random() % 9) * (is_part ? 0.5 : 1);
			const struct tally one = { 1, count, count * count };

			tally_add(&all, &one);
			if (is_part)
				tally_add(&part, &one);
		}
		s = portion_of(&part, &all);
		inside += fabs(s.value - 0.15 / 0.85) <= s.error;
	}
	ksft_test_result(inside > 18800 && inside < 19200, "where: %u of 20000 intervals contain the share\n", inside);
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(16);
	sum_counts();
	limit_users();
	disown();
	limit_places();
	random_lines();
	judge_intervals();
	ksft_finished();
}
