// A board of cards, in one file of JSON.
import { promises } from "fs";
import readline from "readline";

type Card = { id: string; text: string };

const { readFile: load, writeFile: save } = promises;
const file: string = process.argv[2];

const NAME = "board";
const tools: object[] = [
  {
    "name": "list_cards",
    "description": "Lists the cards.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {},
      "required": []
    }
  },
  {
    "name": "add_card",
    "description": "Adds a card.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "id": {
          "type": "string",
          "description": "its id"
        },
        "text": {
          "type": "string",
          "description": "its text"
        }
      },
      "required": [
        "id",
        "text"
      ]
    }
  }
];

async function cards(): Promise<Card[]> {
  return JSON.parse(await load(file, "utf8")) as Card[];
}

async function call(tool: string, args: Partial<Card>): Promise<string> {
  const all = await cards();
  if (tool === "list_cards") return all.map((c: Card): string => `${c.id}: ${c.text}`).join("; ");
  all.push({ id: args.id!, text: args.text! });
  await save(file, JSON.stringify(all));
  return "added";
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
