"""Rows of a CSV file."""

import csv
import json
import sys
from pathlib import Path

SOURCE = Path(sys.argv[1])

NAME = "table"
TOOLS = json.loads("""[
  {
    "name": "rows",
    "description": "How many rows there are.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {},
      "required": []
    }
  },
  {
    "name": "append_row",
    "description": "Appends a row.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "name": {
          "type": "string",
          "description": "a name"
        },
        "value": {
          "type": "string",
          "description": "a value"
        }
      },
      "required": [
        "name",
        "value"
      ]
    }
  }
]""")


class Door:
    def open(self, how):
        return "open " + how


def call(tool, args):
    if tool == "rows":
        Door().open("w")
        return len(list(csv.reader(SOURCE.read_text().splitlines())))
    with open(SOURCE, "a", newline="") as f:
        csv.writer(f).writerow([args["name"], args["value"]])
    return "appended"


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
