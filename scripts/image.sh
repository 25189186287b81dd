#!/bin/sh
# Builds the container image of deploy/Containerfile, as "vantage", and tries it as
# docs/deploy.md describes, but without a bound on memory, which not every engine may set: it
# must start without privileges on a read-only disk, become ready, encode a text, and exit
# cleanly when it is stopped.
#
#   ENGINE     podman or docker (default: the one that is installed; if neither is, podman is
#              installed)
#   GO_IMAGE   the image that has Go (default: the Containerfile's); "local" makes one
#              of this machine's Go and a static busybox, for use without a registry
#   PORT       port for the trial (default 8080)
set -eu
cd "$(dirname "$0")/.."
work=
name=vantage-tried-$$
engine=
end() {
	rm -rf "$work"
	[ -z "$engine" ] || "$engine" rm -f "$name" >/dev/null 2>&1 || true
}
trap end EXIT
port=${PORT:-8080}

say() { echo "image.sh: $*" >&2; }

command -v curl >/dev/null || { say "curl is missing, which this script uses to try the image"; exit 1; }
engine=${ENGINE:-$(command -v podman || command -v docker || true)}
if [ -z "$engine" ]; then
	command -v apt-get >/dev/null || { say "neither podman nor docker is installed: install one"; exit 1; }
	apt-get update >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y podman >&2
	engine=podman
fi

# Makes an image with a shell, Go, and the trusted certificates.
local_go() {
	work=$(mktemp -d)
	busybox=$(command -v busybox) && ! ldd "$busybox" >/dev/null 2>&1 || { say "a static busybox is needed for GO_IMAGE=local: Debian has it in busybox-static"; exit 1; }
	mkdir -p "$work/bin" "$work/tmp" "$work/etc/ssl/certs" "$work/usr/local"
	cp "$busybox" "$work/bin/"
	for tool in sh mkdir; do ln -s busybox "$work/bin/$tool"; done
	cp /etc/ssl/certs/ca-certificates.crt "$work/etc/ssl/certs/"
	cp -R "$(go env GOROOT)" "$work/usr/local/go"
	printf 'FROM scratch\nCOPY . /\nENV PATH=/usr/local/go/bin:/bin\n' >"$work/Containerfile"
	"$engine" build -q -f "$work/Containerfile" -t vantage-go "$work" >&2
}

case ${GO_IMAGE:-} in
local)
	local_go
	"$engine" build --build-arg GO=vantage-go -f deploy/Containerfile -t vantage .
	;;
"") "$engine" build -f deploy/Containerfile -t vantage . ;;
*) "$engine" build --build-arg "GO=$GO_IMAGE" -f deploy/Containerfile -t vantage . ;;
esac

"$engine" run -d --name "$name" --read-only --cap-drop ALL -e VANTAGE_HOST=search.example.org -p "$port:8080" vantage >/dev/null
tries=0
until curl -fsS "http://localhost:$port/readyz" >/dev/null 2>&1; do
	tries=$((tries + 1))
	[ $tries -lt 60 ] || { "$engine" logs "$name" >&2; say "not ready after a minute"; exit 1; }
	sleep 1
done
curl -fsS "http://localhost:$port/v1/embeddings" -H 'Content-Type: application/json' -d '{"input": "Night trains should run."}' |
	grep -q '"embedding":\[-\{0,1\}[0-9]' || { say "no embedding"; exit 1; }
for host in search.example.org:200 evil.example:421; do
	status=$(curl -sS -o /dev/null -w '%{http_code}' -H "Host: ${host%:*}" "http://localhost:$port/v1/models")
	[ "$status" = "${host#*:}" ] || { say "under the name ${host%:*} the server answers $status"; exit 1; }
done
"$engine" stop -t 30 "$name" >/dev/null
status=$("$engine" inspect --format '{{.State.ExitCode}}' "$name")
[ "$status" = 0 ] || { "$engine" logs "$name" >&2; say "the container ended with $status"; exit 1; }
say "vantage: built, started read-only and without privileges, encoded a text, ended with 0"
