#!/bin/sh
# Succeeds if sign-on or its packages changed since the branch left CI_BASE (origin/main unless set), or with the last
# commit where nothing has left it. Also succeeds if that commit isn't known here.
cd "$(dirname "$0")/../.." || exit 0
base=$(git merge-base "${CI_BASE:-origin/main}" HEAD 2>/dev/null) || exit 0
[ "$base" != "$(git rev-parse HEAD)" ] || base=$(git rev-parse --quiet --verify HEAD^) || exit 0
! git diff --quiet "$base" -- package-lock.json scripts/provider src/core/accounts/providers src/core/accounts/sign-on \
  src/http/pages src/http/sign-in src/network test/sign-on/scene.ts
