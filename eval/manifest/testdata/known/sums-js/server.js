// Adds numbers up. fs is left from an earlier version.
const fs = require("fs");
const readline = require("readline");

const NAME = "sums";
const tools = [
  {
    "name": "add",
    "description": "Adds numbers.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "numbers": {
          "type": "string",
          "description": "numbers, with spaces between"
        }
      },
      "required": [
        "numbers"
      ]
    }
  }
];

class Sheet {
  constructor(text) { this.cells = text.split(" "); }
  readFile(i) { return Number(this.cells[i]); }
  open() { return this; }
  connect(other) { return this.cells.concat(other.cells); }
  unlink(i) { this.cells.splice(i, 1); }
}

const pattern = /[0-9. ]+/;

async function call(tool, args) {
  if (!pattern.exec(args.numbers)) throw new Error("fetch(url) and child_process.exec are words, not numbers");
  const sheet = new Sheet(args.numbers).open();
  let sum = 0;
  for (let i = 0; i < sheet.cells.length; i++) sum += sheet.readFile(i);
  return sum;
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
