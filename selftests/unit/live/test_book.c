// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_book.c - names and users of the processes in a verdict, and which of them other users see.
 * The processes are children of the test.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "ksft.h"
#include "live/book.h"

#define OWN	1000
#define OTHER	1001

static struct book book;

/* Start a process called @name that runs until end_process(). */
static pid_t start_process(const char *name)
{
	pid_t parent = getpid(), pid;
	int ready[2];
	char byte;

	if (pipe(ready))
		ksft_exit_fail_msg("no pipe\n");
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, name);
		if (getppid() != parent || write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	if (pid < 0 || read(ready[0], &byte, 1) != 1)
		ksft_exit_fail_msg("no process\n");
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static void end_process(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static const struct book_entry *take_process(pid_t pid, uint64_t time)
{
	const struct verdict v = { .state = VERDICT_CONTENTION, .time = time, .cause = pid };

	return book_take(&book, &v);
}

static bool is_named(const struct book_entry *e, const char *name)
{
	if (e->names.count != 1 || e->names.process[0].hidden)
		return false;
	if (strcmp(e->names.process[0].name, name))
		ksft_print_msg("the name is \"%s\", not \"%s\"\n", e->names.process[0].name, name);
	return !strcmp(e->names.process[0].name, name);
}

static void test_ring(void)
{
	const unsigned int most = BOOK_VERDICTS + 7;
	struct verdict v = { .state = VERDICT_LOG };
	unsigned int bad = 0, i;
	uint64_t n;

	book.count = 0;
	bad += book_oldest(&book) != 0;
	for (i = 0; i < most; i++) {
		v.time = i;
		v.node = i % 3;
		bad += book_take(&book, &v) != book_entry(&book, i);
		bad += book.count != i + 1;
		bad += book_oldest(&book) != (i < BOOK_VERDICTS ? 0 : i + 1 - BOOK_VERDICTS);
	}
	for (n = book_oldest(&book); n < book.count; n++)
		bad += book_entry(&book, n)->verdict.time != n ||
		       book_entry(&book, n)->verdict.node != n % 3;
	ksft_test_result(!bad && n - book_oldest(&book) == BOOK_VERDICTS,
			 "book: the newest verdicts are kept and keep their numbers\n");
}

static void test_names(void)
{
	static const struct {
		const char *set, *shown;
	} cases[] = {
		{ "stream", "stream" }, { "fifteen letters", "fifteen letters" },
		{ "a b) R 1 2 3", "a b) R 1 2 3" }, { "red\033[31m", "red?[31m" },
		{ "\001\177\r\t", "????" }, { "\303\244", "??" }, { "two\nlines", "two" }, { "", "" },
	};
	unsigned int bad = 0, i;
	pid_t pid;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct book_entry *e;

		pid = start_process(cases[i].set);
		e = take_process(pid, now_ns());
		bad += !is_named(e, cases[i].shown) || e->uid[0] != geteuid() ||
		       e->names.process[0].tgid != (uint32_t)pid;
		end_process(pid);
	}
	ksft_test_result(!bad, "book: control characters in names are replaced, users are recorded\n");
}

static void test_unknown(void)
{
	uint64_t before = now_ns() - 1000000000;
	pid_t pid = start_process("later");
	const struct book_entry *e;
	bool ok;

	/* The entry that is reused had a user. */
	book.count = 0;
	take_process(getpid(), now_ns());
	book.count = BOOK_VERDICTS;
	e = take_process(pid, before);
	ksft_test_result(e->uid[0] == BOOK_NO_USER && is_named(e, ""),
			 "book: a process that started after the verdict is not taken for one of its processes\n");
	book.count = 0;
	ok = take_process(pid, now_ns())->uid[0] == geteuid();
	book.count = BOOK_VERDICTS;
	end_process(pid);
	e = take_process(pid, now_ns());
	ksft_test_result(ok && e->uid[0] == BOOK_NO_USER && is_named(e, ""),
			 "book: a process that has ended has no user\n");
}

/* A process that started after the verdict reuses the id of one of its processes. */
static void test_reused(void)
{
	struct verdict v = { .finding = FINDING_ONE, .node = 1, .state = VERDICT_BUSY };
	pid_t pid = start_process("later");
	static struct book_entry now;
	bool ok;

	book.count = 0;
	v.cause = pid;
	v.time = now_ns() - 1000000000;
	book_take(&book, &v);
	v.time = now_ns();
	book_name(&now, &v);
	ok = is_named(&now, "later");
	book_keep_names(&book, &now);
	ok &= is_named(&now, "") && now.uid[0] == BOOK_NO_USER;
	/* The book has no earlier verdict of node 2. */
	v.node = 2;
	book_name(&now, &v);
	book_keep_names(&book, &now);
	ksft_test_result(ok && is_named(&now, "later") && now.uid[0] == geteuid(),
			 "book: a process keeps the name that its verdict recorded\n");
	end_process(pid);
}

/* A cause, two parties and the maximum of victims, some of them the same process. */
static void test_processes(void)
{
	struct verdict v = { .cause = 10, .parties = 2, .party = { 10, 20 }, .victims = VERDICT_VICTIMS };
	static struct book_entry e;
	unsigned int i;

	for (i = 0; i < VERDICT_VICTIMS; i++)
		v.victim[i].tgid = 0x7fffff00 + i;
	v.victim[3].tgid = 20;
	book_name(&e, &v);
	ksft_test_result(e.names.count == 2 + VERDICT_VICTIMS - 1 && e.names.process[0].tgid == 10 &&
			 e.names.process[1].tgid == 20 && e.names.process[5].tgid == 0x7fffff04,
			 "book: each process of a verdict is listed once\n");
}

static void add_named(struct book_entry *e, uint32_t tgid, const char *name, uid_t uid)
{
	struct named_process *p = &e->names.process[e->names.count];

	*p = (struct named_process){ .tgid = tgid };
	strcpy(p->name, name);
	e->uid[e->names.count++] = uid;
}

static char *text;
static size_t text_size;

/* Print the verdict to @text, as a sentence and then as JSON. */
static void print_entry(const struct book_entry *e, const struct verdict_names *names)
{
	struct json j = { .in_line = true };

	free(text);
	j.out = open_memstream(&text, &text_size);
	verdict_print(j.out, &e->verdict, names);
	verdict_write(&j, &e->verdict, names);
	fclose(j.out);
}

static void test_own(void)
{
	static struct book_entry e = { .verdict = {
		.finding = FINDING_LINES, .state = VERDICT_BUSY, .utilization = -1, .latency = -1,
		.cause = 70001, .parties = 2, .party = { 70001, 70002 },
		.victims = 2, .victim = { { .tgid = 70003 }, { .tgid = 70004 } },
	} };
	struct verdict_names names;
	bool ok;

	add_named(&e, 70001, "secret-cause", OTHER);
	add_named(&e, 70002, "mine", OWN);
	add_named(&e, 70003, "secret-root", 0);
	add_named(&e, 70004, "", BOOK_NO_USER);
	ok = book_show_own(&e, OWN, &names);
	print_entry(&e, &names);
	ksft_test_result(ok && strstr(text, "process 70002 (mine)") && strstr(text, "\"pid\": 70002") &&
			 !strstr(text, "secret") && !strstr(text, "70001") && !strstr(text, "70003") &&
			 !strstr(text, "70004"),
			 "book: a user sees only his own processes in a verdict\n");
	ok = !*names.process[0].name && !*names.process[2].name && names.process[0].hidden &&
	     !names.process[1].hidden && names.process[3].hidden;
	ksft_test_result(ok && !strcmp(e.names.process[0].name, "secret-cause") &&
			 !e.names.process[0].hidden,
			 "book: hidden names are removed from the copy, not from the book\n");
	ok = !book_show_own(&e, 1002, &names);
	e.names.count = 0;
	ksft_test_result(ok && !book_show_own(&e, OWN, &names),
			 "book: a verdict without processes of a user is hidden from him\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(9);
	test_ring();
	test_names();
	test_unknown();
	test_reused();
	test_processes();
	test_own();
	free(text);
	ksft_finished();
}
