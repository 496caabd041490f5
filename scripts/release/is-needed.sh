#!/bin/sh
# Succeeds if packaging, dependencies or the command changed since the branch left CI_BASE (origin/main unless set),
# or with the last commit where nothing has left it. Also succeeds if that commit isn't known here.
cd "$(dirname "$0")/../.." || exit 0
base=$(git merge-base "${CI_BASE:-origin/main}" HEAD 2>/dev/null) || exit 0
[ "$base" != "$(git rev-parse HEAD)" ] || base=$(git rev-parse --quiet --verify HEAD^) || exit 0
! git diff --quiet "$base" -- package.json package-lock.json bin deploy scripts/build.ts scripts/build-web.ts scripts/release
