// SPDX-License-Identifier: GPL-2.0-only
/*
 * lateness.c - reads a stream of /dev/rcrtool from standard input, and prints the greatest lateness
 * of a sample in ns. This bounds the error of a rate times an interval, as intervals end when
 * samples are due.
 */
#include "stream.h"

int main(void)
{
	static union {
		struct rcr_item item;
		struct rcr_record record;
		char byte[1 << 20];
	} u;
	uint32_t most = 0;

	while (fread(&u.item, sizeof(u.item), 1, stdin) == 1) {
		size_t rest = u.item.size - sizeof(u.item);

		if (u.item.size < sizeof(u.item) || u.item.size > sizeof(u) ||
		    (rest && fread(u.byte + sizeof(u.item), rest, 1, stdin) != 1))
			break;
		if (u.item.type == RCR_ITEM_SAMPLE && u.record.late > most)
			most = u.record.late;
	}
	printf("%u\n", most);
	return 0;
}
