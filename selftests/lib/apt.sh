# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# apt.sh - fetches Debian packages and sources into build/downloads without changing the machine,
# with a private apt configuration: the machine's Debian sources plus deb-src. Needs common.sh.

RCR_APT=$RCR_BUILD/apt

# Print the machine's one-line and deb822 sources as one-line deb and deb-src entries. Only Debian's
# suites, because third-party repositories have no source index.
apt_sources()
{
	local f
	for f in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		[ -r "$f" ] || continue
		sed -nE '/^deb(-src)? .* (bookworm|trixie|sid)/{s/^deb-src /deb /;p;s/^deb /deb-src /p}' "$f"
	done
	for f in /etc/apt/sources.list.d/*.sources; do
		[ -r "$f" ] || continue
		awk -v RS= '
		{
			uris = suites = comps = signed = ""
			n = split($0, line, "\n")
			for (i = 1; i <= n; i++) {
				v = line[i]; sub(/^[^:]*:[ ]*/, "", v)
				if (line[i] ~ /^URIs:/) uris = v
				if (line[i] ~ /^Suites:/) suites = v
				if (line[i] ~ /^Components:/) comps = v
				if (line[i] ~ /^Signed-By:/ && v ~ /^\//) signed = "[signed-by=" v "] "
				if (line[i] ~ /^Enabled: *no/) uris = ""
			}
			if (suites !~ /^(bookworm|trixie|sid)/) next
			nu = split(uris, u, " "); ns = split(suites, s, " ")
			for (i = 1; i <= nu; i++)
				for (j = 1; j <= ns; j++) {
					print "deb " signed u[i] " " s[j] " " comps
					print "deb-src " signed u[i] " " s[j] " " comps
				}
		}' "$f"
	done
}

apt_private()
{
	APT_CONFIG=$RCR_APT/apt.conf "$@"
}

# apt_update: fetches the index. If the machine's suites have no 6.12 kernel, as in Debian 12, adds
# the backports of the same mirror.
apt_update()
{
	apt_private apt-get -q update || return
	if ! apt_private apt-cache pkgnames linux-image-6.12. | grep -q .; then
		grep -E ' bookworm [a-z]' "$RCR_APT/sources.list" |
			sed 's/ bookworm / bookworm-backports /' >"$RCR_APT/backports.list"
		cat "$RCR_APT/backports.list" >>"$RCR_APT/sources.list"
		apt_private apt-get -q update || return
	fi
}

# Make the private configuration, and fetch the index if it is older than a day: the mirror may no
# longer have packages of an old index.
apt_private_setup()
{
	mkdir -p "$RCR_APT/lists/partial" "$RCR_APT/archives/partial" "$RCR_DOWNLOADS"
	# Keep the lists that apt_update added until its next run.
	if [ -z "$(find "$RCR_APT/updated" -mmin -1440 2>/dev/null)" ]; then
		rm -f "$RCR_APT/backports.list"
	fi
	{ apt_sources; cat "$RCR_APT/backports.list" 2>/dev/null || true; } |
		sort -u >"$RCR_APT/sources.list"
	[ -s "$RCR_APT/sources.list" ] ||
		die "this machine's apt has no Debian sources: add Debian 12's to /etc/apt/sources.list"
	cat >"$RCR_APT/apt.conf" <<-EOF
		Dir::Etc::sourcelist "$RCR_APT/sources.list";
		Dir::Etc::sourceparts "-";
		Dir::State::lists "$RCR_APT/lists";
		Dir::Cache "$RCR_APT";
		Dir::Cache::archives "$RCR_APT/archives";
		APT::Sandbox::User "";
		Acquire::Retries "5";
	EOF
	if [ -z "$(find "$RCR_APT/updated" -mmin -1440 2>/dev/null)" ]; then
		step "package index" "$RCR_BUILD/logs/apt-update.log" \
			apt_update || return
		touch "$RCR_APT/updated"
	fi
}

# apt_one_at_a_time COMMAND...: runs the command under a lock, so that one process fetches at a
# time.
apt_one_at_a_time()
{
	mkdir -p "$RCR_BUILD" "$RCR_DOWNLOADS"
	(
		flock 9
		"$@" 9>&-
	) 9>"$RCR_BUILD/apt.lock"
}

# apt_get_here PACKAGE KIND WORD...: runs apt-get WORD... PACKAGE in build/downloads.
apt_get_here()
{
	local package=$1 kind=$2
	shift 2
	apt_private_setup || return
	(cd "$RCR_DOWNLOADS" &&
	 step "fetch $package ($kind)" "$RCR_BUILD/logs/fetch-$package.log" \
		apt_private apt-get -q "$@" "$package")
}

# apt_fetch KIND PACKAGE WORD...: prints the path of the file PACKAGE_*.KIND; if it does not exist,
# runs apt-get WORD... to fetch it. Retries with a new index: the mirror drops an older version when
# it has a newer one.
apt_fetch()
{
	local kind=$1 package=$2 have
	shift 2
	have=$(find "$RCR_DOWNLOADS/" -name "${package}_*.$kind" | sort -V | tail -n 1)
	if [ -z "$have" ]; then
		if ! apt_get_here "$package" "$kind" "$@"; then
			rm -f "$RCR_APT/updated"
			apt_get_here "$package" "$kind" "$@" || return
		fi
		have=$(find "$RCR_DOWNLOADS/" -name "${package}_*.$kind" | sort -V | tail -n 1)
	fi
	printf '%s\n' "$have"
}

# apt_fetch_deb PACKAGE: prints the path of the fetched .deb.
apt_fetch_deb()
{
	apt_one_at_a_time apt_fetch deb "$1" download
}

# apt_fetch_source PACKAGE: prints the path of the fetched .dsc.
apt_fetch_source()
{
	apt_one_at_a_time apt_fetch dsc "$1" source --download-only
}
