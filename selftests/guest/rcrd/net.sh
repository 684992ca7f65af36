#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# net.sh - compares the network meters that rcrd posts with /proc/net/dev, while interfaces send
# and are added, removed, renamed and moved to another network namespace. Needs two interfaces on
# one link (guest.sh -w).
#
# The sum of a posted meter adds up the rates posted in its time scale. A rate is over 0.5 s or
# slightly more, so half the sum is the number of bytes sent, or less if posts are late.
. ./tap.sh
plan 30
. ./rcrd_lib.sh
METERS=/sys/kernel/debug/rcrtool/meters

# value METER KEY: prints a field of the meter's file.
value()
{
	sed -n "s/^$2: //p" "$METERS/$1"
}

# sent INTERFACE, received INTERFACE: print the bytes that the kernel has counted.
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

# moved METER: prints the number of bytes according to the sum of the meter.
moved()
{
	value "$1" sum | awk '{ print int($1 / 2) }'
}

# posted: waits until all bytes sent so far are posted.
posted()
{
	sleep 1.2
}

# gained METER BEFORE BYTES DESCRIPTION: the meter has grown from BEFORE by BYTES, by up to a third
# less if posts were late, or by one byte more if a rate was rounded up.
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

# implausible BYTES: prints the values that are negative or exceed BYTES in 0.5 s.
implausible()
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

# Defaults.
rcrctl meter add net_tx --posted --unit packets --digits 0 || exit 1
start
is "$(cat /tmp/rcrd.log)" "rcrd: cannot post network meters: another meter 'net_tx' exists: remove it with 'rcrctl meter remove net_tx'" \
	"net: where another meter has the name rcrd reports it, and serves"
stop
rcrctl meter remove net_tx
start
is "$(value net_rx unit) $(value net_rx type) $(value net_rx scale_ns)" "B/s average 1000000000" \
	"net: rcrd adds the meters by default"
soon has_value net_dropped
is "$(value net_dropped status) $(value net_dropped current)" "ok 0.000" "net: rcrd posts the meters"
# rcrd wakes once per interval, once per second, and every 10 s for the control socket.
woken=$(wakes) since=$(uptime_s)
sleep 10
woken=$(($(wakes) - woken)) since=$(($(uptime_s) - since))
is "$((woken <= 2 * since + since / 10 + 3))" 1 "net: rcrd wakes $woken times in $since s for that"
stop
rcrctl meter remove net_tx && rcrctl meter remove net_rx && rcrctl meter remove net_dropped
echo "network = off" >/etc/rcrtool/rcrtool.conf
start
is "$(rcrctl meter ls -a | grep -c ^net_)" 0 "net: there are no network meters with network = off"
stop
echo "network = 500ms" >/etc/rcrtool/rcrtool.conf

# A time scale that covers all that this test sends; rcrd uses existing meters unchanged.
for name in tx rx; do
	rcrctl meter add net_$name --scale 120s,sum --digits 0 --unit B/s --posted \
		--over machine || exit 1
done
start
is "$(value net_dropped unit) $(value net_dropped type) $(value net_dropped scale_ns)" \
	"1/s average 1000000000" "net: rcrd adds a missing meter"
is "$(value net_tx type) $(value net_tx scale_ns)" "sum 120000000000" \
	"net: rcrd does not change an existing meter"
posted
rcrctl meter reset all
posted
tx0=$(sent eth0) rx0=$(received eth1)
is "$(moved net_tx) $(moved net_rx)" "0 0" "net: nothing has been sent yet"

# Virtual interfaces are not counted: their bytes pass through a physical one as well, or through
# none.
ip link add dummy0 type dummy
up dummy0 10.9.9.1 10.9.9.77
send 10.9.9.77 50
posted
is "$(($(sent dummy0) > 50000)) $(moved net_tx)" "1 0" "net: bytes of a virtual interface are not counted"
ip link del dummy0
posted
is "$(moved net_tx) $(implausible 0)" "0 " "net: deleting an interface changes no meter"

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

# A reader that does not wait for the posts: no value exceeds the bytes sent.
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
is "$(cat /tmp/above) $(moved net_tx)" " $total" "net: the meter keeps the bytes of an interface that is unbound from its driver"
is "$(implausible $((2 * bytes)))" "" "net: no rate exceeds the bytes sent"
is "$(value net_tx status)" ok "net: the meter stays ok without the interface"

# The device is bound again; its statistics start at 0.
echo "$device" >/sys/bus/pci/drivers/e1000/bind
posted
new=$(basename "$(echo /sys/bus/pci/devices/*"$device"/net/*)")
is "$(sent "$new") $(moved net_tx)" "0 $total" "net: an interface that is bound again adds nothing"
up "$new" 10.8.0.1 10.8.0.77
posted
base=$(sent "$new")
before=$(moved net_tx)
send 10.8.0.77 100
posted
gained net_tx "$before" $(($(sent "$new") - base)) "net: bytes that it sends then are added"

# An interface keeps its statistics when it moves to another namespace and back.
unshare -n sleep 1000 &
away=$!
sleep 0.3
rx=$(moved net_rx)
base=$(received eth1)
before=$(moved net_tx)
ip link set "$new" netns $away
posted
is "$(ip link show "$new" 2>/dev/null) $(moved net_tx)" " $before" "net: the meter keeps the bytes of an interface that moves to another namespace"
nsenter -t $away -n sh -c "ip addr add 10.8.0.1/24 dev $new; ip link set $new up; arp -i $new -s 10.8.0.77 02:00:00:00:00:77"
# shellcheck disable=SC2016 # the inner shell expands it
nsenter -t $away -n bash -c 'for i in $(seq 100); do printf "%1000s" x >/dev/udp/10.8.0.77/9; done'
posted
is "$(moved net_tx)" "$before" "net: bytes sent in another namespace are not counted"
is "$(($(received eth1) > base + 100000))" 1 "net: the interface in this namespace receives them"
gained net_rx "$rx" $(($(received eth1) - base)) "net: the interface that stayed continues to be counted"
kill $away
wait $away 2>/dev/null
soon [ -e "/sys/class/net/$new" ]
posted
is "$(moved net_tx)" "$before" "net: an interface that returns does not add the bytes sent elsewhere"
up "$new" 10.8.0.1 10.8.0.77
posted
base=$(sent "$new")
before=$(moved net_tx)
send 10.8.0.77 100
posted
gained net_tx "$before" $(($(sent "$new") - base)) "net: bytes that the returned interface sends are counted"
is "$(implausible $((2 * bytes + 400000)))" "" "net: no rate exceeded the bytes sent meanwhile"

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
gained net_tx "$before" $(($(sent "$new") - base)) "net: rcrd still posts the other meters"
stop
start
soon has_value net_dropped
is "$ended $(value net_dropped status)" "0 ok" "net: rcrd adds a removed meter again when it is restarted"
stop
unload
rmmod e1000 dummy
is "$(ls /sys/class/net)" lo "net: the drivers of the interfaces unload"
finished
