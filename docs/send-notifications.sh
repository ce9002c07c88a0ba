#!/usr/bin/env bash
# Sends the notifications of all contact requests of some time again, for docs/runbook.md#fan-out-failures. It needs jq.
# It leaves out spam, and the targets that get only spam.
# bash docs/send-notifications.sh ContactService-prod 2026-01-31T08:00:00Z 2026-01-31T09:00:00Z
set -euo pipefail

if [ $# -ne 3 ]; then
  echo 'Write the stack, and the first and the last time: bash docs/send-notifications.sh ContactService-prod 2026-01-31T08:00:00Z 2026-01-31T09:00:00Z' >&2
  exit 1
fi

npx --no-install crcs contacts list --json --since "$2" --until "$3" --stack "$1" |
  jq -r '.[] | "\(.id) \(.releasedAt // .createdAt)"' |
  while read -r id listedAt; do
    npx --no-install crcs notifications test --for "$id" --json --stack "$1" < /dev/null |
      jq -r --arg id "$id" --arg listedAt "$listedAt" \
        '.[] | select(.reached) | "\(.queue) \({ target, $id, $listedAt })"' |
      while read -r queue message; do
        aws sqs send-message --queue-url "$queue" --message-body "$message" < /dev/null
      done
  done
