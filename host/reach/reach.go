// Package reach says what kind of place an address of the network leads to. It
// has the one list of addresses that are not of the internet: host/login asks it
// before a login dials, and host/confine before a confined server does.
//
// It vouches for the address alone: not for the name that led there, nor for a
// translator (NAT64) with a prefix of its own network.
package reach

import (
	"net/netip"
	"slices"
)

// Kind is what an address leads to.
type Kind int

// The kinds. Of two, the lower one is the more dangerous to dial for a stranger.
const (
	Forbidden Kind = iota // no host, or one that gives a machine its own credentials
	Private               // this machine, its networks, or a range that is not of the internet
	Public                // a host of the internet
)

func (k Kind) String() string {
	return [...]string{"forbidden", "private", "public"}[max(Forbidden, min(k, Public))]
}

var (
	// credentials are where clouds give a machine its own, outside the link-local range.
	credentials = addresses("fd00:ec2::254", "100.100.100.200", "168.63.129.16")
	// nowhere are the first and the last network of IPv4: no destinations (RFC 1122, 3.2.1.3; RFC 919).
	nowhere = prefixes("0.0.0.0/8", "255.255.255.255/32")
	// notPublic are the ranges of IPv4 and of 2000::/3 that are not globally reachable, besides those that
	// netip knows: the special-purpose registries of IANA (RFC 6890, RFC 8190), and 6to4 (RFC 7526).
	notPublic = prefixes(
		"100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
		"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
	)
	// unicast is what IANA has given out of IPv6; the rest leads to no host of the internet.
	unicast = netip.MustParsePrefix("2000::/3")
	// translated is NAT64, which names each host of the IPv4 internet (RFC 6052).
	translated = netip.MustParsePrefix("64:ff9b::/96")
)

// embeds are the other ranges of IPv6 that hold an IPv4 address, each with the byte
// it begins at: compatible (RFC 4291, 2.5.5.1), local NAT64 (RFC 8215), 6to4 (RFC
// 3056), the server of Teredo (RFC 4380).
var embeds = []struct {
	in netip.Prefix
	at int
}{
	{netip.MustParsePrefix("::/96"), 12},
	{netip.MustParsePrefix("64:ff9b:1::/48"), 12},
	{netip.MustParsePrefix("2002::/16"), 2},
	{netip.MustParsePrefix("2001::/32"), 4},
}

// Of is the kind of an address. The zone of an address is of its machine, and
// decides nothing.
func Of(ip netip.Addr) Kind {
	ip = ip.Unmap().WithZone("")
	switch {
	case !ip.IsValid(), ip.IsUnspecified(), ip.IsMulticast(), ip.IsLinkLocalUnicast():
		return Forbidden
	case slices.Contains(credentials, ip), within(nowhere, ip):
		return Forbidden
	case ip.IsPrivate(), ip.IsLoopback():
		return Private
	case translated.Contains(ip):
		return Of(at(ip, 12))
	case within(notPublic, ip), ip.Is6() && !unicast.Contains(ip):
		return min(Private, embedded(ip))
	}
	return Public
}

// embedded is the kind of the IPv4 address inside an IPv6 one, Public where it has none.
func embedded(ip netip.Addr) Kind {
	for _, e := range embeds {
		if ip.Is6() && e.in.Contains(ip) {
			return Of(at(ip, e.at))
		}
	}
	return Public
}

func at(ip netip.Addr, n int) netip.Addr {
	b := ip.As16()
	return netip.AddrFrom4([4]byte(b[n:]))
}

func within(all []netip.Prefix, ip netip.Addr) bool {
	return slices.ContainsFunc(all, func(p netip.Prefix) bool { return p.Contains(ip) })
}

func addresses(texts ...string) (all []netip.Addr) {
	for _, text := range texts {
		all = append(all, netip.MustParseAddr(text))
	}
	return all
}

func prefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}
