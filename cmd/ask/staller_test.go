package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// staller is a stdio MCP server that stops at one method: it reports to the test that it has
// reached the method, over a connection that ends with its process. Without an address it is
// a server like others.
func staller() {
	var conn io.Writer = io.Discard
	tell := os.Getenv("STALL_TELL")
	if tell != "" {
		var err error
		if conn, err = net.Dial("tcp", tell); err != nil {
			os.Exit(1)
		}
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m struct {
			ID     jsontext.Value `json:"id"`
			Method string         `json:"method"`
			Params struct {
				Meta struct {
					Token jsontext.Value `json:"progressToken"`
				} `json:"_meta"`
			} `json:"params"`
		}
		if err := json.Unmarshal(in.Bytes(), &m); err != nil {
			os.Exit(1)
		}
		if gate := os.Getenv("REPORT_UNTIL"); gate != "" && m.Method == "tools/call" {
			report(m.Params.Meta.Token, gate)
		}
		if m.Method == os.Getenv("STALL_AT") {
			fmt.Fprintln(conn, "stalled")
			select {}
		}
		if reply := stallerReply(m.Method); m.ID != nil && reply != "" {
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, reply)
		}
	}
	if tell == "" {
		return
	}
	fmt.Fprintln(conn, "its input ended") // the stage "closing"
	select {}                             // a server that does not end with its input
}

// report prints progress, where it was asked for, and a log message, and waits
// until the test writes to the pipe.
func report(token jsontext.Value, gate string) {
	if token != nil {
		fmt.Printf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":3,"total":10,"message":"reading"}}`+"\n", token)
	}
	fmt.Println(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","data":"the index\nis\u001b[2J old"}}`)
	if _, err := os.ReadFile(gate); err != nil {
		os.Exit(1)
	}
}

func stallerReply(method string) string {
	switch method {
	case "initialize":
		return `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"staller","version":"1"}}`
	case "tools/list":
		return `{"tools":[{"name":"fetch_entry","description":"Fetch an entry by its id.","inputSchema":{"type":"object","properties":{"id":{"type":"string","description":"The id of the entry."}},"required":["id"]}}]}`
	case "tools/call":
		return `{"content":[{"type":"text","text":"done"}]}`
	}
	return "{}"
}

// witness reports to the test what it can read of a process, by default its parent, and which
// files it was started with. It is started by `ask` as a server, and by the test.
func witness() {
	conn, err := net.Dial("tcp", os.Getenv("WITNESS_TELL"))
	if err != nil {
		os.Exit(1)
	}
	pid := os.Getenv("WITNESS_OF")
	if pid == "" {
		pid = fmt.Sprint(os.Getppid())
	}
	for _, file := range []string{"environ", "mem", "maps"} {
		f, err := os.Open("/proc/" + pid + "/" + file)
		if err == nil && file != "mem" { // of which nothing is at its beginning
			_, err = io.ReadAll(f)
		}
		fmt.Fprintf(conn, "%s: %v\n", file, err)
	}
	open, _ := os.ReadDir("/proc/self/fd")
	for _, fd := range open {
		file, _ := os.Readlink("/proc/self/fd/" + fd.Name())
		fmt.Fprintf(conn, "open: %s\n", file)
	}
	_ = conn.(*net.TCPConn).CloseWrite()
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// echoer is a stdio server whose one tool answers with its arguments, as text.
func echoer() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m struct {
			ID     jsontext.Value `json:"id"`
			Method string         `json:"method"`
			Params struct {
				Arguments jsontext.Value `json:"arguments"`
			} `json:"params"`
		}
		if err := json.Unmarshal(in.Bytes(), &m); err != nil || m.ID == nil {
			continue
		}
		reply := stallerReply(m.Method)
		switch m.Method {
		case "tools/list":
			reply = `{"tools":[{"name":"t","inputSchema":` + manyTypes + `}]}`
		case "tools/call":
			text, _ := jsontext.AppendQuote(nil, string(m.Params.Arguments))
			reply = `{"content":[{"type":"text","text":` + string(text) + `}]}`
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, reply)
	}
}
