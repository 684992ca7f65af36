// SPDX-License-Identifier: GPL-2.0-only
/*
 * userpmc.c - userpmc [LOOPS]: reads a counter of this thread with rdpmc in user mode, as
 * documented in perf_event.h, and with read(). Prints both differences over LOOPS rounds of two
 * instructions, or why rdpmc cannot be used. Does not use rcrtool.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t read_pmc(unsigned int counter)
{
	uint32_t low, high;

	asm volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(counter));
	return (uint64_t)high << 32 | low;
}

static uint64_t read_page(const volatile struct perf_event_mmap_page *page)
{
	uint32_t lock, index;
	int64_t raw, count;

	do {
		lock = page->lock;
		asm volatile("" : : : "memory");
		index = page->index;
		count = page->offset;
		if (index) {
			raw = read_pmc(index - 1) << (64 - page->pmc_width);
			count += raw >> (64 - page->pmc_width);
		}
		asm volatile("" : : : "memory");
	} while (page->lock != lock);
	return count;
}

static uint64_t read_event(int fd)
{
	uint64_t count = 0;

	return read(fd, &count, sizeof(count)) == sizeof(count) ? count : 0;
}

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_kernel = 1,
	};
	uint64_t loops = argc > 1 ? strtoull(argv[1], NULL, 0) : 1000000, page_count, event_count;
	struct perf_event_mmap_page *page;
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	if (fd < 0) {
		printf("no event: %s\n", strerror(errno));
		return 1;
	}
	page = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED || !page->cap_user_rdpmc || !page->index) {
		printf("no rdpmc: capable %d, index %u\n", page != MAP_FAILED && page->cap_user_rdpmc,
		       page != MAP_FAILED ? page->index : 0);
		return 1;
	}
	event_count = read_event(fd);
	page_count = read_page(page);
	asm volatile("1: dec %0\n jnz 1b\n" : "+r"(loops) : : "cc");
	page_count = read_page(page) - page_count;
	event_count = read_event(fd) - event_count;
	printf("rdpmc %llu read %llu width %u\n", (unsigned long long)page_count,
	       (unsigned long long)event_count, page->pmc_width);
	return 0;
}
