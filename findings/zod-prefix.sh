#!/usr/bin/env bash
# zod writes startsWith as a format that no specification has, and ajv does not compile the schema.
#
# Guess:   z.string().startsWith('invoice-') becomes a pattern, and every JSON Schema validator compiles it.
# Happens: Next to the pattern the schema has "format": "starts_with", the name of zod's own check, where text with
#          "regex" has none. ajv with its default options throws on a format that it does not know.
# Package: npm zod 4.6.7, ajv 8.20.0
# Other:   zod 4.6.6
# Seen:    2026-11-27
# Meets:   Programs that check with ajv against what z.toJSONSchema wrote: API gateways, form builders, MCP hosts.

. "$(dirname "$0")/lib/finding.bash"
npm_install zod@4.6.7 ajv@8.20.0

cat >finding.js <<'END'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as z from 'zod'

for (const [name, type] of Object.entries({
	regex: z.string().regex(/^invoice-/),
	startsWith: z.string().startsWith('invoice-'),
})) {
	const schema = z.toJSONSchema(type)
	let compiled = 'compiles'
	try { new Ajv2020().compile(schema) } catch (e) { compiled = e.message }
	console.log(`${name}: pattern ${schema.pattern}, format ${schema.format}; ajv: ${compiled}`)
}
END
node finding.js >>seen

expect <<'END'
zod 4.6.7
ajv 8.20.0
regex: pattern ^invoice-, format undefined; ajv: compiles
startsWith: pattern ^invoice-.*, format starts_with; ajv: unknown format "starts_with" ignored in schema at path "#"
END
