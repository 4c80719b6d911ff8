"""fastmcp's client, for a server that a command starts: client.py COMMAND ARG…

It prints the server's name and its list, in a line of JSON. Then each line of stdin is a
call, {"tool": …, "arguments": …}. Its progress and its result are a line each.
"""

import asyncio
import json
import os
import sys

from fastmcp import Client
from fastmcp.client.transports import StdioTransport


def say(**line):
    print(json.dumps(line), flush=True)


async def progress(done, total, message):
    say(progress=message)


async def main(command, *args):
    transport = StdioTransport(command, list(args), env=dict(os.environ), keep_alive=False)
    async with Client(transport, progress_handler=progress) as client:
        tools = await client.list_tools_mcp()
        say(version=client.session.protocol_version, list=tools.model_dump(mode="json", by_alias=True, exclude_unset=True))
        while line := await asyncio.to_thread(sys.stdin.readline):
            call = json.loads(line)
            result = await client.call_tool_mcp(call["tool"], call["arguments"])
            say(result=result.model_dump(mode="json", by_alias=True, exclude_unset=True))


asyncio.run(main(*sys.argv[1:]))
