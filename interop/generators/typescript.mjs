// The common part of both TypeScript generators: generate(sdk) with
//   serve:   node typescriptN.mjs serve             a server over stdio, a tool for each construct
//   cases:   node typescriptN.mjs cases             the constructs, with arguments, as JSON
//   client:  node typescriptN.mjs client COMMAND…   a client: lists, and makes the calls from stdin
// If a construct keeps the SDK from publishing its list, it is tried without its output, and
// then left out with the reason.
import { outputs, roots, types } from './zod.mjs';
import * as z from 'zod';

const text = value => ({ content: [{ type: 'text', text: JSON.stringify(value) ?? 'nothing' }] });

function* constructs() {
  for (const [tool, [type, value]] of Object.entries(types)) {
    const handler = ({ value }) => ({ ...text(value), structuredContent: { value } });
    yield { tool, input: z.object({ value: type }), output: z.object({ value: type }), arguments: value === undefined ? {} : { value }, handler };
  }
  for (const [tool, [input, value]] of Object.entries(roots)) {
    yield { tool, input, arguments: value, handler: text };
  }
  for (const [tool, [output, value]] of Object.entries(outputs)) {
    yield { tool, input: z.object({}), output, arguments: {}, handler: () => ({ ...text(value), structuredContent: value }) };
  }
}

const register = (server, c) => server.registerTool(c.tool, { description: `Returns ${c.tool}.`, inputSchema: c.input, outputSchema: c.output }, c.handler);

async function publishable(sdk, c) {
  const server = new sdk.McpServer({ name: 'one', version: '1' }), client = new sdk.Client({ name: 'one', version: '1' });
  try {
    register(server, c);
    const [near, far] = sdk.InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near)]);
    await client.listTools();
    return '';
  } catch (e) {
    return e.message;
  } finally {
    await Promise.all([server.close(), client.close()]).catch(() => {});
  }
}

async function published(sdk) {
  const kept = [], left = {};
  for (const c of constructs()) {
    let reason = await publishable(sdk, c);
    if (reason && c.output && !c.tool.startsWith('output_')) {
      delete c.output;
      const { handler } = c;
      c.handler = args => ({ content: handler(args).content });
      if (!(await publishable(sdk, c))) reason = '';
    }
    if (reason) left[c.tool] = reason;
    else kept.push(c);
  }
  return { kept, left };
}

async function stdin() {
  let all = '';
  for await (const chunk of process.stdin) all += chunk;
  return JSON.parse(all);
}

async function client(sdk, command, ...args) {
  const client = new sdk.Client({ name: 'table', version: '1' }), said = { results: {} };
  await client.connect(new sdk.StdioClientTransport({ command, args, env: process.env }));
  try {
    said.tools = (await client.listTools()).tools;
  } catch (e) {
    said.error = e.message;
  }
  for (const c of await stdin()) {
    said.results[c.tool] = await client.callTool({ name: c.tool, arguments: c.arguments }).catch(e => ({ error: e.message }));
  }
  await client.close();
  console.log(JSON.stringify(said));
}

export async function generate(sdk) {
  const [mode, ...args] = process.argv.slice(2);
  if (mode === 'client') return client(sdk, ...args);
  const { kept, left } = await published(sdk);
  if (mode === 'cases') return console.log(JSON.stringify({ cases: kept.map(c => ({ tool: c.tool, arguments: c.arguments, typed: !!c.output })), left }));
  const server = new sdk.McpServer({ name: 'generator', version: '1' });
  for (const c of kept) register(server, c);
  await server.connect(new sdk.StdioServerTransport());
}
