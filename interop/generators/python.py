"""The generator of the Python SDKs, by the version that is installed with it.

serve: a server over stdio with a tool for each construct, which returns its argument;
  "serve apart" has the constructs in APART, and serve the others.
cases: the constructs, with arguments, as JSON; a construct that cannot be registered has the reason.
client COMMAND ARG…: a client of the same SDK, which lists and makes the calls from stdin.
"""

import asyncio
import contextlib
import inspect
import json
import logging
import os
import sys
from typing import Annotated, get_args, get_origin

sys.dont_write_bytecode = True
from constructs import ABSENT, TYPES, returns  # noqa: E402

try:
    import fastmcp
except ImportError:
    fastmcp = None


def echo(annotation, value):
    def tool(value):
        return value

    default = inspect.Parameter.empty
    if value is ABSENT and get_origin(annotation) is Annotated:
        annotation, default = get_args(annotation)
    named = inspect.Parameter("value", inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)
    if default is not inspect.Parameter.empty:
        tool.__defaults__ = (default,)
    tool.__annotations__ = {"value": annotation, "return": annotation}
    tool.__signature__ = inspect.Signature([named], return_annotation=annotation)
    return tool


def constant(annotation, value):
    def tool():
        return value

    tool.__annotations__ = {} if annotation is ABSENT else {"return": annotation}
    return tool


def constructs():
    for name, (annotation, value) in TYPES.items():
        yield name, echo(annotation, value), {} if value is ABSENT else {"value": value}
    for name, (annotation, value) in returns().items():
        yield name, constant(annotation, value), {}


def new_server():
    if fastmcp:
        server = fastmcp.FastMCP("generator")
        return server, lambda tool, name: server.tool(tool, name=name, description=f"Returns {name}.")
    try:
        from mcp.server import MCPServer as Server
    except ImportError:
        from mcp.server.fastmcp import FastMCP as Server
    server = Server("generator", log_level="CRITICAL")
    return server, lambda tool, name: server.add_tool(tool, name=name, description=f"Returns {name}.")


# The server of mcp 2 answers the whole list of a client of 2025-11-25 or older with an
# error if one result is not an object, so such tools have a server for themselves.
APART = {"model_root"}


def generate(apart):
    server, add = new_server()
    cases, left = [], {}
    for name, tool, arguments in constructs():
        if apart != (name in APART):
            continue
        try:
            add(tool, name)
            cases.append({"tool": name, "arguments": arguments})
        except Exception as e:
            left[name] = str(e).splitlines()[0]
    return server, cases, left


@contextlib.asynccontextmanager
async def connected(command, args):
    """Yields what lists, and what calls, of a client of this SDK."""
    if fastmcp:
        from fastmcp.client.transports import StdioTransport

        transport = StdioTransport(command, args, env=dict(os.environ), keep_alive=False)
        async with fastmcp.Client(transport) as client:
            yield client.list_tools, client.call_tool_mcp
        return
    from mcp import StdioServerParameters

    parameters = StdioServerParameters(command=command, args=args, env=dict(os.environ))
    try:
        from mcp.client import Client
    except ImportError:
        from mcp import ClientSession, stdio_client

        async with stdio_client(parameters) as (read, write), ClientSession(read, write) as client:
            await client.initialize()
            yield client.list_tools, client.call_tool
        return
    async with Client(parameters) as client:
        yield client.list_tools, client.call_tool


def written(model):
    return model.model_dump(mode="json", by_alias=True, exclude_unset=True)


async def client(command, *args):
    said = {"results": {}}
    async with connected(command, list(args)) as (list_tools, call_tool):
        try:
            listed = await list_tools()
            said["tools"] = [written(tool) for tool in getattr(listed, "tools", listed)]
        except Exception as e:
            said["error"] = str(e)
        for case in json.load(sys.stdin):
            try:
                result = await call_tool(case["tool"], case["arguments"])
                said["results"][case["tool"]] = written(result)
            except Exception as e:
                said["results"][case["tool"]] = {"error": str(e)}
    print(json.dumps(said))


logging.disable()
match sys.argv[1:]:
    case ["client", command, *args]:
        asyncio.run(client(command, *args))
    case ["cases", *apart]:
        _, cases, left = generate(bool(apart))
        print(json.dumps({"cases": cases, "left": left}))
    case ["serve", *apart]:
        generate(bool(apart))[0].run(**({"show_banner": False} if fastmcp else {}))
