// A server of the TypeScript SDK with zod: typescript.mjs 1 or 2, its major version.
import { z } from 'zod';

const major = process.argv[2];
const from = major === '1' ? ['sdk/server/mcp.js', 'sdk/server/stdio.js'] : ['server', 'server/stdio'];
const [{ McpServer }, { StdioServerTransport }] = await Promise.all(from.map((name) => import(`@modelcontextprotocol/${name}`)));
const server = new McpServer({ name: 'typescript', version: '1.0.0' });

const reads = (name, inputSchema, outputSchema, structuredContent) =>
	server.registerTool(name, { description: `Reads ${name}.`, inputSchema, outputSchema }, (args) => ({
		content: [{ type: 'text', text: JSON.stringify(args) }],
		structuredContent,
	}));

reads('tuple', z.object({ pair: z.tuple([z.string(), z.number()]) }));
reads('rest', z.object({ pair: z.tuple([z.string()]).rest(z.number()) }));
reads('union', z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]));
reads('base64', z.object({ value: z.base64() }));
reads('escape', z.object({ value: z.string().regex(/^\u00e9[\u4e00-\u9fff]+$/) }));
reads('duration', z.object({ value: z.iso.duration() }));
reads('hostname', z.object({ value: z.hostname() }));
reads('iban', z.object({ value: z.iban() }));
reads('emoji', z.object({ value: z.emoji() }));
reads('lookahead', z.object({ value: z.string().regex(/^(?=.*\d)[a-z\d]+$/) }));
if (major === '2') {
	reads('texts', z.object({}), z.array(z.string()), ['a', 'b']);
	reads('pair', z.object({}), z.tuple([z.string(), z.number()]), ['a', 1]);
}

await server.connect(new StdioServerTransport());
