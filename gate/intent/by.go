package intent

import "github.com/onestep-run/onestep/gate/speech"

// How a value was derived.
const (
	byPart       = "part"
	byAddress    = "address" // a part of an address; the host is left over
	byNumber     = speech.Respelled
	byNumberWord = speech.InWords
	byMagnitude  = speech.Magnified
	byPercentage = speech.Percentage
	byUnit       = speech.InUnit
	byDateWords  = "date in words"
	byDate       = "date or time"
	byForm       = "form" // of a word
	byZone       = "zone"
	byCurrency   = "currency"
	byCountry    = "country"
	byName       = "name"      // of the parameter, in the question
	byDirection  = "direction" // the word before a value
	byOrder      = "order"     // of the two values of a pair, without a word that distinguishes them
)
