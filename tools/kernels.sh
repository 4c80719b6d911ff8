#!/usr/bin/env bash
# Runs the tests of host/confine under other kernels of Debian, and on arm64. Each kernel
# runs in a virtual machine with Debian's files, as root and as an ordinary user, with a
# delegated cgroup. The script prints for each kernel which tests passed and failed, and
# which were skipped and why. Without KVM a kernel takes up to an hour.
#
# KERNELS  architectures and releases of Debian
# RUN      a regular expression of tests
# ACCEL    kvm, where this machine has it; kernels of another architecture are emulated
#
# It needs root, a network, and mmdebstrap, cpio, qemu-system-x86 and qemu-system-arm.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
kernels=${KERNELS:-amd64/bookworm amd64/trixie arm64/bookworm arm64/trixie}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for program in mmdebstrap cpio qemu-system-x86_64 qemu-system-aarch64; do
	command -v "$program" >/dev/null || { echo "$program is missing: apt-get install mmdebstrap cpio qemu-system-x86 qemu-system-arm" >&2; exit 1; }
done

# files makes a machine in $1. It has the kernel of an architecture and a release, and the
# same programs for all kernels. This script runs none of them.
files() {
	local extract=(mmdebstrap --quiet --variant=extract --architectures="$2")
	"${extract[@]}" --include="linux-image-$2" "$3" "$1"
	mv "$1"/boot/vmlinuz-* "$1.kernel"
	rm -rf "$1"
	"${extract[@]}" --include=base-files,dash,coreutils,mount,iproute2,python3,nodejs,curl,ca-certificates,tzdata,netbase trixie "$1"
	rm -rf "$1/var" "$1/usr/share/doc" "$1/usr/share/locale"
	mkdir -p "$1"/{proc,sys,dev,tmp,run,root,test}
	CGO_ENABLED=0 GOARCH=$2 "$go" test -c -o "$1/test/confine.test" ./host/confine
	printf '127.0.0.1 localhost\n' >"$1/etc/hosts"
	printf 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n' >"$1/etc/passwd"
	install -m 600 /dev/null "$1/etc/shadow"
	install tools/kernels.init "$1/init"
	chmod 755 "$1"
	(cd "$1" && find . | cpio --quiet --create --format=newc) >"$1.files"
	rm -rf "$1"
}

# boot runs the machine in $1 until it is off. The output is its console.
boot() {
	local machine=(qemu-system-x86_64 -cpu max -accel "${ACCEL:-tcg}") console=ttyS0
	if [ "$2" = arm64 ]; then
		machine=(qemu-system-aarch64 -machine virt -cpu max,pauth-impdef=on -accel tcg) console=ttyAMA0
	fi
	timeout 2h "${machine[@]}" -smp 2 -m 3G -nic none -display none -monitor none -serial stdio -no-reboot \
		-kernel "$1.kernel" -initrd "$1.files" -append "console=$console quiet panic=-1 run=${RUN:-.}" </dev/null | tr -d '\r'
}

failed=0
for kernel in $kernels; do
	architecture=${kernel%/*} release=${kernel#*/}
	files "$work/machine" "$architecture" "$release"
	boot "$work/machine" "$architecture" >"$work/output" || true # what it printed decides
	awk -v name="$kernel" -f tools/kernels.awk "$work/output" || failed=1
done
exit "$failed"
