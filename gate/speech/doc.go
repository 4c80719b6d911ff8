// Package speech reads English. Of a question ([Text]) it reads tokens with their places,
// numbers, units, dates and times, the names of places and money, and how a sentence uses
// its verbs. Of prose that others wrote ([Words]) it reads words and sentences, with their
// places in the given bytes, also inside of quotations.
//
// It vouches that each reading is the only reading of its words by the tables and forms
// of this package, and that its cost is in proportion to the text. It does not understand,
// and has no opinion. Other packages decide whether a value is in a question, where it
// goes, and whether a text gives orders: the intent lock (gate/intent), the embedded
// planner, the scan (gate/scan) and the review of tools (gate/pin). testdata/readings.txt
// shows the readings.
package speech
