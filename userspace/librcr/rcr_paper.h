/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rcr_paper.h - librcr: meters under the names of the RCRTool design document, sections
 * 5.2 and 5.3. (Those of its threads are in rcr_threads.h.)
 *
 * Any thread may call any of these at any time. None faults, whatever it is given:
 * where there is no module, no such meter, or no value of now the answer is -1,
 * false or NULL with errno set: ENOENT no module is loaded or there is no such meter,
 * ENODATA it has no value, ESTALE nothing is sampled, EPERM and EACCES, EINVAL, ERANGE.
 *
 * The first call that needs it connects to the module, which cannot be unloaded from
 * then on until the program ends or calls RCRClose(). Link with libnl-genl-3 and libnl-3.
 */
#ifndef RCR_PAPER_H
#define RCR_PAPER_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/rcrboard.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which value of a meter is meant; the low two bits of a time scale. */
enum RCRTimeType {
	RCR_INSTANEOUS	= RCR_TIME_CURRENT,	/* as it is spelled there */
	RCR_SUM		= RCR_TIME_SUM,
	RCR_AVE		= RCR_TIME_AVERAGE,
	RCR_PEAK	= RCR_TIME_PEAK,
};

/* The document has && for &, and one f too many. */
#define RCRTType(x) ((enum RCRTimeType)((x) & 0x3u))
#define RCRTTime(x) ((uint32_t)((x) & 0xfffffffcu))

/*
 * A time scale: microseconds, whose low two bits are an enum RCRTimeType. The module's own are
 * 64 bits of nanoseconds; only these functions have this form.
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
 * typedef RCRCounter - a value of something
 * @id: of a meter: its number
 * @value: of a meter @value.floatValue
 */
typedef struct {
	uint64_t id;
	RCRCounterValue value;
} RCRCounter;

/**
 * typedef RCRMeterValue - what is displayed as a meter
 * @curMeter: what the time scale means: the value now, the sum, the average or the peak;
 *	all in the meter's unit, as floatValue
 * @recentPeakMeter: the highest part of the time scale
 * @sysMaxMeter: what its resource can do; 0: not known
 * @timeScale: over which time, and which value curMeter is; a time scale of more than 32 bits
 *	of microseconds is the longest one
 */
typedef struct {
	RCRCounterValue curMeter;
	RCRCounterValue recentPeakMeter;
	RCRCounterValue sysMaxMeter;
	RCRTTimeScale timeScale;
} RCRMeterValue;

/**
 * typedef RCRCountValue - what is displayed as a count
 * @curCount: the sum over the time scale, to a whole number, as intValue
 */
typedef struct {
	RCRCounterValue curCount;
} RCRCountValue;

/**
 * RCRMeter() - makes a meter whose values the program posts
 * @t: its time scale
 *
 * It has no place but the machine, six digits behind the point, and a name that says
 * which process made it, and it stays until somebody removes it.
 *
 * Returns its number, or -1.
 */
int RCRMeter(RCRTTimeScale t);

/* Forgets the history of a meter. */
bool RCRMeterReset(int meterNum);

/* Posts @c.value.floatValue as the value of meter @c.id. */
bool RCRMeterUpdate(RCRCounter c);

/*
 * What a meter says of the machine. What is returned belongs to librcr: it is good until
 * the same thread calls the same function again, and is not to be freed.
 */
RCRMeterValue *RCRGetMeter(int MeterNumber);
RCRCountValue *RCRGetCount(int MeterNumber);

/* Lets go of the module. No other thread is in one of these. */
void RCRClose(void);

#ifdef __cplusplus
}
#endif

#endif
