#!/usr/bin/env bash
# Gemini CLI offers its model a parameter that the server's tool does not have, and sends it to the server.
#
# Guess:   An MCP client shows its model the input schema that the server published, additionalProperties: false and
#          all, and calls the tool with what the model filled in.
# Happens: Gemini CLI adds a boolean wait_for_previous to every tool for its own scheduling. Where the model sets it,
#          it is not taken off again: a server that refuses unknown members refuses the call, and says so to the model.
# Package: npm @google/gemini-cli 0.61.0, @modelcontextprotocol/server 2.4.0, zod 4.6.7
# Other:   @google/gemini-cli 0.60.0
# Seen:    2026-11-27
# Meets:   Servers with strict parameters, and gateways that compare a call with the published schema.

. "$(dirname "$0")/lib/finding.bash"
npm_install @google/gemini-cli@0.61.0 @modelcontextprotocol/server@2.4.0 zod@4.6.7

cat >server.js <<'END'
import { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'

const server = new McpServer({ name: 'tickets', version: '1' })
server.registerTool('find', { description: 'Find a ticket', inputSchema: z.strictObject({ id: z.number() }) },
	async ({ id }) => ({ content: [{ type: 'text', text: `ticket ${id} is open` }] }))
await server.connect(new StdioServerTransport())
END
# A model that calls the tool with every boolean parameter set, and then ends.
cat >model.js <<'END'
import { createServer } from 'node:http'
import { spawn } from 'node:child_process'

const answered = []
const model = createServer(async (request, response) => {
	const { tools = [], contents = [] } = JSON.parse(Buffer.concat(await request.toArray()).toString() || '{}')
	const tool = tools.flatMap(t => t.functionDeclarations ?? []).find(t => t.name.endsWith('find'))
	const result = contents.flatMap(c => c.parts).find(p => p.functionResponse)
	let part = { text: 'done' }
	if (result) {
		answered.push(JSON.stringify(result.functionResponse.response))
	} else if (tool) {
		const { properties, additionalProperties } = tool.parametersJsonSchema
		console.log('offered:', Object.keys(properties).join(), 'additionalProperties:', additionalProperties)
		const flags = Object.keys(properties).filter(name => properties[name].type === 'boolean')
		part = { functionCall: { name: tool.name, args: { id: 7, ...Object.fromEntries(flags.map(f => [f, true])) } } }
	}
	const content = { role: 'model', parts: [part] }
	const answer = JSON.stringify({ candidates: [{ content, finishReason: 'STOP', index: 0 }] })
	const streamed = request.url.includes(':stream')
	response.setHeader('content-type', streamed ? 'text/event-stream' : 'application/json')
	response.end(streamed ? `data: ${answer}\n\n` : answer)
})
model.listen(0, '127.0.0.1', () => {
	const gemini = spawn('node', ['node_modules/@google/gemini-cli/bundle/gemini.js', '-m', 'gemini-2.5-flash',
		'--approval-mode', 'yolo', '-p', 'Find ticket 7'], {
		env: { PATH: process.env.PATH, HOME: process.cwd(), GEMINI_API_KEY: 'none', GEMINI_CLI_NO_RELAUNCH: 'true',
			GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${model.address().port}`, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
		stdio: ['ignore', 'ignore', 'inherit'], timeout: 60_000 })
	gemini.on('close', () => {
		console.log('the model is told:', /Unrecognized key[^\\}]*"wait_for_previous/.test(answered[0]?.replaceAll('\\', '')))
		model.close()
		model.closeAllConnections()
	})
})
END
mkdir .gemini
cat >.gemini/settings.json <<'END'
{
	"security": { "auth": { "selectedType": "gemini-api-key" } },
	"privacy": { "usageStatisticsEnabled": false },
	"telemetry": { "enabled": false },
	"general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false },
	"mcpServers": { "tickets": { "command": "node", "args": ["server.js"], "trust": true } }
}
END
node model.js >>seen 2>log || unable "$(tail -3 log)"

expect <<'END'
@google/gemini-cli 0.61.0
@modelcontextprotocol/server 2.4.0
zod 4.6.7
offered: id,wait_for_previous additionalProperties: false
the model is told: true
END
