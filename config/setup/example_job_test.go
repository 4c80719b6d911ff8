package setup_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/runs"
)

// job makes one call that was written in advance, and returns the exit status of
// its outcome, as docs/codes.md lists them. No model is asked, and no person.
func job(dir, server, tool, arguments string) (exit int) {
	h, err := setup.Host(config.Settings{}, setup.Options{
		Mode: setup.Plans, Version: "job", Demo: true, // a job of your own leaves Demo out, and loads its settings
		Parts: setup.Parts{
			Pins:   setup.PinsFile(filepath.Join(dir, "pins.json")), // as it is committed: nothing else is approved
			Traces: runs.Dir(filepath.Join(dir, "traces")),          // an artifact of the job
		},
	})
	if err != nil {
		fmt.Println(err)
		return host.FailureOf(err).Code.Entry().Exit
	}
	defer func() { _ = h.Close() }()
	out := h.Ask(context.Background(), host.Question{Plan: plan.Call(server, tool, []byte(arguments)), Subject: "ci"})
	fmt.Print(out.Type, " ")
	if out.Error != nil {
		fmt.Print(out.Error.Code, " ")
	}
	return out.Exit()
}

// A CI job brings its plan. Each outcome has its own exit status.
func Example_job() {
	dir, err := os.MkdirTemp("", "job")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "pins.json"), demo.Pins(), 0o600); err != nil {
		panic(err)
	}

	fmt.Println(job(dir, "mcp-servicenow", "get_ticket", `{"ticket_id": "INC0010001"}`))
	fmt.Println(job(dir, "mcp-servicenow", "get_ticket", `{"ticket": "INC0010001"}`))
	fmt.Println(job(dir, "mcp-servicenow", "close_ticket", `{"ticket_id": "INC0010001"}`))
	fmt.Println(job(dir, "mcp-servicenow", "get_ticket", `{"ticket_id": "INC9999999"}`))
	// Output:
	// tool_result 0
	// blocked schema.arguments 3
	// blocked allow.tool 3
	// blocked output.error 5
}
