#!/usr/bin/env bash
# What a fastmcp tool returns cannot be given back to it, where a model has aliases.
#
# Guess:   One pydantic model has one JSON form, whether a tool takes it or returns it, under fastmcp as under mcp.
# Happens: fastmcp reads members by their aliases and writes them by their Python names. A tool that returns its
#          argument gives userId back as user_id, and refuses that as an argument. The SDK of mcp uses the alias both
#          ways, so a server that moves from one to the other changes its results.
# Package: PyPI fastmcp 4.2.3, mcp 2.3.0
# Other:   fastmcp 4.1.7
# Seen:    2026-11-27
# Meets:   Python servers in front of APIs in camelCase, and agents that pass a result on to the next call.

. "$(dirname "$0")/lib/finding.bash"
pip_install fastmcp==4.2.3 mcp==2.3.0

cat >finding.py <<'END'
import asyncio, logging
import fastmcp
from mcp.client import Client
from mcp.server import MCPServer
from pydantic import BaseModel, Field

class User(BaseModel):
    user_id: int = Field(alias="userId")

def save(user: User) -> User:
    return user

async def main():
    logging.disable()
    server = MCPServer("users")
    server.tool()(save)
    async with Client(server) as client:
        print("mcp:", (await client.call_tool("save", {"user": {"userId": 7}})).structured_content)
    server = fastmcp.FastMCP("users")
    server.tool(save)
    async with fastmcp.Client(server) as client:
        result = await client.call_tool("save", {"user": {"userId": 7}})
        print("fastmcp:", result.structured_content)
        again = await client.call_tool("save", {"user": result.structured_content}, raise_on_error=False)
        print("fastmcp, given that:", " ".join(again.content[0].text.split()[:9]))

asyncio.run(main())
END
venv/bin/python finding.py >>seen 2>log

expect <<'END'
fastmcp 4.2.3
mcp 2.3.0
mcp: {'userId': 7}
fastmcp: {'user_id': 7}
fastmcp, given that: 1 validation error for call[save] user.userId Field required [type=missing,
END
