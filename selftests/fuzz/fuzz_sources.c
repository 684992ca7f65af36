// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_sources.c - the text of Lustre, and of networks in sysfs, as rcrjob reads it.
 *
 * The first byte chooses the kind. What was cut or doubled has no values.
 */
#include "fuzz.h"
#include "source/text.h"

static struct lustre_stat stat[LUSTRE_STATS_MAX], again[LUSTRE_STATS_MAX];

/* Memory of exactly that many bytes, so that a read after its end is found; to be freed. */
static char *exact_copy(const uint8_t *data, size_t size, unsigned int times)
{
	char *text = malloc(size * times + !size);
	unsigned int i;

	FUZZ_HOLDS(text);
	for (i = 0; i < times; i++)
		memcpy(text + i * size, data, size);
	return text;
}

static unsigned int parse_times(const uint8_t *data, size_t size, unsigned int times,
				struct lustre_stat *to)
{
	char *text = exact_copy(data, size, times);
	unsigned int count = lustre_parse(text, size * times, to);

	free(text);
	return count;
}

static void check_stat(const struct lustre_stat *s, unsigned int before)
{
	const char *at;
	unsigned int i;

	FUZZ_HOLDS(!s->fields || s->fields == 3 || s->fields == 4);
	FUZZ_HOLDS(*s->name && *s->unit);
	for (at = s->name; *at; at++)
		FUZZ_HOLDS(*at > ' ' && *at <= '~');
	for (at = s->unit; *at; at++)
		FUZZ_HOLDS(*at > ' ' && *at <= '~');
	for (i = 1; i <= before; i++)
		FUZZ_HOLDS(strcmp(s[-(int)i].name, s->name));
}

static void try_lustre(const uint8_t *data, size_t size)
{
	unsigned int i, count = parse_times(data, size, 1, stat);
	size_t whole = size;

	FUZZ_HOLDS(count <= LUSTRE_STATS_MAX);
	for (i = 0; i < count; i++)
		check_stat(&stat[i], i);
	while (whole && data[whole - 1] != '\n')
		whole--;
	FUZZ_HOLDS(parse_times(data, whole, 1, again) == count);
	FUZZ_HOLDS(!memcmp(stat, again, count * sizeof(*stat)));
	FUZZ_HOLDS(!parse_times(data, whole, 2, again));
}

/* A text of one line that was cut has no value. */
static void try_line(unsigned int kind, const uint8_t *data, size_t size)
{
	bool (*parse)(const char *text, size_t size, uint64_t *value) =
		kind == 1 ? lnet_parse : kind == 2 ? count_parse : telemetry_parse;
	uint64_t value[LNET_STATS];
	char *text = exact_copy(data, size, 1), *cut;

	if (parse(text, size, value)) {
		cut = exact_copy(data, size - 1, 1);
		FUZZ_HOLDS(!parse(cut, size - 1, value));
		free(cut);
	}
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	unsigned int kind = fuzz_byte(&in) % 4;

	if (kind)
		try_line(kind, in.data, in.size);
	else
		try_lustre(in.data, in.size);
	return 0;
}
