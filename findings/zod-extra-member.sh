#!/usr/bin/env bash
# A TypeScript server sends the object that its handler returned, not what zod made of it.
#
# Guess:   zod drops members that an output schema does not list, so a row with one column more is a valid result.
# Happens: The server checks the row with zod, which drops the member, and then sends the row as it was. The published
#          schema says additionalProperties: false, and the client of the same release refuses the result. Defaults,
#          coercions and trimming of an output schema have no effect for the same reason.
# Package: npm @modelcontextprotocol/server 2.4.0, @modelcontextprotocol/client 2.4.0, zod 4.6.7
# Other:   @modelcontextprotocol/server 2.3.1
# Seen:    2026-11-27
# Meets:   Authors of servers whose tools return rows of a database or answers of an API.

. "$(dirname "$0")/lib/finding.bash"
npm_install @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0 zod@4.6.7

cat >finding.js <<'END'
import { McpServer } from '@modelcontextprotocol/server'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import * as z from 'zod'

const row = { id: 7, created_by: 'import' }
const outputSchema = z.object({ id: z.number() })
const server = new McpServer({ name: 'orders', version: '1' })
server.registerTool('find', { outputSchema }, async () => ({ content: [], structuredContent: row }))

const client = new Client({ name: 'reader', version: '1' })
const [near, far] = InMemoryTransport.createLinkedPair()
await server.connect(far)
await client.connect(near)
await client.listTools()
console.log('zod makes of the row:', JSON.stringify(outputSchema.parse(row)))
const result = client.callTool({ name: 'find' })
console.log(await result.then(r => `the client gets ${JSON.stringify(r.structuredContent)}`, e => e.message))
END
node finding.js >>seen

expect <<'END'
@modelcontextprotocol/server 2.4.0
@modelcontextprotocol/client 2.4.0
zod 4.6.7
zod makes of the row: {"id":7}
Structured content does not match the tool's output schema: data must NOT have additional properties
END
