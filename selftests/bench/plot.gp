# SPDX-License-Identifier: GPL-2.0-only
#
# plot.gp - cost against number of counters, period and CPUs. Given: folder, where
# PANEL.LINE files with X and cycles (of scale: instructions) are; khz, of the TSC;
# output.

set terminal svg size 1600,420 font "sans,12" background "white"
set output output
set multiplot layout 1,4
set key below vertical
set grid
us(cycles) = cycles / khz * 1000
file(name) = sprintf("%s/%s", folder, name)

set title "one CPU, by counters (each with its control)"
set xtics 1
set xlabel "counters"
set ylabel "us a sample"
set logscale y
set yrange [0.1:]
set xrange [0.5:6.5]
plot file("counters.kept") using 1:(us($2)) with linespoints title "pread, descriptors kept", \
     file("counters.tick") using 1:(us($2)) with linespoints title "rcrtool, a tick"

set title "one CPU, 6 counters, by period"
set xtics auto
set xlabel "period, us"
set ylabel "% of a CPU"
set logscale xy
set yrange [*:*]
set xrange [80:15000]
plot file("period.kept") using 1:(us($2) / $1 * 100) with linespoints title "pread, descriptors kept", \
     file("period.tick") using 1:(us($2) / $1 * 100) with linespoints title "rcrtool, a tick"

set title "all CPUs, 6 counters"
set xtics 1
set xlabel "CPUs"
set ylabel "us for a sample of all of them"
unset logscale x
set xrange [0.5:4.5]
plot file("cpus.kept") using 1:(us($2)) with linespoints title "pread from one CPU", \
     file("cpus.tick") using 1:(us($2) * $1) with linespoints title "rcrtool, all ticks together"

set title "a tick, from idle to idle, by CPUs of the guest"
set xlabel "CPUs, all sampled"
set ylabel "instructions of the kernel"
unset logscale
set logscale x 2
set xtics (1, 4, 16, 64)
set xrange [0.7:90]
set yrange [0:*]
# When none of those guests came up there is nothing to plot.
if (int(system("grep -c . ".file("scale.executed"))) > 0) \
	plot file("scale.executed") using 1:2 with linespoints title "rcrtool, each CPU"
unset multiplot
