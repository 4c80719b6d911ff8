#!/usr/bin/env bash
# In the Python SDK, "-> dict" has no structured output and "-> dict[str, Any]" has one.
#
# Guess:   To Python both annotations mean the same, so both tools publish an output schema and return an object.
# Happens: mcp publishes a schema and structured content for dict[str, Any] only; for dict the object arrives as text
#          alone. fastmcp publishes both.
# Package: PyPI mcp 2.3.0, fastmcp 4.2.3
# Other:   fastmcp 4.1.7
# Seen:    2026-11-27
# Meets:   Authors of Python servers who wonder why clients show one of two tools as a table and the other as text.

. "$(dirname "$0")/lib/finding.bash"
pip_install mcp==2.3.0 fastmcp==4.2.3

cat >finding.py <<'END'
import asyncio, logging
from typing import Any
import fastmcp
from mcp.client import Client
from mcp.server import MCPServer

def bare() -> dict:
    return {"open": 3}

def full() -> dict[str, Any]:
    return {"open": 3}

async def main():
    logging.disable()
    server, other = MCPServer("tickets"), fastmcp.FastMCP("tickets")
    for function in bare, full:
        server.tool()(function)
        other.tool(function)
    for name, client in ("mcp", Client(server)), ("fastmcp", fastmcp.Client(other)):
        async with client:
            for tool in "bare", "full":
                result = await client.call_tool(tool, {})
                print(f"{name}, {tool}: {result.structured_content}, text {result.content[0].text.split()}")

asyncio.run(main())
END
venv/bin/python finding.py >>seen 2>log

expect <<'END'
mcp 2.3.0
fastmcp 4.2.3
mcp, bare: None, text ['{', '"open":', '3', '}']
mcp, full: {'open': 3}, text ['{', '"open":', '3', '}']
fastmcp, bare: {'open': 3}, text ['{"open":3}']
fastmcp, full: {'open': 3}, text ['{"open":3}']
END
