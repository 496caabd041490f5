#!/bin/sh
# The package manager owns the folder of the program, so Node.js must not keep compiled code there, not even for root.
export NODE_DISABLE_COMPILE_CACHE=1
# Users who can read the service's settings get them, so that every command finds the service's database.
settings=/etc/chat-server.env
set -- /usr/lib/chat-server/dist/bin/chat-server.js "$@"
if [ -r "$settings" ]; then set -- "--env-file=$settings" "$@"; fi
exec /usr/lib/chat-server/bin/node "$@"
