#!/usr/bin/env bash
# A Python tool that is declared to return a float publishes "number" and sends null for infinity.
#
# Guess:   A float that JSON cannot hold is an error of the tool, or is sent as a text.
# Happens: The server turns it into null, against the schema it published itself, and reports success. Its own client
#          then raises, although the tool has run. fastmcp 4.2.3 answers the same function with an error that says why.
# Package: PyPI mcp 2.3.0, fastmcp 4.2.3
# Other:   fastmcp 4.1.7
# Seen:    2026-11-27
# Meets:   Tools that divide, average or compare: a ratio to zero, the mean of an empty column.

. "$(dirname "$0")/lib/finding.bash"
pip_install mcp==2.3.0 fastmcp==4.2.3

cat >finding.py <<'END'
import asyncio, logging, math
import fastmcp
from mcp.client import Client
from mcp.server import MCPServer

def growth() -> float:
    return math.inf

async def main():
    logging.disable()
    server = MCPServer("figures")
    server.tool()(growth)
    async with Client(server) as client:
        print("published:", (await client.list_tools()).tools[0].output_schema["properties"]["result"]["type"])
        try:
            print("mcp:", (await client.call_tool("growth", {})).structured_content)
        except RuntimeError as e:
            print("mcp:", str(e).splitlines()[0])
    server = fastmcp.FastMCP("figures")
    server.tool(growth)
    async with fastmcp.Client(server) as client:
        result = await client.call_tool("growth", {}, raise_on_error=False)
        print("fastmcp:", result.content[0].text)

asyncio.run(main())
END
venv/bin/python finding.py >>seen 2>log

expect <<'END'
mcp 2.3.0
fastmcp 4.2.3
published: number
mcp: Invalid structured content returned by tool growth: None is not of type 'number'
fastmcp: Tool result contains a non-finite float (inf) at $; JSON cannot represent NaN or Infinity
END
