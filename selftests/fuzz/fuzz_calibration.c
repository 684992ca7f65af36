// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_calibration.c - the file of calibrated limits. A calibration that is written is read back
 * unchanged, and written in the same way again.
 */
#include "calibration.h"
#include "fuzz.h"

static struct calibration first, second;

static void count(void *to, unsigned int number, const char *sentence)
{
	FUZZ_HOLDS(number && strlen(sentence));
	++*(int *)to;
}

static char *write_text(const struct calibration *c, size_t *size)
{
	char *text;
	FILE *out = open_memstream(&text, size);

	calibration_write(out, c);
	fclose(out);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size), *once, *twice;
	size_t once_size, twice_size;
	int told = 0;

	FUZZ_HOLDS(calibration_read(&first, text, size, count, &told) == told);
	FUZZ_HOLDS(first.count <= CALIBRATION_MOST);
	once = write_text(&first, &once_size);
	told = 0;
	calibration_read(&second, once, once_size, count, &told);
	/* Only a calibration with a family can be written. */
	FUZZ_HOLDS(!*first.family || !told);
	twice = write_text(&second, &twice_size);
	FUZZ_HOLDS(!*first.family || !strcmp(once, twice));
	free(twice);
	free(once);
	free(text);
	return 0;
}
