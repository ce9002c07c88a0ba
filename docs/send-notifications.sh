#!/usr/bin/env bash
# Sends the notifications of all contact requests of some time again, for docs/runbook.md#fan-out-failures. It needs jq.
# It leaves out spam, and the targets that get only spam.
# bash docs/send-notifications.sh ContactService-prod 2026-01-31T08:00:00Z 2026-01-31T09:00:00Z
set -euo pipefail

if [ $# -ne 3 ]; then
  echo 'Write the stack, and the first and the last time: bash docs/send-notifications.sh ContactService-prod 2026-01-31T08:00:00Z 2026-01-31T09:00:00Z' >&2
  exit 1
fi

# The queue and the conditions of each target, as fan-out has them. The name of a function can have its stack's name cut short.
function=$(aws cloudformation list-stack-resources --stack-name "$1" --output json \
  --query "StackResourceSummaries[?ResourceType=='AWS::Lambda::Function' && contains(LogicalResourceId, 'NotificationsFanOut')]" |
  jq -er '.[0].PhysicalResourceId')
queues=$(aws lambda get-function-configuration --function-name "$function" --output json --query Environment.Variables.QUEUES |
  jq fromjson)

npx --no-install crcs contacts list --json --since "$2" --until "$3" --stack "$1" |
  jq -r --argjson queues "$queues" '.[] as $contact | $queues | to_entries[] | .key as $target | .value |
    select(.spam != true and (.forms // [$contact.form] | any(. == $contact.form)) and
      (.sites // [$contact.site] | any(. == $contact.site))) |
    "\(.url) \({ $target, id: $contact.id, listedAt: ($contact.releasedAt // $contact.createdAt) })"' |
  while read -r queue message; do
    aws sqs send-message --queue-url "$queue" --message-body "$message" < /dev/null
  done
