/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rcr_paper.h - librcr: meters with the names of the RCRTool design document, sections 5.2 and 5.3.
 * (Those for threads are in rcr_threads.h.)
 *
 * Any thread may call these functions at any time. They never fault, whatever the arguments: if
 * there is no module, no such meter, or no current value, they return -1, false or NULL with errno
 * set: ENOENT no module is loaded or there is no such meter, ENODATA it has no value, ESTALE
 * nothing is sampled, EPERM and EACCES, EINVAL, ERANGE.
 *
 * The first call that needs it connects to the module, which then cannot be unloaded until the
 * program ends or calls RCRClose(). Link with libnl-genl-3 and libnl-3.
 */
#ifndef RCR_PAPER_H
#define RCR_PAPER_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/rcrboard.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Selects the value of a meter; the low two bits of a time scale. */
enum RCRTimeType {
	RCR_INSTANEOUS	= RCR_TIME_CURRENT,	/* spelled as in the document */
	RCR_SUM		= RCR_TIME_SUM,
	RCR_AVE		= RCR_TIME_AVERAGE,
	RCR_PEAK	= RCR_TIME_PEAK,
};

/* The document has && in place of &, and an extra f. */
#define RCRTType(x) ((enum RCRTimeType)((x) & 0x3u))
#define RCRTTime(x) ((uint32_t)((x) & 0xfffffffcu))

/*
 * A time scale: microseconds, whose low two bits are an enum RCRTimeType. The module itself uses 64
 * bits of nanoseconds; only these functions use this format.
 */
typedef uint32_t RCRTTimeScale;

/**
 * typedef RCRCounterValue - a value
 * @floatValue: of a meter, in its unit
 * @intValue: of a count
 */
typedef union {
	double floatValue;
	uint64_t intValue;
} RCRCounterValue;

/**
 * typedef RCRCounter - a value with its id
 * @id: number of the meter
 * @value: @value.floatValue for a meter
 */
typedef struct {
	uint64_t id;
	RCRCounterValue value;
} RCRCounter;

/**
 * typedef RCRMeterValue - values of a meter
 * @curMeter: value selected by the time scale: the current value, the sum, the average or
 *	the peak; all in the meter's unit, as floatValue
 * @recentPeakMeter: the highest part of the time scale
 * @sysMaxMeter: maximum of its resource; 0: not known
 * @timeScale: the time scale, and the type of curMeter; a time scale of more than 32 bits
 *	of microseconds is reported as the longest one
 */
typedef struct {
	RCRCounterValue curMeter;
	RCRCounterValue recentPeakMeter;
	RCRCounterValue sysMaxMeter;
	RCRTTimeScale timeScale;
} RCRMeterValue;

/**
 * typedef RCRCountValue - value of a count
 * @curCount: the sum over the time scale, rounded to an integer, as intValue
 */
typedef struct {
	RCRCounterValue curCount;
} RCRCountValue;

/**
 * RCRMeter() - add a meter whose values the program posts
 * @t: its time scale
 *
 * The meter has only values of the machine, six decimal digits, and a name that contains the pid of
 * the process. It exists until it is removed explicitly.
 *
 * Returns its number, or -1.
 */
int RCRMeter(RCRTTimeScale t);

/* Clears the history of a meter. */
bool RCRMeterReset(int meterNum);

/* Posts @c.value.floatValue as the value of meter @c.id. */
bool RCRMeterUpdate(RCRCounter c);

/*
 * Reads the values of a meter for the machine. The result is owned by librcr: it is valid until the
 * same thread calls the same function again, and must not be freed.
 */
RCRMeterValue *RCRGetMeter(int MeterNumber);
RCRCountValue *RCRGetCount(int MeterNumber);

/* Disconnects from the module. No other thread may be in one of these functions. */
void RCRClose(void);

#ifdef __cplusplus
}
#endif

#endif
