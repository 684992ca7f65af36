# SPDX-License-Identifier: GPL-2.0-only
# table.awk - prints a table, or JSON with -v json=1, from the rows of the bench (first file) and
# the results of its programs (other files). Exits with status 1 if a row with a goal has no result,
# or if a row that is a promise misses its goal. Of a result that is printed several times the
# median is taken, and the numbers of measurements are added.

BEGIN {
	FS = "|"
	rows = 0
}

FNR == NR {
	if ($0 !~ /^(#|$)/) {
		row[++rows] = $1
		what[rows] = $2
		value_of[rows] = $3
		against_of[rows] = $4
		how[rows] = $5
		goal[rows] = $6
		promise[rows] = $7
	}
	next
}

$1 == "bench" {
	n = ++told[$2]
	value[$2, n] = $3 + 0
	unit[$2] = $4
	measurements[$2] += $5
	if ($6 != "")
		budget[$2] = $6
}

# Sort the values of a name in place; there are few.
function sort(name,   i, j, v) {
	for (i = 2; i <= told[name]; i++) {
		v = value[name, i]
		for (j = i - 1; j >= 1 && value[name, j] > v; j--)
			value[name, j + 1] = value[name, j]
		value[name, j + 1] = v
	}
}

function median(name,   n) {
	if (name == "1")
		return 1
	sort(name)
	n = told[name]
	if (n % 2)
		return value[name, (n + 1) / 2]
	return (value[name, n / 2] + value[name, n / 2 + 1]) / 2
}

function most(name) {
	sort(name)
	return value[name, told[name]]
}

function known(name) {
	return name == "1" || told[name]
}

# Cycles are printed in nanoseconds.
function scaled(name) {
	return unit[name] == "cycles" ? median(name) * 1e6 / median("khz") : median(name)
}

function unit_of(name) {
	return unit[name] == "cycles" ? "ns" : unit[name]
}

function met(i, x,   g) {
	g = goal[i] + 0
	if (how[i] == ">=")
		return x >= g
	if (how[i] == "<=")
		return x <= g
	if (how[i] == "<")
		return x < g
	if (how[i] == "within")
		return x >= 1 - g && x <= 1 + g
	if (how[i] == "idle")
		return median(value_of[i]) <= most(against_of[i])
	print "rows: " row[i] ": no such way to compare: " how[i] >"/dev/stderr"
	exit 2
}

function shown(i) {
	if (how[i] == "idle")
		return median(value_of[i]) - median(against_of[i])
	return scaled(value_of[i]) / scaled(against_of[i])
}

function goal_text(i) {
	if (how[i] == "within")
		return "1 +- " goal[i]
	if (how[i] == "idle")
		return "as idle"
	return how[i] == "" ? "" : how[i] " " goal[i]
}

function number(x) {
	if (x == int(x) && x < 1e7 && x > -1e7)
		return sprintf("%d", x)
	return sprintf(x < 0.01 && x > -0.01 ? "%.5f" : x < 10 ? "%.2f" : "%.1f", x)
}

function both(i,   text) {
	text = number(scaled(value_of[i])) " " unit_of(value_of[i])
	if (against_of[i] != "1")
		text = text " / " number(scaled(against_of[i])) " " unit_of(against_of[i])
	return text
}

function measured(i) {
	return measurements[value_of[i]] + (against_of[i] == "1" ? 0 : measurements[against_of[i]])
}

function budget_of(i) {
	return budget[value_of[i]] != "" ? budget[value_of[i]] : budget[against_of[i]]
}

function quote(text) {
	gsub(/\\/, "\\\\", text)
	gsub(/"/, "\\\"", text)
	return "\"" text "\""
}

function json_row(i, x) {
	printf "%s\n    {\"row\": %s, \"what\": %s, \"value\": %.6g, \"unit\": %s, \"against\": %.6g, \"against_unit\": %s, ",
		separator, quote(row[i]), quote(what[i]), scaled(value_of[i]), quote(unit_of(value_of[i])),
		scaled(against_of[i]), quote(unit_of(against_of[i]))
	printf "\"shown\": %.6g, \"goal\": %s, \"met\": %s, \"measurements\": %d, \"budget_ppm\": %s}",
		x, goal_text(i) == "" ? "null" : quote(goal_text(i)),
		how[i] == "" ? "null" : met(i, x) ? "true" : "false", measured(i),
		budget_of(i) == "" ? "null" : budget_of(i)
	separator = ","
}

function text_row(i, x) {
	printf "%-13s %10s %10s %-4s %-30s %9d %8s  %s\n", row[i], number(x), goal_text(i),
		how[i] == "" ? "" : met(i, x) ? "yes" : "NO", both(i), measured(i),
		budget_of(i), what[i]
}

END {
	if (json)
		printf "{\"rows\": ["
	else
		printf "%-13s %10s %10s %-4s %-30s %9s %8s  %s\n", "row", "measured", "goal",
			"met", "of (medians)", "number", "budget", "what"
	for (i = 1; i <= rows; i++) {
		if (!known(value_of[i]) || !known(against_of[i])) {
			missing = missing " " row[i]
			incomplete += how[i] != ""
			continue
		}
		x = shown(i)
		if (how[i] != "") {
			goals++
			reached += met(i, x)
			if (promise[i] != "" && !met(i, x))
				broken = broken " " row[i] " (" promise[i] ")"
		}
		if (json)
			json_row(i, x)
		else
			text_row(i, x)
	}
	if (json) {
		printf "\n  ],\n  \"goals\": %d, \"met\": %d, \"missing\": [", goals, reached
		n = split(missing, names, " ")
		for (i = 1; i <= n; i++)
			printf "%s%s", (i > 1 ? ", " : ""), quote(names[i])
		print "]}"
	} else {
		printf "%d of %d goals are met", reached, goals
		print missing == "" ? "" : "; not measured:" missing
	}
	if (broken != "")
		print "promises that are broken:" broken >"/dev/stderr"
	exit incomplete > 0 || broken != ""
}
