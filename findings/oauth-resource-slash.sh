#!/usr/bin/env bash
# Whether a slash at the end of the resource in a server's metadata matters is answered in three ways by three SDKs.
#
# Guess:   The three official SDKs agree on when the metadata of a protected resource is that of the server they talk
#          to.
# Happens: A server at /mcp whose metadata says /mcp/ is accepted by the Python SDK, refused by the TypeScript SDK and
#          by the Go SDK. The other way round TypeScript accepts it, and Go still refuses.
# Package: PyPI mcp 2.3.0; npm @modelcontextprotocol/client 2.4.0; Go modules github.com/modelcontextprotocol/go-sdk
#          v1.8.0
# Other:   github.com/modelcontextprotocol/go-sdk v1.7.0
# Seen:    2026-11-27
# Meets:   Operators of servers that a web framework mounts at a path with a final slash, and their users' logins.

. "$(dirname "$0")/lib/finding.bash"
pip_install mcp==2.3.0
npm_install @modelcontextprotocol/client@2.4.0

cat >main.go <<'END'
package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

func main() {
	var resource string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"resource": %q, "authorization_servers": ["https://login.example"]}`, resource)
	}))
	defer server.Close()
	resource = server.URL + os.Args[2]
	metadata := server.URL + "/.well-known/oauth-protected-resource/mcp"
	_, err := oauthex.GetProtectedResourceMetadata(context.Background(), metadata, server.URL+os.Args[1], server.Client())
	fmt.Printf("server %s, metadata %s: Go %t\n", os.Args[1], os.Args[2], err == nil)
}
END
go_build github.com/modelcontextprotocol/go-sdk@v1.8.0
cat >finding.py <<'END'
import sys
from mcp.shared.auth_utils import check_resource_allowed

host = "http://127.0.0.1:8000"
print(f"server {sys.argv[1]}, metadata {sys.argv[2]}: Python", check_resource_allowed(host + sys.argv[1], host + sys.argv[2]))
END
cat >finding.js <<'END'
import { selectResourceURL } from '@modelcontextprotocol/client'

const [server, resource] = process.argv.slice(2)
const host = 'http://127.0.0.1:8000'
const metadata = { resource: host + resource, authorization_servers: ['https://login.example'] }
const accepted = await selectResourceURL(host + server, {}, metadata).then(() => true, () => false)
console.log(`server ${server}, metadata ${resource}: TypeScript ${accepted}`)
END
for paths in '/mcp /mcp' '/mcp /mcp/' '/mcp/ /mcp'; do
	venv/bin/python finding.py $paths
	node finding.js $paths
	./main $paths
done >>seen

expect <<'END'
mcp 2.3.0
@modelcontextprotocol/client 2.4.0
github.com/modelcontextprotocol/go-sdk v1.8.0
server /mcp, metadata /mcp: Python True
server /mcp, metadata /mcp: TypeScript true
server /mcp, metadata /mcp: Go true
server /mcp, metadata /mcp/: Python True
server /mcp, metadata /mcp/: TypeScript false
server /mcp, metadata /mcp/: Go false
server /mcp/, metadata /mcp: Python True
server /mcp/, metadata /mcp: TypeScript true
server /mcp/, metadata /mcp: Go false
END
