package org

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/disk"
	"github.com/onestep-run/onestep/host/org"
	"github.com/onestep-run/onestep/host/trust"
)

// Files of an agent's folder.
const (
	serversFile   = "mcp.json"
	allowlistFile = "allowlist.json"
	policyFile    = "policy.json"
	pinsFile      = "pins.json"
	auditFile     = "audit.jsonl"
)

// Export writes a folder for each agent, from which `ask` answers without the service. It has the
// servers, the allowlist, the rules, the pins with their decisions, and the agent's audit. It has no
// secrets: each is a variable, by the name of its server. The folder must not exist.
func (h *Hosts) Export(ctx context.Context, dir string) (agents int, err error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return 0, verdict.Fail(verdict.UsageArgument, err, "the folder of the export cannot be made: %v", err)
	}
	events, err := h.events(ctx)
	if err != nil {
		return 0, err
	}
	for after := ""; ; {
		list, err := h.Org.Agents(ctx, after, 1000)
		if err != nil || len(list) == 0 {
			return agents, errors.Join(err, disk.SyncDir(dir))
		}
		for _, a := range list {
			if err := h.export(ctx, filepath.Join(dir, a.Name), a, events[a.Name]); err != nil {
				return agents, err
			}
			agents++
		}
		after = list[len(list)-1].Name
	}
}

// events are the audits of the agents, one line for each entry.
func (h *Hosts) events(ctx context.Context) (map[string][]byte, error) {
	of := map[string][]byte{}
	for after := int64(0); ; {
		some, err := h.Org.Events(ctx, after, 1000)
		if err != nil || len(some) == 0 {
			return of, err
		}
		for _, e := range some {
			text, err := json.Marshal(e)
			if err != nil {
				return nil, err
			}
			of[e.Agent] = append(append(of[e.Agent], text...), '\n')
		}
		after = some[len(some)-1].Seq
	}
}

func (h *Hosts) export(ctx context.Context, dir string, a org.Agent, audit []byte) error {
	r, err := h.rowsOf(ctx, a.Name)
	if err != nil {
		return err
	}
	allow, err := h.allowlist(ctx, r)
	if err != nil {
		return err
	}
	specs, pins, err := h.portable(ctx, r)
	if err != nil {
		return err
	}
	servers, err := json.Marshal(map[string]any{"mcpServers": specs}, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	rules, err := rulesOf(a)
	if err != nil {
		return err
	}
	files := map[string][]byte{serversFile: servers, allowlistFile: allow.Source(), policyFile: rules, pinsFile: pins, auditFile: audit}
	if len(files[allowlistFile]) == 0 {
		files[allowlistFile] = []byte(`{}`)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return err
		}
	}
	return disk.SyncDir(dir)
}

// rulesOf are the rules of an agent with its budget, as one document.
func rulesOf(a org.Agent) ([]byte, error) {
	document := map[string]jsontext.Value{}
	if len(a.Rules) > 0 && a.Rules.Kind() == '{' {
		if err := schema.Decode(a.Rules, &document, schema.ResultLimits); err != nil {
			return nil, err
		}
	}
	var rules []jsontext.Value
	if is := document["rules"]; is != nil {
		if err := schema.Decode(is, &rules, schema.ResultLimits); err != nil {
			return nil, err
		}
	}
	if a.Budget.Calls > 0 {
		rules = append(rules, jsontext.Value(budgetRule(a)))
	}
	all, err := json.Marshal(rules, json.FormatNilSliceAsNull(false))
	if err != nil {
		return nil, err
	}
	document["rules"] = all
	return json.Marshal(document, json.Deterministic(true))
}

// portable are the servers of an agent for its folder, and their pins. The variables of each
// server have names of their own, so the pins are at other places.
func (h *Hosts) portable(ctx context.Context, r rows) (specs map[string]config.Spec, pins []byte, err error) {
	specs = map[string]config.Spec{}
	for _, name := range r.names() {
		spec, _, _ := r.registry.Spec(name)
		specs[name] = renamed(spec, name)
	}
	servers, err := config.NewServers("/", specs)
	if err != nil {
		return nil, nil, err
	}
	keeper := trust.NewKeeper(h.Org.State, h.Org.Now)
	var all []trust.Exported
	for _, name := range r.names() {
		at, _ := r.registry.Place(name)
		is, err := keeper.Pins(ctx, at)
		if err != nil {
			return nil, nil, err
		}
		if len(is.Tools) > 0 {
			place, text := servers.Shared(name)
			all = append(all, trust.Exported{Name: name, Entry: text, Credential: place.Credential, Pins: is})
		}
	}
	pins, err = trust.Export(all)
	return specs, pins, err
}

// renamed is a spec whose secrets are variables with the server's name in front.
func renamed(s config.Spec, server string) config.Spec {
	prefix := "${" + strings.Map(func(c rune) rune {
		if strings.ContainsRune("-.", c) {
			return '_'
		}
		return c
	}, strings.ToUpper(server)) + "_"
	rename := func(text string) string { return strings.ReplaceAll(text, "${", prefix) }
	of := s
	of.Args, of.Env, of.Headers = nil, map[string]string{}, map[string]string{}
	for _, arg := range s.Args {
		of.Args = append(of.Args, rename(arg))
	}
	for name, text := range s.Env {
		of.Env[name] = rename(text)
	}
	for name, text := range s.Headers {
		of.Headers[name] = rename(text)
	}
	if o := s.OAuth; o != nil {
		is := *o
		is.ClientSecret = rename(o.ClientSecret)
		of.OAuth = &is
	}
	return of
}
