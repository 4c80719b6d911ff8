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
	in *place // for a path: the directory of its default

	words []string // values that are not paths, for a setting that takes a path
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
	{
		Key: "servers", Variable: "ASK_SERVERS", Flag: "servers", Argument: "FILE", Default: "mcp.json", in: inConfig,
		Meaning: "the servers, in the format of other MCP clients",
		at:      func(s *Settings) field { return path(&s.Servers) },
	},
	{
		Key: "allowlist", Variable: "SAFE_ALLOWLIST_PATH", Flag: "allowlist", Argument: "FILE", Default: "allowlist.json", in: inConfig,
		Meaning: "the tools that may be called",
		at:      func(s *Settings) field { return path(&s.Allowlist) },
	},
	{
		Key: "trace_dir", Variable: "SAFE_TRACE_DIR", Flag: "trace-dir", Argument: "DIR", Default: "traces", in: inState,
		Meaning: "directory of the record of each run", See: "trace.md",
		at: func(s *Settings) field { return path(&s.TraceDir) },
	},
	{
		Key: "audit", Variable: "ASK_AUDIT", Flag: "audit", Argument: "FILE", Default: AuditOff, in: inState, words: []string{AuditOff, AuditStderr},
		Meaning: "where one line for each call and each refusal is written: a file, stderr, or off", See: "policy.md",
		at: func(s *Settings) field { return path(&s.Audit) },
	},
	{
		Key: "audit_required", Variable: "ASK_AUDIT_REQUIRED", Default: "false",
		Meaning: "refuse a call whose line cannot be added to the audit first", See: "policy.md",
		at: func(s *Settings) field { return boolean(&s.AuditRequired) },
	},
	{
		Key: "state_file", Variable: "ASK_STATE_FILE", Default: "state.db", in: inState,
		Meaning: "database of approvals and withheld results, on a local file system", See: "state.md",
		at: func(s *Settings) field { return path(&s.StateFile) },
	},
	{
		Key: "token_key", Default: "keyring",
		Meaning: "where the key that encrypts the logins to servers is kept: the keyring of the system, or a file next to the logins", See: "login.md",
		at: func(s *Settings) field { return choice(&s.TokenKey, "keyring", "file") },
	},
	{
		Key: "accept", Default: "informational",
		Meaning: "classes of change of an approved tool that need no new approval", See: "trust.md",
		at: func(s *Settings) field { return classes(&s.Accept) },
	},
	{
		Key: "rules", Variable: "SAFE_RULES_PATH", in: inConfig,
		Meaning: "input rules, added up over all layers; without any, the built-in rules apply", See: "input-rules.md",
		at: func(s *Settings) field { return paths(&s.Rules) },
	},
	{
		Key: "policy", Variable: "ASK_POLICY", Flag: "policy", Argument: "FILE", Default: "policy.json", in: inConfig,
		Meaning: "rules that deny, ask for and allow calls, added up over all layers; only the default file may be missing", See: "policy.md",
		at: func(s *Settings) field { return paths(&s.Policy) },
	},
	{
		Key: "model", Variable: "ASK_MODEL", Flag: "model", Argument: "PROVIDER/MODEL", Default: "embedded",
		Meaning: "the planner: a language model, or the embedded planner, which needs no model", See: "models.md",
		at: func(s *Settings) field { return anything(&s.Model) },
	},
	{
		Key: "summarize", Variable: "SAFE_SUMMARIZE", Default: "false",
		Meaning: "summarize every result; --summarize and the word in a question do it for one",
		at:      func(s *Settings) field { return boolean(&s.Summarize) },
	},
	{
		Key: "notify", Variable: "ASK_NOTIFY", Default: "false",
		Meaning: "show a desktop notification when a call waits for an approval from another process: server, tool and run, never arguments", See: "intent.md",
		at: func(s *Settings) field { return boolean(&s.Notify) },
	},
	{
		Key: "summary_level", Default: "rendered",
		Meaning: "whether a summary has only text of the result, or also comments in the writer's words, marked as not checked", See: "evidence.md",
		at: func(s *Settings) field { return choice(&s.SummaryLevel, "rendered", "quoted") },
	},
	{
		Key: "writer", Default: "extractive",
		Meaning: "what writes summaries; the model is the planner's", See: "evidence.md",
		at: func(s *Settings) field { return choice(&s.Writer, "extractive", "model") },
	},
	{
		Key: "intent", Default: "mark",
		Meaning: "strict: a call with a mark needs an approval even if its tool only reads", See: "intent.md",
		at: func(s *Settings) field { return choice(&s.Intent, "mark", "strict") },
	},
	{
		Key: "model_marks", Default: "run",
		Meaning: "whether a model's call with a mark runs like any other, or becomes a suggestion (exit 8)", See: "models.md",
		at: func(s *Settings) field { return choice(&s.ModelMarks, "run", MarksSuggest) },
	},
	{
		Key: "sandbox", Default: "declared",
		Meaning: "which stdio servers the kernel confines: those with a manifest or scopes, or all; one without them gets the minimum", See: "sandbox.md",
		at: func(s *Settings) field { return choice(&s.Sandbox, "declared", SandboxAll) },
	},
	{
		Key: "approval_ttl", Default: "15m",
		Meaning: "how long a pending approval stays valid", See: "intent.md",
		at: func(s *Settings) field { return duration(&s.ApprovalTTL) },
	},
	{
		Key: "client_hold", Variable: "ASK_CLIENT_HOLD", Default: "45s",
		Meaning: "how long a call of an MCP client waits for an approval; set it below the client's own time limit", See: "wrap.md",
		at: func(s *Settings) field { return duration(&s.ClientHold) },
	},
	{
		Key: "approvers", Default: "self",
		Meaning: "whether the user who asks may approve, or only another user; for other, ask never prompts its own user and takes no --yes", See: "intent.md",
		at: func(s *Settings) field { return choice(&s.Approvers, "self", "other") },
	},
	{
		Key: "strict_formats", Default: "false",
		Meaning: "an unknown JSON Schema format in a tool's input hides the tool; one in its output leaves the result untyped", See: "schemas.md",
		at: func(s *Settings) field { return boolean(&s.StrictFormats) },
	},
	{
		Key: "strict_outputs", Default: "false",
		Meaning: "a result with a date-time that lacks its offset from UTC is refused, instead of typed without that format", See: "schemas.md",
		at: func(s *Settings) field { return boolean(&s.StrictOutputs) },
	},
	{
		Key: "max_result", Default: "8388608",
		Meaning: "bytes of one result; by default it may have 250 000 JSON values and member names, and twice as many at 16777216 bytes",
		at:      func(s *Settings) field { return whole(&s.MaxResult, 1<<10, trace.MaxResult) },
	},
	{
		Key: "max_arguments", Default: "1048576",
		Meaning: "bytes of one call of an MCP client, arguments included", See: "wrap.md",
		at: func(s *Settings) field { return whole(&s.MaxArguments, 1<<10, 8<<20) },
	},
	{
		Key: "client_rules", Default: "false",
		Meaning: "the input rules also read, and may refuse, the arguments of an MCP client's calls", See: "wrap.md",
		at: func(s *Settings) field { return boolean(&s.ClientRules) },
	},
	// A trace contains an answer whole, even an answer that a gate refuses.
	{Key: "max_message", Default: "16777216", Meaning: "bytes of one message of a server", at: func(s *Settings) field { return whole(&s.MaxMessage, 1<<10, trace.MaxResult) }},
	{Key: "timeout", Flag: "timeout", Argument: "DURATION", Default: "5m", Meaning: "limit of the whole run", at: func(s *Settings) field { return duration(&s.Timeout) }},
	{Key: "start_timeout", Default: "60s", Meaning: "limit of a stdio server's start", at: func(s *Settings) field { return duration(&s.StartTimeout) }},
	{Key: "connect_timeout", Default: "30s", Meaning: "limit of connecting and listing", at: func(s *Settings) field { return duration(&s.Connect) }},
	{Key: "call_timeout", Default: "60s", Meaning: "limit of the call's answer, and of one listing", at: func(s *Settings) field { return duration(&s.Call) }},
	{
		Key: "call_limit", Default: "10m",
		Meaning: "limit of an MCP client's call whose server reports progress; each report restarts call_timeout", See: "wrap.md",
		at: func(s *Settings) field { return duration(&s.CallLimit) },
	},
	{
		Key: "close_grace", Default: "10ms",
		Meaning: "time for a stdio server to exit after its stdin is closed; then SIGTERM, and SIGKILL after the same time again, at least half a second", See: "threat-model.md",
		at: func(s *Settings) field { return duration(&s.CloseGrace) },
	},
	{Key: "model_timeout", Default: "60s", Meaning: "limit of one completion", at: func(s *Settings) field { return duration(&s.ModelTimeout) }},
	{
		Key: "constrain", Default: "schema",
		Meaning: "the output format that a model's endpoint is asked to enforce", See: "models.md",
		at: func(s *Settings) field { return choice(&s.Constrain, "schema", ConstrainArguments, "object", "none") },
	},
	{
		Key: "sampling", Default: "fixed",
		Meaning: "who chooses temperature and seed; for endpoint, neither is sent", See: "models.md",
		at: func(s *Settings) field { return choice(&s.Sampling, "fixed", "endpoint") },
	},
	{
		Key: "max_prompt", Default: "131072",
		Meaning: "bytes of question and catalog sent to a model; lower it for a small context window, at about three bytes a token",
		at:      func(s *Settings) field { return whole(&s.MaxPrompt, 1<<10, 4<<20) },
	},
	{
		Key: "max_output", Default: "2048",
		Meaning: "tokens of a model's reply, including reasoning if the endpoint counts it; raise it for reasoning models, lower it for slow ones",
		at:      func(s *Settings) field { return whole(&s.MaxOutput, 64, 1<<20) },
	},
	{
		Key: "quarantine_age", Default: "720h",
		Meaning: "how long a withheld result is kept", See: "state.md",
		at: func(s *Settings) field { return duration(&s.QuarantineAge) },
	},
	{
		Key: "quarantine_size", Default: "268435456",
		Meaning: "bytes of withheld results that are kept; beyond this the oldest are deleted", See: "state.md",
		at: func(s *Settings) field { return whole(&s.QuarantineSize, trace.MaxResult, 1<<30) },
	},
}

// Takes describes the setting's values, such as "true or false".
func (r Setting) Takes() string { return r.at(new(Settings)).takes }

// Otherwise is the value of a setting that no layer sets, "" if it has none.
func (r Setting) Otherwise() string {
	if r.in == nil || r.Default == "" || slices.Contains(r.words, r.Default) {
		return r.Default
	}
	return r.Default + " in " + r.in.name
}

// set gives the setting a value, or reports that it does not take the value.
func (r Setting) set(s *Settings, text string, from Origin) bool {
	isPath := r.in != nil && text != "" && !slices.Contains(r.words, text)
	if isPath && from.Kind == FromFile {
		text = resolve(filepath.Dir(from.Name), text)
	}
	return r.at(s).set(text, from)
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
	return slices.Concat(all, showIn(s.Of, serverRows, serverTable), showIn(s.Scanners, scannerRows, scannerTable))
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
