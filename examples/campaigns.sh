#!/usr/bin/env bash
# Writes the campaigns to a CSV file with id and name.
#
#     BASE_URL=https://... STAFF_TOKEN=crcs_... ./campaigns.sh campaigns.csv
#
# To import them into another environment: npx --no-install crcs campaigns import campaigns.csv --env prod
#
# Needs bash, curl and jq. Smallest token: campaigns:read
set -euo pipefail
export LC_ALL=C

hint= # What to check, until the service has responded once.
fail() {
  local line="campaigns.sh failed: $hint$*"
  printf '%s\n' "${line:0:300}" >&2
  exit 1
}

[[ ${BASE_URL:-} =~ ^https?:// && ${STAFF_TOKEN:-} =~ ^[!-~]+$ && $# == 1 ]] ||
  fail 'usage: BASE_URL=https://... STAFF_TOKEN=crcs_... ./campaigns.sh campaigns.csv'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

printf 'id,name\r\n' >"$work/campaigns"
base=$BASE_URL
while [[ $base == */ ]]; do base=${base%/}; done
url=$base/v1/campaigns
hint='check BASE_URL and STAFF_TOKEN: '
while [[ -n $url ]]; do
  # If the service is busy, curl waits as long as it asks for. curl reads the token from a file, because all users of the
  # machine can see the arguments of a command.
  status=$(curl --silent --show-error --header @<(printf 'Authentication: %s\n' "$STAFF_TOKEN") --max-time 30 --retry 5 \
    --retry-max-time 300 --dump-header "$work/head" --output "$work/body" --write-out '%{http_code}' "$url" \
    2>"$work/error") || fail "$(tail -n 1 "$work/error")"
  [[ $status == 200 ]] || fail "$status $(tr -s '[:space:]' ' ' <"$work/body")"
  jq -r 'if type == "array" and all(.id and .name) then .[] else error("not a list") end | [.id, .name] | @csv + "\r"' "$work/body" \
    >>"$work/campaigns" 2>"$work/error" ||
    fail "the response is not a list of campaigns: $(tail -n 1 "$work/error")"
  hint=
  # Only the query of the link, so that the token goes nowhere but to BASE_URL.
  query=$(sed -nE 's/^[Ll]ink: <[^>?]*([^>]+)>; rel="next".*/\1/p' "$work/head")
  url=${query:+$base/v1/campaigns$query}
done
cat "$work/campaigns" >"$1" # A failure leaves the file as it was.
