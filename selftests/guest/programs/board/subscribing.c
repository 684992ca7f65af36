// SPDX-License-Identifier: GPL-2.0-only
/*
 * subscribing.c WHAT [METER] - subscriptions and watches that are accepted or refused. N is an
 * errno, or 0 for success.
 *
 *	may		prints "all N subscribe N watch N" for the caller's rights, with an entry
 *			that root has found (environment variables ENTRY and SERIAL)
 *	wrong METER	prints "subscribe WAY N" and "watch WAY N" for each invalid request and a
 *			valid one
 *	fill		subscribes to every entry, and to every meter, at an interval of a day until
 *			an error; prints the number and the error; then subscribes to one of them
 *			again, and prints the error
 */
#include "entries.h"

static int device;
static const struct rcr_board *board;

static int map_error(off_t offset)
{
	return mmap(NULL, PAGE, PROT_READ, MAP_SHARED, device, offset) == MAP_FAILED ? errno : 0;
}

static uint32_t number_of(const char *variable)
{
	const char *text = getenv(variable);

	return text ? strtoul(text, NULL, 0) : 0;
}

static int may(void)
{
	uint32_t entry = number_of("ENTRY"), serial = number_of("SERIAL");
	struct rcr_watch watch = { .size = sizeof(watch), .entry = entry, .serial = serial };

	printf("all %d", map_error(RCR_BOARD_ALL));
	printf(" subscribe %d", board_subscribe(device, entry, serial, 0, 0));
	printf(" watch %d\n", ioctl(device, RCR_BOARD_WATCH, &watch) ? errno : 0);
	return 0;
}

/* Make a request of @size bytes: @known bytes of @from, then bytes with the value @rest. */
static int sized(unsigned long request, const void *from, size_t known, uint32_t size, char rest)
{
	static char all[2 * PAGE];

	memset(all, rest, sizeof(all));
	memcpy(all, from, known);
	memcpy(all, &size, sizeof(size));
	return ioctl(device, request, all) ? errno : 0;
}

static uint32_t free_entry(void)
{
	uint32_t n = 0;

	while (n < board->entries && board_entry(board, n)->serial)
		n++;
	return n;
}

static void wrong_subscriptions(uint32_t entry, uint32_t serial)
{
	struct rcr_subscription s = { .entry = entry, .serial = serial };
	size_t size = sizeof(s);
	unsigned long request = RCR_BOARD_SUBSCRIBE;

	printf("subscribe flags %d\n", board_subscribe(device, entry, serial, 0x2, 0));
	printf("subscribe interval %d\n",
	       board_subscribe(device, entry, serial, 0, RCR_SCALE_MAX_NS + 1));
	printf("subscribe beyond %d\n", board_subscribe(device, board->entries, serial, 0, 0));
	printf("subscribe last %d\n", board_subscribe(device, UINT32_MAX, serial, 0, 0));
	printf("subscribe free %d\n", board_subscribe(device, free_entry(), serial, 0, 0));
	printf("subscribe another %d\n", board_subscribe(device, entry, serial + 1, 0, 0));
	printf("subscribe none %d\n", board_subscribe(device, entry, 0, 0, 0));
	printf("subscribe small %d\n", sized(request, &s, size, size - 1, 0));
	printf("subscribe nothing %d\n", sized(request, &s, size, 0, 0));
	printf("subscribe unknown %d\n", sized(request, &s, size, size + 8, 1));
	printf("subscribe huge %d\n", sized(request, &s, size, PAGE + 1, 0));
	printf("subscribe nowhere %d\n", ioctl(device, request, 8) ? errno : 0);
	printf("subscribe number %d\n", ioctl(device, _IOW('R', 0x43, s), &s) ? errno : 0);
}

static void wrong_watches(uint32_t entry, uint32_t serial)
{
	struct rcr_watch right = { .size = sizeof(right), .entry = entry, .serial = serial };
	struct {
		const char *way;
		struct rcr_watch w;
	} all[] = {
		{ "flags", right }, { "window", right }, { "back", right }, { "below", right },
		{ "beyond", right }, { "another", right },
	};
	size_t i;

	all[0].w.flags = 0x2;
	all[1].w.window_ns = RCR_SCALE_MAX_NS + 1;
	all[2].w.back = 1;
	all[3].w.flags = RCR_WATCH_BELOW;
	all[3].w.back = -1;
	all[4].w.entry = board->entries;
	all[5].w.serial = serial + 1;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		printf("watch %s %d\n", all[i].way,
		       ioctl(device, RCR_BOARD_WATCH, &all[i].w) ? errno : 0);
	printf("watch small %d\n", sized(RCR_BOARD_WATCH, &right, sizeof(right), 8, 0));
	printf("watch unknown %d\n",
	       sized(RCR_BOARD_WATCH, &right, sizeof(right), sizeof(right) + 8, 1));
}

static int wrong(const char *name)
{
	const struct rcr_board_meter *m;
	struct rcr_subscription s;
	char line[8];

	board = board_map(device);
	m = board_meter(board, name);
	if (!m)
		return 1;
	wrong_subscriptions(m->first, m->serial);
	wrong_watches(m->first, m->serial);
	/* Let the test read the effects of these requests before the next step. */
	puts("done");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return 1;
	s = (struct rcr_subscription){ .entry = m->first, .serial = m->serial };
	printf("subscribe known %d\n",
	       sized(RCR_BOARD_SUBSCRIBE, &s, sizeof(s), sizeof(s) + 8, 0));
	return 0;
}

static int fill(void)
{
	const struct rcr_board_meter *m;
	unsigned int done = 0;
	uint32_t n, serial;
	int err = 0;

	board = board_map(device);
	for (n = 0; n < board->entries && !err; n++) {
		serial = board_entry(board, n)->serial;
		if (!serial)
			continue;
		err = board_subscribe(device, n, serial, 0, RCR_SCALE_MAX_NS);
		done += !err;
	}
	for (n = 0; n < board->meters && !err; n++) {
		m = board_element(board, board->meter_offset, board->meter_size, n);
		if (!m->serial || !m->entries)
			continue;
		err = board_subscribe(device, m->first, m->serial, RCR_SUBSCRIBE_METER,
				      RCR_SCALE_MAX_NS);
		done += !err;
	}
	printf("%u subscriptions, then error %d\n", done, err);
	for (n = 0; n < board->entries - 1 && !board_entry(board, n)->serial; n++)
		;
	printf("again: error %d\n", board_subscribe(device, n, board_entry(board, n)->serial, 0,
						    RCR_SCALE_MAX_NS));
	return 0;
}

int main(int argc, char **argv)
{
	device = board_open();
	if (argc == 2 && !strcmp(argv[1], "may"))
		return may();
	if (argc == 3 && !strcmp(argv[1], "wrong"))
		return wrong(argv[2]);
	if (argc == 2 && !strcmp(argv[1], "fill"))
		return fill();
	fprintf(stderr, "usage: see the head of subscribing.c\n");
	return 2;
}
