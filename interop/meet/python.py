"""A server in Python with times that have no offset: python.py fastmcp, or python.py mcp."""

import datetime
import sys
from typing import Annotated, Literal, Union

from pydantic import BaseModel, Field, Json

if sys.argv[1] == "fastmcp":
    from fastmcp import FastMCP
else:
    try:
        from mcp.server.mcpserver import MCPServer as FastMCP  # mcp 2
    except ImportError:
        from mcp.server.fastmcp import FastMCP  # mcp 1

server = FastMCP("python")


class Entry(BaseModel):
    at: datetime.datetime
    title: str


class Cat(BaseModel):
    kind: Literal["cat"]


class Dog(BaseModel):
    kind: Literal["dog"]


@server.tool()
def entry() -> Entry:
    """Reads an entry."""
    return Entry(at=datetime.datetime(2026, 11, 27, 10), title="t")


@server.tool()
def times() -> list[datetime.datetime]:
    """Reads times."""
    return [datetime.datetime(2026, 11, 27, 10, 0, 0, 5)]


@server.tool()
def since(at: datetime.datetime) -> str:
    """Reads what came since."""
    return at.isoformat()


@server.tool()
def pet(value: Annotated[Union[Cat, Dog], Field(discriminator="kind")]) -> str:
    """Reads a pet."""
    return value.kind


@server.tool()
def document(value: Json) -> str:
    """Reads a document."""
    return str(value)


server.run()
