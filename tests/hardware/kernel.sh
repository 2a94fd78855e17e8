#!/usr/bin/env bash
# Puts a Debian kernel with gpio-sim into DIRECTORY: vmlinuz, usr/lib/modules/VERSION, VERSION. Once it is there it stays.
#
# Two parts of the gate want the same kernel, side by side: the second waits for the first, and takes what that made.
# Debian's 6.x kernels come without gpio-sim, so it is built beside them from their own source, as one module; newer
# ones (backports of trixie) have it. Only Debian's archive is used, as apt has it configured.
set -euo pipefail
into=$(mkdir -p "$1" && cd "$1" && pwd)
exec 9>"$into/lock"
flock 9
[ ! -s "$into/VERSION" ] || exit 0
scratch=$into/work
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }
fetch() { apt-get -qq -o APT::Sandbox::User=root download "$@"; }

apt-cache show linux-image-amd64 >/dev/null 2>&1 || as_root apt-get -qq update
image=$(apt-cache depends linux-image-amd64 | grep -om1 'linux-image-[0-9][^ ]*')
version=${image#linux-image-}
release=$(apt-cache policy "$image" | sed -n 's/.*Candidate: //p')
fetch "$image"
dpkg-deb -x "$image"_*.deb unpacked
modules=$(dirname "$(find unpacked -path '*/modules/*/kernel' -maxdepth 6 -type d | head -1)")

if ! find "$modules" -name 'gpio-sim.ko*' | grep -q .; then
  source=linux-source-${version%%.[0-9]*-*}
  source=$(apt-cache depends linux-source | grep -om1 'linux-source-[0-9.]*' || echo "$source")
  DEBIAN_FRONTEND=noninteractive as_root apt-get -qq -y -o DPkg::Lock::Timeout=600 --no-install-recommends install "linux-headers-$version" make gcc \
    >/dev/null
  fetch "$source=$release"
  dpkg-deb -x "$source"_*.deb source
  wanted=(drivers/gpio/gpio-sim.c drivers/gpio/gpiolib.h kernel/irq/irq_sim.c)
  tar -C source -xf source/usr/src/"$source".tar.xz "${wanted[@]/#/$source/}"
  mkdir build
  cp "${wanted[@]/#/source/$source/}" build/
  # irq_to_desc is not exported to modules; generic_handle_irq does the same from outside.
  sed -i 's/handle_simple_irq(irq_to_desc(\([a-z]*\)))/generic_handle_irq(\1)/' build/irq_sim.c
  printf 'obj-m := gpio-sim-beside.o\ngpio-sim-beside-y := gpio-sim.o irq_sim.o\n' >build/Makefile
  make -s -C "/usr/src/linux-headers-$version" M="$scratch/build" modules
  cp build/gpio-sim-beside.ko "$modules/kernel/drivers/gpio/gpio-sim.ko"
fi

mkdir -p "$into/usr/lib/modules"
rm -rf "${into:?}/usr/lib/modules/$version"
cp -r "$modules" "$into/usr/lib/modules/$version"
depmod -b "$into/usr" "$version"
cp "$(find unpacked -name 'vmlinuz*' -type f | head -1)" "$into/vmlinuz"
cd "$into" && rm -rf "$scratch"
echo "$version" >"$into/VERSION"
