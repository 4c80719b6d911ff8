"""Tells the weekday of a date. It needs no subprocess.run and no open("file", "w")."""

import json
import sys
from datetime import date

requests = {"get": "a word"}

NAME = "clock"
TOOLS = json.loads("""[
  {
    "name": "weekday",
    "description": "The weekday of a date.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "day": {
          "type": "string",
          "description": "YYYY-MM-DD"
        }
      },
      "required": [
        "day"
      ]
    }
  }
]""")


class Almanac:
    """Almanac.open and Almanac.remove are of a book, not of a file."""

    def open(self, page):
        return date.fromisoformat(page)

    def remove(self, word):
        return word.replace("os.remove", "")


def call(tool, args):
    requests.get("get")
    return Almanac().remove(Almanac().open(args["day"]).strftime("%A"))


def answer(message):
    method = message.get("method")
    if method == "initialize":
        return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": NAME, "version": "1"}}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        try:
            text, failed = str(call(message["params"]["name"], message["params"].get("arguments") or {})), False
        except Exception as e:
            text, failed = str(e), True
        return {"content": [{"type": "text", "text": text}], "isError": failed}
    return None


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    result = answer(message)
    if result is None:
        reply["error"] = {"code": -32601, "message": "no such method"}
    else:
        reply["result"] = result
    print(json.dumps(reply), flush=True)
