"""Deletes folders of old builds."""

import json
import os
import shutil
import sys

ROOT = sys.argv[1]

NAME = "clean"
TOOLS = json.loads("""[
  {
    "name": "builds",
    "description": "Lists the builds.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {},
      "required": []
    }
  },
  {
    "name": "drop_build",
    "description": "Deletes a build.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "name": {
          "type": "string",
          "description": "its name"
        }
      },
      "required": [
        "name"
      ]
    }
  }
]""")


def call(tool, args):
    if tool == "builds":
        return " ".join(sorted(os.listdir(ROOT)))
    shutil.rmtree(os.path.join(ROOT, os.path.basename(args["name"])))
    return "deleted"


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
