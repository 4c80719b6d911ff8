// Removes files that are no longer wanted.
import * as disk from "node:fs/promises";
import { join } from "node:path";
import readline from "node:readline";

const [, , folder] = process.argv;

const NAME = "tidy";
const tools = [
  {
    "name": "list_files",
    "description": "Lists the files.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {},
      "required": []
    }
  },
  {
    "name": "remove_file",
    "description": "Removes a file.",
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
];

async function call(tool, args) {
  if (tool === "list_files") {
    let names = [];
    for (const entry of await disk.readdir(folder, { withFileTypes: true })) names.push(entry.name);
    return names.sort().join(" ");
  }
  await disk.unlink(join(folder, args.name));
  return "removed";
}

function reply(id, result) {
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\n");
}

async function serve(line) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === "initialize") {
    reply(id, { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: NAME, version: "1" } });
  } else if (method === "tools/list") {
    reply(id, { tools });
  } else if (method === "tools/call") {
    try {
      reply(id, { content: [{ type: "text", text: String(await call(params.name, params.arguments ?? {})) }] });
    } catch (e) {
      reply(id, { content: [{ type: "text", text: e.message }], isError: true });
    }
  } else {
    process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no such method" } }) + "\n");
  }
}

readline.createInterface({ input: process.stdin }).on("line", serve);
