#!/usr/bin/env bash
# A duration of half a second, as pydantic writes it, is refused by TypeScript clients; half a minute is not.
#
# Guess:   pydantic writes a timedelta as ISO 8601 under "format": "duration", which a validator that checks formats
#          accepts.
# Happens: JSON Schema's duration is that of RFC 3339, appendix A, which has no fractions and no sign. PT0.5S and -P1D
#          are ISO 8601 and no such duration. ajv-formats, in the TypeScript client, follows the RFC and refuses the
#          result; the Python client does not check the format. Whether a tool works depends on how long something
#          took.
# Package: PyPI mcp 2.3.0, pydantic 2.14.4; npm @modelcontextprotocol/client 2.4.0
# Other:   pydantic 2.14.3
# Seen:    2026-11-27
# Meets:   Python tools that return how long something took, behind a client in TypeScript.

. "$(dirname "$0")/lib/finding.bash"
pip_install mcp==2.3.0 pydantic==2.14.4
npm_install @modelcontextprotocol/client@2.4.0

cat >server.py <<'END'
from datetime import timedelta
from mcp.server import MCPServer
from pydantic import BaseModel

class Run(BaseModel):
    took: timedelta

server = MCPServer("builds")

@server.tool()
def half_minute() -> Run:
    return Run(took=timedelta(seconds=30))

@server.tool()
def half_second() -> Run:
    return Run(took=timedelta(seconds=0.5))

if __name__ == "__main__":
    server.run("stdio")
END
cat >client.py <<'END'
import asyncio
from mcp.client import Client
from server import server

async def main():
    async with Client(server) as client:
        for tool in (await client.list_tools()).tools:
            print(f"Python, {tool.name}: {(await client.call_tool(tool.name, {})).structured_content['took']}")

asyncio.run(main())
END
cat >client.js <<'END'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const client = new Client({ name: 'reader', version: '1' })
await client.connect(new StdioClientTransport({ command: 'venv/bin/python', args: ['server.py'], stderr: 'ignore' }))
for (const { name } of (await client.listTools()).tools)
	console.log(`TypeScript, ${name}:`, await client.callTool({ name }).then(r => r.structuredContent.took, e => e.message))
await client.close()
END
venv/bin/python client.py >>seen 2>log
node client.js >>seen

expect <<'END'
mcp 2.3.0
pydantic 2.14.4
@modelcontextprotocol/client 2.4.0
Python, half_minute: PT30S
Python, half_second: PT0.5S
TypeScript, half_minute: PT30S
TypeScript, half_second: Structured content does not match the tool's output schema: data/took must match format "duration"
END
