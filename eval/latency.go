package eval

import (
	"math"
	"slices"
	"sync"
	"time"
)

// Stopwatch records how long agents took; its zero value is empty. It leaves out cases
// of an earlier run, which a resumed run does not measure.
type Stopwatch struct {
	mu      sync.Mutex
	agents  []string
	elapsed map[string][]float64 // in milliseconds
}

// Took adds one run of an agent.
func (s *Stopwatch) Took(agent string, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.elapsed == nil {
		s.elapsed = map[string][]float64{}
	}
	if s.elapsed[agent] == nil {
		s.agents = append(s.agents, agent)
	}
	s.elapsed[agent] = append(s.elapsed[agent], float64(d.Microseconds())/1000)
}

// Latencies returns the latencies of every agent, in the order of their first runs.
func (s *Stopwatch) Latencies() []Latency {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Latency
	for _, a := range s.agents {
		e := slices.Sorted(slices.Values(s.elapsed[a]))
		all = append(all, Latency{Agent: a, P50: rank(e, 0.50), P99: rank(e, 0.99)})
	}
	return all
}

// rank returns the nearest-rank quantile of a sorted list.
func rank(sorted []float64, q float64) float64 {
	return sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)]
}
