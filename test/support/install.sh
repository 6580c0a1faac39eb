#!/bin/sh
# Installs what `npm run test:servers` needs of Debian and this machine lacks.
missing=
need() {
  package=$1
  shift
  "$@" >/dev/null 2>&1 || missing="$missing $package"
}

need python3 python3 --version
need openssl openssl version
need mandoc sh -c 'command -v mandoc'
need zsh zsh --version
need fish fish --version

[ -z "$missing" ] && exit 0
echo "The tests need these packages, which are installed now:$missing" >&2
export DEBIAN_FRONTEND=noninteractive
install() { apt-get install --yes --quiet --no-install-recommends $missing >&2; }
install </dev/null || { apt-get update --quiet >&2 && install </dev/null; } && exit 0
echo "CANNOT INSTALL$missing: tests that need them fail" >&2
exit 0
