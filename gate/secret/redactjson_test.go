package secret_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/secret"
)

func TestOfADocumentStringsAndNamesAreRedacted(t *testing.T) {
	t.Parallel()
	key, jwt := "ghp_"+fill(36, alnum), shaped()["jwt"][1]
	for in, want := range map[string]string{
		`{"a" : 1.50, "b":[true,null]}`:                    "",
		`{"a":"` + key + `","n":9007199254740993}`:         `{"a":"[redacted:github-token]","n":9007199254740993}`,
		`{"a":"gh\u0070_` + key[4:] + `"}`:                 `{"a":"[redacted:github-token]"}`,
		`{"` + key + `":1, "` + key + `1":2}`:              `{"[redacted:github-token]":1, "[redacted:github-token] 1":2}`,
		`{"password":"correct-h0rse","user":"ada"}`:        `{"password":"[redacted:assigned-secret]","user":"ada"}`,
		`{"password":"correct horse"}`:                     `{"password":"[redacted:assigned-secret]"}`,
		`{"client_secret":"hunter2 is great"}`:             `{"client_secret":"[redacted:assigned-secret]"}`,
		`{"token":"qwertyuiopasdfghjkl"}`:                  `{"token":"[redacted:assigned-secret]"}`,
		`{"db_password":"swordfish","Secret":"open it"}`:   `{"db_password":"[redacted:assigned-secret]","Secret":"[redacted:assigned-secret]"}`,
		`[{"password":null},"correct horse",{"a":1}]`:      "",
		`{"password":["correct horse"],"b":"correct"}`:     "",
		`{"password":"","token":"the next page of it"}`:    "",
		`{"password":"********","secret":"<your secret>"}`: "",
		`{"[redacted:assigned-secret]":"hunter2 or so"}`:   "",
		`{"name":"DB_PASSWORD","value":"swordfish"}`:       `{"name":"DB_PASSWORD","value":"[redacted:assigned-secret]"}`,
		`[{"name":"DB_PASSWORD"},{"value":"swordfish"}]`:   "",
		`{"Cookie":"lang=de; sid=abc123def456; theme=2"}`:  `{"Cookie":"lang=de; sid=[redacted:cookie]; theme=2"}`,
		`{"auth":"YWRhOkdpbmtnbzIwMjY="}`:                  `{"auth":"[redacted:assigned-secret]"}`,
		`{"auth":"YXV0aGVudGljYXRlZCBvbmx5"}`:              "",
		`{"password":"string","secret":"${SECRET}"}`:       "",
		`{"secret":"vault://kv/db","password":"required"}`: "",
		`{"password":"[redacted:assigned-secret]"}`:        "",
		`{"token":"kubernetes"}`:                           "",
		`{"password":{"type":"correct-h0rse"}}`:            "",
		`{"password":7,"x":"correct-h0rse"}`:               "",
		`{"description":"password: string"}`:               "",
		`{"next_page_token":"` + fill(40, alnum) + `"}`:    "",
		`["\"api_key\": \"` + fill(32, alnum) + `\"", ""]`: `["\"api_key\": \"[redacted:assigned-secret]\"", ""]`,
		`"a\n` + jwt + `\u0000"`:                           `"a\n[redacted:jwt]\u0000"`,
		// A text that is a document has escapes and members of its own.
		`{"text":"{\"a\":\"\\u0067hp_` + key[4:] + `\"}"}`:    `{"text":"{\"a\":\"[redacted:github-token]\"}"}`,
		`{"text":"[\"postgres:\\/\\/ada:hunter2x@db\\/x\"]"}`: `{"text":"[\"postgres://ada:[redacted:url-password]@db/x\"]"}`,
		`{"text":"{\"password\":\"hunter2 is great\"}"}`:      `{"text":"{\"password\":\"[redacted:assigned-secret]\"}"}`,
		`{"text":"{\"a\\/b\":1"}`:                             "",
		`  "` + jwt + `"  `:                                   `  "[redacted:jwt]"  `,
	} {
		if want == "" {
			want = in
		}
		got, found, err := secret.RedactJSON([]byte(in))
		if err != nil || string(got) != want || (len(found) > 0) != (want != in) {
			t.Errorf("%s: %s, %v, %v", in, got, found, err)
		}
	}
	for _, in := range []string{"", "{", `"` + key, `{"a":1}{"b":2}`, `{"a":"\ud800"}`, `{"` + key + `":1,"` + key + `":2}`, "\"\xff\""} {
		if got, found, err := secret.RedactJSON([]byte(in)); err == nil || got != nil || found != nil || strings.Contains(err.Error(), key) {
			t.Errorf("%q: %q, %v, %v", in, got, found, err)
		}
	}
}

// What a result attaches is bytes in base64. Redaction leaves them alone, and
// they are no text that is scanned either.
func TestAttachedBytesAreLeftAlone(t *testing.T) {
	t.Parallel()
	key := "AKIA" + fill(16, upper) // it is base64, too
	for in, redacted := range map[string]bool{
		`{"content":[{"type":"image","data":"` + key + `"}]}`:                       false,
		`{"content":[1,{"data":"` + key + `","type":"audio"}]}`:                     false,
		`{"content":[{"resource":{"uri":"x","blob":"` + key + `"}}]}`:               false,
		`{"content":[{"data":"` + key + `, "}]}`:                                    true, // not base64
		`{"content":[{"data":"` + key + `="}]}`:                                     true,
		`{"content":[{"text":"` + key + `"}]}`:                                      true,
		`{"content":[{"resource":{"text":"` + key + `"}}]}`:                         true,
		`{"content":[{"resource":{"data":"` + key + `"}}]}`:                         true,
		`{"content":[{"a":null,"data":{"data":"` + key + `"}}]}`:                    true,
		`{"structuredContent":[{"data":"` + key + `"}]}`:                            true,
		`{"content":[],"x":[{"data":"` + key + `"}]}`:                               true,
		`{"content":[{"` + key + `":"data"}]}`:                                      true,
		`{"a":{"content":[{"data":"` + key + `"}]}}`:                                true,
		`{"content":[[{"data":"` + key + `"}]]}`:                                    true,
		`{"content":[{"data":["` + key + `"]}], "\u0063ontent2":"` + key[:8] + `"}`: true,
	} {
		got, found, err := secret.RedactJSON([]byte(in))
		if err != nil || (len(found) > 0) != redacted || (string(got) != in) != redacted {
			t.Errorf("%s: %s, %v, %v", in, got, found, err)
		}
	}
}

func FuzzRedactJSON(f *testing.F) {
	for _, c := range shaped() {
		f.Add(`{"a":["` + c[1] + `"],"` + c[1] + `":1e400}`)
		f.Add(`{"text":"{\"a\":\"\\u00` + hex.EncodeToString([]byte(c[1][:1])) + c[1][1:] + `\",\"password\":\"` + c[1] + `\b\"}"}`)
		f.Add(`{"text":"{\"a\":\"\\u00` + hex.EncodeToString([]byte(c[1][:1])) + c[1][1:] + `\",\"password\":\"` + c[1] + ` is it\"}"}`)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once, found, err := secret.RedactJSON([]byte(s))
		if err != nil {
			return
		}
		if (len(found) == 0) != (string(once) == s) {
			t.Errorf("%v of %q", found, s)
		}
		twice, again, err := secret.RedactJSON(once)
		if err != nil && len(found) == 0 || err == nil && (string(twice) != string(once) || again != nil) {
			t.Errorf("%q becomes %q: %v, %v", once, twice, again, err)
		}
	})
}
