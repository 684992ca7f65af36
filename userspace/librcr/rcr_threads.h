/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rcr_threads.h - librcr: says on blackboard 2 what a program's threads are doing.
 *
 * The names and arguments of the first three are those of the RCRTool design
 * document, section 7.1. They can be called from any thread at any time, and take
 * no harm when the module is not there: they say false, with errno set, and a
 * program that does not look goes on as without them.
 *
 * A program has up to RCR_THREADS_MAX ids at a time. After fork() the child has
 * none, and a blackboard of its own as soon as it starts one. A child that was made
 * past the C library, by clone(), writes on its parent's.
 */
#ifndef RCR_THREADS_H
#define RCR_THREADS_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/rcrboard.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * RCRStartThread() - there is a new thread, or task, or whatever runs
 * @id: as the program calls it
 * @pc: where it is
 *
 * It is the calling thread's, and is over when that thread ends, at the latest.
 *
 * Errors: EEXIST there is that id; ENOSPC there are RCR_THREADS_MAX of them; ENOENT no
 * module is loaded; EACCES, EPERM not in the device's group; EUSERS too many programs
 * do this; EPROTO another version; EBADF the program has closed a descriptor that
 * is not its own; ENOMEM, EMFILE, ENFILE.
 */
bool RCRStartThread(int id, uint64_t pc);

/**
 * RCRUpdateThread() - it is somewhere else
 * @id: as it was started
 * @pc: where it is
 *
 * Takes no lock and does no system call. It is quickest in a thread that updates one
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
 * @wish: what the program and who reads it have agreed upon; 0 nothing
 *
 * Takes no lock and does no system call.
 *
 * Errors: ENOENT there is no such id.
 */
bool rcr_thread_wish(int id, uint64_t wish);

#ifdef __cplusplus
}
#endif

#endif
