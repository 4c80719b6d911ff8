package disk

// Restamped gives a stamp the facts of another one.
func Restamped(s, facts *Stamp) { s.own, s.leads, s.recent = facts.own, facts.leads, facts.recent }
