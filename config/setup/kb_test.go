package setup_test

import (
	"context"
	"net/http"
	"net/http/httptest"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/trust"
)

// serve serves the demo's policies over HTTP to clients that have the token.
func serve(d *demo.Demo, token string) *httptest.Server {
	h, err := d.Handler("mcp-policy-kb")
	if err != nil {
		panic(err)
	}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			http.Error(w, "who is asking?", http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, r)
	}))
}

// exported is what `ask servers export` prints once the demo's policies were
// approved under another name.
func exported(servers config.Servers, name string) []byte {
	book, err := trust.ParseFile(demo.Pins())
	if err != nil {
		panic(err)
	}
	at, _ := setup.InProcess{}.Place("mcp-policy-kb")
	pins, err := book.Pins(context.Background(), at)
	if err != nil {
		panic(err)
	}
	place, text := servers.Shared(name)
	file, err := trust.Export([]trust.Exported{{Name: name, Entry: text, Credential: place.Credential, Pins: pins}})
	if err != nil {
		panic(err)
	}
	return file
}
