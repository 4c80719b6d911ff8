// Package speech reads English: tokens with their places, numbers, units, dates and
// times, the names of places and money, and how a sentence speaks of its verbs.
//
// It vouches that each reading is the only one that its words have by the tables
// and forms of this package, and that its cost is in proportion to the text. It does
// not understand, and has no opinion: whether a value is in a question, where
// it goes, and whether a text gives orders is for the intent lock (gate/intent), the
// embedded planner, the scan (gate/scan) and the review of tools (gate/pin) to say.
// testdata/readings.txt shows what is read.
package speech
