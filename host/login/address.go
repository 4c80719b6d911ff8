package login

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/onestep-run/onestep/gate/escape"
)

// maxAddress bounds an address of a document, in bytes.
const maxAddress = 2 << 10

// checkAddress refuses an address that no token or code may travel to: all
// endpoints are https (Security Considerations, Communication Security), or on
// this machine.
func checkAddress(what, address string) error {
	u, err := url.Parse(address)
	switch {
	case len(address) > maxAddress:
		return fmt.Errorf("%s has more than %d bytes", what, maxAddress)
	case err != nil || u.Hostname() == "" || u.Opaque != "":
		return fmt.Errorf("%s is not an address: %s", what, escape.Line(address, maxShown))
	case u.User != nil || u.Fragment != "" || strings.Contains(address, "#"):
		return fmt.Errorf("%s holds credentials or a fragment: %s", what, escape.Line(u.Redacted(), maxShown))
	case strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r > '~' }):
		return fmt.Errorf("%s has characters that no address has: %s", what, escape.Line(address, maxShown))
	case literal(u.Hostname()) == forbidden: // a proxy would dial it for us
		return fmt.Errorf("%s may not be dialled for a login: %s", what, escape.Line(address, maxShown))
	case u.Scheme == "https", u.Scheme == "http" && local(u.Hostname()):
		return nil
	}
	return fmt.Errorf("%s is neither https nor on this machine: %s", what, escape.Line(address, maxShown))
}

// checkIssuer adds that an issuer has neither query nor fragment (RFC 8414,
// section 2).
func checkIssuer(what, issuer string) error {
	if strings.ContainsAny(issuer, "?#") {
		return fmt.Errorf("%s has a query or a fragment: %s", what, escape.Line(issuer, maxShown))
	}
	return checkAddress(what, issuer)
}

// local reports whether a host's name is that of this machine, without asking.
func local(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// literal is what kind of place an address of the network is; a name is public
// until it is resolved.
func literal(host string) reach {
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return public
	}
	return reachOf(ip)
}

// reach says what kind of place an address of the network is.
type reach int

const (
	forbidden reach = iota // never dialled
	private                // dialled where the server is private itself, or the operator named the issuer
	public
)

var (
	sharedSpace = netip.MustParsePrefix("100.64.0.0/10") // RFC 6598
	translated  = netip.MustParsePrefix("64:ff9b::/96")  // RFC 6052: an IPv4 address within
	// Addresses by which clouds give a machine its own credentials, outside the link-local range.
	metadata = []netip.Addr{netip.MustParseAddr("fd00:ec2::254"), netip.MustParseAddr("100.100.100.200"), netip.MustParseAddr("168.63.129.16")}
)

func reachOf(ip netip.Addr) reach {
	ip = ip.Unmap().WithZone("")
	if translated.Contains(ip) {
		b := ip.As16()
		ip = netip.AddrFrom4([4]byte(b[12:]))
	}
	for _, m := range metadata {
		if ip == m {
			return forbidden
		}
	}
	switch {
	case !ip.IsValid(), ip.IsUnspecified(), ip.IsMulticast(), ip.IsLinkLocalUnicast(), ip.Is4() && ip.As4()[0] == 0, ip == netip.AddrFrom4([4]byte{255, 255, 255, 255}):
		return forbidden
	case ip.IsPrivate(), ip.IsLoopback(), sharedSpace.Contains(ip):
		return private
	}
	return public
}

// dialer dials no forbidden address, and a private one only where that is
// allowed. It judges the address that is dialled, so that a name that resolves
// to another one between a check and its use gains nothing.
func dialer(inside bool) func(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{Timeout: requestTime, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		switch kind := reachOf(at.Addr()); {
		case kind == forbidden, kind == private && !inside:
			return fmt.Errorf("%w: %s", errAddress, at.Addr())
		}
		return nil
	}}
	return d.DialContext
}

// inside reports whether private addresses may be dialled for a server: where the
// operator named the issuer, or the server is at one itself.
func inside(ctx context.Context, t Target) bool {
	u, err := url.Parse(t.Server.URL)
	if t.Server.OAuth.Issuer != "" || err != nil {
		return t.Server.OAuth.Issuer != ""
	}
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	all, err := net.DefaultResolver.LookupNetIP(ctx, "ip", u.Hostname())
	for _, ip := range all {
		if reachOf(ip) != private {
			return false
		}
	}
	return err == nil && len(all) > 0
}

// requestTime is how long one request of a login may take.
const requestTime = 10 * time.Second

// newTransport is how the server itself is reached, by its proxy and with its
// authorities, for the other hosts of its login. A proxy is the operator's own
// and resolves names itself; the address of what it reaches is not seen here.
func newTransport(ctx context.Context, t Target) (*http.Transport, error) {
	transport, err := t.Server.Transport()
	if err != nil {
		return nil, err
	}
	transport.DisableKeepAlives = true // one request, one connection: net/http repeats none
	transport.ResponseHeaderTimeout = requestTime
	if t.Server.Proxy == "" {
		transport.DialContext = dialer(inside(ctx, t))
	}
	return transport, nil
}
