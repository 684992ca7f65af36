#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# The identity of the node in each format of rcrstat, from recordings. Tests in a guest check the
# identity of a running node.

setup() {
	TOP=$BATS_TEST_DIRNAME/../..
	PATH=$TOP/build/bin:$TOP/build/unit:$PATH
	cd "$BATS_TEST_TMPDIR"
	export TZ=UTC
	IDENTITY=(node=producer=node0471 node=component_id=8151 node=cluster=blue node=tag.rack=r4096)
}

# Print the formats that the program lists.
formats() {
	rcrstat -f none 2>&1 | sed -n "s/.*unknown format 'none': use \(.*\); see.*/\1/p" | sed 's/,/ /g; s/ or / /'
}

@test "identity: each format that rcrstat lists has producer, component id, cluster and tags" {
	make_stream cpus=2 set "${IDENTITY[@]}" run=2510 >stream
	[ "$(formats | wc -w)" -ge 12 ]
	for format in $(formats); do
		rm -rf out
		rcrstat -r stream --relations none -f "$format" -o out
		for text in node0471 8151 blue r4096; do
			# LDMS's layout lacks cluster and tags.
			[[ "$format $text" == ldms\ [br]* ]] && continue
			grep -raqF "$text" out || { echo "$format has no $text"; false; }
		done
	done
}

@test "identity: it is kept by raw, csv and ldms when they are read back" {
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

@test "identity: each line of a file of two nodes has its own node" {
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

@test "identity: if none is configured, csv and tables omit it, and json has the defaults" {
	make_stream cpus=1 set run=1510 >old
	make_stream cpus=1 set default-node=producer=node7 default-node=component_id=7 run=1510 >new
	for format in csv table; do
		rcrstat -r new --relations none -f $format | cmp - <(rcrstat -r old --relations none -f $format)
	done
	# A recording without identity has no node; export formats use this node.
	! rcrstat -r old --relations none -j | grep -q node || false
	rcrstat -r new --relations none -j | grep -q '"node": {"producer": "node7", "component_id": 7, "cluster": null, "tags": {}}'
	rcrstat -r new --relations none -f influx | grep -q 'producer=node7,component_id=7,'
	rcrstat -r old --relations none -f influx | grep -q "producer=$(hostname),"
	# The component id of the command line is in all of them.
	rcrstat -r old --relations none --component-id 9 | head -n 1 | grep -q ',cpu0:BR_MSP,component_id$'
	rcrstat -r new --relations none --component-id 9 | tail -n 1 | grep -q ',node7,9$'
	run rcrstat -r new --component-id 9 -f raw
	[ "$status" -eq 2 ]
	[[ "$output" == *"option '--component-id' cannot be used with '-r' and the format raw, which changes nothing"* ]]
}

@test "identity: records are never attributed to the previous node of a file, nor to this node" {
	make_stream cpus=1 set "${IDENTITY[@]}" run=1510 set name=1:OTHER run=1510 >one
	make_stream cpus=1 set run=1510 >old
	make_stream cpus=1 set node=producer=other node=component_id=3 run=1510 >other
	# Later sets of a recording belong to the same node.
	[ "$(rcrstat -r one --relations none | grep -c ',node0471,8151,blue,r4096$')" -eq 2 ]
	cat one old >both
	rcrstat -r both --relations none -j >json
	[ "$(grep -c '"node": ' json) $(wc -l <json)" = "2 3" ]
	rcrstat -r both --relations none >csv
	[ "$(sed 1d csv | tail -n 2 | cut -d, -f7-)" = "$(rcrstat -r old --relations none | cut -d, -f7-)" ]
	rcrstat -r both -f influx | tail -n 1 | grep -q "^rcrtool,producer=$(hostname),"
	for format in chrome ctf svg; do
		for file in old other; do
			rm -rf out
			cat one $file >both
			run rcrstat -r both -f $format -o out
			[ "$status" -eq 1 ]
			[[ "$output" == *"records of another node follow, but the format $format supports only one"* ]]
			[ -e out ]
		done
		cat one one >both
		run rcrstat -r both -f $format -o out
		[ "$status" -eq 1 ]
		[[ "$output" == *"an interval ends before the previous one, which the format $format does not support"* ]]
	done
	rm -rf out
	rcrstat -r both -f ctf -o out || true
	[ "$(babeltrace2 out | wc -l)" -eq 12 ]
}

# in_own_etc COMMAND: run it in a namespace with its own host name and /etc.
in_own_etc() {
	mkdir -p etc/rcrtool
	cp /etc/passwd /etc/group etc
	unshare -mu bash -c 'mount --bind etc /etc && . "$1"' - <(echo "$1")
}

@test "identity: an invalid host name is replaced, an invalid configuration is reported" {
	[ "$(id -u)" -eq 0 ] || skip "needs root to set a host name"
	make_stream cpus=1 set run=1510 >old
	make_stream cpus=1 set "${IDENTITY[@]}" run=1510 >stream
	in_own_etc 'printf "a,b\"\\\\c\001d\377\303\251 7\n" >/proc/sys/kernel/hostname
		rcrstat -r old -f ldms >ldms
		echo >/proc/sys/kernel/hostname
		rcrstat -r old -f tacc_stats' | grep -qx '1700000002.000000 - localhost'
	cut -d, -f3-5 ldms | diff - <(printf '%s\n' ProducerName,component_id,job_id 'a_b__c_d_é 7,7,0')
	# The configuration is not read for a recording with an identity.
	in_own_etc 'conf=/etc/rcrtool/rcrtool.conf
		for make in "mkfifo $conf" "mkdir $conf" "printf \"producer = \\377\" >$conf" \
			"printf \"producer = %0256d\" 1 >$conf" "printf \"tag.t%s = x\\n\" {1..33} >$conf"; do
			rm -rf $conf
			eval "$make"
			rcrstat -r stream -f influx | grep -c "producer=node0471,.*TOT_CYC"
			timeout 20 rcrstat -r old -f influx 2>&1
			echo $?
		done' >text
	LC_ALL=C sed 's/\(invalid text\).*/\1/' text | diff - <(for wrong in ': a pipe, not a file' ': Is a directory' \
		':1: invalid text' ':1: a text of the identity has at most 255 characters' ':33: more than 32 tags'; do
		printf '%s\n' 1 "rcrstat: /etc/rcrtool/rcrtool.conf$wrong" 2
	done)
}

@test "identity: hostile texts are escaped in each format and read back unchanged" {
	local text='it'"'"'s <a href=x>&`touch pwned` $(touch pwned) = {x} #h %s ]]> é 🚀 ;'
	make_stream cpus=1 set "node=producer=$text" node=component_id=18446744073709551615 "node=cluster=$text" \
		"node=tag.cpu=$text" node=tag.time=t node=tag.producer=p run=1510 >stream
	for format in csv json ldms prometheus influx chrome ctf svg; do
		rcrstat -r stream --relations none -f $format -o $format
	done
	rcrstat -r csv -j >again
	cat >read.py <<-'END'
		import csv, json, re, sys, xml.etree.ElementTree
		text = sys.argv[1]
		whole = {"producer": text, "component_id": 2**64 - 1, "cluster": text,
		         "tags": {"cpu": text, "time": "t", "producer": "p"}}
		for name in "json", "again":
		    assert json.load(open(name))["node"] == whole, name
		assert json.load(open("chrome"))["otherData"] == whole
		[row] = csv.DictReader(open("csv"))
		assert [row[k] for k in ("producer", "cluster", "tag.cpu")] == [text] * 3, row
		assert next(csv.DictReader(open("ldms")))["ProducerName"] == text
		labels = dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', open("prometheus").read().splitlines()[2]))
		assert labels["producer"] == labels["tag_cpu"] == text and len(labels) == 8, labels
		tags = re.split(r"(?<!\\)[, ]", open("influx").readline())
		pairs = dict(re.split(r"(?<!\\)=", tag) for tag in tags[1:9])
		assert re.sub(r"\\([, =])", r"\1", pairs["producer"]) == text, pairs
		shown = "".join(xml.etree.ElementTree.parse("svg").getroot().itertext())
		assert "".join(text.split()) in "".join(shown.split()), shown
	END
	python3 read.py "$text"
	babeltrace2 ctf | grep -qF "$text"
	[ ! -e pwned ]
}

@test "identity: unknown parts are absent, or null" {
	make_stream cpus=1 set node=cluster=blue run=1510 >stream
	for format in influx openmetrics prometheus; do
		! rcrstat -r stream -f $format | grep -q 'producer=\|component_id=' || false
	done
	rcrstat -r stream -f tacc_stats | grep -v '^[!r$]' | grep -qx '1700000002.000000 - -'
	rcrstat -r stream -f ldms | sed 1d | cut -d, -f3-5 | grep -qx ,,0
	rcrstat -r stream -f chrome | grep -q '"producer": null, "component_id": null, "cluster": "blue"'
	rcrstat -r stream -f ctf -o out
	! grep -q component_id out/metadata || false
}

@test "identity: invalid parts of a recording are left out, in saved lines they are reported" {
	make_stream cpus=1 set 'node=producer=a"b' node=producer=a,b node=colour=red node=component_id=x \
		node=tag.=1 'node=tag.a b=1' node=cluster= node=cluster "node=cluster=$(printf 'c%.0s' {1..256})" node=tag.rack=1 node=tag.rack=2 run=1510 >stream
	rcrstat -r stream --relations none >csv
	head -n 1 csv | grep -q ',cpu0:BR_MSP,tag.rack$'
	[ "$(sed -n 2p csv | grep -o '[^,]*$')" = 2 ]
	sed 's/,tag.rack$/,component_id/; 2s/2$/two/' csv >wrong
	run rcrstat -r wrong
	[ "$status" -eq 1 ]
	[[ "$output" == *"wrong:2: column 12: invalid number 'two'"* ]]
	# An empty cell is an unknown part.
	sed '2s/2$//' csv >empty
	rcrstat -r empty -j | grep -q '"tags": {}'
}
