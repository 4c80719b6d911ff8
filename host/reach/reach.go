// Package reach classifies network addresses. It has the one list of addresses that are
// not on the internet. host/login uses it before a login dials, and host/confine before a
// confined server does.
//
// It vouches only for the address: not for the name that resolved to it, nor for a
// translator (NAT64) with its own network's prefix.
package reach

import (
	"net/netip"
	"slices"
)

// Kind is the kind of place that an address leads to.
type Kind int

// The kinds. The lower, the more dangerous to dial if an untrusted party chose the
// address.
const (
	Forbidden Kind = iota // no host, or a host that gives a machine its credentials
	Private               // this machine, its networks, or a range that is not on the internet
	Public                // a host on the internet
)

func (k Kind) String() string {
	return [...]string{"forbidden", "private", "public"}[max(Forbidden, min(k, Public))]
}

var (
	// credentials are addresses outside the link-local range where clouds give a machine
	// its credentials.
	credentials = addresses("fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "100.100.100.200", "168.63.129.16")
	// nowhere are the first and the last network of IPv4, which are not destinations (RFC
	// 1122, 3.2.1.3; RFC 919).
	nowhere = prefixes("0.0.0.0/8", "255.255.255.255/32")
	// notPublic are the ranges of IPv4 and of 2000::/3 that are not globally reachable,
	// besides the ranges that netip knows. They are in IANA's special-purpose registries
	// (RFC 6890, RFC 8190), or are 6to4 (RFC 7526).
	notPublic = prefixes(
		"100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
		"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
	)
	// unicast is the range of IPv6 that IANA allocates from. Other addresses lead to no
	// host on the internet.
	unicast = netip.MustParsePrefix("2000::/3")
	// translated is NAT64, with an address for each host of the IPv4 internet (RFC 6052).
	translated = netip.MustParsePrefix("64:ff9b::/96")
)

// embeds are the other ranges of IPv6 with an embedded IPv4 address, each with the first
// byte of that address. They are compatible (RFC 4291, 2.5.5.1), local NAT64 (RFC 8215),
// 6to4 (RFC 3056), the server of Teredo (RFC 4380).
var embeds = []struct {
	in netip.Prefix
	at int
}{
	{netip.MustParsePrefix("::/96"), 12},
	{netip.MustParsePrefix("64:ff9b:1::/48"), 12},
	{netip.MustParsePrefix("2002::/16"), 2},
	{netip.MustParsePrefix("2001::/32"), 4},
}

// Local reports whether the name of a host is this machine's, without a lookup.
func Local(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// Of returns the kind of an address. The zone of an address is local to its machine, and
// is ignored.
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

// embedded returns the kind of the IPv4 address inside an IPv6 address, or Public without
// one.
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
