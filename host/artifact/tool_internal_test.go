package artifact

import (
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// own is the index of pip itself.
var own = pipIndex{"https://index.example/simple", "files.example"}

func TestWhatPipSaysNamesItsHosts(t *testing.T) {
	t.Parallel()
	for listed, want := range map[string][]string{
		"": {"index.example:443", "files.example:443"},
		"global.index-url='https://i.example/simple'\n":                                               {"i.example:443"},
		"global.index-url='http://i.example/simple'\n":                                                {"i.example:80"},
		"install.index-url='https://u:pw@i.example:8443/x'\n":                                         {"i.example:8443"},
		"global.extra-index-url='\\nhttps://a.example/\\nhttps://b.example/'\n":                       {"a.example:443", "b.example:443", "index.example:443", "files.example:443"},
		":env:.find-links='/opt/wheels https://w.example/'\nglobal.index-url='https://i.example'\n":   {"w.example:443", "i.example:443"},
		"global.proxy='proxy.example:3128'\nglobal.index-url='https://i.example'\n":                   {"proxy.example:3128", "i.example:443"},
		"global.proxy='socks5://proxy.example'\nglobal.index-url='https://[::1]:8/x'\n":               {"proxy.example:1080", "[::1]:8"},
		"global.trusted-host='t.example'\nglobal.index-url='file:///srv/index'\nglobal.timeout='5'\n": nil,
		"global.index-url='https://b%20d/'\n":                                                         nil,
		"global.index-url='https://*.example/'\n":                                                     nil,
	} {
		pip := tool{env: map[string]string{}}
		pip.configured(listed, own)
		if !slices.Equal(pip.hosts, want) {
			t.Errorf("%q: %q, want %q", listed, pip.hosts, want)
		}
	}
}

func TestAPasswordOfAnIndexIsKeptFromMessages(t *testing.T) {
	t.Parallel()
	pip := tool{env: map[string]string{}}
	pip.configured("global.index-url='https://u:p%2Fw@i.example'\n", own)
	for _, want := range []string{"p/w", "p%2Fw"} {
		if !slices.Contains(pip.secrets, want) {
			t.Errorf("%q is in no list: %q", want, pip.secrets)
		}
	}
}

// A name of the configuration may lead inside a network, and not to what this
// machine alone answers.
func TestANameLeadsInsideANetworkAndNotToItsMachine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"10.1.2.3": true, "192.168.1.1": true, "172.16.0.1": true, "100.64.0.1": true, "fd00::1": true, "::ffff:10.1.2.3": true,
		"127.0.0.1": false, "::1": false, "169.254.169.254": false, "::ffff:169.254.169.254": false, "fe80::1": false, "0.0.0.0": false, "::": false,
		"224.0.0.1": false, "255.255.255.255": false, "93.184.216.34": false, "2606:4700::1": false,
		"168.63.129.16": false, "100.100.100.200": false, "fd00:ec2::254": false, "64:ff9b::a9fe:a9fe": false, "fe80::1%eth0": false,
	} {
		if got := inside(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

// The passwords of .netrc are for an index that may want one.
func TestOnlyAnotherIndexThanPipsOwnGetsTheNetrc(t *testing.T) {
	t.Parallel()
	netrc := filepath.Join(t.TempDir(), "netrc")
	if err := os.WriteFile(netrc, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for listed, want := range map[string]bool{"": false, "global.index-url='https://index.example/simple'": false, "global.index-url='https://i.example'": true} {
		pip := tool{env: map[string]string{"NETRC": netrc}}
		pip.configured(listed, own)
		if slices.Contains(pip.reads, netrc) != want {
			t.Errorf("%q: %q", listed, pip.reads)
		}
	}
}

// The registry and the index are those that the installed client names: there is no
// other default.
func TestAClientThatNamesNoIndexIsLentNone(t *testing.T) {
	t.Parallel()
	pip := tool{env: map[string]string{}}
	pip.configured("", pipIndex{})
	if len(pip.hosts) > 0 || pip.from != "" {
		t.Errorf("it may reach %q, and asks %q", pip.hosts, pip.from)
	}
	for said, want := range map[string]pipIndex{
		"/p\n/p\nindex https://i.example/simple f.example\n": {"https://i.example/simple", "f.example"},
		"/p\n/p\nindex https://i.example/simple\n":           {},
		"/p\n/p\n": {},
	} {
		rest, is := ownIndex([]byte(said))
		if is != want || string(rest) != strings.Split(said, "\nindex ")[0] {
			t.Errorf("%q: %q and %v", said, rest, is)
		}
	}
}
