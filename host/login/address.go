package login

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/host/reach"
)

// maxAddress is the maximal length of an address in a document, in bytes.
const maxAddress = 2 << 10

// checkAddress refuses an address that no token or code may travel to. Every endpoint
// must be https (Security Considerations, Communication Security), or on this machine.
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
	case literal(u.Hostname()) == reach.Forbidden: // a proxy would dial it for us
		return fmt.Errorf("%s may not be dialled for a login: %s", what, escape.Line(address, maxShown))
	case u.Scheme == "https", u.Scheme == "http" && reach.Local(u.Hostname()):
		return nil
	}
	return fmt.Errorf("%s is neither https nor on this machine: %s", what, escape.Line(address, maxShown))
}

// checkIssuer is checkAddress for an issuer, which may have neither query nor fragment
// (RFC 8414, section 2).
func checkIssuer(what, issuer string) error {
	if strings.ContainsAny(issuer, "?#") {
		return fmt.Errorf("%s has a query or a fragment: %s", what, escape.Line(issuer, maxShown))
	}
	return checkAddress(what, issuer)
}

// literal classifies a host that is an IP address. A name is public until it is resolved.
func literal(host string) reach.Kind {
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return reach.Public
	}
	return reach.Of(ip)
}

// dialer dials no forbidden address, and a private one only if inside is set. It checks
// the address that is dialled, so that a name cannot resolve to another address between
// its check and its use.
func dialer(inside bool) func(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{Timeout: requestTime, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		switch kind := reach.Of(at.Addr()); {
		case kind == reach.Forbidden, kind == reach.Private && !inside:
			return fmt.Errorf("%w: %s", errAddress, at.Addr())
		}
		return nil
	}}
	return d.DialContext
}

type peers struct {
	mu  sync.Mutex
	all []net.Addr
}

// watch records the connections of all requests under the context.
func (p *peers) watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.all = append(p.all, c.Conn.RemoteAddr())
	}})
}

// private reports whether every connection led to a private address. A name may resolve
// to private and public addresses. One public address makes it public: a public server
// must not make the login reach into the private network.
func (p *peers) private() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.all) > 0 && !slices.ContainsFunc(p.all, func(peer net.Addr) bool {
		at, err := netip.ParseAddrPort(peer.String())
		return err != nil || reach.Of(at.Addr()) != reach.Private
	})
}

// requestTime is the limit for one request of a login.
const requestTime = 10 * time.Second

// newTransport reaches the other hosts of a server's login as the server itself: by its
// proxy and with its authorities. With inside the hosts may be at private addresses. A
// proxy is the operator's choice and resolves names itself, so its target's address is
// not checked here.
func newTransport(t Target, inside bool) (*http.Transport, error) {
	transport, err := t.Server.Transport()
	if err != nil {
		return nil, err
	}
	transport.DisableKeepAlives = true // one request, one connection: net/http repeats none
	transport.ResponseHeaderTimeout = requestTime
	if t.Server.Proxy == "" {
		transport.DialContext = dialer(inside)
	}
	return transport, nil
}
