#!/bin/sh
# Installs the Nodes, beside the present one, that people run the program with: the newest of each
# major version, by npm. Where that can't be done, their tests are skipped, and fail when CI=true.
cd "$(dirname "$0")/../.."
platform=$(node -p 'process.platform + "-" + process.arch')

for major in 22 24 26; do
  folder=.cache/nodes/$major
  binary=$folder/node_modules/node-$platform/bin/node
  "$binary" --version >/dev/null 2>&1 && continue
  mkdir -p "$folder"
  npm install --silent --no-save --no-package-lock --prefix "$folder" "node-$platform@$major" >&2 ||
    echo "CANNOT INSTALL Node $major: its tests are skipped, or fail where CI=true" >&2
done
exit 0
