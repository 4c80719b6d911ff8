// Asks a service for the weather. Nothing is kept: fs.writeFile is not called here.
import readline from "node:readline";

const NAME = "weather";
const tools = [
  {
    "name": "forecast",
    "description": "The forecast for a town.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "town": {
          "type": "string",
          "description": "its name"
        }
      },
      "required": [
        "town"
      ]
    }
  }
];

const { WEATHER_KEY } = process.env;

async function call(tool, args) {
  const url = new URL("/forecast", process.env.WEATHER_URL);
  url.searchParams.set("town", args.town);
  const response = await fetch(url, { headers: { "x-key": WEATHER_KEY } });
  return await response.text();
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
