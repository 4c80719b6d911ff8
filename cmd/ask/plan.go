package main

import (
	"strings"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/planner/lexical"
)

// embedded is the name of the planner inside the binary.
const embedded = "embedded"

// planner chooses who plans: the embedded planner, unless a flag, ASK_MODEL or
// the configuration names a model. A model's key in the environment chooses nothing.
func (a *app) planner(s config.Settings, explain bool) (proposer, error) {
	switch name := s.Model.V; {
	case name != "" && name != embedded && explain:
		return proposer{}, usage(verdict.UsageFlag, "--explain is for the embedded planner: a model does not say how it chose")
	case name != "" && name != embedded:
		return a.modelPlanner(s)
	}
	if !a.demo {
		a.say("Planning with the embedded planner; --model PROVIDER/MODEL chooses a language model.")
	}
	p := lexical.New(time.Now)
	if explain {
		return proposer{explained{p, a}, embedded}, nil
	}
	return proposer{p, embedded}, nil
}

// unconfigured says what to write where nothing is configured yet.
func (a *app) unconfigured(err error, paths config.Paths) error {
	if verdict.CodeOf(err) != verdict.ConfigMissing {
		return err
	}
	f := verdict.Fail(verdict.ConfigMissing, err, "nothing is configured: there is no servers file")
	f.Hint = strings.Join([]string{
		"try the demo, or copy and adapt:",
		`mkdir -p '` + paths.Config + `'`,
		`echo '{"mcpServers":{"files":{"command":"npx","args":["-y","@modelcontextprotocol/server-filesystem","'"$HOME"'"]}}}' > '` + paths.Config + `/mcp.json'`,
		`echo '{"files":["read_text_file","list_directory"]}' > '` + paths.Config + `/allowlist.json'`,
	}, "\n")
	return f
}
