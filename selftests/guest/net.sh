#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# net.sh - what the network meters say against /proc/net/dev, while interfaces send, come,
# go, are renamed and move to another network namespace. Needs two interfaces on one wire
# (guest.sh -w).
. ./tap.sh
plan 18
METERS=/sys/kernel/debug/rcrtool/meters

# value METER KEY: as its file says.
value()
{
	sed -n "s/^$2: //p" "$METERS/$1"
}

# sent INTERFACE, received INTERFACE: bytes, as the kernel says.
sent()
{
	sed -n "s/^ *$1: *//p" /proc/net/dev | awk '{ print $9 }'
}
received()
{
	sed -n "s/^ *$1: *//p" /proc/net/dev | awk '{ print $1 }'
}

# send ADDRESS NUMBER: datagrams of 1,000 bytes.
send()
{
	local i data
	printf -v data '%1000s' x
	for ((i = 0; i < $2; i++)); do
		printf %s "$data" >"/dev/udp/$1/9"
	done
}

# stands METER VALUE: that is its sum now.
stands()
{
	[ "$(value "$1" sum)" = "$2" ]
}

# settled METER VALUE DESCRIPTION: its sum becomes that, and stays.
settled()
{
	soon stands "$1" "$2"
	sleep 0.5
	is "$(value "$1" sum)" "$2" "$3"
}

# up INTERFACE ADDRESS PEER: with a peer that needs no ARP.
up()
{
	ip addr add "$2/24" dev "$1"
	ip link set "$1" up
	arp -i "$1" -s "$3" 02:00:00:00:00:77
}

# plausible BYTES: no rate says more than all of that in a tick of 10 ms.
plausible()
{
	local meter key bad=''
	for meter in net_tx net_rx net_dropped; do
		for key in current sum average peak highest; do
			awk -v v="$(value $meter $key)" -v most="$(($1 * 100))" \
				'BEGIN { exit !(v >= 0 && v <= most) }' || bad+=" $meter $key $(value $meter $key)"
		done
	done
	echo "$bad"
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
for name in tx rx; do
	rcrctl meter add $name net_$name --scale 120s,sum --digits 0 --unit B || exit 1
done
sleep 1
rcrctl meter reset all
tx0=$(sent eth0) rx0=$(received eth1)
is "$(value tx sum) $(value rx sum)" "0 0" "net: nothing is sent"

# Virtual: what it moves a physical one moves, or nobody.
ip link add dummy0 type dummy
up dummy0 10.9.9.1 10.9.9.77
send 10.9.9.77 50
sleep 0.5
is "$(($(sent dummy0) > 50000)) $(value tx sum)" "1 0" "net: a virtual interface adds nothing"
ip link del dummy0
sleep 0.5
is "$(value tx sum) $(plausible 0)" "0 " "net: nor does its deletion"

send 10.8.0.77 200
settled tx $(($(sent eth0) - tx0)) "net: what a physical interface sends is what /proc/net/dev says"
is "$(($(received eth1) - rx0 > 200000)) $(value rx sum)" "1 $(($(received eth1) - rx0))" "net: and what one receives"

ip link set eth0 down
ip link set eth0 name wire0
ip link set wire0 up
arp -i wire0 -s 10.8.0.77 02:00:00:00:00:77
send 10.8.0.77 100
settled tx $(($(sent wire0) - tx0)) "net: it goes on under another name"
total=$(($(sent wire0) - tx0))

# A reader that the rounds do not wait for: each value is bounded by what was sent.
tail_of()
{
	local v
	while [ ! -e /tmp/enough ]; do
		v=$(value tx sum)
		[ "$v" -le "$1" ] || echo "$v"
	done
}
rm -f /tmp/enough
tail_of $total >/tmp/above &
reader=$!
echo "$device" >/sys/bus/pci/drivers/e1000/unbind
sleep 1
touch /tmp/enough
wait $reader
is "$(cat /tmp/above) $(value tx sum)" " $total" "net: unbound from its driver it takes nothing with it"
is "$(plausible $total)" "" "net: and no rate is above what was sent"
is "$(value net_tx status)" ok "net: which is ok"

# Back with statistics from 0.
echo "$device" >/sys/bus/pci/drivers/e1000/bind
sleep 0.5
new=$(basename "$(echo /sys/bus/pci/devices/*"$device"/net/*)")
is "$(sent "$new") $(value tx sum)" "0 $total" "net: bound again it has nothing to add"
up "$new" 10.8.0.1 10.8.0.77
sleep 0.2
base=$(sent "$new")
before=$(value tx sum)
send 10.8.0.77 100
settled tx $((before + $(sent "$new") - base)) "net: what it sends then is added"

# Another namespace: its statistics go with it, and come back with what they had there.
unshare -n sleep 1000 &
away=$!
sleep 0.3
rx=$(value rx sum)
before=$(value tx sum)
ip link set "$new" netns $away
sleep 0.5
is "$(ip link show "$new" 2>/dev/null) $(value tx sum)" " $before" "net: moved to another namespace it takes nothing with it"
nsenter -t $away -n sh -c "ip addr add 10.8.0.1/24 dev $new; ip link set $new up; arp -i $new -s 10.8.0.77 02:00:00:00:00:77"
# shellcheck disable=SC2016 # for that shell
nsenter -t $away -n bash -c 'for i in $(seq 100); do printf "%1000s" x >/dev/udp/10.8.0.77/9; done'
sleep 0.5
is "$(value tx sum)" "$before" "net: what it sends there is not this namespace's"
soon stands rx $(($(received eth1) - rx0))
is "$(($(value rx sum) > rx + 100000))" 1 "net: the interface that stayed counts on"
kill $away
wait $away 2>/dev/null
soon [ -e "/sys/class/net/$new" ]
sleep 0.5
is "$(value tx sum)" "$before" "net: back again it adds nothing of that"
up "$new" 10.8.0.1 10.8.0.77
sleep 0.2
base=$(sent "$new")
before=$(value tx sum)
send 10.8.0.77 100
settled tx $((before + $(sent "$new") - base)) "net: and counts on"
is "$(plausible $((total + 400000)))" "" "net: all the while no rate was above what was sent"
unload
rmmod e1000 dummy
is "$(ls /sys/class/net)" lo "net: the interfaces go"
finished
