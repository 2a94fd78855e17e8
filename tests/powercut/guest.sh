#!/usr/bin/env bash
# Runs in the guest, as its one job: the disk, then the writer.   guest.sh CHECKOUT OUT
set -uo pipefail
checkout=$1 out=$2
exec >"$out/log" 2>&1
blkid /dev/vda >/dev/null 2>&1 || mkfs.ext4 -q -F /dev/vda
mkdir -p /tmp/disk
mount -t ext4 -o "$(cat "$out/mount")" /dev/vda /tmp/disk || { echo "the disk cannot be mounted" >/dev/ttyS1; sleep 5; exit 1; }
python=$checkout/.venv/bin/python
[ -x "$python" ] || python=$(command -v python3)
cd /tmp
PYTHONPATH=$checkout PYTHONDONTWRITEBYTECODE=1 exec "$python" "$checkout/tests/powercut/writer.py" /tmp/disk/table /dev/ttyS1
