#!/bin/sh
# Prints a folder with English HTML pages of Debian's manuals, which `make bench-site` searches,
# and unpacks them into build/manuals if they are missing: the pages and pictures of package
# debian-handbook under their own names, and the pages of other packages under names that begin
# with the package's, without pictures. The packages come from the mirror of this machine. Only
# the path goes to standard output.
set -eu

say() { echo "manuals.sh: $*" >&2; }

# Where the English pages of a package are.
pages() {
	case $1 in
	installation-guide-amd64) echo usr/share/doc/installation-guide-amd64/en ;;
	aptitude-doc-en) echo usr/share/doc/aptitude/html/en ;;
	debian-policy) echo usr/share/doc/debian-policy ;;
	debian-reference-en) echo usr/share/debian-reference ;;
	developers-reference) echo usr/share/developers-reference ;;
	esac
}

dir=$(cd "$(dirname "$0")/.." && pwd)/build/manuals
others="installation-guide-amd64 aptitude-doc-en debian-policy debian-reference-en developers-reference"
if [ ! -d "$dir/Common_Content" ]; then
	command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || {
		say "the pages come from Debian's packages debian-handbook $others: run this on Debian or Ubuntu"
		exit 1
	}
	[ "$(id -u)" != 0 ] || apt-get update >&2 || say "the package lists could not be updated"
	mkdir -p "$(dirname "$dir")"
	work=$(mktemp -d "$dir.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	# shellcheck disable=SC2086 # a list
	(cd "$work" && apt-get download debian-handbook $others && mkdir root && for deb in *.deb; do dpkg-deb -x "$deb" "root/${deb%%_*}"; done) >&2
	cp -RL "$work/root/debian-handbook/usr/share/doc/debian-handbook/html/en-US" "$work/pages"
	for package in $others; do
		from=$work/root/$package/$(pages "$package")
		[ -d "$from" ] || {
			say "$package has no pages in /$(pages "$package"): change this script"
			exit 1
		}
		# Lists of words, the form of a search and a copy of the Filesystem Hierarchy Standard are left out.
		(cd "$from" && find . -name '*.html' -type f ! -name 'genindex*' ! -name 'search*' ! -path '*/fhs/*') | while read -r page; do
			sed -zE 's/<img[^>]*>//g' "$from/$page" >"$work/pages/$package-$(echo "${page#./}" | tr / -)"
		done
	done
	rm -rf "$dir"
	mv "$work/pages" "$dir"
fi
echo "$dir"
