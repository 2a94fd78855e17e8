#!/usr/bin/env bash
# Runs in the guest, as its one job: the disk, then the writer.   guest.sh CHECKOUT OUT
set -uo pipefail
checkout=$1 out=$2
exec >"$out/log" 2>&1
blkid /dev/vda >/dev/null 2>&1 || mkfs.ext4 -q -F /dev/vda
mkdir -p /tmp/disk
python=$checkout/.venv/bin/python
[ -x "$python" ] || python=$(command -v python3)
cd /tmp
PYTHONPATH=$checkout PYTHONDONTWRITEBYTECODE=1 exec "$python" "$checkout/tests/powercut/writer.py" \
  "$(cat "$out/mount")" /tmp/disk /dev/ttyS1
