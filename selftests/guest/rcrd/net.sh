#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# net.sh - the network meters that rcrd posts against /proc/net/dev, while interfaces send, come, go, are
# renamed and move to another network namespace. Needs two interfaces on one wire
# (guest.sh -w).
#
# The sum of a posted meter is that of the rates that were posted, over its time scale. A
# rate is over 0.5 s or a little more, so that half the sum is the number of bytes sent, or less by
# the delay of the posts.
. ./tap.sh
plan 30
. ./rcrd_lib.sh
METERS=/sys/kernel/debug/rcrtool/meters

# value METER KEY: from its file.
value()
{
	sed -n "s/^$2: //p" "$METERS/$1"
}

# sent INTERFACE, received INTERFACE: print the bytes by the kernel.
sent()
{
	sed -n "s/^ *$1: *//p" /proc/net/dev | awk '{ print $9 }'
}
received()
{
	sed -n "s/^ *$1: *//p" /proc/net/dev | awk '{ print $1 }'
}

# send ADDRESS NUMBER: sends datagrams of 1,000 bytes.
send()
{
	local i data
	printf -v data '%1000s' x
	for ((i = 0; i < $2; i++)); do
		printf %s "$data" >"/dev/udp/$1/9"
	done
}

# moved METER: prints the bytes, from the sum of the meter.
moved()
{
	value "$1" sum | awk '{ print int($1 / 2) }'
}

# posted: waits until all bytes so far are posted.
posted()
{
	sleep 1.2
}

# gained METER BEFORE BYTES DESCRIPTION: it has grown by BYTES, or by a third less if posts were
# late. A byte more comes from a rate that was rounded up.
gained()
{
	local gain=$(($(moved "$1") - $2))
	if [ "$gain" -ge $(($3 * 2 / 3)) ] && [ "$gain" -le $(($3 + 10)) ]; then
		result 0 "$4"
	else
		result 1 "$4"
		echo "# gained $gain bytes of $3"
	fi
}

# up INTERFACE ADDRESS PEER: configures an interface with a peer that needs no ARP.
up()
{
	ip addr add "$2/24" dev "$1"
	ip link set "$1" up
	arp -i "$1" -s "$3" 02:00:00:00:00:77
}

# plausible BYTES: no rate or sum is more than all of that in 0.5 s.
plausible()
{
	local meter key bad=''
	for meter in net_tx net_rx net_dropped; do
		for key in current sum average peak highest; do
			awk -v v="$(value $meter $key)" -v most="$(($1 * 2))" \
				'BEGIN { exit !(v >= 0 && v <= most + (most ? 20 : 0)) }' ||
				bad+=" $meter $key $(value $meter $key)"
		done
	done
	echo "$bad"
}

has_value()
{
	[ "$(value "$1" status)" = ok ]
}

wakes()
{
	sed -n 's/^voluntary_ctxt_switches:[\t ]*//p' "/proc/$daemon/status"
}

uptime_s()
{
	sed 's/\..*//' /proc/uptime
}

echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6
echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6
insmod /rcr/e1000.ko
insmod /rcr/dummy.ko numdummies=0
device=$(basename "$(readlink -f /sys/class/net/eth0/device)")
up eth0 10.8.0.1 10.8.0.77
ip link set eth1 promisc on
ip link set eth1 up
load period_us=10000 budget_ppm=0
users
mkdir -p /etc/rcrtool

# The defaults.
rcrctl meter add net_tx --posted --unit packets --digits 0 || exit 1
start
is "$(cat /tmp/rcrd.log)" "rcrd: cannot post network meters: another meter 'net_tx' exists: remove it with 'rcrctl meter remove net_tx'" \
	"net: where another meter has the name rcrd reports it, and serves"
stop
rcrctl meter remove net_tx
start
is "$(value net_rx unit) $(value net_rx type) $(value net_rx scale_ns)" "B/s average 1000000000" \
	"net: by default rcrd makes the meters"
soon has_value net_dropped
is "$(value net_dropped status) $(value net_dropped current)" "ok 0.000" "net: rcrd posts the meters"
# rcrd wakes once an interval, once a second, and every 10 s for the control socket.
woken=$(wakes) since=$(uptime_s)
sleep 10
woken=$(($(wakes) - woken)) since=$(($(uptime_s) - since))
is "$((woken <= 2 * since + since / 10 + 3))" 1 "net: for which it wakes $woken times in $since s"
stop
rcrctl meter remove net_tx && rcrctl meter remove net_rx && rcrctl meter remove net_dropped
echo "network = off" >/etc/rcrtool/rcrtool.conf
start
is "$(rcrctl meter ls -a | grep -c ^net_)" 0 "net: off, there are none"
stop
echo "network = 500ms" >/etc/rcrtool/rcrtool.conf

# With a time scale that holds all that this test sends; rcrd takes these as they are.
for name in tx rx; do
	rcrctl meter add net_$name --scale 120s,sum --digits 0 --unit B/s --posted \
		--over machine || exit 1
done
start
is "$(value net_dropped unit) $(value net_dropped type) $(value net_dropped scale_ns)" \
	"1/s average 1000000000" "net: rcrd makes a meter that is missing"
is "$(value net_tx type) $(value net_tx scale_ns)" "sum 120000000000" \
	"net: a meter that exists is left as it is"
posted
rcrctl meter reset all
posted
tx0=$(sent eth0) rx0=$(received eth1)
is "$(moved net_tx) $(moved net_rx)" "0 0" "net: nothing is sent"

# A virtual interface: its bytes are those of a physical one, or of none.
ip link add dummy0 type dummy
up dummy0 10.9.9.1 10.9.9.77
send 10.9.9.77 50
posted
is "$(($(sent dummy0) > 50000)) $(moved net_tx)" "1 0" "net: a virtual interface adds nothing"
ip link del dummy0
posted
is "$(moved net_tx) $(plausible 0)" "0 " "net: the deletion of an interface is not counted"

send 10.8.0.77 200
posted
gained net_tx 0 $(($(sent eth0) - tx0)) "net: the bytes that a physical interface sends are those of /proc/net/dev"
is "$(($(received eth1) - rx0 > 200000))" 1 "net: the other end of the wire receives it"
gained net_rx 0 $(($(received eth1) - rx0)) "net: bytes that an interface receives are added"

before=$(moved net_tx)
base=$(sent eth0)
ip link set eth0 down
ip link set eth0 name wire0
ip link set wire0 up
arp -i wire0 -s 10.8.0.77 02:00:00:00:00:77
send 10.8.0.77 100
posted
gained net_tx "$before" $(($(sent wire0) - base)) "net: it goes on under another name"
total=$(moved net_tx)
bytes=$(($(sent wire0) - tx0))

# A reader for which the posts do not wait: the bytes sent bound each value.
tail_of()
{
	local v
	while [ ! -e /tmp/enough ]; do
		v=$(moved net_tx)
		[ "$v" -le "$1" ] || echo "$v"
	done
}
rm -f /tmp/enough
tail_of "$total" >/tmp/above &
reader=$!
echo "$device" >/sys/bus/pci/drivers/e1000/unbind
posted
touch /tmp/enough
wait $reader
is "$(cat /tmp/above) $(moved net_tx)" " $total" "net: unbound from its driver it takes nothing with it"
is "$(plausible $((2 * bytes)))" "" "net: no rate is above the bytes sent"
is "$(value net_tx status)" ok "net: the meter stays ok without the interface"

# The device is bound again, with statistics from 0.
echo "$device" >/sys/bus/pci/drivers/e1000/bind
posted
new=$(basename "$(echo /sys/bus/pci/devices/*"$device"/net/*)")
is "$(sent "$new") $(moved net_tx)" "0 $total" "net: bound again it has nothing to add"
up "$new" 10.8.0.1 10.8.0.77
posted
base=$(sent "$new")
before=$(moved net_tx)
send 10.8.0.77 100
posted
gained net_tx "$before" $(($(sent "$new") - base)) "net: bytes that it sends then are added"

# Another namespace: an interface takes its statistics along, and brings them back.
unshare -n sleep 1000 &
away=$!
sleep 0.3
rx=$(moved net_rx)
base=$(received eth1)
before=$(moved net_tx)
ip link set "$new" netns $away
posted
is "$(ip link show "$new" 2>/dev/null) $(moved net_tx)" " $before" "net: moved to another namespace it takes nothing with it"
nsenter -t $away -n sh -c "ip addr add 10.8.0.1/24 dev $new; ip link set $new up; arp -i $new -s 10.8.0.77 02:00:00:00:00:77"
# shellcheck disable=SC2016 # for that shell
nsenter -t $away -n bash -c 'for i in $(seq 100); do printf "%1000s" x >/dev/udp/10.8.0.77/9; done'
posted
is "$(moved net_tx)" "$before" "net: bytes that it sends there are not this namespace's"
is "$(($(received eth1) > base + 100000))" 1 "net: the interface that stayed receives it"
gained net_rx "$rx" $(($(received eth1) - base)) "net: the interface that stayed continues to be counted"
kill $away
wait $away 2>/dev/null
soon [ -e "/sys/class/net/$new" ]
posted
is "$(moved net_tx)" "$before" "net: back again it adds nothing of that"
up "$new" 10.8.0.1 10.8.0.77
posted
base=$(sent "$new")
before=$(moved net_tx)
send 10.8.0.77 100
posted
gained net_tx "$before" $(($(sent "$new") - base)) "net: bytes that the returned interface sends are counted"
is "$(plausible $((2 * bytes + 400000)))" "" "net: all the while no rate was above the bytes sent"

# A meter that root removes.
rcrctl meter remove net_dropped
posted
posted
is "$(cat /tmp/rcrd.log)" "rcrd: cannot post network meters: Unknown meter 'net_dropped': see 'rcrctl meter ls -a'." \
	"net: a meter that root removes is missed once"
before=$(moved net_tx)
base=$(sent "$new")
send 10.8.0.77 100
posted
gained net_tx "$before" $(($(sent "$new") - base)) "net: the other meters go on"
stop
start
soon has_value net_dropped
is "$ended $(value net_dropped status)" "0 ok" "net: started again rcrd makes it anew"
stop
unload
rmmod e1000 dummy
is "$(ls /sys/class/net)" lo "net: the interfaces go"
finished
