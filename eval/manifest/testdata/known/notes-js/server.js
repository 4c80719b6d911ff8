// Notes in a folder, each a file.
const fs = require("fs");
const path = require("path");
const readline = require("readline");

const folder = process.argv[2];

const NAME = "notes";
const tools = [
  {
    "name": "list_notes",
    "description": "Lists the notes.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {},
      "required": []
    }
  },
  {
    "name": "read_note",
    "description": "Reads a note.",
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
  },
  {
    "name": "write_note",
    "description": "Writes a note.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "name": {
          "type": "string",
          "description": "its name"
        },
        "text": {
          "type": "string",
          "description": "its text"
        }
      },
      "required": [
        "name",
        "text"
      ]
    }
  }
];

const safe = /^[a-z0-9-]+$/;

function file(name) {
  if (!safe.exec(name)) throw new Error("not a note's name");
  return path.join(folder, name + ".txt");
}

async function call(tool, args) {
  switch (tool) {
    case "list_notes":
      return fs.readdirSync(folder).sort().join(" ");
    case "read_note":
      return fs.readFileSync(file(args.name), "utf8");
    case "write_note":
      fs.writeFileSync(file(args.name), args.text);
      return "written";
  }
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
