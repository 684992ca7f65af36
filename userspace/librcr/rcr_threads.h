/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rcr_threads.h - librcr: writes to blackboard 2 what a program's threads are doing.
 *
 * The names and arguments of the first three are those of the RCRTool design
 * document, section 7.1. Any thread may call them at any time. A program's slots are memory of
 * its own, which needs neither the module nor rcrd: while rcrd runs it reads them ('rcrctl
 * threads'), and the calls that may sleep register with it, again after it was restarted.
 * They never wait for it.
 *
 * A program has up to RCR_THREADS_MAX ids at a time. A child of fork() has none, and slots of
 * its own as soon as it starts one.
 */
#ifndef RCR_THREADS_H
#define RCR_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "rcr_board2.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * RCRStartThread() - there is a new thread, or task, or whatever runs
 * @id: as the program calls it
 * @pc: where it is
 *
 * It belongs to the calling thread, and is completed when that thread ends, at the latest.
 *
 * Errors: EEXIST there is that id; ENOSPC there are RCR_THREADS_MAX of them; ENOMEM,
 * EMFILE, ENFILE.
 */
bool RCRStartThread(int id, uint64_t pc);

/**
 * RCRUpdateThread() - it is somewhere else
 * @id: as it was started
 * @pc: where it is
 *
 * Takes no lock and makes no system call. It is quickest in a thread that updates one
 * id.
 *
 * Errors: ENOENT there is no such id.
 */
bool RCRUpdateThread(int id, uint64_t pc);

/**
 * RCRCompleteThread() - it is over
 * @id: as it was started
 *
 * Errors: ENOENT there is no such id.
 */
bool RCRCompleteThread(int id);

/**
 * rcr_thread_wish() - what it would like
 * @id: as it was started
 * @wish: what the program and its readers have agreed upon; 0 nothing
 *
 * Takes no lock and makes no system call.
 *
 * Errors: ENOENT there is no such id.
 */
bool rcr_thread_wish(int id, uint64_t wish);

/**
 * rcr_threads_connect() - registers with rcrd
 *
 * For programs that start their threads once and then only update them: called now and then,
 * for example once per time step, it registers again with an rcrd that was restarted.
 * RCRStartThread() and RCRCompleteThread() do that as well. It connects at most once a
 * second, and does not wait for the answer, which a later call takes.
 *
 * Returns whether rcrd has answered, and was alive within the last seconds.
 */
bool rcr_threads_connect(void);

#ifdef __cplusplus
}
#endif

#endif
