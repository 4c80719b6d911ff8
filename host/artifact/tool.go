package artifact

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/disk"
	"github.com/onestep-run/onestep/host/launch"
	"github.com/onestep-run/onestep/host/reach"
)

// tool is the user's npm, or Python with pip, as installed and configured. It has what a
// fetch needs, and nothing else of this machine.
type tool struct {
	name    string
	command []string          // a path, and its first arguments
	env     map[string]string // its variables, besides HOME, LANG and PATH
	reads   []string          // its installation, and the files that configure it
	starts  []string          // programs that it may start
	hosts   []string          // the hosts in its configuration, with their ports
	from    string            // the host that provides the package, to display
	secrets []string          // from the files that configure it; no message quotes them
}

// configTime bounds a question to npm or Python about itself.
const configTime = 30 * time.Second

// about makes a program of the user report something about itself. It is not confined: it
// gets no untrusted text, and asks no host.
func (t tree) about(ctx context.Context, tool tool, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, configTime)
	defer cancel()
	return ended(ctx, tool.name, launch.Command{Path: tool.command[0], Args: slices.Concat(tool.command[1:], args), Env: tool.env, Dir: t.dir, Secrets: tool.secrets})
}

// ended runs a program without a terminal, and returns its output. The program and all
// that it started have ended when this returns.
func ended(ctx context.Context, name string, c launch.Command) ([]byte, error) {
	p, err := launch.Start(ctx, c)
	if err != nil {
		return nil, err
	}
	defer func() { _ = p.Close() }() // a process that could not be ended delays nothing
	_ = p.Stdin.Close()
	var printed bytes.Buffer
	_, _ = io.Copy(&printed, io.LimitReader(p.Stdout, settingsLimit))
	_, _ = io.Copy(io.Discard, p.Stdout) // ends when the process does
	<-p.Done()
	if status := p.Status(); status != "exit status 0" {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%s ended with %s: %s", name, status, escape.Line(lastLines(p.Tail(2048)), 600))
	}
	return printed.Bytes(), nil
}

func lastLines(said string) string {
	lines := slices.DeleteFunc(strings.Split(said, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
	return strings.Join(lines[max(0, len(lines)-3):], "; ")
}

func toolOf(name string) (tool, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return tool{}, fmt.Errorf("%s is not installed", name)
	}
	path, err = filepath.Abs(path)
	return tool{name: name, command: []string{path}, env: map[string]string{}}, err
}

// ways are the variables, in small letters, that configure the network and the user's own
// settings, besides HOME and PATH.
const ways = "http_proxy https_proxy all_proxy no_proxy ssl_cert_file ssl_cert_dir requests_ca_bundle curl_ca_bundle node_extra_ca_certs " +
	"xdg_config_home xdg_config_dirs netrc"

// sees gives the tool the variables with a prefix, and the ways. A path among them is
// part of its configuration. A proxy is a host that it reaches.
func (t *tool) sees(environment []string, prefix string) {
	for _, one := range environment {
		name, value, _ := strings.Cut(one, "=")
		low := strings.ToLower(name)
		if !strings.HasPrefix(low, prefix) && !lists(ways, low) {
			continue
		}
		t.env[name] = value
		switch {
		case strings.HasSuffix(low, "_proxy") && low != "no_proxy":
			t.proxied(value)
		case strings.Contains(low, "cert") || strings.Contains(low, "bundle"):
			t.letRead(value)
		}
	}
}

// letRead adds files and directories that exist.
func (t *tool) letRead(paths ...string) {
	for _, path := range paths {
		if _, err := os.Stat(path); err == nil && filepath.IsAbs(path) && !slices.Contains(strings.Split(path, "/"), "..") {
			t.reads = append(t.reads, path)
		}
	}
}

// proxied adds the host of a proxy, which may be written without a scheme.
func (t *tool) proxied(text string) {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	t.reaches(text)
}

var ports = map[string]string{"http": "80", "https": "443", "socks": "1080", "socks4": "1080", "socks5": "1080", "socks5h": "1080"}

// reaches adds the host of a URL, and keeps its password out of messages.
func (t *tool) reaches(text string) {
	at, named := hostOf(text)
	if named {
		t.hosts = append(t.hosts, at)
	}
	u, err := url.Parse(text)
	if err != nil {
		return
	}
	if password, has := u.User.Password(); has {
		t.secrets = append(t.secrets, password, url.QueryEscape(password))
	}
}

func hostOf(text string) (at string, named bool) {
	u, err := url.Parse(text)
	if err != nil || strings.Contains(u.Hostname(), "*") {
		return "", false
	}
	at = net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), ports[u.Scheme]))
	return at, confine.CheckHost(at) == nil
}

// lookupTime bounds the lookup of a host that the configuration names.
const lookupTime = 5 * time.Second

// internal adds the private addresses of the hosts so far. A sandbox refuses a name's
// private addresses unless they are named themselves, and here the user's configuration
// names the host. Addresses that only this machine or its link reaches, such as a cloud's
// metadata, are not added.
func (t *tool) internal(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	for _, at := range slices.Clone(t.hosts) {
		host, port, err := net.SplitHostPort(at)
		if err != nil {
			continue
		}
		if _, err := netip.ParseAddr(host); err == nil {
			continue
		}
		addrs, _ := net.DefaultResolver.LookupNetIP(ctx, "ip", host) // the fetch reports an unknown name
		for _, addr := range addrs {
			if inside(addr) {
				t.hosts = append(t.hosts, net.JoinHostPort(addr.Unmap().String(), port))
			}
		}
	}
}

// inside reports whether an address is private, and not of this machine or its link.
func inside(addr netip.Addr) bool {
	return reach.Of(addr) == reach.Private && !addr.Unmap().IsLoopback()
}

// settings reads a file that configures the tool, and lets the tool read it. An
// unreadable file counts as absent.
func (t *tool) settings(path string) string {
	b, err := disk.ReadFile(path, settingsLimit)
	if err != nil {
		return ""
	}
	t.letRead(path)
	return string(b)
}
