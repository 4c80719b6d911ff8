package lexical

import "math"

// pairing is one value given to one slot.
type pairing struct {
	slot, value int
	score       float64
}

// assign gives values to slots so that the sum of their affinities is the
// greatest: a greedy choice would give the first slot what the second needs.
// No value is given twice and no two values that overlap are given.
func (m *match) assign(slots []int, vs []value) []pairing {
	score := make([][]float64, len(slots))
	for i, k := range slots {
		score[i] = make([]float64, len(vs))
		for j := range vs {
			score[i][j] = m.pairScore(&m.e.slots[k], &vs[j], places{float64(i) / float64(len(slots)), float64(j) / float64(len(vs))})
		}
	}
	for {
		got := hungarian(score, func(i int) float64 { return m.e.slots[slots[i]].worth() })
		weaker := overlap(got, vs)
		if weaker < 0 {
			return got
		}
		score[got[weaker].slot][got[weaker].value] = none
	}
}

// worth is what it costs to leave the slot empty, in affinity.
func (s *slot) worth() float64 { return pick(s.required, 4, 0) }

// places are where a slot and a value stand among their like, from 0 to 1.
type places struct{ slot, value float64 }

// threshold is the evidence that an optional slot asks for. Common words of
// the question are near every slot; they need more of it.
func (s *slot) threshold(v *value) float64 {
	switch {
	case v.shape == phrase || v.num.spelled:
		return 2.2
	case s.kind == "string":
		return 1.5
	}
	return 1.2
}

// least is the affinity that a required slot asks for. A number that stands
// in the question stands there for some slot; its words do not.
func (s *slot) least() float64 { return pick(s.kind == "integer" || s.kind == "number", -1.5, 0) }

// pairScore is the affinity of a pair, or none where it is too small. Equal
// pairs go in the order in which both stand: x and y, 4 and 5.
func (m *match) pairScore(s *slot, v *value, place places) float64 {
	total, evidence := m.affinity(s, v)
	if total <= none {
		return none
	}
	if s.required && total < s.least() || !s.required && (evidence < s.threshold(v) || total < 1) {
		return none
	}
	apart := place.slot - place.value
	return total - 0.3*apart*apart
}

// overlap finds two pairings whose values share a word, and says which of
// them is the weaker; -1 where there are none.
func overlap(got []pairing, vs []value) int {
	for a := range got {
		for b := a + 1; b < len(got); b++ {
			va, vb := vs[got[a].value], vs[got[b].value]
			if va.from < vb.to && vb.from < va.to {
				if got[a].score < got[b].score {
					return a
				}
				return b
			}
		}
	}
	return -1
}

// hungarian is the Kuhn–Munkres algorithm (shortest augmenting paths, as in
// Jonker and Volgenant 1987) for the greatest sum. Each row has a column of
// its own that stands for taking nothing.
func hungarian(score [][]float64, empty func(row int) float64) []pairing {
	rows := len(score)
	if rows == 0 {
		return nil
	}
	cols := len(score[0]) + rows
	cost := func(i, j int) float64 {
		if j >= len(score[0]) {
			return empty(i)
		}
		if score[i][j] <= none {
			return 1000
		}
		return -score[i][j]
	}
	u, v := make([]float64, rows+1), make([]float64, cols+1)
	match, way := make([]int, cols+1), make([]int, cols+1)
	for i := 1; i <= rows; i++ {
		match[0] = i
		j0 := 0
		dist := make([]float64, cols+1)
		used := make([]bool, cols+1)
		for j := range dist {
			dist[j] = math.Inf(1)
		}
		for match[j0] != 0 {
			used[j0] = true
			i0, j1, delta := match[j0], 0, math.Inf(1)
			for j := 1; j <= cols; j++ {
				if used[j] {
					continue
				}
				if c := cost(i0-1, j-1) - u[i0] - v[j]; c < dist[j] {
					dist[j], way[j] = c, j0
				}
				if dist[j] < delta {
					delta, j1 = dist[j], j
				}
			}
			for j := 0; j <= cols; j++ {
				if used[j] {
					u[match[j]] += delta
					v[j] -= delta
				} else {
					dist[j] -= delta
				}
			}
			j0 = j1
		}
		for j0 != 0 {
			match[j0] = match[way[j0]]
			j0 = way[j0]
		}
	}
	var got []pairing
	for j := 1; j <= len(score[0]); j++ {
		if i := match[j]; i > 0 && score[i-1][j-1] > none {
			got = append(got, pairing{i - 1, j - 1, score[i-1][j-1]})
		}
	}
	return got
}
