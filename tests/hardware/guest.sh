#!/usr/bin/env bash
# Runs in the guest, as its one job: simulated lines, then the tests.   guest.sh CHECKOUT OUT
set -uo pipefail
checkout=$1 out=$2
cd "$checkout"
exec >"$out/log" 2>&1

mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
chip=/sys/kernel/config/gpio-sim/header
mkdir -p "$chip/bank0"
echo 54 >"$chip/bank0/num_lines"
echo pinctrl-bcm2835 >"$chip/bank0/label"
echo 1 >"$chip/live"
name=$(cat "$chip/bank0/chip_name")
export GPIO_SIM=/sys/devices/platform/$(cat "$chip/dev_name")/$name
export RPI_LGPIO_REVISION=c03111 RPI_LGPIO_CHIP=${name#gpiochip}
export PYTHONPATH=$out/site:$checkout PYTHONDONTWRITEBYTECODE=1
export TABLE_READER=/dev/ttyUSB0 TABLE_SCANNER=/dev/ttyS2 TABLE_HOST=/dev/ttyS1

python=$checkout/.venv/bin/python
[ -x "$python" ] || python=$(command -v python3)
cd /tmp
run_tests() { "$python" -m pytest -p no:cacheprovider --rootdir "$checkout" -c "$checkout/pyproject.toml" -o timeout=2400 -v -s "$@"; }

run_tests "$checkout/tests/drivers/pins/test_kernel_gpio.py" "$checkout/tests/hardware/test_table_on_a_kernel.py"
status=$?

# The other library, which is never installed beside the first, on a file of registers and the cpuinfo of a Pi 4.
printf 'Hardware\t: BCM2711\nRevision\t: c03111\n' >/tmp/cpuinfo
mount --bind /tmp/cpuinfo /proc/cpuinfo
rm -f /dev/gpiomem
truncate -s 4096 /dev/gpiomem
export PYTHONPATH=$out/site-pi:$checkout GPIO_REGISTERS=/dev/gpiomem
run_tests "$checkout/tests/drivers/pins/test_true_rpi_gpio.py" || status=$?
exit "$status"
