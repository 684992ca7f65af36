/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rcr_board2.h - librcr: blackboard 2 as bytes: the memory that a program shares with rcrd, the
 * page that it gets back, and the messages of /run/rcrtool/board.sock. Programs that use
 * librcr need rcr_threads.h only; this is for runtimes with code of their own. The rules
 * are in Documentation/interface.md, section 11.
 */
#ifndef RCR_BOARD2_H
#define RCR_BOARD2_H

#include <stdint.h>

#ifndef RCR_BOARD2_SOCKET
#define RCR_BOARD2_SOCKET	"/run/rcrtool/board.sock"
#endif

#define RCR_BOARD2_VERSION		1
#define RCR_BOARD2_COMPAT_VERSION	1

#define RCR_SLOTS_MAGIC		0x524352534c4f5453ull	/* "RCRSLOTS" */
#define RCR_VERDICTS_MAGIC	0x5243525645524443ull	/* "RCRVERDC" */

#define RCR_THREADS_MAX		4096	/* slots of a program */
#define RCR_THREADS_PAGE	64	/* slots that librcr takes into use at a time */

/* Most that a memfd of slots may have, bytes: a page, and RCR_THREADS_MAX slots. */
#define RCR_SLOTS_BYTES		(4096 + RCR_THREADS_MAX * 64)

/* Bytes of the page of verdicts. */
#define RCR_VERDICTS_BYTES	4096

/**
 * struct rcr_slots - head of a program's memory, at its first byte
 * @magic: RCR_SLOTS_MAGIC
 * @version: RCR_BOARD2_VERSION
 * @compat_version: oldest version whose readers can read it
 * @slot_size: bytes from a struct rcr_thread to the next one
 * @slot_offset: bytes from here to the first
 * @slots: how many there may be so far; grows while the program runs
 * @size: bytes of this head
 */
struct rcr_slots {
	uint64_t magic;
	uint32_t version;
	uint32_t compat_version;
	uint32_t slot_size;
	uint32_t slot_offset;
	uint32_t slots;
	uint32_t size;
};

enum rcr_thread_state {
	RCR_THREAD_FREE		= 0,
	RCR_THREAD_TAKEN	= 1,	/* is being filled in */
	RCR_THREAD_RUNNING	= 2,
};

/**
 * struct rcr_thread - a slot: what a thread reports of itself
 * @state: enum rcr_thread_state
 * @tid: the thread, as the program's own namespace numbers it
 * @id: as the program calls it
 * @pc: where it is
 * @wish: what it would like: a program's own business so far
 * @since: TSC when it was last written
 * @updates: how often it was
 * @pad: 0
 */
struct rcr_thread {
	uint32_t state;
	uint32_t tid;
	uint64_t id;
	uint64_t pc;
	uint64_t wish;
	uint64_t since;
	uint64_t updates;
	uint64_t pad[2];
};

/**
 * struct rcr_verdicts - head of the page that rcrd gives to a program
 * @magic: RCR_VERDICTS_MAGIC
 * @version: RCR_BOARD2_VERSION
 * @compat_version: oldest version whose readers can read it
 * @heartbeat: TSC when rcrd was last alive
 * @stale_after: TSC cycles after which that is too old; 0: not known yet
 * @size: bytes of this head
 * @verdict_size: bytes from a verdict to the next one
 * @verdict_offset: bytes from here to the first
 * @verdicts: how many there are; none in this version
 */
struct rcr_verdicts {
	uint64_t magic;
	uint32_t version;
	uint32_t compat_version;
	uint64_t heartbeat;
	uint64_t stale_after;
	uint32_t size;
	uint32_t verdict_size;
	uint32_t verdict_offset;
	uint32_t verdicts;
};

/**
 * struct rcr_join - first and only message of a program, with the memfd of its slots
 * @size: bytes of this structure
 * @version: RCR_BOARD2_VERSION
 * @compat_version: oldest version of rcrd that understands it
 * @pad: 0
 * @start_time: when the process started, field 22 of its /proc/PID/stat; 0: not known
 */
struct rcr_join {
	uint32_t size;
	uint32_t version;
	uint32_t compat_version;
	uint32_t pad;
	uint64_t start_time;
};

/**
 * struct rcr_welcome - the only answer, with the memfd of verdicts if @error is 0
 * @size: bytes of this structure
 * @version: RCR_BOARD2_VERSION
 * @compat_version: oldest version of a program that understands it
 * @error: 0, or an errno: EPROTO versions do not fit, EINVAL the memfd or the message is
 *	wrong, EUSERS there are too many programs, of this user or together
 */
struct rcr_welcome {
	uint32_t size;
	uint32_t version;
	uint32_t compat_version;
	uint32_t error;
};

#endif
