// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_set.c - a file with a set of counters, as "rcrctl initialize" reads it. A set that is saved
 * is read back unchanged.
 */
#include "names_fuzz.h"
#include "set/saved.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);

static struct names names;
static struct saved set, again;
static struct rcr_state state;
static int told;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_machine();
	fuzz_names(&names, 0);
	return 0;
}

static void count(void *to, unsigned int number, const char *sentence)
{
	(void)to;
	FUZZ_HOLDS(number && strlen(sentence));
	told++;
}

/* Convert the set to the state that the module reports. Return: false if it would refuse it. */
static bool take_state(void)
{
	unsigned int i;

	memset(&state, 0, sizeof(state));
	state.period_ns = set.period_ns;
	for (i = 0; i < set.count; i++) {
		const char *equals = strchr(set.event[i], '=');
		size_t len = equals ? equals - set.event[i] : 0;

		/* The module refuses such a name, or has to choose one. */
		if (!len || len >= RCR_NAME_LEN || strpbrk(set.event[i], "# \t"))
			return false;
		memcpy(state.counter[i].name, set.event[i], len);
		strcpy(state.counter[i].event, equals + 1);
		state.counter[i].staged = true;
	}
	state.ncounters = set.count;
	return true;
}

static void save_set(void)
{
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	saved_write(out, &state);
	fclose(out);
	told = 0;
	saved_read(&again, text, size, &names, count, NULL);
	if (!told)
		FUZZ_HOLDS(again.count == set.count && again.period_ns == set.period_ns);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);

	told = 0;
	FUZZ_HOLDS(saved_read(&set, text, size, &names, count, NULL) == told);
	FUZZ_HOLDS(set.count <= RCR_MAX_COUNTERS);
	if (set.period_ns && take_state())
		save_set();
	while (set.count)
		saved_remove(&set, set.count / 2);
	free(text);
	return 0;
}
