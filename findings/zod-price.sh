#!/usr/bin/env bash
# A price of 19.99 is a multiple of 0.01 for zod and not for ajv, the two halves of one SDK.
#
# Guess:   Server and client of one SDK agree on z.number().multipleOf(0.01), the usual way to say "two decimals".
# Happens: zod scales both numbers before it divides, ajv divides as floating point: 19.99 / 0.01 is
#          1998.9999999999998. The server accepts its price, and the client refuses the result. Of the validators in
#          other languages, Python's jsonschema refuses it as well, and jsonschema-rs accepts it.
# Package: npm @modelcontextprotocol/client 2.4.0, @modelcontextprotocol/server 2.4.0, zod 4.6.7; PyPI jsonschema
#          4.26.0, jsonschema-rs 0.61.0
# Other:   zod 4.6.6
# Seen:    2026-11-27
# Meets:   Authors of tools that take or return money, measurements or percentages.

. "$(dirname "$0")/lib/finding.bash"
npm_install @modelcontextprotocol/client@2.4.0 @modelcontextprotocol/server@2.4.0 zod@4.6.7
pip_install jsonschema==4.26.0 jsonschema-rs==0.61.0

cat >finding.js <<'END'
import { McpServer } from '@modelcontextprotocol/server'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import * as z from 'zod'

const outputSchema = z.object({ price: z.number().multipleOf(0.01) })
const result = price => ({ content: [], structuredContent: { price } })
const server = new McpServer({ name: 'shop', version: '1' })
for (const price of [19.5, 19.99]) server.registerTool(`${price}`, { outputSchema }, async () => result(price))

const client = new Client({ name: 'reader', version: '1' })
const [near, far] = InMemoryTransport.createLinkedPair()
await server.connect(far)
await client.connect(near)
for (const { name } of (await client.listTools()).tools) {
	const zod = outputSchema.safeParse({ price: Number(name) }).success
	const own = await client.callTool({ name }).then(r => JSON.stringify(r.structuredContent), e => e.message)
	console.log(`${name}: zod ${zod}; client: ${own}`)
}
END
cat >finding.py <<'END'
import jsonschema, jsonschema_rs

schema = {"multipleOf": 0.01}
print("19.99: jsonschema", jsonschema.Draft202012Validator(schema).is_valid(19.99))
print("19.99: jsonschema-rs", jsonschema_rs.is_valid(schema, 19.99))
END
node finding.js >>seen
venv/bin/python finding.py >>seen

expect <<'END'
@modelcontextprotocol/client 2.4.0
@modelcontextprotocol/server 2.4.0
zod 4.6.7
jsonschema 4.26.0
jsonschema-rs 0.61.0
19.5: zod true; client: {"price":19.5}
19.99: zod true; client: Structured content does not match the tool's output schema: data/price must be multiple of 0.01
19.99: jsonschema False
19.99: jsonschema-rs True
END
