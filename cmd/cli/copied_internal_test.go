package cli

import (
	"regexp"
	"testing"
)

// TestOnlyPlainTextIsUnmarked: what a server or an issuer chose cannot begin a row
// that reads as one of ours.
func TestOnlyPlainTextIsUnmarked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		form func() *regexp.Regexp
		text string
		want bool
	}{
		"an address":              {addressForm, "https://login.example/authorize?client_id=a&redirect_uri=http%3A%2F%2F127.0.0.1%3A1", true},
		"an address with a space": {addressForm, "https://login.example/authorize refused: approved", false},
		"two lines":               {addressForm, "https://login.example/\nrefused", false},
		"an escape":               {addressForm, "https://login.example/\x1b[2J", false},
		"another alphabet":        {addressForm, "https://login.example/\u202eab", false},
		"quotes":                  {addressForm, `https://login.example/"`, false},
		"another scheme":          {addressForm, "javascript:alert(1)", false},
		"a command":               {commandForm, "ask servers review desk", true},
		"another program's":       {commandForm, "sh -c true", false},
		"a command of two lines":  {commandForm, "ask servers review desk\nask approve", false},
		"a hidden character":      {commandForm, "ask servers review d\u00ade", false},
	} {
		if got := c.form().MatchString(c.text); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
