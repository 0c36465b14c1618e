#!/usr/bin/env bash
# Mails the text report of a gate through sendmail; gate.json comes on standard input.
#
#   abgate run … --notify-command docs/notify/mail.sh --notify-arg team@example.org
set -euo pipefail

to=${1:?an address}
subject=$(python3 "$(dirname "${BASH_SOURCE[0]}")/message.py" title)

{
  # A line break in a header would begin another one.
  printf 'To: %s\n' "${to//[$'\r\n']/}"
  printf 'Subject: abgate: %s\n' "${subject//[$'\r\n']/}"
  printf 'MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n'
  cat "$ABGATE_REPORT"
} | "${SENDMAIL:-/usr/sbin/sendmail}" -oi -t
