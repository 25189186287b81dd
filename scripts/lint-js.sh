#!/usr/bin/env bash
# The page's scripts and the library: formatting, the rules of static/eslint.config.mjs,
# and types: those of the sources, and static/types, where pages' use of the library compiles or must not.
# To format, run build/npm/eslint/node_modules/.bin/prettier as below with --write.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$(dirname "$(scripts/node.sh)"):$PATH
typescript=$(scripts/npm.sh typescript)/node_modules/.bin
eslint=$(scripts/npm.sh eslint)/node_modules/.bin
"$eslint/prettier" --config static/.prettierrc.json --ignore-path static/.prettierignore --log-level warn \
  --check 'static/**/*.js' 'static/**/*.ts' 'static/*.mjs'
"$eslint/eslint" -c static/eslint.config.mjs static
"$typescript/tsc" -p static/tsconfig.json
