#!/usr/bin/env bash
# Posts the verdict of a gate to a Slack or Teams webhook; gate.json comes on standard input.
#
#   export ABGATE_WEBHOOK_URL=…        # a secret: only in the environment, never in an argument
#   abgate run … --notify-command docs/notify/webhook.sh --notify-arg slack
#   abgate run … --notify-command docs/notify/webhook.sh --notify-arg teams
set -euo pipefail

kind=${1:?slack or teams}
url=${ABGATE_WEBHOOK_URL:?the address of the webhook}

body=$(python3 "$(dirname "${BASH_SOURCE[0]}")/message.py" "$kind")
# The address goes in by a file descriptor: the list of processes would show an argument.
curl --silent --show-error --fail --max-time 20 --retry 2 \
  --header 'Content-Type: application/json' --data-binary @- --output /dev/null \
  --config <(printf 'url = "%s"\n' "${url//[\"\\$'\n']/}") <<<"$body"
