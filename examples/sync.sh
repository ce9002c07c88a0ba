#!/usr/bin/env bash
# Nightly sync: keeps every contact request of the service, each once, in a file of JSON lines and a CSV file.
#
#     BASE_URL=https://... STAFF_TOKEN=crcs_... ./sync.sh [--delete]
#
# Run it as often as you like: it goes on where it ended, wherever that was. With --delete it then deletes at the service
# what is processed: what stands in the JSON lines here, on disk, and in the CSV file. Work of your own goes between the
# two, where it says so. The copies here are yours to keep safe, and to erase when a person asks for it.
#
# Needs bash, curl and jq 1.6. jq holds all of it in memory: for more than some 100,000 take sync.py or sync.mjs.
# Smallest token: contacts:read; for --delete contacts:read,contacts:delete
set -euo pipefail
export LC_ALL=C
umask 077 # The files are for their owner alone.

fail() {
  printf 'sync.sh failed: %s\n' "$*" >&2
  exit 1
}

base=${BASE_URL:-}
while [[ $base == */ ]]; do base=${base%/}; done
[[ $base =~ ^https?:// && ${STAFF_TOKEN:-} =~ ^[!-~]+$ && ${1:-} =~ ^(--delete)?$ && $# -le 1 ]] ||
  fail 'usage: BASE_URL=https://... STAFF_TOKEN=crcs_... ./sync.sh [--delete]'

# Files for each service: what was read of one says nothing of another.
name=${base#http://} name=${name#https://}
file=contacts.${name//[^A-Za-z0-9_.-]/_}
work=$file.work
mkdir "$work" 2>/dev/null || fail "another run is under way; if there is none, one was killed: rm -r $work"
trap 'rm -rf "$work"' EXIT

# Sends a request, up to five times again when the service is busy, each time as late as it says. The token goes in by a
# file, since everybody can see a command's arguments.
call() { # method, path
  local status
  status=$(curl --silent --show-error --request "$1" --header @<(printf 'Authentication: %s\n' "$STAFF_TOKEN") \
    --max-time 30 --retry 5 --retry-max-time 300 --dump-header "$work/head" --output "$work/body" \
    --write-out '%{http_code}' "$base$2" 2>"$work/error") || fail "$(tail -n 1 "$work/error")"
  [[ $status == 2?? || "$1 $status" == 'DELETE 404' ]] || fail "$status $(tr -s '[:space:]' ' ' <"$work/body")"
}

touch "$file.jsonl" "$file.deleted"
jq -s . "$file.jsonl" >"$work/before" 2>"$work/error" || fail "$file.jsonl is broken: $(tail -n 1 "$work/error")"

# From the last place on, when one was created or released from spam. A minute earlier, since a list lags a little.
since=$(jq -r 'map(.releasedAt // .createdAt) | max // empty | sub("[.][0-9]+Z$"; "Z") | fromdate - 60 | todate' "$work/before")
query="?order=asc&limit=200${since:+&since=$since}"
while [[ -n $query ]]; do
  call GET "/api/v1/contact$query"
  jq -c 'if type == "array" and all(.id and .createdAt) then .[] else error("no list of them") end' "$work/body" \
    >>"$work/new" 2>"$work/error" || fail "the answer has no contact requests: $(tail -n 1 "$work/error")"
  # Of the link its query alone: so the token goes to BASE_URL and nowhere else.
  query=$(sed -nE 's/^[Ll]ink: <[^>?]*([^>]+)>; rel="next".*/\1/p' "$work/head")
done

# Each once, as it came last, by place. The files appear when they are complete.
jq -s '.[0] + .[1:] | group_by(.id) | map(last) | sort_by(.releasedAt // .createdAt, .id)' "$work/before" "$work/new" \
  >"$work/after"
jq -c '.[]' "$work/after" >"$work/jsonl"
# An apostrophe keeps a spreadsheet from taking a text for a formula. Programs read the JSON lines instead.
jq -r '("id createdAt email phone company message firstName lastName site releasedAt extra" / " ") as $columns
  | $columns, (.[] | [.[$columns[]] | if type == "object" then tojson else . // "" end
    | gsub("(?<start>(^|[,;\t\r\n])[\"'\''\\p{Zs}]*)(?<sign>[=+@＝＋－＠-])"; "\(.start)'\''\(.sign)")])
  | @csv + "\r"' "$work/after" >"$work/csv"
sync
mv "$work/jsonl" "$file.jsonl"
mv "$work/csv" "$file.csv"
sync # All of it is on the disk before anything is deleted.

# What was deleted before is known by its id and time: an id may come again, when a form repeats its Idempotency-Key.
jq -r '.[] | "\(.id) \(.createdAt)"' "$work/after" | sort | comm -13 <(sort "$file.deleted") - >"$work/processed"

# Work of your own goes here: with --delete, for the ids in $work/processed, which it gets once, and again only when a run
# was killed. Call `fail why` where it fails, and nothing is deleted.

printf '%s has %s contact requests, %s of them new.\n' "$file.jsonl" "$(jq length "$work/after")" \
  "$(jq -n 'input as $before | input | length - ($before | length)' "$work/before" "$work/after")"
if [[ ${1:-} == --delete ]]; then
  while read -r id createdAt; do
    call DELETE "/api/v1/contact/$id"
    printf '%s %s\n' "$id" "$createdAt" >>"$file.deleted"
  done <"$work/processed"
  printf '%s were deleted at the service.\n' "$(wc -l <"$work/processed" | tr -d ' ')"
fi
