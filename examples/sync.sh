#!/usr/bin/env bash
# Nightly sync: saves every contact request once, in a file of JSON lines and a CSV file.
#
#     BASE_URL=https://... STAFF_TOKEN=crcs_... ./sync.sh [--delete]
#
# Run it as often as you like: it continues where it ended. With --delete it then deletes from the service what is saved in
# both files. Add your own work where a comment below says so. The copies are yours to keep safe, and to erase when a
# person asks.
#
# Needs bash, curl and jq 1.6. jq holds everything in memory: for more than 100,000 use sync.py.
# Smallest token: contacts:read; for --delete contacts:read,contacts:delete
set -euo pipefail
export LC_ALL=C
umask 077 # Only the owner can read the files.

hint= # What to check, until the service has responded once.
fail() {
  local line="sync.sh failed: $hint$*"
  printf '%s\n' "${line:0:300}" >&2
  exit 1
}

base=${BASE_URL:-}
while [[ $base == */ ]]; do base=${base%/}; done
[[ $base =~ ^https?:// && ${STAFF_TOKEN:-} =~ ^[!-~]+$ && ${1:-} =~ ^(--delete)?$ && $# -le 1 ]] ||
  fail 'usage: BASE_URL=https://... STAFF_TOKEN=crcs_... ./sync.sh [--delete]'

# Each service has its own files.
name=${base#http://} name=${name#https://}
file=contacts.${name//[^A-Za-z0-9_.-]/_}
work=$file.work
mkdir "$work" 2>/dev/null || fail "another run is under way. If not, a run was killed: rm -r $work"
trap 'rm -rf "$work"' EXIT

# Sends a request. If the service is busy, retries five times, after the wait that it asks for. curl reads the token from
# a file, because all users of the machine can see the arguments of a command.
call() { # method, path
  local status
  status=$(curl --silent --show-error --request "$1" --header @<(printf 'Authentication: %s\n' "$STAFF_TOKEN") \
    --max-time 30 --retry 5 --retry-max-time 300 --dump-header "$work/head" --output "$work/body" \
    --write-out '%{http_code}' "$base$2" 2>"$work/error") || fail "$(tail -n 1 "$work/error")"
  [[ $status != 429 && $status != 5?? ]] || hint=
  [[ $status == 2?? || "$1 $status" == 'DELETE 404' ]] || fail "$status $(tr -s '[:space:]' ' ' <"$work/body")"
}

saved=/dev/null
[[ ! -e $file.jsonl ]] || saved=$file.jsonl
jq -s . "$saved" >"$work/before" 2>"$work/error" || fail "$file.jsonl is broken: $(tail -n 1 "$work/error")"

# Since the last time that one was created or released from spam, less a minute: a list can lag a little.
since=$(jq -r 'map(.releasedAt // .createdAt) | max // empty | sub("[.][0-9]+Z$"; "Z") | fromdate - 60 | todate' "$work/before")
hint='check BASE_URL and STAFF_TOKEN: '
query="?order=asc&limit=200${since:+&since=$since}"
while [[ -n $query ]]; do
  call GET "/api/v1/contact$query"
  jq -c 'if type == "array" and all(.id and .createdAt) then .[] else error("not a list") end' "$work/body" \
    >>"$work/new" 2>"$work/error" || fail "the response is not a list of contact requests: $(tail -n 1 "$work/error")"
  hint=
  # Only the query of the link, so that the token goes nowhere but to BASE_URL.
  query=$(sed -nE 's/^[Ll]ink: <[^>?]*([^>]+)>; rel="next".*/\1/p' "$work/head")
done

# Each once, in its latest copy, sorted by time. The files appear only when they are complete.
jq -s '.[0] + .[1:] | group_by(.id) | map(last) | sort_by(.releasedAt // .createdAt, .id)' "$work/before" "$work/new" \
  >"$work/after"
jq -c '.[]' "$work/after" >"$work/jsonl"
# An apostrophe stands before text that a spreadsheet would take for a formula. Programs should read the JSON lines.
printf '\xef\xbb\xbf' >"$work/csv" # Excel needs the byte order mark.
jq -r '("id createdAt email phone company message firstName lastName site form campaign releasedAt extra" / " ") as $columns
  | $columns, (.[] | [.[$columns[]] | if type == "object" then tojson else . // "" end
    | gsub("(?<start>(^|[,;\t\r\n])[\"'\''\\p{Zs}]*)(?<sign>[=+@＝＋－＠-])"; "\(.start)'\''\(.sign)")])
  | @csv + "\r"' "$work/after" >>"$work/csv"
sync
mv "$work/jsonl" "$file.jsonl"
mv "$work/csv" "$file.csv"
sync # Everything is on disk before anything is deleted.

# Deleted ones are known by id and time: an id can return if a form repeats its Idempotency-Key.
touch "$file.deleted"
jq -r '.[] | "\(.id) \(.createdAt)"' "$work/after" | sort | comm -13 <(sort "$file.deleted") - >"$work/processed"

# Add your own work here. With --delete, take the ids in $work/processed: each comes once, or again if a run was killed.
# If your work fails, call `fail why`: then nothing is deleted.

printf '%s has %s contact requests, %s of them new.\n' "$file.jsonl" "$(jq length "$work/after")" \
  "$(jq -n 'input as $before | input | length - ($before | length)' "$work/before" "$work/after")"
if [[ ${1:-} == --delete ]]; then
  while read -r id createdAt; do
    call DELETE "/api/v1/contact/$id"
    printf '%s %s\n' "$id" "$createdAt" >>"$file.deleted"
  done <"$work/processed"
  printf '%s deleted from the service.\n' "$(wc -l <"$work/processed" | tr -d ' ')"
fi
