#!/usr/bin/env bash
# A token that lives for 3600.0 seconds fails the login of a Go client; a lifetime of "3600" does not.
#
# Guess:   expires_in is a JSON number, so 3600 and 3600.0 are the same and the text "3600" is wrong.
# Happens: golang.org/x/oauth2 takes the text, which the RFC does not allow, and returns an error for 3600.0, the
#          number that Python's timedelta.total_seconds() gives. The code of the login is spent by then. The OAuth
#          types of the Python SDK of MCP take both.
# Package: Go modules golang.org/x/oauth2 v0.38.0; PyPI mcp 2.3.0
# Other:   golang.org/x/oauth2 v0.37.0
# Seen:    2026-11-27
# Meets:   Authorization servers written in Python that have clients in Go.

. "$(dirname "$0")/lib/finding.bash"

cat >main.go <<'END'
package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"

	"golang.org/x/oauth2"
)

func main() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"access_token": "t", "token_type": "Bearer", "expires_in": %s}`, r.FormValue("code"))
	}))
	defer server.Close()
	config := oauth2.Config{ClientID: "c", Endpoint: oauth2.Endpoint{TokenURL: server.URL, AuthStyle: oauth2.AuthStyleInParams}}
	for _, lifetime := range os.Args[1:] {
		token, err := config.Exchange(context.Background(), lifetime)
		if err != nil {
			fmt.Println("Go,", lifetime, err)
			continue
		}
		fmt.Println("Go,", lifetime, token.ExpiresIn)
	}
}
END
go_build golang.org/x/oauth2@v0.38.0
pip_install mcp==2.3.0
cat >finding.py <<'END'
import sys
from mcp.shared.auth import OAuthToken

for lifetime in sys.argv[1:]:
    answer = '{"access_token": "t", "token_type": "Bearer", "expires_in": %s}' % lifetime
    print("Python,", lifetime, OAuthToken.model_validate_json(answer).expires_in)
END
hour=$(python3 -c 'import datetime, json; print(json.dumps(datetime.timedelta(hours=1).total_seconds()))')
./main 3600 '"3600"' "$hour" >>seen
venv/bin/python finding.py 3600 '"3600"' "$hour" >>seen

expect <<'END'
golang.org/x/oauth2 v0.38.0
mcp 2.3.0
Go, 3600 3600
Go, "3600" 3600
Go, 3600.0 oauth2: cannot parse json: strconv.ParseInt: parsing "3600.0": invalid syntax
Python, 3600 3600
Python, "3600" 3600
Python, 3600.0 3600
END
