/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rcr_region.h - librcrregion: counts events in sections of a program.
 *
 *	RCR_Initialize(0);
 *	RCR_Start(1);
 *	... the section ...
 *	RCR_Stop(1);
 *	RCR_Finalize();
 *
 * Each section belongs to a set. Sets may be nested and repeated, on any thread: each thread is
 * counted separately, from its first RCR_Start() on. RCR_Finalize(), or the end of the program,
 * writes one file for the process, which rcrregion(1) prints and joins with those of others.
 *
 * Calls never end or block the program. A call that fails returns -1, and prints one line on
 * standard error the first time.
 */
#ifndef RCR_REGION_H
#define RCR_REGION_H

#ifdef __cplusplus
extern "C" {
#endif

/* Numbered sets are 0 to 1023. */
#define RCR_REGION_NUMBERS	1024

/* Modes are lists of events: see rcrregion(1). */
#define RCR_REGION_GENERAL	0
#define RCR_REGION_FLOPS	1
#define RCR_REGION_MEMORY	2
#define RCR_REGION_FRONTEND	3
/* The events of all modes above. */
#define RCR_REGION_ALL		4
/* Floating-point operations by kind. */
#define RCR_REGION_MIX		5

/* Added to a mode: count in the kernel, too. */
#define RCR_REGION_KERNEL	256

/**
 * RCR_Initialize() - start counting
 * @mode: one of the modes
 *
 * Calls may be nested; each needs its own RCR_Finalize(), and only the first one sets the mode.
 *
 * Returns 0, or -1 if nothing can be counted.
 */
int RCR_Initialize(int mode);

/**
 * RCR_Set() - get the number of a named set
 * @name: the name: up to 63 printable characters
 *
 * Returns the number, the same for each call with this name in the process; -1 on failure.
 */
int RCR_Set(const char *name);

/**
 * RCR_Start() - begin a section of the calling thread
 * @set: number below RCR_REGION_NUMBERS, or of RCR_Set()
 *
 * If the thread is in the set already, only the outermost section is counted.
 */
int RCR_Start(int set);

/**
 * RCR_Stop() - end a section of the calling thread
 * @set: as for RCR_Start()
 */
int RCR_Stop(int set);

/**
 * RCR_Finalize() - stop counting and write the file
 *
 * Takes effect in the last of as many calls as there were of RCR_Initialize(). Ends all open
 * sections of the calling thread.
 */
int RCR_Finalize(void);

/* The same functions under the names of Blue Gene/P's interface. */
int BGP_Initialize(int mode);
int BGP_Start(int set);
int BGP_Stop(int set);
int BGP_Finalize(void);

#ifdef __cplusplus
}
#endif

#endif
