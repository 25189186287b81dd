#!/bin/sh
# Run by gotestsum after the tests: fails if one of them was skipped.
[ "$TESTS_SKIPPED" = 0 ] && exit 0
echo "noskips.sh: $TESTS_SKIPPED tests were skipped; here every test must run (scripts/tools.sh installs what they need)" >&2
exit 1
