"""Asks a service on the network."""

import json
import os
import sys
from urllib.request import Request, urlopen

NAME = "ask"
TOOLS = json.loads("""[
  {
    "name": "ask",
    "description": "Asks the service.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "question": {
          "type": "string",
          "description": "what to ask"
        }
      },
      "required": [
        "question"
      ]
    }
  }
]""")


def call(tool, args):
    base = os.environ.get("SERVICE_URL", "http://127.0.0.1:9")
    request = Request(base, data=args["question"].encode(), headers={"X-Key": os.getenv("SERVICE_KEY", "")})
    with urlopen(request, timeout=20) as response:
        return response.read().decode()


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
