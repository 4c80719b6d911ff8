// An authorization server with its pages of login and consent, on a free port:
// issuer.mjs RESOURCE SECRET [HIDDEN]. It prints its issuer. The MCP server asks it
// about tokens as the client "resource", with the secret. With HIDDEN, the document at
// that path is missing, and the lifetime of a token is a text, as some authorization
// servers write it.
import { createServer } from "node:http";
import Provider from "oidc-provider";

const [resource, secret, hidden] = process.argv.slice(2);
const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: "resource", client_secret: secret, redirect_uris: [], response_types: [], grant_types: [] }],
    features: {
      registration: { enabled: true },
      revocation: { enabled: true },
      introspection: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, asked) => {
          if (asked !== resource) throw new Error(`a token for ${asked}`);
          return { scope: "echo", audience: resource, accessTokenFormat: "opaque" };
        },
      },
    },
  });
  provider.use(async (ctx, next) => {
    await next();
    if (hidden && ctx.path === "/token" && ctx.body?.expires_in) ctx.body.expires_in = String(ctx.body.expires_in);
  });
  const serve = provider.callback();
  server.on("request", (req, res) => (req.url === hidden ? res.writeHead(404).end() : serve(req, res)));
  console.log(issuer);
});
