package proxy

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// next is a model's next step after a refusal. No step asks again or raises a limit: the
// hints of the codes are for a person at a shell.
func (u *upstream) next(r *request, out host.Outcome) string {
	code, review := out.Error.Code, u.review(r.tool.Server)
	switch {
	case out.Guard != nil && out.Guard.Withheld != "":
		run, rules := escape.Line(out.Guard.Withheld, 128), []string(nil)
		for _, g := range out.Guard.Findings {
			rules = append(rules, g.Scanner+"/"+g.Rule)
		}
		return fmt.Sprintf("tell the user. The call was made; its result is withheld (%s). A person can read it with `ask quarantine show %s`. After they release it with `ask quarantine release %s`, %s returns it (a client that does not see this tool yet needs a new session).",
			escape.Line(strings.Join(rules, ", "), maxReason), run, run, toolReleased)
	case code == verdict.ApprovalNeeded && r.conversation == "" && u.Conversation == "":
		return "tell the user that the call waited for a person, and was not approved. The same call waits again."
	case code == verdict.ApprovalNeeded && out.Approval != nil:
		run := escape.Line(out.Approval.RunID, 128)
		return fmt.Sprintf("tell the user that the call waits for a person: `ask approve %s` shows and approves exactly this call, until %s. The same call goes through once it is approved.", run, escape.Line(out.Approval.Expires, 64))
	case code == verdict.CatalogSchema, code == verdict.CatalogName, code == verdict.CatalogDescriptor, code == verdict.CatalogDuplicate, code == verdict.CatalogTask:
		return "use another tool, or tell the user that this one cannot be called as its server describes it; no approval changes that."
	case code.WaitsForReview(), strings.HasPrefix(string(code), "allow."), strings.HasPrefix(string(code), "catalog."):
		return "use another tool, or tell the user that `" + review + " --all-tools` shows what this server says and approves it."
	case strings.HasPrefix(string(code), "pin."):
		return "tell the user that the server's tools differ from the approved ones: `" + review + "` shows the difference."
	case code == verdict.CallRounded:
		return "tell the user that no call was made, and that `" + review + "` shows how to reach the server without the bridge."
	case code == verdict.SchemaArguments:
		return "correct the arguments by the tool's input schema."
	case strings.HasPrefix(string(code), "plan."), strings.HasPrefix(string(code), "input."):
		return "tell the user why, or send other arguments if these were a mistake."
	case left(out.Call) && out.Error.Hint != "": // with the hint of `ask call`
		return escape.Line(out.Error.Hint, maxReason) + "."
	case out.Call == host.Unknown:
		return "do not make this call a second time: it may have taken effect. Check with a tool that only reads, or tell the user."
	case strings.HasPrefix(string(code), "output."):
		return "tell the user. The call was made; do not make it a second time."
	case code == verdict.ServerAuth:
		return "tell the user that the server needs a login: " + escape.Line(cmp.Or(out.Error.Hint, "`ask servers login "+r.tool.Server+"`"), maxReason) + "."
	case strings.HasPrefix(string(code), "server."):
		return fmt.Sprintf("tell the user that no call was made, and that `ask servers test %s` shows what is wrong.", r.tool.Server)
	}
	return "tell the user; `ask trace show " + escape.Line(out.RunID, 128) + "` shows what happened."
}

// review is the command with which a person reviews a server.
func (u *upstream) review(server string) string {
	return cmp.Or(u.Review, "ask servers review "+server)
}

// left reports whether a call reached the server, or may have.
func left(call string) bool { return call == host.Answered || call == host.Unknown }
