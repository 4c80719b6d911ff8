// A client of the TypeScript SDK 1.x. It starts the server with a command, or reaches it at
// an address: client.mjs TOOL COMMAND ARG… It prints the list and the result of one call.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [tool, command, ...args] = process.argv.slice(2);
const client = new Client({ name: 'typescript', version: '1.0.0' });
await client.connect(command.startsWith('http://')
  ? new StreamableHTTPClientTransport(new URL(command))
  : new StdioClientTransport({ command, args, env: process.env, stderr: 'inherit' }));
for (const t of (await client.listTools()).tools) console.log(t.name, JSON.stringify(t.inputSchema), JSON.stringify(t.outputSchema));
const result = await client.callTool({ name: tool, arguments: {} });
console.log(JSON.stringify({ content: result.content, structuredContent: result.structuredContent, isError: result.isError }));
await client.close();
