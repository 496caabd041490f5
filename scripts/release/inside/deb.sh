#!/bin/sh
# Runs in a booted Debian: `deb.sh PREVIOUS.deb NEW.deb` installs, uses, upgrades and removes the package. It prints
# what it tried and ends at the first failure.
set -eu

url=http://127.0.0.1:9991
data=/var/lib/chat-server

now() { date +%s%3N; }
ok() { echo "ok  .deb: $*"; }
fail() {
  echo "FAILED: $*"
  journalctl -u chat-server -o cat -n 20 --no-pager
  exit 1
}
# Waits until the server answers, and sets $took to the milliseconds since $began.
ready() {
  tries=0
  until curl -sf "$url/health/ready" >/dev/null; do
    tries=$((tries + 1))
    [ $tries -lt 1200 ] || fail "the server does not start"
    sleep 0.05
  done
  took=$(($(now) - began))
}
answer() { curl -s -u "$account" "$@"; }
send() {
  answer "$url/api/v1/messages" -d type=stream -d to=general -d topic=release -d "content=$1" |
    grep -q '"result":"success"' || fail "cannot send $1"
}
has() {
  answer -G "$url/api/v1/messages" -d anchor=newest -d num_before=20 -d num_after=0 | grep -q "$1" ||
    fail "the message \"$1\" is lost"
}
is() { [ "$2" = "$3" ] || fail "$1 is $2, not $3"; }
silent() { ! curl -s "$url/health" >/dev/null || fail "the server still runs after $1"; }

for program in node npm gcc cc make; do
  ! command -v $program || fail "$program is installed here, so this shows nothing"
done

began=$(now)
dpkg -i "$1"
took=$(($(now) - began))
ok "installs in $took ms"
began=$(now)
ready
account=owner@localhost:$(journalctl -u chat-server -o cat | sed -n 's/^ *API key *//p')
is 'the user of the process' "$(stat -c %U "/proc/$(systemctl show -p MainPID --value chat-server)")" chat-server
is 'the mode of the data' "$(stat -c '%a %U' $data)" '700 chat-server'
is 'the mode of the settings' "$(stat -c '%a %U:%G' /etc/chat-server.env)" '640 root:chat-server'
send first
printf 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==' |
  base64 -d >/tmp/picture.png
answer -F file=@/tmp/picture.png "$url/api/v1/users/me/avatar" | grep -q '"result":"success"' || fail 'no picture'
ok 'serves below systemd, and takes a message and a picture'

exposure=$(systemd-analyze security chat-server.service --no-pager | sed -n 's/.*exposure level for .*: \([0-9.]*\).*/\1/p')
[ "${exposure%.*}" -lt 3 ] || fail "systemd-analyze security says $exposure"
ok "systemd-analyze security: $exposure"

began=$(now)
systemctl restart chat-server
ready
has first
memory=$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$(systemctl show -p MainPID --value chat-server)/status")
ok "restarts in $took ms, memory $((memory / 1024)) MiB"

echo '# a setting of this machine' >>/etc/chat-server.env
before=$(chat-server --version)
began=$(now)
dpkg -i "$2"
ready
[ "$before" != "$(chat-server --version)" ] || fail "the version is still $before"
grep -q 'of this machine' /etc/chat-server.env || fail 'the settings are lost'
has first
send second
ok "upgrades from $before to $(chat-server --version) in $took ms, with its message and settings"

chat-server backup $data/backup.db >/dev/null
send third
systemctl stop chat-server
chat-server restore $data/backup.db --force >/dev/null
systemctl start chat-server
began=$(now)
ready
has second
is 'the owner of the restored database' "$(stat -c %U $data/chat.db)" chat-server
chat-server doctor >/tmp/doctor || fail "$(cat /tmp/doctor)"
grep -q 'sharp creates thumbnails' /tmp/doctor || fail 'sharp does not work'
ok 'backs up, restores, and doctor finds nothing wrong'

dpkg -r chat-server
silent removal
[ -f $data/chat.db ] || fail 'removal deleted the data'
dpkg -i "$2"
ready
has second
systemctl disable --now chat-server
dpkg -i "$2"
silent 'an upgrade of the disabled service'
dpkg -P chat-server
[ ! -e $data ] && [ ! -e /etc/chat-server.env ] || fail 'purge left data or settings'
[ ! -e /usr/lib/chat-server ] || fail 'purge left programs'
ok 'keeps data when removed, stays off when disabled, and deletes data when purged'
