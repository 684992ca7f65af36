// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_cards.c - changed cards of jobs, as pmdarcr reads them when it is restarted.
 *
 * The input is a list of changes to a valid card. A refused card has no effect. A card that is
 * accepted can be written and read again; the second card of a run that has ended has no ticks, and
 * all later ones are the same.
 */
#include <ctype.h>

#include "jobs_fuzz.h"
#include "runs/card.h"

#define TEXT_SIZE 16384

static const struct card_source here = { "boot-1", 17 };
static struct made_set set;

static void begin_runs(struct runs *r)
{
	set = make_set();
	fuzz_set_runs(r, &set, 1);
}

static void put_samples(struct runs *r, uint64_t from_ms, uint64_t to_ms)
{
	struct made_record record;
	unsigned int cpu;
	uint64_t ms;

	for (ms = from_ms; ms <= to_ms; ms++)
		for (cpu = 0; cpu < MAKER_CPUS; cpu++) {
			record = make_sample(cpu, ms, ms * 1000 * (cpu + 1), ms * 10);
			record.record.item.generation = set.set.item.generation;
			runs_add(r, &record.record.item);
		}
}

static void put_mark(struct runs *r, enum rcr_mark_kind kind, uint64_t us)
{
	struct rcr_mark m = make_mark(us * 1000, kind, "4711/\"a\"");

	m.item.generation = set.set.item.generation;
	m.position = kind == RCR_MARK_END;
	runs_add(r, &m.item);
}

/* Return: the card of a run, which the caller frees. */
static char *write_card(struct runs *r, const struct run *run)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	FUZZ_HOLDS(out);
	card_write(out, r, run, &here);
	FUZZ_HOLDS(!fclose(out));
	return text;
}

static char *make_card(bool ended)
{
	struct runs runs = { };
	char *text;

	begin_runs(&runs);
	put_samples(&runs, 1, 10);
	put_mark(&runs, RCR_MARK_BEGIN, 10500);
	put_samples(&runs, 11, 20);
	if (ended)
		put_mark(&runs, RCR_MARK_END, 20500);
	runs_flush(&runs, UINT64_MAX);
	runs_update(&runs, runs.run[0]);
	text = write_card(&runs, runs.run[0]);
	runs_free(&runs);
	return text;
}

/* Replace @old bytes of a text, whose buffer has TEXT_SIZE bytes. */
static void replace_bytes(char *text, size_t at, size_t old, const char *by, size_t size)
{
	size_t length = strlen(text);

	old = old < length - at ? old : length - at;
	if (length - old + size >= TEXT_SIZE)
		return;
	memmove(text + at + size, text + at + old, length - at - old + 1);
	memcpy(text + at, by, size);
}

/* Replace the next number. */
static void replace_number(char *text, size_t at, unsigned int which)
{
	static const char *const numbers[] = {
		"0", "1", "-1", "255", "256", "4095", "4294967295", "4294967296", "18446744073709551615",
		"18446744073709551616", "9223372036854775808", "null",
	};
	const char *by = numbers[which % (sizeof(numbers) / sizeof(numbers[0]))];
	size_t length = 0;

	while (text[at] && !isdigit((unsigned char)text[at]))
		at++;
	while (isdigit((unsigned char)text[at + length]))
		length++;
	replace_bytes(text, at, length, by, strlen(by));
}

static void change_card(char *text, struct fuzz_input *in)
{
	unsigned int kind = fuzz_byte(in), high = fuzz_byte(in), what;
	size_t at = (high * 256 + fuzz_byte(in)) % (strlen(text) + 1);
	char copy[256], byte;

	what = fuzz_byte(in);
	byte = what ? what : ' ';
	switch (kind % 5) {
	case 0:
		replace_bytes(text, at, 1, &byte, 1);
		return;
	case 1:
		replace_bytes(text, at, what, "", 0);
		return;
	case 2:
		replace_bytes(text, at, 0, &byte, 1);
		return;
	case 3:
		/* Once more. */
		what = what < strlen(text + at) ? what : strlen(text + at);
		memcpy(copy, text + at, what);
		replace_bytes(text, at, 0, copy, what);
		return;
	default:
		replace_number(text, at, what);
	}
}

/* Read a card and write it again. Return: the new card; NULL if the card is refused. */
static char *rewrite_card(const char *text)
{
	struct runs runs = { };
	struct run *run;
	unsigned int serial;
	char *again = NULL;
	bool ended;

	begin_runs(&runs);
	run = card_read(text, &runs, &here);
	fuzz_check_runs(&runs);
	FUZZ_HOLDS(runs.count == !!run && runs.opens <= runs.count);
	if (run) {
		FUZZ_HOLDS(card_peek(text, &serial, &ended));
		/* spool_save() does the same. */
		if (run->end == UINT64_MAX)
			runs_update(&runs, run);
		again = write_card(&runs, run);
	}
	runs_free(&runs);
	return again;
}

/* Reads go on with a run that was continued. */
static void continue_card(const char *text)
{
	struct runs runs = { };

	begin_runs(&runs);
	if (card_read(text, &runs, &here)) {
		put_samples(&runs, 15, 30);
		put_mark(&runs, RCR_MARK_END, 30500);
		runs_flush(&runs, UINT64_MAX);
		fuzz_check_runs(&runs);
	}
	runs_free(&runs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char text[TEXT_SIZE];
	static char *card[2];
	struct fuzz_input in = { data, size };
	unsigned int ended = fuzz_byte(&in) % 2;
	char *written[4] = { text };
	unsigned int i;

	if (!card[ended])
		card[ended] = make_card(ended);
	FUZZ_HOLDS(strlen(card[ended]) < TEXT_SIZE);
	strcpy(text, card[ended]);
	while (in.size)
		change_card(text, &in);
	continue_card(text);
	for (i = 1; i < 4 && written[i - 1]; i++)
		written[i] = rewrite_card(written[i - 1]);
	FUZZ_HOLDS(written[1] || size > 1);
	FUZZ_HOLDS(!written[1] || (written[3] && !strcmp(written[2], written[3])));
	for (i = 1; i < 4; i++)
		free(written[i]);
	return 0;
}
