package schema_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/schema"
)

var formats = map[string]struct{ good, bad []string }{
	"uuid": {
		[]string{"2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2EB8AA08-AA98-11EA-B4AA-73B441D16380", "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"},
		[]string{
			"", "2eb8aa08-aa98-11ea-b4aa-73b441d1638", "2eb8aa08-aa98-11ea-b4aa-73b441d163800", "2eb8aa08aa9811eab4aa73b441d16380", "{2eb8aa08-aa98-11ea-b4aa-73b441d16380}",
			"urn:uuid:2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2eb8aa08-aa98-11ea-b4aa-73b441d1638g", "2eb8aa0-8aa98-11ea-b4aa-73b441d16380", " 2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2eb8aa08-aa98-11ea-b4aa-73b441d16380\n",
		},
	},
	"date": {
		[]string{"1963-06-19", "2020-02-29", "0001-01-01", "9999-12-31"},
		[]string{"", "06/19/1963", "2021-02-29", "2021-13-01", "2021-00-10", "2021-01-32", "2021-1-1", "2021-01-01T00:00:00Z", "2021-01-01Z", "20210101", "2021-W01-1", "21-01-01", "१९६३-06-19", "2021-01-01 ", "+2021-01-01"},
	},
	"date-time": {
		[]string{"1963-06-19T08:30:06.283185Z", "1963-06-19T08:30:06Z", "1990-12-31T15:59:50.123-08:00", "1963-06-19t08:30:06z", "1998-12-31T23:59:60Z", "1998-12-31T15:59:60.123-08:00", "2021-01-01T00:00:00+23:59"},
		[]string{
			"", "1963-06-19", "1963-06-19T08:30:06", "1963-06-19 08:30:06Z", "1963-06-19T24:00:00Z", "1963-06-19T08:60:00Z", "1998-12-31T23:58:60Z", "1998-12-31T22:59:60Z", "1998-12-31T23:59:61Z", "1990-02-31T15:59:59.123-08:00",
			"1963-06-19T08:30:06.Z", "1963-06-19T08:30:06,5Z", "1963-06-19T8:30:06Z", "2021-01-01T00:00:00+24:00", "2021-01-01T00:00:00+01:60", "2021-01-01T00:00:00+0100", "2013-350T01:01:01Z", "1963-06-19T08:30:06.28123+01:00Z", "06/19/1963 08:30:06 PST", "1963-06-1৪T00:00:00Z",
		},
	},
	"email": {
		[]string{"joe.bloggs@example.com", "te~st@example.com", "~test@example.com", "test~@example.com", "te.s.t@example.com", `"joe bloggs"@example.com`, `"joe..bloggs"@example.com`, `"joe@bloggs"@example.com`, "joe@[127.0.0.1]", "joe@[IPv6:::1]", "joe@localhost", "a+b@x-y.example"},
		[]string{
			"", "2962", "@example.com", "joe@", ".test@example.com", "test.@example.com", "te..st@example.com", "joe@@example.com", "joe@example.com ", "Joe <joe@example.com>", "joe@example..com", "joe@-example.com", "joe@example-.com", "joe@[127.0.0.300]", "joe@[::1]", "joe@[IPv6:127.0.0.1]", "joe@[127.0.0.1",
			"joe@exa_mple.com", "jöe@example.com", "joe@exämple.com", "joe bloggs@example.com", `"joe"bloggs@example.com`, "joe@example.com\nBcc: x@example.com", strings.Repeat("a", 65) + "@example.com", "a@" + strings.Repeat("b.", 130) + "c",
		},
	},
	"uri": {
		[]string{
			"http://foo.bar/?baz=qux#quux", "http://foo.com/blah_(wikipedia)_blah#cite-1", "http://foo.bar/?q=Test%20URL-encoded%20stuff", "http://-.~_!$&'()*+,;=:%40:80%2f::::::@example.com", "http://223.255.255.254", "ftp://ftp.is.co.za/rfc/rfc1808.txt",
			"ldap://[2001:db8::7]/c=GB?objectClass?one", "mailto:John.Doe@example.com", "news:comp.infosystems.www.servers.unix", "tel:+1-816-555-1212", "urn:oasis:names:specification:docbook:dtd:xml:4.1.2", "file:///etc/passwd", "data:,x", "http://example.com:", "a:", "https://[::1]:8080/",
		},
		[]string{
			"", "//foo.bar/?baz=qux#quux", "/abc", `\\WINDOWS\fileshare`, "abc", "http:// shouldfail.com", ":// should fail", "bar,baz:qux", "1http://x", "http://foo.bar/ x", "http://foo.bar/<x>", "http://foo.bar/\"", "http://foo.bar/{x}", "http://foo.bar/^x", "http://foo.bar/`x`", `http://foo.bar\x`,
			"http://foo.bar/%zz", "http://foo.bar/%2", "http://foo.bar/#a#b", "http://[::1", "http://::1]/", "http://[1.2.3.4]/", "http://[::g]/", "http://foo:bar/", "http://foo.bar/[x]", "http://foo.bar/ä", "http://foo.bar/\n", "http://a@b@c/", "http://foo:99999x/",
		},
	},
	"json": {
		[]string{`{}`, ` [1, 2] `, `"x"`, `null`, `1e3`},
		[]string{``, `{`, `{'a':1}`, `{"a":1,"a":2}`, `{} {}`, `undefined`, "\"\t\"", `[1,]`, strings.Repeat("[", 100) + strings.Repeat("]", 100)},
	},
}

func TestFormatsAreEnforcedWhateverTheDraft(t *testing.T) {
	t.Parallel()
	for name, f := range formats {
		for _, draft := range []string{"", `"$schema":"http://json-schema.org/draft-07/schema#",`, `"$schema":"https://json-schema.org/draft/2020-12/schema",`} {
			v := compiled(t, fmt.Appendf(nil, `{%s"format":%q}`, draft, name), schema.Output)
			not := compiled(t, fmt.Appendf(nil, `{%s"not":{"type":"string","format":%q}}`, draft, name), schema.Output)
			verdict := func(s string, want bool) {
				t.Helper()
				value := text(t, s)
				if err := v.Check(value); (err == nil) != want {
					t.Errorf("%s %s: got %v, want valid %v", name, value, err, want)
				}
				if err := not.Check(value); (err == nil) == want {
					t.Errorf("not %s %s: got %v", name, value, err)
				}
			}
			for _, s := range f.good {
				verdict(s, true)
			}
			for _, s := range f.bad {
				verdict(s, false)
			}
			for _, other := range []string{`1`, `null`, `true`, `[]`, `{}`} {
				if err := v.Check([]byte(other)); err != nil {
					t.Errorf("%s says something about %s: %v", name, other, err)
				}
			}
		}
	}
}

func TestInt32IsARangeOfIntegers(t *testing.T) {
	t.Parallel()
	v := compiled(t, []byte(`{"format":"int32"}`), schema.Output)
	for value, want := range map[string]bool{
		`0`: true, `-0`: true, `2147483647`: true, `-2147483648`: true, `1.0`: true, `1e9`: true, `2147483648`: false, `-2147483649`: false, `1.5`: false, `1e10`: false, `1e-1`: false,
		`9007199254740993`: false, `"x"`: true, `null`: true, `[1.5]`: true,
	} {
		if err := v.Check([]byte(value)); (err == nil) != want {
			t.Errorf("%s: got %v, want valid %v", value, err, want)
		}
	}
}

func FuzzFormats(f *testing.F) {
	for _, list := range formats {
		for _, s := range append(list.good, list.bad...) {
			f.Add(s)
		}
	}
	checks := map[string]schema.Validator{}
	for name := range formats {
		checks[name] = compiled(f, []byte(`{"format":`+strconv.Quote(name)+`}`), schema.Output)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for name, v := range checks {
			if name != "json" && v.Check(text(t, s)) == nil && strings.ContainsAny(s, "\x00\n\r\x1b\u202e") {
				t.Errorf("%s takes %q", name, s)
			}
		}
	})
}
