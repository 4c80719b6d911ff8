// Package shim is the part of host/confine that runs between fork and exec, in the
// process that becomes the server.
//
// host/confine starts the running program again under [Name]. The init of this package
// recognizes that, applies the restrictions, proves them, and executes the server. It
// never returns. It imports golang.org/x/sys/unix and small parts of the standard library
// only, so that it runs before larger packages are initialized, in every program that
// links host/confine, tests included.
//
// The shim decides nothing. The parent makes the Landlock ruleset, which is a descriptor,
// and the seccomp filters, which are bytes. Any step that fails ends the process: a
// server that is not confined is not executed.
package shim

import "encoding/binary"

// Name is argv[0] of a process that is a shim.
const Name = "onestep: confine"

// The descriptors of a shim, after the standard three.
const (
	Control  = 3 // a stream socket: configuration in, listener and outcomes out
	Ruleset  = 4 // the Landlock ruleset
	Sentinel = 5 // an O_PATH descriptor of a directory that no rule covers
	Outer    = 6 // a ruleset that confines signals; with a watcher only
	Life     = 7 // a socket that ends with the parent; with a watcher only
)

// Forbidden is the name of a file in the sentinel directory.
const Forbidden = "forbidden"

// HandOver is the set of flags of the one sendmsg that hands over the listener. The first
// filter allows exactly this set, and the second refuses it. Local sockets ignore these
// flags (MSG_FIN, MSG_SYN, MSG_CONFIRM, MSG_RST), and no program sends with all of them.
const HandOver = 0x1e00

// The words that the shim writes to [Control], one a line.
const (
	Proved = "proved" // and the name of a probe that was refused, as required
	Ready  = "ready"  // it waits for one byte, and then executes the program
	Failed = "failed" // and a step, and the number of the error
)

// Limit is one resource limit, for both the soft and the hard value.
type Limit struct {
	Resource uint32
	Value    uint64
}

// Config is the input of a shim besides its descriptors.
type Config struct {
	Watch  bool     // whether a watcher stays behind
	Alone  bool     // whether the filter works without a supervisor
	Path   string   // an absolute path of the sentinel's forbidden file
	Filter []byte   // the first filter; it has a listener unless Alone
	Seal   []byte   // the second filter
	Env    []string // the server's environment; the shim's own must not name code to load
	Limits []Limit
}

// Encode returns the configuration in the form that is sent over [Control].
func (c Config) Encode() []byte {
	body := []byte{0}
	for bit, set := range []bool{c.Watch, c.Alone} {
		if set {
			body[0] |= 1 << bit
		}
	}
	var env, limits []byte
	for _, variable := range c.Env {
		env = appendBytes(env, []byte(variable))
	}
	for _, l := range c.Limits {
		limits = binary.LittleEndian.AppendUint32(limits, l.Resource)
		limits = binary.LittleEndian.AppendUint64(limits, l.Value)
	}
	for _, part := range [][]byte{[]byte(c.Path), c.Filter, c.Seal, env, limits} {
		body = appendBytes(body, part)
	}
	return appendBytes(nil, body)
}

func appendBytes(b, part []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(part))), part...)
}

// decode reads the result of Encode, without the length in front.
func decode(body []byte) (c Config, ok bool) {
	if len(body) == 0 {
		return Config{}, false
	}
	c.Watch, c.Alone, body = body[0]&1 != 0, body[0]&2 != 0, body[1:]
	var parts [5][]byte
	for i := range parts {
		if parts[i], body, ok = cut(body); !ok {
			return Config{}, false
		}
	}
	c.Path, c.Filter, c.Seal = string(parts[0]), parts[1], parts[2]
	var one []byte
	for env := parts[3]; len(env) > 0; c.Env = append(c.Env, string(one)) {
		if one, env, ok = cut(env); !ok {
			return Config{}, false
		}
	}
	limits := parts[4]
	for ; len(limits) >= 12; limits = limits[12:] {
		c.Limits = append(c.Limits, Limit{binary.LittleEndian.Uint32(limits), binary.LittleEndian.Uint64(limits[4:])})
	}
	return c, len(body)+len(limits) == 0
}

func cut(b []byte) (part, rest []byte, ok bool) {
	if len(b) < 4 {
		return nil, nil, false
	}
	n := uint64(binary.LittleEndian.Uint32(b))
	if n > uint64(len(b)-4) {
		return nil, nil, false
	}
	return b[4 : 4+n], b[4+n:], true
}
