#!/bin/bash
. ./tap.sh
plan 1
insmod $MODULE period_us=2000 budget_ppm=0 "events=TOT_CYC=event:0x76;TOT_INS=event:0xc0;RETIRED_FLOPS=event:0x003,umask:0xff;DCT_RD_TOT=nb:event:0x1f0,umask:0x62;DCT_WRT=nb:event:0x1f0,umask:0x19;APERF=register:aperf;MPERF=register:mperf" 2>&1
sleep 2
cd /sys/kernel/debug/rcrtool
ls -l /dev/rcr*; ls meters; cat meters/cpi meters/mem_bw meters/frequency meters/sampler_cost meters/meter_cost meters/l3_miss_ratio meters/net_rx meters/mem_write_share; tail -8 status
cd /; rmmod rcrtool
dmesg | tail -5
result 0 ok
