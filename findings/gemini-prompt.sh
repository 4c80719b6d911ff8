#!/usr/bin/env bash
# The prompt that a hook of Gemini CLI receives is not the text that the user submitted.
#
# Guess:   The reference of Gemini CLI's hooks says what BeforeAgent has as prompt: "The original text submitted by the
#          user". So a hook that logs, counts or searches it sees what the user typed.
# Happens: A message with an @file arrives with the file's whole content behind it, in the same string, between two
#          lines of dashes. No other member of the report has the text without it.
# Package: npm @google/gemini-cli 0.61.0
# Other:   @google/gemini-cli 0.60.0
# Seen:    2026-11-28
# Meets:   Authors of hooks that record what users ask, look for words in it, or limit its length.

. "$(dirname "$0")/lib/finding.bash"
npm_install @google/gemini-cli@0.61.0

# A model that answers and calls nothing.
cat >model.js <<'END'
import { createServer } from 'node:http'
import { spawn } from 'node:child_process'

const model = createServer(async (request, response) => {
	await request.toArray()
	const content = { role: 'model', parts: [{ text: 'done' }] }
	const answer = JSON.stringify({ candidates: [{ content, finishReason: 'STOP', index: 0 }] })
	const streamed = request.url.includes(':stream')
	response.setHeader('content-type', streamed ? 'text/event-stream' : 'application/json')
	response.end(streamed ? `data: ${answer}\n\n` : answer)
})
model.listen(0, '127.0.0.1', () => {
	const gemini = spawn('node', ['node_modules/@google/gemini-cli/bundle/gemini.js', '-m', 'gemini-2.5-flash',
		'-p', 'Summarize @note.txt'], {
		env: { PATH: process.env.PATH, HOME: process.cwd(), GEMINI_API_KEY: 'none', GEMINI_CLI_NO_RELAUNCH: 'true',
			GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${model.address().port}`, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
		stdio: ['ignore', 'ignore', 'inherit'], timeout: 60_000 })
	gemini.on('close', () => {
		model.close()
		model.closeAllConnections()
	})
})
END
# The hook prints what it received as prompt.
cat >hook.js <<'END'
import { appendFileSync } from 'node:fs'

const { prompt } = JSON.parse(Buffer.concat(await process.stdin.toArray()).toString())
appendFileSync('prompts', `typed and no more: ${prompt === 'Summarize @note.txt'}\n`)
appendFileSync('prompts', `with the file: ${prompt.includes('Tea is at four.')}\n`)
END
echo 'Tea is at four.' >note.txt
mkdir .gemini
cat >.gemini/settings.json <<END
{
	"security": { "auth": { "selectedType": "gemini-api-key" } },
	"privacy": { "usageStatisticsEnabled": false },
	"telemetry": { "enabled": false },
	"general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false },
	"hooks": { "BeforeAgent": [{ "hooks": [{ "type": "command", "command": "node $PWD/hook.js" }] }] }
}
END
node model.js 2>log || unable "$(tail -3 log)"
cat prompts >>seen || unable "the hook was not started: $(tail -3 log)"

expect <<'END'
@google/gemini-cli 0.61.0
typed and no more: false
with the file: true
END
