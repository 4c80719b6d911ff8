//go:build amd64 || arm64

package confine

import (
	"encoding/binary"
	"net/netip"

	"golang.org/x/sys/unix"
)

// parseAddress reads a struct sockaddr_in or sockaddr_in6. It ignores zones and flow
// labels, and rejects families that the filter refuses.
func parseAddress(b []byte) (netip.AddrPort, bool) {
	if len(b) < 2 {
		return netip.AddrPort{}, false
	}
	switch family := binary.NativeEndian.Uint16(b); {
	case family == unix.AF_INET && len(b) >= 16:
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[4:8])), binary.BigEndian.Uint16(b[2:])), true
	case family == unix.AF_INET6 && len(b) >= 24:
		return netip.AddrPortFrom(netip.AddrFrom16([16]byte(b[8:24])).Unmap(), binary.BigEndian.Uint16(b[2:])), true
	}
	return netip.AddrPort{}, false
}

// formatAddress writes an address in the form of a socket's family, which it must fit.
func formatAddress(a netip.AddrPort, family int) []byte {
	b := binary.NativeEndian.AppendUint16(nil, uint16(family))
	b = binary.BigEndian.AppendUint16(b, a.Port())
	if family == unix.AF_INET {
		v4 := a.Addr().As4()
		return append(append(b, v4[:]...), make([]byte, 8)...)
	}
	v6 := a.Addr().As16()
	if a.Addr().IsUnspecified() {
		v6 = [16]byte{}
	}
	b = append(b, 0, 0, 0, 0)
	b = append(b, v6[:]...)
	return append(b, 0, 0, 0, 0)
}
