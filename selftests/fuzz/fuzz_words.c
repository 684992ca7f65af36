// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_words.c - the words of rcrctl's and rcrstat's command lines: conditions,
 * quantities, times, lists of CPUs, the names in a formula. A value that can be written is read
 * as it was.
 */
#include "parse/condition.h"
#include "parse/cpulist.h"
#include "meter/formula.h"
#include "fuzz.h"
#include "print/json.h"
#include "parse/period.h"

static void try_condition(const char *text)
{
	static const struct quantity_scale scales[] = {
		{ "B/s", 0, 20000000000 }, { "", 9, 0 }, { "1", 3, 1 },
	};
	struct rcr_watch watch;
	struct condition c;
	struct why why;
	unsigned int i;

	if (condition_parse(text, &c, &why)) {
		FUZZ_HOLDS(strlen(why.text));
		return;
	}
	for (i = 0; i < sizeof(scales) / sizeof(scales[0]); i++)
		if (!condition_watch(&c, &scales[i], &watch, &why))
			FUZZ_HOLDS(c.is_below ? watch.back >= watch.bound : watch.back <= watch.bound);
}

/* A parsed quantity can be printed as text, which is parsed to the same value. */
static void try_quantity(const char *text)
{
	const struct quantity_scale scale = { "B", 3, 1000 };
	char words[QUANTITY_LEN];
	struct quantity q;
	struct why why;
	int64_t val, again;

	if (quantity_parse(text, &q, &why) || quantity_value(&q, &scale, &val, &why))
		return;
	FUZZ_HOLDS(strlen(quantity_short(words, val, 3)) < sizeof(words));
	FUZZ_HOLDS(strlen(quantity_text(words, val, 3)) < sizeof(words));
	FUZZ_HOLDS(!quantity_parse(words, &q, &why));
	FUZZ_HOLDS(!quantity_value(&q, &scale, &again, &why) && again == val);
}

static void try_period(const char *text)
{
	char words[PERIOD_LEN];
	uint64_t ns, again;

	if (!period_parse(text, &ns) || ns > 1ull << 52)
		return;
	period_text(words, ns);
	FUZZ_HOLDS(!ns || (period_parse(words, &again) && again == ns));
}

static void try_cpulist(const char *text)
{
	static bool cpu[CPU_LIMIT], again[CPU_LIMIT];
	size_t size;
	char *words;
	FILE *out;

	memset(cpu, 0, sizeof(cpu));
	memset(again, 0, sizeof(again));
	if (!cpulist_parse(text, cpu))
		return;
	out = open_memstream(&words, &size);
	cpulist_print(out, cpu);
	fclose(out);
	FUZZ_HOLDS(cpulist_parse(words, again) && !memcmp(cpu, again, sizeof(cpu)));
	free(words);
}

static void try_formula(const char *text)
{
	static const char *const with[] = { NULL, "x", "L3-MISS", "a_very_long_name_of_a_counter" };
	static struct formula_names names;
	const char *instead[FORMULA_NAMES];
	char to[RCR_FORMULA_LEN];
	struct why why;
	unsigned int i, k;

	if (formula_find_names(text, &names, &why)) {
		FUZZ_HOLDS(strlen(why.text));
		return;
	}
	FUZZ_HOLDS(names.count <= FORMULA_NAMES);
	for (k = 0; k < 4; k++) {
		for (i = 0; i < names.count; i++)
			instead[i] = with[(i + k) % 4];
		if (!formula_replace(text, &names, instead, to, &why))
			FUZZ_HOLDS(strlen(to) < sizeof(to));
	}
}

/* A text in JSON has nothing in it that ends it, and no control character. */
static void try_json(const char *text)
{
	struct json j = { .out = NULL };
	char *words, *at;
	size_t size;

	j.out = open_memstream(&words, &size);
	json_text(&j, NULL, text);
	fclose(j.out);
	FUZZ_HOLDS(size >= 2 && words[0] == '"' && words[size - 1] == '"');
	for (at = words + 1; at < words + size - 1; at++) {
		FUZZ_HOLDS((unsigned char)*at >= ' ' && *at != '\x7f' && *at != '"');
		FUZZ_HOLDS(*at != '\xc2' || (unsigned char)at[1] > 0x9f);
		at += *at == '\\';
	}
	FUZZ_HOLDS(at == words + size - 1);
	free(words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const tries[])(const char *text) = {
		try_condition, try_quantity, try_period, try_cpulist, try_formula, try_json,
	};
	struct fuzz_input in = { data, size };
	unsigned int which = fuzz_byte(&in) % 6;
	char *text = fuzz_copy(in.data, in.size);

	tries[which](text);
	free(text);
	return 0;
}
