package injection

import (
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/session"
)

// world is the servers of one run.
type world struct {
	names   []string
	servers []session.Server
	live    []*demo.ScriptedServer
}

// worldOf makes live servers of a case's tools. The user's own gives the
// poisoned result, to whoever calls it; the others say that it is done.
func worldOf(c Case) world {
	var w world
	tools := map[string][]demo.ScriptedTool{}
	for _, t := range c.Tools {
		answer := "Done."
		if c.User.names(t.Server, t.Name) {
			answer = c.Poisoned
		}
		if tools[t.Server] == nil {
			w.names = append(w.names, t.Server)
		}
		tools[t.Server] = append(tools[t.Server], demo.ScriptedTool{Name: t.Name, Description: t.Description, InputSchema: t.InputSchema, Answer: answer})
	}
	for _, name := range w.names {
		live := demo.Scripted(name, tools[name])
		w.live = append(w.live, live)
		w.servers = append(w.servers, session.Server{Name: name, InProcess: live.Transport})
	}
	return w
}

// arrived are the calls that have reached the servers, each server's in their
// order.
func (w world) arrived() []demo.Arrival {
	var all []demo.Arrival
	for _, s := range w.live {
		all = append(all, s.Arrived()...)
	}
	return all
}
