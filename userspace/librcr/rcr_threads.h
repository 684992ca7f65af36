/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rcr_threads.h - librcr: reports the state of a program's threads on blackboard 2.
 *
 * The names and arguments of the first three functions are those of the RCRTool design document,
 * section 7.1. Any thread may call them at any time. The slots are in memory of the program, which
 * needs neither the module nor rcrd: rcrd reads them while it runs ('rcrctl threads'), and calls
 * that may sleep register with rcrd, also after it was restarted. They never wait for it.
 *
 * A program can have up to RCR_THREADS_MAX ids at a time. A child of fork() starts without any, and
 * gets slots of its own when it starts the first one.
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
 * RCRStartThread() - report a new thread, task, or other unit of execution
 * @id: an id that the program chooses
 * @pc: code location
 *
 * The id belongs to the calling thread, and is completed at the latest when that thread ends.
 *
 * Errors: EEXIST the id exists; ENOSPC there are RCR_THREADS_MAX of them; ENOMEM, EMFILE, ENFILE.
 */
bool RCRStartThread(int id, uint64_t pc);

/**
 * RCRUpdateThread() - report a new code location
 * @id: id given to RCRStartThread()
 * @pc: code location
 *
 * Takes no lock and makes no system call. It is fastest in a thread that updates a single id.
 *
 * Errors: ENOENT there is no such id.
 */
bool RCRUpdateThread(int id, uint64_t pc);

/**
 * RCRCompleteThread() - report the end of a thread
 * @id: id given to RCRStartThread()
 *
 * Errors: ENOENT there is no such id.
 */
bool RCRCompleteThread(int id);

/**
 * rcr_thread_wish() - report a wish of a thread
 * @id: id given to RCRStartThread()
 * @wish: value whose meaning the program and its readers have agreed upon; 0: none
 *
 * Takes no lock and makes no system call.
 *
 * Errors: ENOENT there is no such id.
 */
bool rcr_thread_wish(int id, uint64_t wish);

/**
 * rcr_threads_connect() - register with rcrd
 *
 * For programs that start their threads once and then only update them: if called from time to
 * time, for example once per time step, it registers again with an rcrd that was restarted.
 * RCRStartThread() and RCRCompleteThread() do that as well. It connects at most once a second, and
 * does not wait for the answer, which a later call receives.
 *
 * Returns whether rcrd has answered, and was alive within the last seconds.
 */
bool rcr_threads_connect(void);

#ifdef __cplusplus
}
#endif

#endif
