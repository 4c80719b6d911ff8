// A server of the TypeScript SDK over streamable HTTP that forgets a session once it has
// listed its tools in it. It prints its address.
import http from 'node:http';
import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const forgets = process.argv[2] === 'forgets';
const sessions = new Map();

function opened() {
	const server = new Server({ name: 'forgetful', version: '1.0.0' }, { capabilities: { tools: {} } });
	const transport = new StreamableHTTPServerTransport({
		sessionIdGenerator: randomUUID,
		onsessioninitialized: (id) => sessions.set(id, transport),
	});
	server.setRequestHandler(ListToolsRequestSchema, () => {
		if (forgets) sessions.delete(transport.sessionId);
		const inputSchema = { type: 'object' };
		const outputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
		return { tools: [{ name: 'tool', description: 'A tool.', inputSchema, outputSchema }] };
	});
	server.setRequestHandler(CallToolRequestSchema, () => ({ content: [{ type: 'text', text: 'one' }], structuredContent: { n: 'one' } }));
	return server.connect(transport).then(() => transport);
}

const listener = http.createServer(async (req, res) => {
	const id = req.headers['mcp-session-id'];
	const transport = id ? sessions.get(id) : await opened();
	if (transport) return transport.handleRequest(req, res);
	res.writeHead(404, { 'content-type': 'application/json' });
	res.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null }));
});
listener.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${listener.address().port}/mcp`));
