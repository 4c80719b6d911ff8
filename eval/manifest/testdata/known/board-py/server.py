"""Answers one line on a port."""

import json
import socket
import sys
import threading

PORT = int(sys.argv[1])

NAME = "socket"
TOOLS = json.loads("""[
  {
    "name": "status",
    "description": "Whether it listens.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {},
      "required": []
    }
  },
  {
    "name": "open_port",
    "description": "Begins to listen.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {},
      "required": []
    }
  }
]""")


listening = []


def serve(listener):
    while True:
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b"hello\n")


def call(tool, args):
    if tool == "status":
        return bool(listening)
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", PORT))
    listener.listen()
    listening.append(listener)
    threading.Thread(target=serve, args=(listener,), daemon=True).start()
    return "listening"


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
