#!/bin/sh
# Installs what the tests need of Debian and this machine lacks. Where that can't be done,
# the tests that need it are skipped, and fail when CI=true.
missing=
need() {
  package=$1
  shift
  "$@" >/dev/null 2>&1 || missing="$missing $package"
}

need python3 python3 --version
need openssl openssl version
need mandoc sh -c 'command -v mandoc'
need man-db man --version
need procps ps --version
need zsh zsh --version
need fish fish --version

[ -z "$missing" ] && exit 0
echo "The tests need these packages, which are installed now:$missing" >&2
export DEBIAN_FRONTEND=noninteractive
install() { apt-get install --yes --quiet --no-install-recommends $missing >&2; }
install </dev/null || { apt-get update --quiet >&2 && install </dev/null; } && exit 0
echo "CANNOT INSTALL$missing: tests that need them are skipped, or fail where CI=true" >&2
exit 0
