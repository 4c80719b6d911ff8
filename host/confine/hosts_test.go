package confine

import (
	"net/netip"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

func rules(tb testing.TB, texts ...string) hosts {
	tb.Helper()
	var all hosts
	for _, text := range texts {
		r, err := parseHost(text)
		if err != nil {
			tb.Fatalf("%s %v", text, err)
		}
		all = append(all, r)
	}
	return all
}

func TestARuleCoversItsNamesAndNoOthers(t *testing.T) {
	t.Parallel()
	h := rules(t, "api.example.com:443", "*.wild.org:8443", "UPPER.net:1", "10.1.2.3:80", "[2001:db8::1]:80")
	for _, c := range []struct {
		name string
		port uint16
		want bool
	}{
		{"api.example.com", 443, true},
		{"api.example.com", 80, false},
		{"x.api.example.com", 443, false},
		{"xapi.example.com", 443, false},
		{"example.com", 443, false},
		{"a.wild.org", 8443, true},
		{"a.b.wild.org", 8443, true},
		{"wild.org", 8443, false},
		{"notwild.org", 8443, false},
		{"a.wild.org.evil.com", 8443, false},
		{"upper.net", 1, true},
		{"10.1.2.3", 80, false}, // an address is not a name
		{"", 443, false},
	} {
		if got := h.allowsName(c.name, c.port); got != c.want {
			t.Errorf("%s:%d: %v", c.name, c.port, got)
		}
	}
	for addr, want := range map[string]bool{
		"10.1.2.3:80": true, "[::ffff:10.1.2.3]:80": true, "10.1.2.3:81": false, "10.1.2.4:80": false, "[2001:db8::1]:80": true, "[2001:db8::2]:80": false, "0.0.0.0:80": false,
	} {
		if got := h.allowsAddr(netip.MustParseAddrPort(addr)); got != want {
			t.Errorf("%s: %v", addr, got)
		}
	}
	if hosts(nil).resolves("") || hosts(nil).allowsName("", 0) || (hosts{{}}).allowsName("x", 0) {
		t.Error("an empty rule grants something")
	}
}

func TestInternalAddressesAreNotPublic(t *testing.T) {
	t.Parallel()
	for _, a := range []string{
		"127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.100.100.200", "0.0.0.0", "0.1.2.3",
		"255.255.255.255", "224.0.0.1", "240.0.0.1", "198.18.0.1", "168.63.129.16", "192.0.2.1",
		"::", "::1", "fe80::1", "fc00::1", "fd00:ec2::254", "ff02::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::7f00:1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1", "fec0::1",
	} {
		if public(netip.MustParseAddr(a)) {
			t.Errorf("%s is taken for an address of the internet", a)
		}
	}
	for _, a := range []string{"1.1.1.1", "8.8.8.8", "172.32.0.1", "172.15.0.1", "100.63.0.1", "100.128.0.1", "169.253.1.1", "2606:4700::1111", "2a00:1450:4001::1", "::ffff:8.8.8.8"} {
		if !public(netip.MustParseAddr(a)) {
			t.Errorf("%s is not taken for an address of the internet", a)
		}
	}
	if public(netip.Addr{}) {
		t.Error("no address is public")
	}
}

func TestNamesOfTheHostsFileBecomeAddresses(t *testing.T) {
	t.Parallel()
	file := hostsFile("127.0.0.1 localhost me # other\n::1 localhost\n#10.0.0.1 commented\nnonsense here\n10.0.0.9 Db.Internal.\nfe80::1%eth0 zoned\n")
	h := rules(t, "localhost:80", "*.internal:5432").withFile(file)
	for addr, want := range map[string]bool{
		"127.0.0.1:80": true, "[::1]:80": true, "127.0.0.1:81": false, "10.0.0.9:5432": true, "10.0.0.9:80": false, "10.0.0.1:80": false, "127.0.0.1:5432": false,
	} {
		if got := h.allowsAddr(netip.MustParseAddrPort(addr)); got != want {
			t.Errorf("%s: %v", addr, got)
		}
	}
}

func question(tb testing.TB, name string, kind dnsmessage.Type) []byte {
	tb.Helper()
	m := dnsmessage.Message{Header: dnsmessage.Header{ID: 7, RecursionDesired: true}, Questions: []dnsmessage.Question{{
		Name: dnsmessage.MustNewName(name), Type: kind, Class: dnsmessage.ClassINET,
	}}}
	b, err := m.Pack()
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func TestTheStubKnowsGrantedNamesOnly(t *testing.T) {
	t.Parallel()
	var denied []string
	d := &names{hosts: rules(t, "api.example.com:443", "*.wild.org:443"), denied: func(name string) { denied = append(denied, name) }}
	ask := func(name string, kind dnsmessage.Type) dnsmessage.Message {
		var m dnsmessage.Message
		if err := m.Unpack(d.reply(question(t, name, kind))); err != nil {
			t.Fatal(err)
		}
		return m
	}
	first := ask("API.example.com.", dnsmessage.TypeA)
	if len(first.Answers) != 1 || first.ID != 7 || !first.Response {
		t.Fatalf("%+v", first)
	}
	body, ok := first.Answers[0].Body.(*dnsmessage.AResource)
	if !ok {
		t.Fatalf("%+v", first.Answers[0].Body)
	}
	addr := netip.AddrFrom4(body.A)
	if name, known := d.of(addr); name != "api.example.com" || !known || public(addr) {
		t.Errorf("%s stands for %q, %v", addr, name, known)
	}
	if m := ask("api.example.com.", dnsmessage.TypeAAAA); m.RCode != dnsmessage.RCodeSuccess || len(m.Answers) != 0 {
		t.Errorf("%+v", m)
	}
	if m := ask("a.wild.org.", dnsmessage.TypeA); len(m.Answers) != 1 {
		t.Errorf("%+v", m)
	}
	for _, name := range []string{"wild.org.", "example.com.", "secret.attacker.net."} {
		if m := ask(name, dnsmessage.TypeA); m.RCode != dnsmessage.RCodeNameError || len(m.Answers) != 0 {
			t.Errorf("%s: %+v", name, m)
		}
	}
	if len(denied) != 3 || denied[2] != "secret.attacker.net" {
		t.Errorf("denied were %q", denied)
	}
	if _, known := d.of(netip.MustParseAddr("198.18.0.9")); known {
		t.Error("an address that was never given stands for a name")
	}
}

func FuzzReply(f *testing.F) {
	f.Add(question(f, "api.example.com.", dnsmessage.TypeA))
	f.Add([]byte{0, 1, 2})
	h := rules(f, "api.example.com:443")
	f.Fuzz(func(t *testing.T, b []byte) {
		d := &names{hosts: h, denied: func(string) {}}
		a := d.reply(b)
		var m dnsmessage.Message
		if a == nil {
			return
		}
		if err := m.Unpack(a); err != nil || !m.Response || len(m.Answers) > 1 {
			t.Errorf("%x is answered with %x: %v", b, a, err)
		}
	})
}

func FuzzParseHost(f *testing.F) {
	f.Add("api.example.com:443")
	f.Add("*.x:1")
	f.Add("[::1]:80")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := parseHost(text)
		if err == nil && (r.port == 0 || r.name == "" && !r.addr.IsValid() || r.name != "" && !hostName(r.name)) {
			t.Errorf("%q is read as %+v", text, r)
		}
	})
}

// public reports whether a granted name may lead to an address.
func public(addr netip.Addr) bool { return hosts{}.reaches(netip.AddrPortFrom(addr, 443)) }
