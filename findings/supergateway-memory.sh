#!/usr/bin/env bash
# Behind supergateway a server forgets everything between two calls of one connection.
#
# Guess:   A gateway starts the stdio server once, or once a client, so what the server keeps in memory lasts as long
#          as the connection.
# Happens: With --outputTransport streamableHttp a process is started for every request and ended after it: a counter
#          is 1 each time, and each call pays a start. With --stateful the counter counts.
# Package: npm supergateway 4.0.0, @modelcontextprotocol/server 2.4.0, @modelcontextprotocol/client 2.4.0
# Other:   supergateway 3.4.3
# Seen:    2026-11-27
# Meets:   Servers with a login, a browser, a cursor or a cache that are put behind HTTP for a client that speaks only
#          that.

. "$(dirname "$0")/lib/finding.bash"
npm_install supergateway@4.0.0 @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0

cat >server.js <<'END'
import { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

let calls = 0
const server = new McpServer({ name: 'counter', version: '1' })
server.registerTool('count', {}, async () => ({ content: [{ type: 'text', text: `${++calls}` }] }))
await server.connect(new StdioServerTransport())
END
# It would listen on every address.
cat >loopback.cjs <<'END'
const { Server } = require('node:net')
const listen = Server.prototype.listen
Server.prototype.listen = function (port, ...rest) { return listen.call(this, { port, host: '127.0.0.1' }, ...rest) }
END
cat >finding.js <<'END'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

for (const options of [[], ['--stateful']]) {
	const free = createServer().listen(0, '127.0.0.1')
	await once(free, 'listening')
	const { port } = free.address()
	await new Promise(done => free.close(done))
	const gateway = spawn('node', ['--require', './loopback.cjs', 'node_modules/supergateway/dist/index.js', '--stdio', 'node server.js',
		'--outputTransport', 'streamableHttp', '--port', port, '--logLevel', 'none', ...options])
	for (let tries = 0; tries < 100; tries++) {
		if (await fetch(`http://127.0.0.1:${port}/`).then(() => true, () => false)) break
		await setTimeout(200)
	}
	const client = new Client({ name: 'reader', version: '1' })
	await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)))
	const counts = []
	for (let i = 0; i < 3; i++) counts.push((await client.callTool({ name: 'count' })).content[0].text)
	console.log(`three calls${options.map(o => ', ' + o)}: ${counts}`)
	await client.close()
	gateway.kill()
	await once(gateway, 'exit')
}
END
node finding.js >>seen

expect <<'END'
supergateway 4.0.0
@modelcontextprotocol/server 2.4.0
@modelcontextprotocol/client 2.4.0
three calls: 1,1,1
three calls, --stateful: 1,2,3
END
