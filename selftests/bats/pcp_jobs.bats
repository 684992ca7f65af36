#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Jobs in pmdarcr: totals between marks, and cards. job_totals.py is the oracle. Tests with a module
# are in guest/jobs/pcp_jobs.sh.

bats_require_minimum_version 1.5.0
load says
load pcp

setup() {
	use_built
	PATH=$TOP/build/unit:$PATH
}

teardown() {
	stop_pmcd
}

# replay OPTION...: replay the file "stream" to its end.
replay() {
	rm -f socket
	start_pmcd -f "$PWD/stream" -g 100ms "$@"
	wait_until has_ended
}

has_ended() {
	[ "$(fetched rcr.set.state)" = "rcr.set.state - the recording has ended" ]
}

# jobs_are_right [NAME=CPUS]...: compare the fetched metrics with those of the stream.
jobs_are_right() {
	python3 "$BATS_TEST_DIRNAME/job_totals.py" stream "$@" | sort >expected
	fetched rcr.job >values
	grep -E '^rcr.job.(begin|end|total)' values | sort >got
	diff expected got
}

@test "jobs: begin, end and totals agree exactly with the marks and records" {
	use_pcp
	make_stream cpus=4 set run=200 begin=4711 run=310 begin=b run=100 end=4711 run=100 begin=4711 run=50 \
		end=b end=4711 begin=short end=short begin=open run=400 >stream
	replay
	jobs_are_right
	[ "$(grep -c '^rcr.job.total' got)" -eq 24 ]
	grep '^rcr.job.state' values | cut -d' ' -f2- | sort >states
	diff states <(printf '%s\n' '4711 ended' '4711.2 ended' 'b ended' 'open running' 'short ended')
	grep -x 'rcr.job.complete short 0' values
	[ "$(grep '^rcr.job.complete ' values | grep -c ' 1$')" -eq 4 ]
	[ "$(awk '$1 == "rcr.job.shared"' values | cut -d' ' -f2- | sort | xargs)" = "4711 1 4711.2 1 b 2 open 0 short 0" ]
}

@test "jobs: inconsistent marks are tolerated, and ids may have any bytes" {
	use_pcp
	long=$(printf 'x%.0s' {1..60})/$(printf '\001\033[7m"\\%.0s' {1..10})
	long=${long:0:126}%
	[ ${#long} -eq 127 ]
	make_stream cpus=4 set run=100 end=none begin=twice run=100 begin=twice run=100 end=twice end=twice \
		begin=../../etc/passwd 'begin=a b' run=100 "begin=$long" run=50 end=../../etc/passwd "end=$long" \
		'end=a b' lost-marks=70 begin=after run=100 >stream
	mkdir -m 777 spool
	replay --spool "$PWD/spool"
	python3 "$BATS_TEST_DIRNAME/job_totals.py" stream | grep -v x%2F >expected
	fetched rcr.job rcr.lost.marks >values
	[ "$(grep -c ' %2E%2E%2F%2E%2E%2Fetc%2Fpasswd ' values)" -gt 15 ]
	grep -q '^rcr.job.state twice begun again$' values
	grep -q '^rcr.job.state twice.2 ended$' values
	grep -qx 'rcr.lost.marks - 70' values
	grep -q 'ignored an end mark of a job without a begin mark' rcr.log
	# The name of the long id is its beginning and a hash.
	grep '^rcr.job.state x' values >state
	grep -Ex 'rcr.job.state x{60}%2F%01%1B%5B7m.{10,}~[0-9a-f]{16} ended' state
	find . -newer stream -name '*passwd*' | grep -Ex './spool/%2E%2E%2F%2E%2E%2Fetc%2Fpasswd[.][0-9]*[.]json'
	# Each card is JSON with the id and the same totals as fetched.
	python3 - "$long" <<-'END'
		import json, os, sys
		cards = [json.load(open("spool/" + name)) for name in os.listdir("spool")]
		ids = sorted(card["id"] for card in cards)
		assert ids == sorted(["twice", "twice", "../../etc/passwd", "a b", sys.argv[1], "after"]), ids
		values = {}
		for line in open("values"):
		    metric, name, value = line.rstrip("\n").split(" ", 2)
		    values[metric, name] = value
		compared = 0
		for card in cards:
		    assert card["rcrtool_job"] == 1
		    assert card["state"] == values["rcr.job.state", card["name"]]
		    if card["state"] == "running":
		        continue
		    for event in card["events"]:
		        assert str(event["total"]) == values["rcr.job.total." + event["name"], card["name"]]
		        compared += 1
		assert compared == 30, compared
	END
	# A card that cannot be written does not prevent others.
	stop_pmcd
	mkdir -p other/"$(basename "$(find spool -name 'twice.*' | sort | head -n 1)")"
	chmod 777 other
	replay --spool "$PWD/other"
	[ "$(find other -name '*.json' -type f | wc -l)" -eq 5 ]
}

@test "jobs: a change of the set, a foreign counter and a CPU that goes offline lower the completeness" {
	use_pcp
	make_sysfs
	make_stream cpus=4 scope=3:2 owner=3:0 owner=3:2 set run=100 begin=clear begin=half begin=none run=500 end=clear \
		end=half end=none begin=other foreign=1:1 run=500 foreign=1:1 \
		end=other begin=offline run=300 silent=3 run=700 end=offline silent=3 begin=sets run=500 name=0:DATA_CACHE:ALL next \
		run=500 end=sets run=100 >stream
	mkdir -p group/cpuset/slurm/uid_4321/job_clear group/system.slice/n17_slurmstepd.scope/job_offline
	echo 0-1 >group/cpuset/slurm/uid_4321/job_clear/cpuset.effective_cpus
	# CPU 9 does not exist.
	mkdir -p group/pbs_jobs.service/jobid/half group/pbs_jobs.service/jobid/none
	echo 1,9 >group/pbs_jobs.service/jobid/half/cpuset.cpus
	seq -s , 9 2 8191 >group/pbs_jobs.service/jobid/none/cpuset.cpus
	echo 2-3 >group/system.slice/n17_slurmstepd.scope/job_offline/cpuset.cpus.effective
	replay --sysfs "$PWD/sys" --cgroups "$PWD/group"
	jobs_are_right clear=0,1 half=1 none=9 offline=2,3
	grep -qx 'rcr.job.uid clear 4321' values
	[ "$(grep -c '^rcr.job.cpus [a-z]* 2$' values)" -eq 3 ]
	awk '$1 == "rcr.job.complete" && $2 == "half" { share = $3 } END { print share; exit !(share > 0.49 && share < 0.51) }' values
	grep -qx 'rcr.job.complete none 0' values
	grep -qx 'rcr.job.complete clear 1' values
	awk '$1 == "rcr.job.completeness.TOT_INS" && $2 == "other" { share = $3 } END { print share; exit !(share > 0.7 && share < 0.8) }' values
	awk '$1 == "rcr.job.completeness.TOT_CYC" && $2 == "offline" { share = $3 } END { print share; exit !(share > 0.6 && share < 0.7) }' values
	awk '$1 == "rcr.job.completeness.TOT_CYC" && $2 == "sets" { share = $3 } END { print share; exit !(share > 0.4 && share < 0.6) }' values
	awk '$1 == "rcr.job.completeness.TOT_INS" && $2 == "sets" { share = $3 } END { print share; exit !(share > 0.9 && share < 1) }' values
}

# part_words: print the words of a stream of two jobs on all CPUs, a second each, and a short one.
part_words() {
	local cpu
	for _ in 1 2; do
		for cpu in 0 1 2 3; do
			echo "cgroup=$cpu:$step"
			[ $cpu -ne 1 ] || echo "cgroup=$cpu:$short"
		done
		echo run=30
		echo "cgroup=1:$task" run=1000
		for cpu in 0 1 2 3; do
			echo "cgroup=$cpu:$other"
		done
		echo run=600
	done
}

@test "jobs: the share of a job in counts of shared CPUs is estimated, with its error" {
	use_pcp
	top=group/system.slice/slurmstepd.scope
	mkdir -p $top/job_4711/step_0/user/task_0 $top/job_4712/step_0 $top/job_9/step_batch group/user.slice
	mkdir -p group/cpuset/slurm/uid_1/job_first
	echo 0-3 >group/cpuset/slurm/uid_1/job_first/cpuset.cpus
	job=$(stat -c %i $top/job_4711) step=$(stat -c %i $top/job_4711/step_0) task=$(stat -c %i $top/job_4711/step_0/user/task_0)
	other=$(stat -c %i $top/job_4712/step_0) short=$(stat -c %i $top/job_9/step_batch)
	first=$(stat -c %i group/cpuset/slurm/uid_1/job_first)
	# shellcheck disable=SC2046 # words
	make_stream cpus=4 set "cgroup=0:$other" run=100 begin=4711 begin=4712 begin=9 begin=first begin=none $(part_words) \
		end=4711 end=4712 end=9 end=first "cgroup=0:$first" run=200 >stream
	mkdir -m 777 spool
	replay --cgroups "$PWD/group" --spool "$PWD/spool"
	jobs_are_right first=0,1,2,3
	{
		python3 "$BATS_TEST_DIRNAME/job_parts.py" stream 4711 "$job" "$step" "$task"
		python3 "$BATS_TEST_DIRNAME/job_parts.py" stream 4712 "$other"
	} | sort >expected
	# The others have too few samples, an id of cgroup version 1, or no group.
	grep -E '^rcr.job.(estimate|error)' values | sort >got
	diff expected got
	[ "$(wc -l <got)" -eq 24 ]
	python3 - <<-'END'
		import glob, json
		values = {tuple(line.split()[:2]): line.split()[2] for line in open("got")}
		reasons, compared = set(), 0
		for path in glob.glob("spool/*.json"):
		    with open(path) as file:
		        card = json.load(file)
		    for event in card["events"]:
		        if event["estimate"] is not None:
		            assert str(event["estimate"]) == values["rcr.job.estimate." + event["name"], card["name"]]
		            assert str(event["estimate_error"]) == values["rcr.job.error." + event["name"], card["name"]]
		            assert event["estimate_reason"] is None
		            compared += 1
		        elif event["name"] == "TOT_CYC":
		            reasons.add((card["name"], event["estimate_reason"]))
		assert compared == 12, compared
		unknown = "its control group is not known"
		assert reasons >= {("9", "its standard error is more than 10 %"), ("first", unknown), ("none", unknown)}, reasons
	END
	# A restart of the agent within a job loses records.
	stop_pmcd
	mkdir -m 777 again
	make_stream cpus=2 set "cgroup=0:$other" "cgroup=1:$other" run=100 begin=4712 run=800 >stream
	replay --cgroups "$PWD/group" --spool "$PWD/again"
	fetched rcr.job.estimate | grep -c '^rcr.job.estimate.* 4712 '
	stop_pmcd
	replay --cgroups "$PWD/group" --spool "$PWD/again"
	jobs_are_right
	run ! grep '^rcr.job.estimate' values
}

# has_value METRIC NAME VALUE
has_value() {
	fetched "$1" | grep -qx "$1 $2 $3"
}

@test "jobs: a cpuset set after the control group was made, or a group made anew, is read again" {
	use_pcp
	top=group/system.slice/slurmstepd.scope
	mkdir -p $top/job_5 $top/job_6 $top/new
	echo 0-3 | tee $top/job_5/cpuset.cpus.effective $top/job_6/cpuset.cpus.effective >$top/new/cpuset.cpus.effective
	before=$(for cpu in 0 1 2 3; do echo "cgroup=$cpu:$(stat -c %i $top/job_5)"; done)
	later=$(for cpu in 0 1 2 3; do echo "cgroup=$cpu:$(stat -c %i $top/new)"; done)
	# shellcheck disable=SC2086 # words
	make_stream cpus=4 set $before run=100 begin=5 begin=6 run=1500 $later run=3000 end=5 end=6 run=100 >stream
	rm -f socket
	start_pmcd -f "$PWD/stream" -g 100ms --cgroups "$PWD/group"
	wait_until has_value rcr.job.cpus 5 4
	wait_until has_value rcr.job.cpus 6 4
	echo 1 >$top/job_5/cpuset.cpus.effective
	rm -r $top/job_6
	mv $top/new $top/job_6
	wait_until has_value rcr.job.cpus 5 1
	wait_until has_ended
	jobs_are_right 5=1
	python3 "$BATS_TEST_DIRNAME/job_parts.py" stream 6 "$(stat -c %i $top/job_6)" | grep estimate | sort >expected
	grep '^rcr.job.estimate[^ ]* 6 ' values | sort >got
	[ "$(wc -l <got)" -eq 6 ]
	diff expected got
}

# has_card NAME
has_card() {
	find spool -name "$1.*.json" | grep -q .
}

@test "jobs: the total of a job is right after SIGKILL of pmcd and the agent" {
	use_pcp
	make_stream cpus=4 set run=100 begin=done run=400 end=done begin=4711 run=6000 end=4711 run=200 >stream
	mkdir -m 777 spool
	rm -f socket
	start_pmcd -f "$PWD/stream" -g 100ms --spool "$PWD/spool"
	wait_until has_card 4711
	wait_until grep -q '"state": "ended"' spool/done.*.json
	agent=$(pgrep -P "$PMCD" pmdarcr)
	kill -KILL "$agent" "$PMCD"
	grep -q '"state": "running"' spool/4711.*.json
	# The rings have lost the begin and the records after it; the card has them.
	python3 - <<-'END'
		import struct
		data = open("stream", "rb").read()
		out, at = bytearray(), 0
		while at < len(data):
		    size, kind = struct.unpack_from("=IH", data, at)
		    time, = struct.unpack_from("=Q", data, at + (24 if kind == 4 else 32))
		    if kind == 1 or time > 5000000000:
		        out += data[at:at + size]
		    at += size
		open("rest", "wb").write(out)
	END
	mv stream whole
	mv rest stream
	# Only cards are removed among old files.
	cp spool/done.*.json spool/old.1.json
	echo '{}' >spool/notes.json
	touch -d '8 days ago' spool/old.1.json spool/notes.json
	# Unfinished temporary cards are removed as well.
	touch -d '2 hours ago' spool/done.1.json.k1lLed
	touch spool/done.1.json.neWone spool/notes.json.tx
	replay --spool "$PWD/spool"
	[ ! -e spool/old.1.json ]
	[ "$(find spool -name '*.json.*' | sort | xargs)" = "spool/done.1.json.neWone spool/notes.json.tx" ]
	[ -e spool/notes.json ]
	mv stream rest
	mv whole stream
	jobs_are_right
	grep -qx 'rcr.job.complete 4711 1' values
	[ "$(find spool -name '4711.*' | wc -l)" -eq 1 ]
	grep -q '"state": "ended"' spool/4711.*.json
	# A job that ended hours ago is not counted again while the rings (3 h) have its marks.
	stop_pmcd
	python3 - <<-'END'
		import struct
		data = bytearray(open("stream", "rb").read())
		struct.pack_into("=I", data, 40, 1 << 20)
		open("stream", "wb").write(data)
	END
	sed -i 's/"total": [0-9]*/"total": 4242/' spool/done.*.json
	touch -d '2 hours ago' spool/done.*.json
	replay --spool "$PWD/spool"
	[ "$(fetched rcr.job.total | grep -c ' done 4242$')" -eq 6 ]
}

@test "jobs: a spool that cannot be written is logged once and does not affect the metrics" {
	use_pcp
	make_stream cpus=4 set run=100 begin=a run=200 end=a begin=b run=300 end=b run=100 >stream
	replay --spool "$PWD/none"
	jobs_are_right
	[ "$(grep -c 'cards of jobs cannot be written, and are retried' rcr.log)" -eq 1 ]
	# Nor is anything made of files that are no cards.
	mkdir -m 777 spool
	echo '{"rcrtool_job": 1, "name": "' >spool/a.1.json
	head -c 3000 /dev/urandom >spool/b.1.json
	ln -s /etc/passwd spool/c.1.json
	mkfifo spool/d.1.json
	stop_pmcd
	replay --spool "$PWD/spool"
	jobs_are_right
	[ "$(grep -c 'ignored, not a card of a job' rcr.log)" -eq 4 ]
}

@test "jobs: a running job is restored, however many jobs have ended since its begin" {
	use_pcp
	make_stream cpus=4 set run=100 begin=long run=300 begin=short run=100 end=short run=100 >stream
	mkdir -m 777 spool
	replay --spool "$PWD/spool"
	stop_pmcd
	# The maximum number of kept jobs has ended since; two cards have duplicate numbers.
	python3 - <<-'END'
		import glob
		path, = glob.glob("spool/short.*.json")
		text = open(path).read()
		for i in range(2050):
		    other = text.replace('"serial": 1,', f'"serial": {max(i, 1)},').replace('"short"', f'"n{i}"')
		    open(f"spool/n{i}.1.json", "w").write(other)
	END
	# The begin mark is no longer in the ring.
	make_stream cpus=4 set run=100 text=long run=300 begin=short run=100 end=short run=1000 end=long run=100 >stream
	replay --spool "$PWD/spool"
	[ "$(grep -c 'ignored, not a card of a job' rcr.log)" -eq 0 ]
	make_stream cpus=4 set run=100 begin=long run=300 begin=short run=100 end=short run=1000 end=long run=100 >whole
	python3 "$BATS_TEST_DIRNAME/job_totals.py" whole | grep 'total[^ ]* long ' | cut -d' ' -f3 | sort >expected
	python3 -c 'import json, sys; print(*sorted(str(e["total"]) for e in json.load(sys.stdin)["events"]), sep="\n")' \
		<"$(echo spool/long.*.json)" | sort >got
	[ "$(wc -l <expected)" -eq 6 ]
	diff expected got
	grep -q '"state": "ended"' spool/long.*.json
}
