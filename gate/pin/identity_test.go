package pin_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/pin"
)

func TestAnIdentityMatchesItselfAndTheZeroOneNothing(t *testing.T) {
	t.Parallel()
	full := pin.Identity{Kind: "stdio", Entry: "a", Endpoint: "b"}
	if !full.Matches(full) {
		t.Error("an identity does not match itself")
	}
	for name, other := range map[string]pin.Identity{
		"zero":             {},
		"no digests":       {Kind: "stdio"},
		"another entry":    {Kind: "stdio", Entry: "x", Endpoint: "b"},
		"another endpoint": {Kind: "stdio", Entry: "a", Endpoint: "x"},
		"no entry":         {Endpoint: "b"},
		"no endpoint":      {Entry: "a"},
		"the parts' order": {Entry: "b", Endpoint: "a"},
	} {
		if full.Matches(other) || other.Matches(full) {
			t.Errorf("%s matches", name)
		}
		if other.Matches(other) != (other.Entry != "" && other.Endpoint != "") {
			t.Errorf("%s, with itself: %v", name, other.Matches(other))
		}
	}
}

func TestAKeyedDigestTellsTextsApartAndNeedsItsKey(t *testing.T) {
	t.Parallel()
	if got := (pin.Key{}).Digest("a"); got != "" {
		t.Errorf("the zero key makes %s", got)
	}
	seen := map[string]string{}
	for name, got := range map[string]string{
		"ab":           pin.Key{1}.Digest("ab"),
		"a, b":         pin.Key{1}.Digest("a", "b"),
		"b, a":         pin.Key{1}.Digest("b", "a"),
		"ab, nothing":  pin.Key{1}.Digest("ab", ""),
		"nothing, ab":  pin.Key{1}.Digest("", "ab"),
		"1:a1:b":       pin.Key{1}.Digest("1:a1:b"),
		"invalid a":    pin.Key{1}.Digest("\xfe"),
		"invalid b":    pin.Key{1}.Digest("\xff"),
		"another key":  pin.Key{2}.Digest("ab"),
		"nothing":      pin.Key{1}.Digest(),
		"empty text":   pin.Key{1}.Digest(""),
		"in process":   pin.InProcess("kb", "1").Endpoint,
		"its entry":    pin.InProcess("kb", "1").Entry,
		"version 2":    pin.InProcess("kb", "2").Endpoint,
		"another name": pin.InProcess("kc", "1").Entry,
	} {
		if twin, twice := seen[got]; twice || !strings.Contains(got, "sha256:") {
			t.Errorf("%s has the digest %s, as %s", name, got, twin)
		}
		seen[got] = name
	}
	if pin.InProcess("kb", "1").Entry != pin.InProcess("kb", "2").Entry {
		t.Error("a version is part of the entry")
	}
}

func TestAnIdentityIsShownInALine(t *testing.T) {
	t.Parallel()
	for want, i := range map[string]pin.Identity{
		"stdio: npx (@a/b 1.2.3)":          {Kind: "stdio", Address: "npx", Package: "@a/b", Version: "1.2.3", Entry: "e", Endpoint: "f"},
		"stdio: uvx (b)":                   {Kind: "stdio", Address: "uvx", Package: "b"},
		"http: https://a.example":          {Kind: "http", Address: "https://a.example"},
		"http: at a configured address":    {Kind: "http"},
		"in-process: kb (0.1)":             pin.InProcess("kb", "0.1"),
		"unknown: at a configured address": {},
	} {
		if i.String() != want {
			t.Errorf("%+v is shown as %q", i, i.String())
		}
	}
}

func TestAPlaceMatchesItselfAndTheZeroOneNothing(t *testing.T) {
	t.Parallel()
	full := pin.PlaceOf([]byte(`{"command":"a"}`), "TOKEN")
	if !full.Matches(full) || full.Credential != "TOKEN" {
		t.Errorf("%+v does not match itself", full)
	}
	for name, other := range map[string]pin.Place{
		"zero":               {},
		"of no text":         pin.PlaceOf(nil, "TOKEN"),
		"a credential alone": {Credential: "TOKEN"},
		"no credential":      pin.PlaceOf([]byte(`{"command":"a"}`), ""),
		"another credential": pin.PlaceOf([]byte(`{"command":"a"}`), "TOKEN2"),
		"another text":       pin.PlaceOf([]byte(`{"command":"b"}`), "TOKEN"),
		"another spelling":   pin.PlaceOf([]byte(`{"command": "a"}`), "TOKEN"),
	} {
		if full.Matches(other) || other.Matches(full) {
			t.Errorf("%s matches", name)
		}
		if other.Matches(other) != (other.Entry != "") {
			t.Errorf("%s, with itself: %v", name, other.Matches(other))
		}
	}
}
