package confine

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/onestep-run/onestep/host/reach"
)

// hostRule is an entry of allowedHosts: a name, all names below one, or an address.
type hostRule struct {
	text string // as the operator wrote it
	name string // lower case; "" for an address
	sub  bool   // names below name, at any depth, and not name itself
	addr netip.Addr
	port uint16
}

// parseHost reads an entry of allowedHosts. Its error does not quote the entry.
func parseHost(text string) (hostRule, error) {
	colon := strings.LastIndexByte(text, ':')
	if colon < 0 || strings.HasSuffix(text, "]") {
		return hostRule{}, fmt.Errorf("names no port; write it as %.80s:443", text)
	}
	port, err := strconv.ParseUint(text[colon+1:], 10, 16)
	if err != nil || port == 0 {
		return hostRule{}, fmt.Errorf("has the port %.10q; a port is a number from 1 to 65535", text[colon+1:])
	}
	r := hostRule{text: text, port: uint16(port), name: strings.ToLower(text[:colon])}
	bare := strings.TrimSuffix(strings.TrimPrefix(r.name, "["), "]")
	if addr, err := netip.ParseAddr(bare); err == nil {
		if addr.Zone() != "" || addr.Is6() != strings.HasPrefix(r.name, "[") {
			return hostRule{}, fmt.Errorf("is not an address and a port; write IPv6 as [2001:db8::1]:443, without a zone")
		}
		r.name, r.addr = "", addr.Unmap()
		return r, nil
	}
	r.name, r.sub = strings.CutPrefix(r.name, "*.")
	if !hostName(r.name) {
		return hostRule{}, fmt.Errorf("is not a host name; write name:port, *.name:port or address:port")
	}
	return r, nil
}

// CheckHost returns the error of a text that is not an entry of allowedHosts. The error
// begins with a verb: the caller puts the subject before it.
func CheckHost(text string) error {
	_, err := parseHost(text)
	return err
}

// hostName reports whether a text is a name of RFC 1123, underscores allowed.
func hostName(s string) bool {
	if s == "" || len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	return true
}

// names reports whether the rule covers a host's name. "*.x" does not cover x.
func (r hostRule) names(name string) bool {
	if r.name == "" {
		return false
	}
	if r.sub {
		return strings.HasSuffix(name, "."+r.name)
	}
	return name == r.name
}

type hosts []hostRule

// resolves reports whether the server may learn that a name exists.
func (h hosts) resolves(name string) bool {
	return slices.ContainsFunc(h, func(r hostRule) bool { return r.names(name) })
}

// allowsName reports whether a connection to a name is granted. See also reaches.
func (h hosts) allowsName(name string, port uint16) bool {
	return slices.ContainsFunc(h, func(r hostRule) bool { return r.port == port && r.names(name) })
}

func (h hosts) allowsAddr(to netip.AddrPort) bool {
	addr := to.Addr().Unmap()
	return slices.ContainsFunc(h, func(r hostRule) bool { return r.name == "" && r.port == to.Port() && r.addr == addr })
}

// reaches reports whether a granted name may lead to an address. By a public name that
// resolves to an internal address a server could reach this machine's networks. So an
// internal address has to be granted as an address.
func (h hosts) reaches(to netip.AddrPort) bool {
	return reach.Of(to.Addr()) == reach.Public || h.allowsAddr(to)
}

// hostsFile reads the names of /etc/hosts. Programs find these there, without a lookup,
// and connect to the address, so a granted name also grants its addresses in this file.
// Only the operator of the machine can write the file.
func hostsFile(text string) map[string][]netip.Addr {
	found := map[string][]netip.Addr{}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		addr, err := netip.ParseAddr(fields[0])
		if err != nil || addr.Zone() != "" {
			continue
		}
		for _, name := range fields[1:] {
			name = strings.ToLower(strings.TrimSuffix(name, "."))
			found[name] = append(found[name], addr.Unmap())
		}
	}
	return found
}

// withFile adds the addresses that /etc/hosts has for granted names.
func (h hosts) withFile(file map[string][]netip.Addr) hosts {
	all := slices.Clone(h)
	for _, r := range h {
		for name, addrs := range file {
			if !r.names(name) {
				continue
			}
			for _, addr := range addrs {
				all = append(all, hostRule{text: r.text, addr: addr, port: r.port})
			}
		}
	}
	return all
}

// lookupTime bounds one lookup of a granted name, for which a connect waits.
const lookupTime = 10 * time.Second

func (p *Policy) resolve(ctx context.Context, name string) ([]netip.Addr, error) {
	if p.lookup != nil {
		return p.lookup(name)
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	return net.DefaultResolver.LookupNetIP(ctx, "ip", name+".") // absolute: no search list
}
