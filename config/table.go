package config

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/trace"
)

// Setting is a row of the table of settings: the names, the values and the purpose of a
// setting. Reading, flags, help, `ask config show` and docs/configuration.md all follow the
// table: a new setting is a field of [Settings] and a row.
type Setting struct {
	Key      string // in config.toml
	Variable string // "" if no variable sets it
	Flag     string // without dashes; "" if no flag sets it
	Argument string // the name of the value in the flag's help
	Default  string // in the form of a variable
	Meaning  string // one line, without quotes
	See      string // the page in docs/ that says more

	at func(*Settings) field
}

// setting is a row of the table. The names are those that set it besides its key: a variable, and
// a flag with its argument.
func setting(key, names, otherwise, see, meaning string, at func(*Settings) field) Setting {
	r := Setting{Key: key, Default: otherwise, Meaning: meaning, See: see, at: at}
	r.Variable, names, _ = strings.Cut(names, "--")
	r.Variable = strings.TrimSpace(r.Variable)
	r.Flag, r.Argument, _ = strings.Cut(names, " ")
	return r
}

// place is a directory of [Paths].
type place struct {
	name string
	of   func(Paths) string
}

var (
	inConfig = &place{"the configuration directory", func(p Paths) string { return p.Config }}
	inState  = &place{"the state directory", func(p Paths) string { return p.State }}
)

// Table is the table of settings.
func Table() []Setting { return slices.Clone(table) }

var table = []Setting{
	setting("servers", "ASK_SERVERS --servers FILE", "mcp.json", "", "the servers, in the format of other MCP clients",
		func(s *Settings) field { return path(&s.Servers, inConfig) }),
	setting("allowlist", "SAFE_ALLOWLIST_PATH --allowlist FILE", "allowlist.json", "", "the tools that may be called",
		func(s *Settings) field { return path(&s.Allowlist, inConfig) }),
	setting("trace_dir", "SAFE_TRACE_DIR --trace-dir DIR", "traces", "trace.md", "directory of the record of each run",
		func(s *Settings) field { return path(&s.TraceDir, inState) }),
	setting("record_words", "", "false", "clients.md", "the traces also have the words of messages in which arguments were found, without secrets; by default only places and digests",
		func(s *Settings) field { return boolean(&s.RecordWords) }),
	setting("audit", "ASK_AUDIT --audit FILE", "off", "policy.md", "where one line for each call and each refusal is written: a file, stderr, or off",
		func(s *Settings) field { return path(&s.Audit, inState, AuditOff, AuditStderr) }),
	setting("audit_required", "ASK_AUDIT_REQUIRED", "false", "policy.md", "refuse a call whose line cannot be added to the audit first",
		func(s *Settings) field { return boolean(&s.AuditRequired) }),
	setting("state_file", "ASK_STATE_FILE", "state.db", "state.md", "database of approvals and withheld results, on a local file system",
		func(s *Settings) field { return path(&s.StateFile, inState) }),
	setting("token_key", "", "keyring", "login.md", "where the key that encrypts the logins to servers is kept: the keyring of the system, or a file next to the logins",
		func(s *Settings) field { return choice(&s.TokenKey, "keyring", "file") }),
	setting("accept", "", "informational", "trust.md", "classes of change of an approved tool that need no new approval",
		func(s *Settings) field { return classes(&s.Accept) }),
	setting("rules", "SAFE_RULES_PATH", "", "input-rules.md", "input rules, added up over all layers; without any, the built-in rules apply",
		func(s *Settings) field { return paths(&s.Rules, inConfig) }),
	setting("policy", "ASK_POLICY --policy FILE", "policy.json", "policy.md", "rules that deny, ask for and allow calls, added up over all layers; only the default file may be missing",
		func(s *Settings) field { return paths(&s.Policy, inConfig) }),
	setting("model", "ASK_MODEL --model PROVIDER/MODEL", "embedded", "models.md", "the planner: a language model, or the embedded planner, which needs no model",
		func(s *Settings) field { return anything(&s.Model) }),
	setting("summarize", "SAFE_SUMMARIZE", "false", "", "summarize every result; --summarize and the word in a question do it for one",
		func(s *Settings) field { return boolean(&s.Summarize) }),
	setting("notify", "ASK_NOTIFY", "false", "intent.md", "show a desktop notification when a call waits for an approval from another process: server, tool and run, never arguments",
		func(s *Settings) field { return boolean(&s.Notify) }),
	setting("summary_level", "", "rendered", "evidence.md", "whether a summary has only text of the result, or also comments in the writer's words, marked as not checked",
		func(s *Settings) field { return choice(&s.SummaryLevel, "rendered", "quoted") }),
	setting("writer", "", "extractive", "evidence.md", "what writes summaries; the model is the planner's",
		func(s *Settings) field { return choice(&s.Writer, "extractive", "model") }),
	setting("intent", "", "mark", "intent.md", "strict: a call with a mark needs an approval even if its tool only reads",
		func(s *Settings) field { return choice(&s.Intent, "mark", "strict") }),
	setting("model_marks", "", "run", "models.md", "whether a model's call with a mark runs like any other, or becomes a suggestion (exit 8)",
		func(s *Settings) field { return choice(&s.ModelMarks, "run", MarksSuggest) }),
	setting("sandbox", "", "declared", "sandbox.md", "which stdio servers the kernel confines: those with a manifest or scopes, or all; one without them gets the minimum",
		func(s *Settings) field { return choice(&s.Sandbox, "declared", SandboxAll) }),
	setting("approval_ttl", "", "15m", "intent.md", "how long a pending approval stays valid",
		func(s *Settings) field { return duration(&s.ApprovalTTL) }),
	setting("client_hold", "ASK_CLIENT_HOLD", "45s", "wrap.md", "how long a call of an MCP client waits for an approval; set it below the client's own time limit",
		func(s *Settings) field { return duration(&s.ClientHold) }),
	setting("approvers", "", "self", "intent.md", "whether the user who asks may approve, or only another user; for other, ask never prompts its own user and takes no --yes",
		func(s *Settings) field { return choice(&s.Approvers, "self", "other") }),
	setting("strict_formats", "", "false", "schemas.md", "an unknown JSON Schema format in a tool's input hides the tool; one in its output leaves the result untyped",
		func(s *Settings) field { return boolean(&s.StrictFormats) }),
	setting("strict_outputs", "", "false", "schemas.md", "a result with a date-time that lacks its offset from UTC is refused, instead of typed without that format",
		func(s *Settings) field { return boolean(&s.StrictOutputs) }),
	setting("max_result", "", "8388608", "", "bytes of one result; by default it may have 250 000 JSON values and member names, and twice as many at 16777216 bytes",
		func(s *Settings) field { return whole(&s.MaxResult, 1<<10, trace.MaxResult) }),
	setting("max_arguments", "", "1048576", "wrap.md", "bytes of one call of an MCP client, arguments included",
		func(s *Settings) field { return whole(&s.MaxArguments, 1<<10, 8<<20) }),
	setting("client_rules", "", "false", "wrap.md", "the input rules also read, and may refuse, the arguments of an MCP client's calls",
		func(s *Settings) field { return boolean(&s.ClientRules) }),
	// A trace contains an answer whole, even an answer that a gate refuses.
	setting("max_message", "", "16777216", "", "bytes of one message of a server",
		func(s *Settings) field { return whole(&s.MaxMessage, 1<<10, trace.MaxResult) }),
	setting("timeout", "--timeout DURATION", "5m", "", "limit of the whole run",
		func(s *Settings) field { return duration(&s.Timeout) }),
	setting("start_timeout", "", "60s", "", "limit of a stdio server's start",
		func(s *Settings) field { return duration(&s.StartTimeout) }),
	setting("connect_timeout", "", "30s", "", "limit of connecting and listing",
		func(s *Settings) field { return duration(&s.Connect) }),
	setting("call_timeout", "", "60s", "", "limit of the call's answer, and of one listing",
		func(s *Settings) field { return duration(&s.Call) }),
	setting("call_limit", "", "10m", "wrap.md", "limit of an MCP client's call whose server reports progress; each report restarts call_timeout",
		func(s *Settings) field { return duration(&s.CallLimit) }),
	setting("close_grace", "", "10ms", "threat-model.md", "time for a stdio server to exit after its stdin is closed; then SIGTERM, and SIGKILL after the same time again, at least half a second",
		func(s *Settings) field { return duration(&s.CloseGrace) }),
	setting("model_timeout", "", "60s", "", "limit of one completion",
		func(s *Settings) field { return duration(&s.ModelTimeout) }),
	setting("constrain", "", "schema", "models.md", "the output format that a model's endpoint is asked to enforce",
		func(s *Settings) field { return choice(&s.Constrain, "schema", ConstrainArguments, "object", "none") }),
	setting("sampling", "", "fixed", "models.md", "who chooses temperature and seed; for endpoint, neither is sent",
		func(s *Settings) field { return choice(&s.Sampling, "fixed", "endpoint") }),
	setting("max_prompt", "", "131072", "", "bytes of question and catalog sent to a model; lower it for a small context window, at about three bytes a token",
		func(s *Settings) field { return whole(&s.MaxPrompt, 1<<10, 4<<20) }),
	setting("max_output", "", "2048", "", "tokens of a model's reply, including reasoning if the endpoint counts it; raise it for reasoning models, lower it for slow ones",
		func(s *Settings) field { return whole(&s.MaxOutput, 64, 1<<20) }),
	setting("quarantine_age", "", "720h", "state.md", "how long a withheld result is kept",
		func(s *Settings) field { return duration(&s.QuarantineAge) }),
	setting("quarantine_size", "", "268435456", "state.md", "bytes of withheld results that are kept; beyond this the oldest are deleted",
		func(s *Settings) field { return whole(&s.QuarantineSize, trace.MaxResult, 1<<30) }),
}

// Takes describes the setting's values, such as "true or false".
func (r Setting) Takes() string { return r.at(new(Settings)).takes }

// Otherwise is the value of a setting that no layer sets, "" if it has none.
func (r Setting) Otherwise() string {
	f := r.at(new(Settings))
	if !f.isPath(r.Default) {
		return r.Default
	}
	return r.Default + " in " + f.in.name
}

// set gives the setting a value, or reports that it does not take the value.
func (r Setting) set(s *Settings, text string, from Origin) bool {
	f := r.at(s)
	if f.isPath(text) && from.Kind == FromFile {
		text = resolve(filepath.Dir(from.Name), text)
	}
	return f.set(text, from)
}

// Shown is a setting for display.
type Shown struct {
	Key    string `json:"key"`
	Value  any    `json:"value"` // a string, a bool or an int
	Origin Origin `json:"origin"`
}

// Show lists the settings in the order of the table; each rule has its own row.
func (s Settings) Show() []Shown {
	var all []Shown
	for _, r := range table {
		for _, one := range r.at(&s).show() {
			all = append(all, Shown{r.Key, one.V, one.Origin})
		}
	}
	return slices.Concat(all, showIn(s.Of, serverRows, serverTable), showIn(s.Scanners, scannerRows, scannerTable), s.showDecisions())
}

// Lookup lists the values of one setting: several if layers are added up, none if no layer
// sets it.
func (s Settings) Lookup(key string) []Shown {
	return slices.DeleteFunc(s.Show(), func(one Shown) bool { return one.Key != key })
}

// Choices are the words that the setting takes, if its values are words.
func (r Setting) Choices() []string {
	takes := r.Takes()
	if strings.HasPrefix(takes, "a ") || !strings.Contains(takes, " or ") {
		return nil
	}
	return strings.Split(strings.ReplaceAll(takes, " or ", ", "), ", ")
}
