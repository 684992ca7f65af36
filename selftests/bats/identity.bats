#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# The identity of the node in each format of rcrstat, from a recording that has it. That of this node is
# in the tests that run in a guest.

setup() {
	TOP=$BATS_TEST_DIRNAME/../..
	PATH=$TOP/build/bin:$TOP/build/unit:$PATH
	cd "$BATS_TEST_TMPDIR"
	export TZ=UTC
	IDENTITY=(node=producer=node0471 node=component_id=8151 node=cluster=blue node=tag.rack=r4096)
}

# Prints the formats, which the program lists.
formats() {
	rcrstat -f none 2>&1 | sed -n "s/.*unknown format 'none': use \(.*\); see.*/\1/p" | sed 's/,/ /g; s/ or / /'
}

@test "identity: each format that rcrstat lists has producer, number, cluster and tags" {
	make_stream cpus=2 set "${IDENTITY[@]}" run=2510 >stream
	[ "$(formats | wc -w)" -ge 12 ]
	for format in $(formats); do
		rm -rf out
		rcrstat -r stream --relations none -f "$format" -o out
		for text in node0471 8151 blue r4096; do
			# LDMS's layout has no place for these.
			[[ "$format $text" == ldms\ [br]* ]] && continue
			grep -raqF "$text" out || { echo "$format has no $text"; false; }
		done
	done
}

@test "identity: it goes through raw, csv and ldms into each format that is read back" {
	make_stream cpus=2 set "${IDENTITY[@]}" run=2510 >stream
	rcrstat -r stream -f raw | cmp - stream
	rcrstat -r - --relations none < <(cat stream) >csv
	head -n 1 csv | grep -q ',cpu1:BR_MSP,producer,component_id,cluster,tag.rack$'
	[ "$(sed 1d csv | grep -c ',node0471,8151,blue,r4096$')" -eq 2 ]
	rcrstat -r csv >again
	[ "$(grep -c ',node0471,8151,blue,r4096$' again)" -eq 2 ]
	rcrstat -r again | cmp - again
	rcrstat -r csv -e TOT_INS -c 1 | head -n 1 |
		grep -qx 'time,interval,lost,overruns,status,cpu1:TOT_INS,producer,component_id,cluster,tag.rack'
	rcrstat -r csv -f table -n 1 >table
	head -n 1 table | grep -q ' overruns, producer node0471, component_id 8151, cluster blue, tag.rack r4096$'
	rcrstat -r stream -n 1 -f table --relations none | head -n 1 | cmp - <(head -n 1 table)
	rcrstat -r stream --relations none -f ldms >ldms
	head -n 1 ldms | grep -q ',Ctr5_c1$'
	rcrstat -r ldms | cut -d, -f18- | diff - <(printf '%s\n' producer,component_id node0471,8151)
	for file in stream csv ldms; do
		rcrstat -r $file --relations none -j -n 1
	done >json
	rcrstat -r stream --relations none -j -p process -n 1 >>json
	cat >read.py <<-'END'
		import json
		nodes = [json.loads(line)["node"] for line in open("json")]
		whole = {"producer": "node0471", "component_id": 8151, "cluster": "blue", "tags": {"rack": "r4096"}}
		assert nodes == [whole, whole, dict(whole, cluster=None, tags={}), whole], nodes
	END
	python3 read.py
	rcrstat -r stream --relations none -p process >shares
	head -n 1 shares | grep -q ',producer,component_id,cluster,tag.rack$'
	grep -q ',node0471,8151,blue,r4096$' shares
}

@test "identity: of two nodes in one file each line has its own" {
	make_stream cpus=1 set "${IDENTITY[@]}" run=1510 >stream
	make_stream cpus=1 set node=producer=other node=component_id=3 run=1510 >>stream
	rcrstat -r stream --relations none >csv
	cat >read.py <<-'END'
		import csv
		head, nodes = None, []
		for row in csv.reader(open("csv")):
		    if row[0] == "time":
		        head = row
		    else:
		        line = dict(zip(head, row, strict=True))
		        nodes.append((line["producer"], line["component_id"], line.get("tag.rack")))
		assert nodes == [("node0471", "8151", "r4096"), ("other", "3", None)], nodes
	END
	python3 read.py
	rcrstat -r csv >again
	[ "$(tail -n 1 again | cut -d, -f12-)" = other,3 ]
	[ "$(grep -c '^time,.*,tag.rack$' again) $(grep -c '^time,.*,component_id$' again)" = "1 1" ]
}

@test "identity: where none is configured, csv and tables are as they were, and json has the defaults" {
	make_stream cpus=1 set run=1510 >old
	make_stream cpus=1 set default-node=producer=node7 default-node=component_id=7 run=1510 >new
	for format in csv table; do
		rcrstat -r new --relations none -f $format | cmp - <(rcrstat -r old --relations none -f $format)
	done
	# A recording without it is that of nobody; exports name this node.
	! rcrstat -r old --relations none -j | grep -q node || false
	rcrstat -r new --relations none -j | grep -q '"node": {"producer": "node7", "component_id": 7, "cluster": null, "tags": {}}'
	rcrstat -r new --relations none -f influx | grep -q 'producer=node7,component_id=7,'
	rcrstat -r old --relations none -f influx | grep -q "producer=$(hostname),"
	# The user's number is in all of them.
	rcrstat -r old --relations none --component-id 9 | head -n 1 | grep -q ',cpu0:BR_MSP,component_id$'
	rcrstat -r new --relations none --component-id 9 | tail -n 1 | grep -q ',node7,9$'
	run rcrstat -r new --component-id 9 -f raw
	[ "$status" -eq 2 ]
	[[ "$output" == *"option '--component-id' does not go with '-r' and the format raw, which changes nothing"* ]]
}

@test "identity: what is wrong in a recording is left out, and in saved lines named" {
	make_stream cpus=1 set 'node=producer=a"b' node=producer=a,b node=colour=red node=component_id=x \
		node=tag.=1 'node=tag.a b=1' node=cluster= node=cluster "node=cluster=$(printf 'c%.0s' {1..256})" node=tag.rack=1 node=tag.rack=2 run=1510 >stream
	rcrstat -r stream --relations none >csv
	head -n 1 csv | grep -q ',cpu0:BR_MSP,tag.rack$'
	[ "$(sed -n 2p csv | grep -o '[^,]*$')" = 2 ]
	sed 's/,tag.rack$/,component_id/; 2s/2$/two/' csv >wrong
	run rcrstat -r wrong
	[ "$status" -eq 1 ]
	[[ "$output" == *"wrong:2: column 12: invalid number 'two'"* ]]
	# An empty cell is not known.
	sed '2s/2$//' csv >empty
	rcrstat -r empty -j | grep -q '"tags": {}'
}
