package agents

import (
	"github.com/onestep-run/onestep/eval/watched"
	"github.com/onestep-run/onestep/host/session"
)

// Arrival is one call that reached a server, observed between agent and server.
type Arrival = watched.Arrival

// World is the servers of one case for one agent, with an observer.
type World struct {
	Servers []session.Server
	// Arrived are the calls that have reached the servers, in their order.
	Arrived func() []Arrival
	// Changed reports whether the servers' data has changed; nil if it cannot be
	// known.
	Changed func() bool
	End     func() error // nil if nothing has to end
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

// Demo is a world of the demo servers. Set up their stores, and their false answers,
// before.
func Demo(d *watched.Demo) *World {
	w := &World{Arrived: d.Arrived}
	for _, name := range d.Servers() {
		w.Servers = append(w.Servers, session.Server{Name: name, InProcess: d.Dial(name)})
	}
	return w
}

// ScriptedTool is a tool and its server.
type ScriptedTool struct {
	Server string
	watched.ScriptedTool
}

// Scripted is a world of live servers with scripted answers, in the order of the
// tools. The calls of each server are in order.
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
