package setup_test

import (
	"context"
	"fmt"
	"os"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/trust"
)

// A program with the configuration of `ask` has the host of `ask`. This one
// keeps its files in a place of its own, and asks the demo's servers.
func Example() {
	home, err := os.MkdirTemp("", "onestep")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(home)
	env := func(name string) (string, bool) { return map[string]string{"ASK_HOME": home}[name], name == "ASK_HOME" }

	paths, err := config.FindPaths(env)
	if err != nil {
		panic(err)
	}
	settings, err := config.Load(paths, env, config.Flags{})
	if err != nil {
		panic(err)
	}
	h, err := setup.Host(settings, setup.Options{Env: env, Demo: true})
	if err != nil {
		panic(err)
	}
	defer h.Close()

	out := h.Ask(context.Background(), host.Question{Text: "Summarize policy-002", Subject: "ada"})
	fmt.Println(out.Type, out.Call)
	// Output: tool_result_with_summary answered
}

// A program with its own pins uses no approval from the machine that it runs on.
// Without any pins, no tool is approved.
func Example_pins() {
	pins, err := trust.ParseFile(demo.Pins()) // what `ask servers export` printed
	if err != nil {
		panic(err)
	}
	for _, book := range []trust.File{pins, {}} {
		h, err := setup.Host(config.Settings{}, setup.Options{Demo: true, Mode: setup.Catalogs, Parts: setup.Parts{Pins: book}})
		if err != nil {
			panic(err)
		}
		catalog := h.Catalog(context.Background(), "", "mcp-policy-kb")
		for _, tool := range catalog.Tools() {
			fmt.Println(tool.Name())
		}
		for _, out := range catalog.Excluded() {
			fmt.Println(out.Name, "is out:", out.Denial.Code)
		}
		if err := h.Close(); err != nil {
			panic(err)
		}
	}
	// Output:
	// fetch_policy_entry
	// search_policy_kb
	// delete_policy_entry is out: allow.tool
	// fetch_policy_entry is out: pin.unapproved
	// search_policy_kb is out: pin.unapproved
}
