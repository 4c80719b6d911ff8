// Command stdio is an MCP server of the standard library alone. Its tool echo returns
// its text; connect dials an address some times, and returns how many
// nanoseconds each took. With the name of a file as its argument it lists the tools of
// that file, a JSON array on one line, and answers a call of any of them with "called".
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"
)

const own = `[{"name":"echo","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}},` +
	`{"name":"connect","inputSchema":{"type":"object","properties":{"address":{"type":"string"},"times":{"type":"integer"}}}}]`

func main() {
	tools := []byte(own)
	if len(os.Args) > 1 {
		var err error
		if tools, err = os.ReadFile(os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				Name            string `json:"name"`
				ProtocolVersion string `json:"protocolVersion"`
				Arguments       struct {
					Text    string `json:"text"`
					Address string `json:"address"`
					Times   int    `json:"times"`
				} `json:"arguments"`
			} `json:"params"`
		}
		if json.Unmarshal(in.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		result := ""
		switch m.Method {
		case "ping":
			result = `{}`
		case "initialize":
			version := cmp.Or(min(m.Params.ProtocolVersion, "2025-11-25"), "2025-11-25") // an older client gets its own
			result = `{"protocolVersion":"` + version + `","capabilities":{"tools":{}},"serverInfo":{"name":"stdio-go","version":"1"}}`
		case "tools/list":
			result = `{"tools":` + string(tools) + `}`
		case "tools/call":
			text := m.Params.Arguments.Text
			if len(os.Args) > 1 {
				text = "called"
			} else if m.Params.Name == "connect" {
				text = connect(m.Params.Arguments.Address, m.Params.Arguments.Times)
			}
			b, _ := json.Marshal(text)
			result = `{"content":[{"type":"text","text":` + string(b) + `}]}`
		}
		outcome := `"result":` + result
		if result == "" {
			outcome = `"error":{"code":-32601,"message":"the method is not known"}`
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,%s}`+"\n", m.ID, outcome)
	}
}

func connect(address string, times int) string {
	began := time.Now()
	for range times {
		c, err := net.Dial("tcp", address)
		if err != nil {
			return err.Error()
		}
		_ = c.Close()
	}
	return strconv.FormatInt(time.Since(began).Nanoseconds()/int64(max(times, 1)), 10)
}
