package trace

// OriginBody is the source of one argument in the conversation of a client. It has places
// and digests, and no words unless the setting record_words is on.
type OriginBody struct {
	Pointer string `json:"pointer"` // of the argument, RFC 6901
	Origin  string `json:"origin"`  // see gate/origin
	Message int    `json:"message,omitempty"`
	How     string `json:"how,omitempty"`   // how the message was written
	Start   int    `json:"start,omitempty"` // the place in the text of the message or the result, in bytes
	End     int    `json:"end,omitempty"`
	Result  int    `json:"result,omitempty"` // the number of the result in the conversation
	Run     string `json:"run,omitempty"`    // that got the result
	Server  string `json:"server,omitempty"`
	Tool    string `json:"tool,omitempty"`
	At      string `json:"at,omitempty"`     // JSON Pointer within a structured result
	Open    bool   `json:"open,omitempty"`   // the result's tool reaches an open world
	By      string `json:"by,omitempty"`     // how the value was derived
	Digest  string `json:"digest,omitempty"` // of the source's text
	Words   string `json:"words,omitempty"`  // around it in the message, redacted; only with the setting record_words
	Marked  bool   `json:"marked,omitempty"` // a person has to check it

	Also *AlsoBody `json:"also,omitempty"` // another result that has the value; nil if none has
}

// AlsoBody is a result with the value of an argument in a sentence, where the argument has another
// source. The sentence may be an order to the client's model.
type AlsoBody struct {
	Result int    `json:"result"` // the number of the result in the conversation
	Run    string `json:"run"`
	Server string `json:"server"`
	Tool   string `json:"tool"`
	At     string `json:"at,omitempty"`
	Open   bool   `json:"open,omitempty"`
}
