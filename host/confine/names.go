package confine

import (
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// maxNames bounds a server's stand-in addresses. A wildcard covers any number of names.
const maxNames = 4096

// standIns are addresses of a network for benchmarks, which leads nowhere (RFC 2544).
var standIns = netip.MustParseAddr("198.18.0.1")

// names is a name server for one server. It knows only the granted names and answers each
// with a stand-in address. So a connection to that address is known to be for the name,
// independent of the name's real addresses. It forwards no question.
type names struct {
	hosts  hosts
	every  bool // names that are not granted resolve, too: the supervisor refuses and records connections to them
	denied func(name string)

	mu    sync.Mutex
	known []string // the n-th name has the n-th address after standIns
	udp   *net.UDPConn
	tcp   net.Listener
	conns map[net.Conn]bool
	ended bool
	work  sync.WaitGroup
}

func (d *names) of(addr netip.Addr) (string, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := standIns
	for _, name := range d.known {
		if at == addr {
			return name, true
		}
		at = at.Next()
	}
	return "", false
}

func (d *names) standIn(name string) (netip.Addr, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := standIns
	for _, known := range d.known {
		if known == name {
			return at, true
		}
		at = at.Next()
	}
	if len(d.known) == maxNames {
		return netip.Addr{}, false
	}
	d.known = append(d.known, name)
	return at, true
}

// stub returns the address of the name server. It listens from the first question on.
func (d *names) stub() (netip.AddrPort, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ended {
		return netip.AddrPort{}, net.ErrClosed
	}
	if d.udp != nil {
		return addrOf(d.udp), nil
	}
	udp, tcp, err := samePort()
	if err != nil {
		return netip.AddrPort{}, err
	}
	d.udp, d.tcp, d.conns = udp, tcp, map[net.Conn]bool{}
	d.work.Go(d.datagrams)
	d.work.Go(d.streams)
	return addrOf(udp), nil
}

func addrOf(udp *net.UDPConn) netip.AddrPort {
	at, _ := udp.LocalAddr().(*net.UDPAddr) // always of this type
	return at.AddrPort()
}

// samePort listens at one port of the loopback address for both protocols. A port that is
// free for one may be taken for the other.
func samePort() (udp *net.UDPConn, tcp net.Listener, err error) {
	for range 16 {
		if udp, err = net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}); err != nil {
			return nil, nil, err
		}
		if tcp, err = net.ListenTCP("tcp4", net.TCPAddrFromAddrPort(addrOf(udp))); err == nil {
			return udp, tcp, nil
		}
		_ = udp.Close()
	}
	return nil, nil, err
}

func (d *names) close() {
	d.mu.Lock()
	d.ended = true
	if d.udp != nil {
		_, _ = d.udp.Close(), d.tcp.Close()
	}
	for c := range d.conns {
		_ = c.Close()
	}
	d.mu.Unlock()
	d.work.Wait()
}

func (d *names) datagrams() {
	b := make([]byte, 4096)
	for {
		n, from, err := d.udp.ReadFromUDPAddrPort(b)
		if err != nil {
			return
		}
		if a := d.reply(b[:n]); a != nil {
			_, _ = d.udp.WriteToUDPAddrPort(a, from) // a lost answer is asked for again
		}
	}
}

func (d *names) streams() {
	for {
		c, err := d.tcp.Accept()
		if err != nil {
			return
		}
		d.mu.Lock()
		open := !d.ended && len(d.conns) < 64
		if open {
			d.conns[c] = true
		}
		d.mu.Unlock()
		if !open {
			_ = c.Close()
			continue
		}
		d.work.Go(func() {
			d.stream(c)
			_ = c.Close()
			d.mu.Lock()
			defer d.mu.Unlock()
			delete(d.conns, c)
		})
	}
}

// stream answers questions that are preceded by their length (RFC 7766).
func (d *names) stream(c net.Conn) {
	for c.SetDeadline(time.Now().Add(lookupTime)) == nil {
		var size [2]byte
		if _, err := io.ReadFull(c, size[:]); err != nil {
			return
		}
		question := make([]byte, int(size[0])<<8|int(size[1]))
		if _, err := io.ReadFull(c, question); err != nil {
			return
		}
		a := d.reply(question)
		if a == nil {
			return
		}
		if _, err := c.Write(append([]byte{byte(len(a) >> 8), byte(len(a))}, a...)); err != nil {
			return
		}
	}
}

// reply answers one question. It returns nil for anything else.
func (d *names) reply(b []byte) []byte {
	var p dnsmessage.Parser
	header, err := p.Start(b)
	if err != nil || header.Response {
		return nil
	}
	questions, err := p.AllQuestions()
	if err != nil || len(questions) != 1 {
		return nil
	}
	q := questions[0]
	m := dnsmessage.Message{Questions: questions, Header: dnsmessage.Header{
		ID: header.ID, Response: true, RecursionDesired: header.RecursionDesired, RecursionAvailable: true,
	}}
	name := strings.ToLower(strings.TrimSuffix(q.Name.String(), "."))
	switch {
	case !d.every && !d.hosts.resolves(name):
		d.denied(name)
		m.RCode = dnsmessage.RCodeNameError
	case q.Type == dnsmessage.TypeA && q.Class == dnsmessage.ClassINET: // a granted name has no records of other types
		addr, ok := d.standIn(name)
		if !ok {
			m.RCode = dnsmessage.RCodeServerFailure
			break
		}
		m.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 60},
			Body:   &dnsmessage.AResource{A: addr.As4()},
		}}
	}
	packed, err := m.Pack()
	if err != nil {
		return nil
	}
	return packed
}
