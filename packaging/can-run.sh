#!/bin/sh
# Whether a clone can run its sources: its own Node strips types, and a recent one on the PATH does. Others would end with a stack.
if [ -x node_modules/.bin/node ]; then exit 0; fi
if [ -d node_modules/commander ] && node -e 'process.exit(process.features.typescript ? 0 : 1)' 2>/dev/null; then exit 0; fi
echo "carryover: packages are missing, the Node that runs a clone among them: run 'npm ci' in $PWD, without --omit=dev" >&2
exit 2
