package agents

import (
	"github.com/onestep-run/onestep/eval/watched"
	"github.com/onestep-run/onestep/host/session"
)

// Arrival is one call that reached a server, as it is seen between agent and
// server.
type Arrival = watched.Arrival

// World is the servers of one case for one agent, with somebody who looks on.
type World struct {
	Servers []session.Server
	// Arrived are the calls that have reached the servers, in their order.
	Arrived func() []Arrival
	// Changed reports whether the servers hold something else than at first;
	// nil where it cannot be known.
	Changed func() bool
	End     func() error // nil where there is nothing to end
}

// Close ends the servers.
func (w *World) Close() error {
	if w.End == nil {
		return nil
	}
	return w.End()
}

// Names are the servers' names.
func (w *World) Names() []string {
	names := make([]string, len(w.Servers))
	for i, s := range w.Servers {
		names[i] = s.Name
	}
	return names
}

// Demo is a world of the demo servers. Fill their stores, and have them lie,
// before.
func Demo(d *watched.Demo) *World {
	w := &World{Arrived: d.Arrived}
	for _, name := range d.Servers() {
		w.Servers = append(w.Servers, session.Server{Name: name, InProcess: d.Dial(name)})
	}
	return w
}

// ScriptedTool is a tool and the server that has it.
type ScriptedTool struct {
	Server string
	watched.ScriptedTool
}

// Scripted is a world of live servers that answer as they are told, in the
// order in which the tools bring them up. Calls are in the order of each
// server's own.
func Scripted(tools []ScriptedTool) *World {
	var names []string
	of := map[string][]watched.ScriptedTool{}
	for _, t := range tools {
		if of[t.Server] == nil {
			names = append(names, t.Server)
		}
		of[t.Server] = append(of[t.Server], t.ScriptedTool)
	}
	var live []*watched.ScriptedServer
	w := &World{Arrived: func() []Arrival {
		var all []Arrival
		for _, s := range live {
			all = append(all, s.Arrived()...)
		}
		return all
	}}
	for _, name := range names {
		s := watched.Scripted(name, of[name])
		live = append(live, s)
		w.Servers = append(w.Servers, session.Server{Name: name, InProcess: s.Transport})
	}
	return w
}
