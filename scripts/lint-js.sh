#!/usr/bin/env bash
# Checks the page's scripts and the library: formatting, the rules of
# static/eslint.config.mjs, and types. static/types has uses of the library that must compile,
# and some that must not.
# To format, run build/npm/eslint/node_modules/.bin/prettier as below with --write.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$(dirname "$(scripts/node.sh)"):$PATH
typescript=$(scripts/npm.sh typescript)/node_modules/.bin
eslint=$(scripts/npm.sh eslint)/node_modules/.bin
"$eslint/prettier" --config static/.prettierrc.json --ignore-path static/.prettierignore --log-level warn \
  --check 'static/**/*.js' 'static/**/*.ts' 'static/*.mjs' 'static/extension/**/*.css' 'static/extension/**/*.json'
"$eslint/eslint" -c static/eslint.config.mjs static
"$typescript/tsc" -p static/tsconfig.json
"$typescript/tsc" -p static/tsconfig.sw.json # the service worker, which has other globals
"$typescript/tsc" -p static/tsconfig.extension.json # the browser extension, which has the browser's API
