/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rcr_region.h - librcrregion: counts what sections of a program do.
 *
 *	RCR_Initialize(0);
 *	RCR_Start(1);
 *	... the section ...
 *	RCR_Stop(1);
 *	RCR_Finalize();
 *
 * A section is a set. Sets may be nested and repeated, on any thread: each thread is counted by
 * itself, from its first RCR_Start() on. RCR_Finalize(), or the end of the program, writes one file
 * for the process, which rcrregion(1) prints and joins with those of other processes.
 *
 * Calls never end or block the program. What is wrong is printed once, as one line on standard
 * error, and the call returns -1.
 */
#ifndef RCR_REGION_H
#define RCR_REGION_H

#ifdef __cplusplus
extern "C" {
#endif

/* Sets that have numbers: 0 to 1023. */
#define RCR_REGION_NUMBERS	1024

/* Modes, which are groups of events: see rcrregion(1). */
#define RCR_REGION_GENERAL	0
#define RCR_REGION_FLOPS	1
#define RCR_REGION_MEMORY	2
#define RCR_REGION_FRONTEND	3
/* The events of all of these. */
#define RCR_REGION_ALL		4
/* Floating-point operations by kind. */
#define RCR_REGION_MIX		5

/* Added to a mode: count in the kernel, too. */
#define RCR_REGION_KERNEL	256

/**
 * RCR_Initialize() - start counting
 * @mode: one of the modes
 *
 * Each further call needs a further RCR_Finalize(), and does not change the mode.
 *
 * Returns 0; -1 if nothing can be counted.
 */
int RCR_Initialize(int mode);

/**
 * RCR_Set() - number of a set that has a name
 * @name: the name: up to 63 printable characters
 *
 * Returns the same number for the same name in the whole process; -1 if there is none.
 */
int RCR_Set(const char *name);

/**
 * RCR_Start() - the calling thread begins a section
 * @set: number below RCR_REGION_NUMBERS, or of RCR_Set()
 *
 * If the thread is in the set already, only the outermost section is counted.
 */
int RCR_Start(int set);

/**
 * RCR_Stop() - the calling thread ends a section
 * @set: as for RCR_Start()
 */
int RCR_Stop(int set);

/**
 * RCR_Finalize() - stop counting and write the file
 *
 * The last one of as many calls as there were of RCR_Initialize(). Sections that the calling thread
 * has not ended end now.
 */
int RCR_Finalize(void);

/* The same under the names of Blue Gene/P's interface. */
int BGP_Initialize(int mode);
int BGP_Start(int set);
int BGP_Stop(int set);
int BGP_Finalize(void);

#ifdef __cplusplus
}
#endif

#endif
