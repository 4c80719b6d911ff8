"""What this machine is called, by its own command."""

import json
import subprocess as processes
import sys

NAME = "shell"
TOOLS = json.loads("""[
  {
    "name": "machine",
    "description": "What kind of machine this is.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {},
      "required": []
    }
  }
]""")


def call(tool, args):
    return processes.run(["uname", "-m"], capture_output=True, text=True, check=True).stdout.strip()


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
