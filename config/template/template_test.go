package template_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/config/template"
	"github.com/onestep-run/onestep/gate/verdict"
)

// The templates name no variable that is not an input, and can be filled.
func TestEachTemplateCanBeFilled(t *testing.T) {
	t.Parallel()
	for _, one := range template.All() {
		values := map[string][]string{}
		for _, in := range one.Inputs {
			if !in.Secret {
				values[in.Name] = []string{"/srv/a"}
			}
		}
		s, err := one.Fill(values)
		if err == nil {
			_, err = config.NewServers("/", map[string]config.Spec{one.Name: s})
		}
		if err != nil {
			t.Errorf("%s: %v", one.Name, err)
		}
		for field, text := range s.Fields() {
			if strings.Contains(text, "${") && one.Name != "github" {
				t.Errorf("%s: %s is %s", one.Name, field, text)
			}
		}
	}
}

var filled = template.Template{
	Name: "x", Inputs: []template.Input{
		{Name: "DIR", Required: true, Repeated: true, Format: "filepath"},
		{Name: "PORT", Format: "number", Default: "80"},
		{Name: "MODE", Choices: []string{"a", "b"}},
		{Name: "DEEP", Format: "boolean"},
		{Name: "KEY", Secret: true, Required: true},
		{Name: "SECOND", Secret: true},
	},
	Arguments: []string{"--dir=${DIR}"},
	Server: config.Spec{
		Command: "run", Args: []string{"--port=${PORT}", "--mode=${MODE}", "--deep=${DEEP}", "--key=${KEY}"},
		Env: map[string]string{"MODE": "${MODE}", "KEY": "k ${KEY}", "SECOND": "${SECOND}", "FIXED": "1"},
	},
}

func TestATemplateIsFilled(t *testing.T) {
	t.Parallel()
	dir := []string{"/a", "/b"}
	for _, c := range []struct {
		values  map[string][]string
		secrets []string
		args    string
		env     map[string]string
		wrong   string
	}{
		{map[string][]string{"DIR": dir}, nil, "--port=80 --key=${KEY} --dir=/a --dir=/b", map[string]string{"KEY": "k ${KEY}", "FIXED": "1"}, ""},
		{
			map[string][]string{"DIR": dir[:1], "MODE": {"b"}, "PORT": {"8"}, "DEEP": {"true"}},
			[]string{"SECOND"},
			"--port=8 --mode=b --deep=true --key=${KEY} --dir=/a",
			map[string]string{"KEY": "k ${KEY}", "FIXED": "1", "MODE": "b", "SECOND": "${SECOND}"},
			"",
		},
		{nil, nil, "", nil, "DIR is missing"},
		{map[string][]string{"DIR": {"${HOME}"}}, nil, "", nil, "not a value of the input DIR"},
		{map[string][]string{"DIR": {"a\nb"}}, nil, "", nil, "not a value"},
		{map[string][]string{"DIR": dir, "MODE": {"c"}}, nil, "", nil, "not a value of the input MODE"},
		{map[string][]string{"DIR": dir, "PORT": {"x"}}, nil, "", nil, "not a value"},
		{map[string][]string{"DIR": dir, "PORT": {"1", "2"}}, nil, "", nil, "takes one value"},
		{map[string][]string{"DIR": dir, "DEEP": {"1"}}, nil, "", nil, "not a value"},
		{map[string][]string{"DIR": dir, "KEY": {"s3cret"}}, nil, "", nil, "is a secret"},
		{map[string][]string{"DIR": dir, "OTHER": {"1"}}, nil, "", nil, "no input OTHER"},
	} {
		s, err := filled.Fill(c.values, c.secrets...)
		if c.wrong != "" {
			if verdict.CodeOf(err) != verdict.UsageArgument || !strings.Contains(err.Error(), c.wrong) || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("%v: %v, want %s", c.values, err, c.wrong)
			}
			continue
		}
		if got := strings.Join(s.Args, " "); err != nil || got != c.args || !reflect.DeepEqual(s.Env, c.env) {
			t.Errorf("%v: %s %v, %v", c.values, got, s.Env, err)
		}
	}
	if filled.Server.Args[0] != "--port=${PORT}" || len(filled.Server.Env) != 4 {
		t.Error("the template was changed")
	}
}

func usual(kind, address string) bool { return kind == "npm" && address == "https://registry.example" }

const document = `{"$schema":"s","name":"com.example/weather","title":"Weather","description":"Says the weather\u001b[2J","version":"1.2.3",
"repository":{"url":"https://forge.example/w","source":"forge"},
"packages":[
 {"registryType":"npm","registryBaseUrl":"https://registry.example","identifier":"@example/weather","version":"1.2.3","runtimeHint":"npx","fileSha256":"00",
  "transport":{"type":"stdio"},
  "runtimeArguments":[{"type":"positional","value":"-y"}],
  "packageArguments":[{"type":"positional","valueHint":"city","isRequired":true,"isRepeated":true,"description":"a city","placeholder":"Kiel"},
   {"type":"named","name":"--unit","default":"C","choices":["C","F"]},{"type":"named","name":"--at","value":"{host}:{port}/{x}","variables":{"host":{"isRequired":true},"port":{"value":"99"}}}],
  "environmentVariables":[{"name":"WEATHER_KEY","isSecret":true,"isRequired":true,"default":"d"},{"name":"LANG","value":"C"}]},
 {"registryType":"oci","identifier":"images.example/w/weather:1.2.3","transport":{"type":"stdio"},"environmentVariables":[{"name":"WEATHER_KEY","isSecret":true}]},
 {"registryType":"mcpb","identifier":"https://a.example/w.mcpb","transport":{"type":"stdio"}},
 {"registryType":"npm","registryBaseUrl":"https://other.example","identifier":"weather","version":"1.2.3","transport":{"type":"stdio"}}],
"remotes":[{"type":"streamable-http","url":"https://{tenant}.example/mcp","variables":{"tenant":{"isRequired":true,"odd":1}},
  "headers":[{"name":"Authorization","value":"Bearer {token}","variables":{"token":{"isSecret":true,"isRequired":true}}}]},
 {"type":"carrier-pigeon","url":"https://a.example"}]}`

// Each part of a document of a registry is converted, or named.
func TestADocumentOfARegistryBecomesTemplates(t *testing.T) {
	t.Parallel()
	all, left, err := template.FromRegistry([]byte(document), usual)
	if err != nil || len(all) != 3 {
		t.Fatalf("%+v, %v", all, err)
	}
	for i, want := range []config.Spec{
		{
			Command: "npx", Args: []string{"-y", "@example/weather@1.2.3", "${city}", "--unit=${unit}", "--at=${at_host}:99/{x}"},
			Env: map[string]string{"WEATHER_KEY": "${WEATHER_KEY}", "LANG": "C"},
		},
		{Command: "docker", Args: []string{"run", "-i", "--rm", "-e", "WEATHER_KEY", "images.example/w/weather:1.2.3"}, Env: map[string]string{"WEATHER_KEY": "${WEATHER_KEY}"}},
		{Type: "http", URL: "https://${tenant}.example/mcp", Headers: map[string]string{"Authorization": "Bearer ${Authorization_token}"}},
	} {
		if diff := cmp.Diff(want, all[i].Server); diff != "" || all[i].Name != "weather" || strings.Contains(all[i].Meaning, "\x1b") {
			t.Errorf("template %d is %s: %s", i, all[i].Name, diff)
		}
	}
	inputs := []template.Input{
		{Name: "WEATHER_KEY", Secret: true, Required: true},
		{Name: "city", Description: "a city (such as Kiel)", Required: true, Repeated: true},
		{Name: "unit", Default: "C", Choices: []string{"C", "F"}},
		{Name: "at_host", Required: true},
	}
	if diff := cmp.Diff(inputs, all[0].Inputs); diff != "" {
		t.Error(diff)
	}
	var at []string
	for _, p := range left {
		at = append(at, p.At)
		if p.Why == "" {
			t.Errorf("%s is left out without a reason", p.At)
		}
	}
	slices.Sort(at)
	want := []string{
		"/$schema", "/packages/0/environmentVariables/0/default", "/packages/0/fileSha256", "/packages/2", "/packages/3",
		"/remotes/0/variables/tenant/odd", "/remotes/1", "/repository", "/title", "/version",
	}
	if diff := cmp.Diff(want, at); diff != "" {
		t.Error(diff)
	}
	wrapped, more, err := template.FromRegistry([]byte(`{"server":`+document+`,"_meta":{"a":1}}`), usual)
	if err != nil || !reflect.DeepEqual(wrapped, all) || len(more) < len(left) || more[0].At != "/_meta" && more[0].At != "/server/$schema" {
		t.Errorf("an answer of a registry: %d templates, %v, %v", len(wrapped), more, err)
	}
}

// A package that could be another one, or whose text means something else in a servers file,
// is left out whole.
func TestWhatADocumentCannotSay(t *testing.T) {
	t.Parallel()
	pack := func(more string) string {
		return `{"name":"a/b","packages":[{"registryType":"npm","identifier":"b","version":"1.0.0","transport":{"type":"stdio"}` + more + `}]}`
	}
	for name, c := range map[string]struct{ document, why string }{
		"a range":                   {strings.Replace(pack(""), "1.0.0", "^1.0.0", 1), "one exact package"},
		"the latest":                {strings.Replace(pack(""), "1.0.0", "latest", 1), "one exact package"},
		"no version":                {strings.Replace(pack(""), `"1.0.0"`, `""`, 1), "one exact package"},
		"an option as a name":       {strings.Replace(pack(""), `"b"`, `"--package=evil"`, 1), "one exact package"},
		"an address as a name":      {strings.Replace(pack(""), `"b"`, `"https://a.example/x.tgz"`, 1), "one exact package"},
		"an image without a tag":    {`{"name":"a/b","packages":[{"registryType":"oci","identifier":"images.example:5000/b","transport":{"type":"stdio"}}]}`, "one exact package"},
		"another launcher":          {pack(`,"runtimeHint":"sh"`), "npx would start it"},
		"a process with an address": {strings.Replace(pack(""), `"stdio"`, `"streamable-http","url":"http://localhost:1"`, 1), "over stdio"},
		"a variable of the user":    {pack(`,"environmentVariables":[{"name":"A","value":"${HOME}"}]`), "has ${"},
		"a default of the user's":   {pack(`,"environmentVariables":[{"name":"A","default":"${HOME}"}]`), "the default"},
		"an inserted variable":      {pack(`,"environmentVariables":[{"name":"A","value":"{b}","variables":{"b":{"value":"${HOME}"}}}]`), "has ${"},
		"a secret":                  {pack(`,"environmentVariables":[{"name":"API_TOKEN","value":"abcdef0123456789"}]`), "a secret itself"},
		"two inputs of one name":    {pack(`,"packageArguments":[{"type":"named","name":"--a"},{"type":"named","name":"-a"}]`), "two of its inputs"},
		"a variable twice":          {pack(`,"environmentVariables":[{"name":"A","value":"1"},{"name":"A","value":"2"}]`), "the name of another"},
		"no argument":               {pack(`,"packageArguments":[{"type":"positional"}]`), "neither"},
		"a line in an argument":     {pack(`,"packageArguments":[{"type":"positional","value":"a\nb"}]`), "not visible"},
		"a number as a default":     {pack(`,"environmentVariables":[{"name":"A","default":1}]`), "it has"},
	} {
		all, left, err := template.FromRegistry([]byte(c.document), usual)
		if err != nil || len(all) != 0 || len(left) != 1 || left[0].At != "/packages/0" || !strings.Contains(left[0].Why, c.why) {
			t.Errorf("%s: %+v, left %+v, %v", name, all, left, err)
		}
	}
	for _, wrong := range []string{``, `[]`, `{}`, `{"name":1}`, `{"name":"a/b","name":"a/c"}`, `{"name":"a/b","packages":{}}`} {
		if _, _, err := template.FromRegistry([]byte(wrong), usual); verdict.CodeOf(err) != verdict.ConfigInvalid {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

// A remote server of a document is reached once its inputs are given.
func TestAServerOfADocumentIsReached(t *testing.T) {
	t.Parallel()
	s := mcp.NewServer(&mcp.Implementation{Name: "w", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "weather", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{}, nil
	})
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer s3cret" || r.URL.Path != "/kiel/mcp" {
			http.Error(w, "who is asking?", http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	all, _, err := template.FromRegistry([]byte(strings.Replace(document, "https://{tenant}.example/mcp", web.URL+"/{tenant}/mcp", 1)), usual)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := all[2].Fill(map[string][]string{"tenant": {"kiel"}})
	if err != nil {
		t.Fatal(err)
	}
	servers, err := config.NewServers("/", map[string]config.Spec{"weather": spec})
	if err != nil {
		t.Fatal(err)
	}
	allow := config.LoadAllowlist("/nowhere")
	inv, err := setup.Open(config.Settings{}, setup.Options{
		Env:   func(name string) (string, bool) { return "s3cret", name == "Authorization_token" },
		Parts: setup.Parts{Registry: servers, Allowlist: &allow},
	})
	if err != nil {
		t.Fatal(err)
	}
	if l := inv.Target("weather", true).List(t.Context(), ""); l.Err != nil || len(l.Tools) != 1 {
		t.Errorf("%d tools, %v", len(l.Tools), l.Err)
	}
}
