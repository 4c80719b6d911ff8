#!/usr/bin/env bash
# npx of an exact version asks the registry at every start, although the version is installed.
#
# Guess:   NAME@1.0.0 in npx's cache can only ever be that package, so a second start needs no network.
# Happens: Each start waits for the registry's document of the package, also within the five minutes for which that
#          document says it is fresh. With --prefer-offline it does not ask, and where no registry answers it starts
#          all the same.
# Package: npm npm 12.2.2
# Other:   npm 11.19.1
# Seen:    2026-11-27
# Meets:   Users whose MCP servers are started by npx -y NAME@VERSION: each start waits, over a slow line for long.

. "$(dirname "$0")/lib/finding.bash"
npm_install npm@12.2.2

cat >registry.js <<'END'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { spawn } from 'node:child_process'

const tarball = readFileSync('tiny.tgz')
let asked = 0
const registry = createServer((request, response) => {
	if (request.url.endsWith('.tgz')) return response.end(tarball)
	asked++
	const url = `http://${request.headers.host}/tiny-1.0.0.tgz`
	const dist = { tarball: url, integrity: 'sha512-' + createHash('sha512').update(tarball).digest('base64') }
	response.setHeader('cache-control', 'public, max-age=300')
	response.end(JSON.stringify({ name: 'tiny', 'dist-tags': { latest: '1.0.0' },
		versions: { '1.0.0': { name: 'tiny', version: '1.0.0', bin: { tiny: 'run.js' }, dist } } }))
})
const start = (...options) => new Promise(done => {
	asked = 0
	const environment = { ...process.env, npm_config_cache: 'cache', npm_config_update_notifier: 'false',
		npm_config_registry: `http://127.0.0.1:${port}/` }
	const npx = spawn('node', ['node_modules/npm/bin/npx-cli.js', '-y', ...options, 'tiny@1.0.0'], { env: environment })
	let said = ''
	npx.stdout.on('data', text => said += text)
	npx.on('close', () => done(`${said.trim()}, asked: ${asked > 0}`))
})
let port
registry.listen(0, '127.0.0.1', async () => {
	port = registry.address().port
	console.log('first start:', await start())
	console.log('second start:', await start())
	console.log('third start:', await start())
	console.log('with --prefer-offline:', await start('--prefer-offline'))
	registry.close()
	registry.closeAllConnections()
	console.log('without a registry:', await start('--fetch-retries=0'))
})
END
mkdir -p tiny/package
echo '{"name": "tiny", "version": "1.0.0", "bin": "run.js"}' >tiny/package/package.json
printf '#!/usr/bin/env node\nconsole.log("ran")\n' >tiny/package/run.js
tar czf tiny.tgz -C tiny package
node registry.js >>seen

expect <<'END'
npm 12.2.2
first start: ran, asked: true
second start: ran, asked: true
third start: ran, asked: true
with --prefer-offline: ran, asked: false
without a registry: ran, asked: false
END
