#!/usr/bin/env bash
# Builds the image, and tests it and compose.yaml with real containers. Needs Docker with Compose 2, a registry, curl and openssl:
#   deploy/test.sh
# Everything that it creates has a name that begins with modelwire-test, and is removed at the end, except the image modelwire.
set -euo pipefail
cd "$(dirname "$0")"

work=$(mktemp -d)
container=modelwire-test
compose() { docker compose --project-name modelwire-test --env-file "$work/env" "$@"; }
# By label: `docker compose down` fails while a replica is missing.
of_project() { docker "$1" ls --quiet --filter label=com.docker.compose.project=modelwire-test "${@:2}"; }
clean_up() {
  {
    docker rm --force --volumes $container
    of_project container --all | xargs -r docker rm --force --volumes
    of_project network | xargs -r docker network rm
    docker volume rm --force $container
    of_project volume | xargs -r docker volume rm --force
  } > "$work/removed" 2>&1 || cat "$work/removed"
  rm -rf "$work"
}
trap clean_up EXIT

fail() { echo "failed: $1" >&2 && exit 1; }
passed() { echo "passed: $1"; }
status() { curl --silent --output "$work/body" --write-out '%{http_code}' --header "Authorization: Bearer $2" "$1"; }
# Fails unless the URL answers this key with 200.
expect_ok() { [ "$(status "$1" "$2")" = 200 ] || fail "$1: $(cat "$work/body")"; }
port_of() { docker port $container 8787 | head -1 | sed 's/.*://'; }
healthy() {
  for _ in $(seq 120); do
    [ "$(docker inspect --format '{{.State.Health.Status}}' $container)" = healthy ] && return
    sleep 1
  done
  docker logs $container && fail 'the container does not become healthy'
}

docker build --file Dockerfile --tag modelwire ..
passed "the image builds: $(($(docker image inspect --format '{{.Size}}' modelwire) / 1000000)) MB"

# A reply that takes about ten seconds.
words=$(seq -s ' ' 60)
printf 'simulator:\n  tokensPerSecond: 10\n  models: [{ id: slow, reply: "%s last" }]\n' "$words" > "$work/config.yaml"
chmod a+r "$work/config.yaml"
docker run --detach --name $container --publish 127.0.0.1::8787 --volume $container:/data \
  --volume "$work/config.yaml:/etc/modelwire.yaml:ro" --env MODELWIRE_CONFIG=/etc/modelwire.yaml \
  --stop-timeout 45 --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges modelwire > "$work/id"
healthy
[ "$(docker exec $container id -u)" = 1000 ] || fail 'the server runs as another user'
passed 'the container is healthy, unprivileged and read-only'

key=$(docker exec $container modelwire-server keys create --project shop | head -1)
expect_ok "http://127.0.0.1:$(port_of)/v1/models" "$key"
docker restart $container > "$work/id"
healthy
expect_ok "http://127.0.0.1:$(port_of)/v1/models" "$key"
passed 'a key that was created in the container works at once, and after a restart'

curl --silent --no-buffer --header "Authorization: Bearer $key" --header 'Content-Type: application/json' \
  --data '{"model":"slow","stream":true,"messages":[{"role":"user","content":"x"}]}' \
  "http://127.0.0.1:$(port_of)/v1/chat/completions" > "$work/stream" &
stream=$!
until [ -s "$work/stream" ]; do sleep 0.1; done
grep --quiet DONE "$work/stream" && fail 'the stream ended before the container was stopped'
docker stop $container > "$work/id"
wait $stream
grep --quiet DONE "$work/stream" || fail 'the stream was cut'
[ "$(docker inspect --format '{{.State.ExitCode}}' $container)" = 0 ] || fail 'the exit code is not 0'
docker logs $container 2>&1 > /dev/null | while read -r line; do
  [[ $line == '{'*'}' ]] || fail "a log line is not JSON: $line"
done
passed 'a stopped container finishes its streams, exits with code 0 and logs JSON lines'

secret() { openssl rand -hex 24; }
admin=$(secret)
printf 'MODELWIRE_API_KEYS=%s\nPOSTGRES_PASSWORD=%s\nS3_SECRET=%s\nPORT=%s\n' "$admin" "$(secret)" "$(secret)" "${PORT:-8787}" > "$work/env"
url=http://127.0.0.1:${PORT:-8787}/v1
compose up --wait
key=$(compose exec -T modelwire-1 modelwire-server keys create | head -1)
for _ in $(seq 20); do expect_ok "$url/models" "$key"; done
echo hello > "$work/hello.txt"
curl --silent --fail --header "Authorization: Bearer $key" --form purpose=user_data --form "file=@$work/hello.txt" "$url/files" > "$work/body"
file=$(sed 's/.*"id":"\(file-[^"]*\)".*/\1/' "$work/body")
for _ in $(seq 10); do expect_ok "$url/files/$file/content" "$key"; done
passed 'both replicas accept a key of one of them, and serve its file'

compose rm --stop --force modelwire-2
for _ in $(seq 50); do expect_ok "$url/models" "$key"; done
compose up --wait modelwire-2
compose rm --stop --force modelwire-1
for _ in $(seq 50); do expect_ok "$url/models" "$key"; done
passed 'no request fails while replicas are replaced'
