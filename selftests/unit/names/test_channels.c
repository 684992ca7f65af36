// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_channels.c - the catalogue's memory meters on Xeons whose channels only the kernel's driver
 * counts: each event is compared with the driver's named events, in a fake sysfs as of
 * intel/uncore_snbep.c.
 */
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"
#include "ksft.h"
#include "names.h"
#include "sysfs_tree.h"

#define CHANNELS	0x33	/* 0, 1, 4 and 5 */
#define FIRST_TYPE	30

static struct names n;

static void no_row(void *to, unsigned int number, const char *why)
{
	(void)to;
	(void)number;
	(void)why;
}

static void put_channel(unsigned int channel, const char *read, const char *write)
{
	char type[16];

#define FOLDER "bus/event_source/devices/uncore_imc_%u/"
	snprintf(type, sizeof(type), "%u\n", FIRST_TYPE + channel);
	put(type, FOLDER "type", channel);
	put("0,2\n", FOLDER "cpumask", channel);
	put("config:0-7\n", FOLDER "format/event", channel);
	put("config:8-15\n", FOLDER "format/umask", channel);
	put("config:18\n", FOLDER "format/edge", channel);
	put("config:23\n", FOLDER "format/inv", channel);
	put("config:24-31\n", FOLDER "format/thresh", channel);
	put(read, FOLDER "events/cas_count_read", channel);
	put(write, FOLDER "events/cas_count_write", channel);
}

static void put_machine(const char *read, const char *write)
{
	unsigned int cpu, channel;

	for (cpu = 0; cpu < 4; cpu++) {
		put_id(cpu, "physical_package_id", cpu / 2);
		put_id(cpu, "die_id", 0);
		put_id(cpu, "core_id", cpu % 2);
	}
	for (channel = 0; channel < 8; channel++)
		if (CHANNELS >> channel & 1)
			put_channel(channel, read, write);
}

static const struct catalogue_row *find_row(const char *family, const char *name)
{
	const struct catalogue_row *row = NULL;

	while ((row = catalogue_next(row, family)))
		if (!strcmp(row->name, name))
			return row;
	ksft_exit_fail_msg("no row of %s for %s\n", name, family);
}

/* Return whether @event of the catalogue is translated to the driver's event @name. */
static bool is_drivers(const char *event, unsigned int channel, const char *name)
{
	char word[128], resolved[RCR_EVENT_LEN] = "", theirs[RCR_EVENT_LEN] = "";
	struct why why;

	snprintf(word, sizeof(word), "%.*s=uncore_imc_%u/%s/", (int)strcspn(event, "="), event,
		 channel, name);
	if (!names_resolve(&n, event, resolved, &why) && !names_resolve(&n, word, theirs, &why) &&
	    !strcmp(resolved, theirs))
		return true;
	ksft_print_msg("%s: %s, %s: %s\n", event, resolved, word, theirs);
	return false;
}

/* Check all events of mem_bw, half of which are reads. */
static bool all_found(const char *family, const char *policy)
{
	struct catalogue_way way;
	unsigned int channel = 0, reads = 0, writes = 0;
	char *save, *event;
	bool found = true;

	names_set_policy(&n, policy);
	if (!catalogue_expand(find_row(family, "mem_bw"), CHANNELS, &way))
		return false;
	for (event = strtok_r(way.events, ";", &save); event; event = strtok_r(NULL, ";", &save)) {
		channel = strtoul(event + strlen("CAS_RD"), NULL, 10);
		if (!strncmp(event, "CAS_RD", 6)) {
			reads |= 1u << channel;
			found &= is_drivers(event, channel, "cas_count_read");
		} else {
			writes |= 1u << channel;
			found &= is_drivers(event, channel, "cas_count_write");
		}
	}
	return found && reads == CHANNELS && writes == CHANNELS;
}

/* An event of a channel without a driver is left to the module, which refuses it. */
static bool is_left(const char *event)
{
	char resolved[RCR_EVENT_LEN] = "";
	struct why why;

	return !names_resolve(&n, event, resolved, &why) && !strcmp(resolved, event);
}

static void test_family(const char *family, const char *read, const char *write)
{
	put_machine(read, write);
	names_init(&n, family, no_row, NULL);
	ksft_test_result(all_found(family, "perf"),
			 "channels: %s uses the driver's events with source=perf\n", family);
	ksft_test_result(all_found(family, "auto"),
			 "channels: %s uses the driver's events with source=auto\n", family);
	ksft_test_result(is_left("CAS_RD2=imc2:event:0x04,umask:0x03"),
			 "channels: %s leaves events of a channel without a driver to the module\n", family);
	names_free(&n);
}

int main(void)
{
	begin_tree();
	setenv("RCR_DICTIONARY", "/nonexistent", 1);
	setenv("RCR_SYSFS", root, 1);
	ksft_print_header();
	ksft_set_plan(9);
	test_family("Intel Skylake-SP", "event=0x04,umask=0x03\n", "event=0x04,umask=0x0c\n");
	test_family("Intel Ice Lake-SP", "event=0x04,umask=0x0f\n", "event=0x04,umask=0x30\n");
	test_family("Intel Sapphire Rapids", "event=0x05,umask=0xcf\n", "event=0x05,umask=0xf0\n");
	remove_tree();
	ksft_finished();
}
