// An MCP server of Node alone: its tool echo returns its text.
import { createInterface } from 'node:readline';

const tools = [{ name: 'echo', inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } }];

for await (const line of createInterface({ input: process.stdin })) {
	const { id, method, params } = JSON.parse(line);
	if (id === undefined) continue;
	const results = {
		initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'stdio-node', version: '1' } },
		'tools/list': { tools },
		'tools/call': { content: [{ type: 'text', text: params?.arguments?.text }] },
	};
	process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }) + '\n');
}
