#!/usr/bin/env bash
# A Python client loses the result of a TypeScript tool whose schema matches letters with \p{L}.
#
# Guess:   JSON Schema patterns are regular expressions of ECMA-262, so every MCP client reads what zod publishes, or
#          says at the list that it cannot.
# Happens: The Python SDK lists the tool and calls it. The handler runs, and then the client raises, because Python's
#          re has no \p. The result is gone, and what the tool changed has changed.
# Package: npm @modelcontextprotocol/server 2.4.0, zod 4.6.7; PyPI mcp 2.3.0
# Other:   mcp 2.2.0
# Seen:    2026-11-27
# Meets:   Python agents in front of TypeScript servers whose authors took care of names in other alphabets.

. "$(dirname "$0")/lib/finding.bash"
npm_install @modelcontextprotocol/server@2.4.0 zod@4.6.7
pip_install mcp==2.3.0

cat >server.js <<'END'
import { appendFileSync } from 'node:fs'
import { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'

const server = new McpServer({ name: 'people', version: '1' })
const outputSchema = z.object({ name: z.string().regex(/^\p{L}+$/u) })
server.registerTool('add', { outputSchema }, async () => {
	appendFileSync('calls', 'x')
	return { content: [], structuredContent: { name: 'Nguyen' } }
})
await server.connect(new StdioServerTransport())
END
cat >client.py <<'END'
import asyncio
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client

async def main():
    async with Client(stdio_client(StdioServerParameters(command="node", args=["server.js"]))) as client:
        print("listed:", [tool.name for tool in (await client.list_tools()).tools])
        try:
            print("result:", (await client.call_tool("add", {})).structured_content)
        except RuntimeError as e:
            print("RuntimeError:", str(e).splitlines()[0])

asyncio.run(main())
END
venv/bin/python client.py >>seen
echo "calls that reached the handler: $(wc -c <calls)" >>seen

expect <<'END'
@modelcontextprotocol/server 2.4.0
zod 4.6.7
mcp 2.3.0
listed: ['add']
RuntimeError: Invalid schema for tool add: '^\\p{L}+$' is not a 'regex'
calls that reached the handler: 1
END
