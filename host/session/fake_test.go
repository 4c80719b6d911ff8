package session_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// fake is an MCP server written out by hand, so that it can do what the SDK's
// would not. The same one speaks over stdio as a process of its own, over a
// pipe in this process, and over both kinds of HTTP. Its mode is how it
// misbehaves; "" is not at all.
type fake struct {
	mode    string
	log     string      // a file that gets one line for each message that arrives
	remote  string      // an address that a schema refers to
	replies chan string // the client's answers to our own requests
	lists   int
	older   bool   // a handshake was answered
	tools   string // what it lists, where that takes time to make

	mu   sync.Mutex
	quit func(code int)
	hush func() // returns when the server is to end
}

// reached gives the fake what belongs to a connection of its own.
func (f *fake) reached(quit func(int), hush func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.quit, f.hush = quit, hush
}

func (f *fake) ways() (quit func(int), hush func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.quit, f.hush
}

func (f *fake) end(code int) {
	quit, _ := f.ways()
	quit(code)
}

func newFake(mode, log string) *fake {
	return &fake{mode: mode, log: log, quit: func(int) {}, hush: func() { idle(log) }, replies: make(chan string, 64)}
}

// idle does nothing for a minute, or until the test has ended the server.
func idle(log string) {
	for end := time.Now().Add(time.Minute); missing(log+".end") && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
}

// ends has a server of the test's end with it, even where nothing else would end it.
func ends(t testing.TB, log string) {
	t.Cleanup(func() { must(t, os.WriteFile(log+".end", nil, 0o600)) })
}

type message struct {
	ID     json.RawMessage
	Method string
	Params struct {
		ProtocolVersion, Cursor, Name string

		Arguments struct{ Text string }
	}
	Error *struct{ Message string }
}

// receive deals with one message from the client.
func (f *fake) receive(raw []byte, send func(string)) {
	var m message
	if err := json.Unmarshal(raw, &m); err != nil {
		panic(err)
	}
	f.note(m, raw)
	if m.Method == "" {
		f.replies <- string(raw)
		return
	}
	if m.ID == nil {
		return
	}
	result := func(format string, args ...any) {
		if odd := envelopes[f.mode]; odd != "" && m.Method == envelopeOf(f.mode) {
			send(strings.NewReplacer("ID", string(m.ID), "RESULT", fmt.Sprintf(format, args...)).Replace(odd))
			return
		}
		send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, fmt.Sprintf(format, args...)))
	}
	refuse := func(code int, text string) {
		send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, m.ID, code, text))
	}
	if code := ownCode(f.mode, m.Method); code != 0 {
		refuse(code, "the vault is locked")
		return
	}
	switch m.Method {
	case "initialize":
		f.initialize(m, result, refuse)
	case "server/discover":
		f.discover(result, refuse)
	case "tools/list":
		f.list(m, send, result)
	case "tools/call":
		f.call(m, send, result, refuse)
	default:
		refuse(-32601, "no such method")
	}
}

func (f *fake) note(m message, raw []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	file, err := os.OpenFile(f.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return // the test is over, and its folder gone
	}
	defer file.Close()
	if m.Method == "" {
		m.Method = "reply"
	}
	fmt.Fprintf(file, "%s %s\n", m.Method, raw)
}

type reply func(format string, args ...any)

func (f *fake) initialize(m message, result reply, refuse func(int, string)) {
	version := m.Params.ProtocolVersion
	f.mu.Lock()
	f.older = true
	f.mu.Unlock()
	switch f.mode {
	case "silent":
		return
	case "handshake refused", "stateless", "exit on discover", "input required ten times", "stateless, changes", staleForAnHour:
		refuse(-32601, "no such method")
		return
	case "handshake of many values":
		result(`{"protocolVersion":"2025-11-25","capabilities":{"experimental":{"x":[0%s]}},"serverInfo":{"name":"fake","version":"1"}}`, strings.Repeat(",0", 30_000))
		return
	case "unknown version":
		version = "1999-12-31"
	case "newest version in a handshake":
		version = "2026-07-28"
	case "oldest version":
		version = "2024-11-05"
	case "handshake with a key twice":
		result(`{"protocolVersion":"2025-11-25","protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"fake","version":"1"}}`)
		return
	}
	tells := !strings.HasPrefix(f.mode, "changes unannounced")
	result(`{"protocolVersion":%q,"capabilities":{"tools":{"listChanged":%v}},"serverInfo":{"name":"fake","version":"1"}}`, version, tells)
}

func (f *fake) discover(result reply, refuse func(int, string)) {
	f.mu.Lock()
	f.older = false
	f.mu.Unlock()
	switch f.mode {
	case "exit on discover":
		f.end(4)
	case staleForAnHour:
		result(`{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":3600000,"cacheScope":"public","resultType":"complete"}`)
	case "stateless", "input required ten times", "stateless, changes", newerList:
		result(`{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","version":"1"}},"ttlMs":0,"cacheScope":"private","resultType":"complete"}`)
	default:
		refuse(-32601, "no such method")
	}
}
