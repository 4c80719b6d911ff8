package setup_test

import (
	"context"
	"fmt"
	"os"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/host"
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
