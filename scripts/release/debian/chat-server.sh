#!/bin/sh
# Users who can read the service's settings get them, so that every command finds the service's database.
settings=/etc/chat-server.env
if [ -r "$settings" ]; then set -- "--env-file=$settings" /usr/lib/chat-server/dist/bin/chat-server.js "$@"
else set -- /usr/lib/chat-server/dist/bin/chat-server.js "$@"
fi
exec /usr/lib/chat-server/bin/node "$@"
