import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { generate } from './typescript.mjs';

await generate({ McpServer, StdioServerTransport, Client, StdioClientTransport, InMemoryTransport });
