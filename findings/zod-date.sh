#!/usr/bin/env bash
# One z.date() in one tool takes every tool of the server off the list.
#
# Guess:   A type that JSON Schema cannot express is refused when the tool is registered, or that tool alone is left
#          out.
# Happens: registerTool accepts it and the server starts. tools/list is then an error for all tools, also those that
#          have nothing to do with it, while a client that does not list can still call them.
# Package: npm @modelcontextprotocol/server 2.4.0, @modelcontextprotocol/client 2.4.0, zod 4.6.7
# Other:   @modelcontextprotocol/server 2.3.1
# Seen:    2026-11-27
# Meets:   Authors who add a tool with a date, a bigint, a Map, a Set or a transform to a server that works.

. "$(dirname "$0")/lib/finding.bash"
npm_install @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0 zod@4.6.7

cat >finding.js <<'END'
import { McpServer } from '@modelcontextprotocol/server'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import * as z from 'zod'

const text = async () => ({ content: [{ type: 'text', text: 'fine' }] })
const server = new McpServer({ name: 'calendar', version: '1' })
server.registerTool('ping', { inputSchema: z.object({}) }, text)
server.registerTool('free_on', { inputSchema: z.object({ day: z.date() }) }, text)

const client = new Client({ name: 'reader', version: '1' })
const [near, far] = InMemoryTransport.createLinkedPair()
await server.connect(far)
await client.connect(near)
console.log('registered, and connected')
console.log('list:', await client.listTools().then(l => l.tools.map(t => t.name).join(), e => e.message))
console.log('ping:', (await client.callTool({ name: 'ping' })).content[0].text)
END
node finding.js >>seen

expect <<'END'
@modelcontextprotocol/server 2.4.0
@modelcontextprotocol/client 2.4.0
zod 4.6.7
registered, and connected
list: Date cannot be represented in JSON Schema
ping: fine
END
