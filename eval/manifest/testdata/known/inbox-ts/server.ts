// Keeps what is posted to it, for as long as it runs.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import readline from "node:readline";

interface Server { listen(): void; readFile(name: string): string }

const NAME = "inbox";
const tools: object[] = [
  {
    "name": "received",
    "description": "What was received.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {},
      "required": []
    }
  },
  {
    "name": "accept",
    "description": "Begins to accept messages.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {},
      "required": []
    }
  }
];

const messages: string[] = [];
const port = Number(process.env["INBOX_PORT"]);

function receive(request: IncomingMessage, response: ServerResponse): void {
  let text = "";
  request.on("data", (part: Buffer) => { text += part.toString(); });
  request.on("end", () => { messages.push(text); response.end("kept"); });
}

async function call(tool: string, args: object): Promise<string> {
  if (tool === "received") return messages.join(" ");
  await new Promise<void>((resolve, reject) => {
    createServer(receive).on("error", reject).listen(port, "127.0.0.1", () => resolve());
  });
  return "listening";
}

function reply(id: number, result: object): void {
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\n");
}

async function serve(line: string): Promise<void> {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === "initialize") {
    reply(id, { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: NAME, version: "1" } });
  } else if (method === "tools/list") {
    reply(id, { tools });
  } else if (method === "tools/call") {
    try {
      reply(id, { content: [{ type: "text", text: String(await call(params.name, params.arguments ?? {})) }] });
    } catch (e: any) {
      reply(id, { content: [{ type: "text", text: e.message }], isError: true });
    }
  } else {
    process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no such method" } }) + "\n");
  }
}

readline.createInterface({ input: process.stdin }).on("line", serve);
