#!/usr/bin/env bash
# Packs the guest's first files: busybox, the few modules it needs in the order in which they load, and init.
#     [MODULES="further ones"] initrd.sh KERNEL_DIRECTORY OUTPUT
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
kernel=$1 output=$2
version=$(cat "$kernel/VERSION")
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{bin,modules}
cp "$(command -v busybox)" "$tree/bin/busybox"
number=100
for module in virtio_pci 9p 9pnet_virtio overlay configfs gpio_sim xhci_pci ftdi_sio ${MODULES:-}; do
  modprobe -d "$kernel/usr" -S "$version" --show-depends "$module" 2>/dev/null || true  # built in, or not there
done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | while read -r file; do
  name=$(basename "$file")
  case $file in
    *.xz) xzcat "$file" >"$tree/modules/$number-${name%.xz}" ;;
    *.zst) zstdcat "$file" >"$tree/modules/$number-${name%.zst}" ;;
    *) cp "$file" "$tree/modules/$number-$name" ;;
  esac
  number=$((number + 1))
done
install -m 755 "$here/init" "$tree/init"
(cd "$tree" && find . | cpio -o -H newc --quiet | gzip -1) >"$output"
