//go:build interop

package interop_test

// public is a server of a public registry with one request, which ask and the
// inspector's CLI both make. In all members but the package's name, $WORK is a folder
// with the content of testdata/servers. $PAGE is an address on the loopback that knows
// one page and refuses everything else with HTTP 401.
type public struct {
	pack string // as package.json or one of the requirements names it
	run  string // the command line
	env  map[string]string
	tool string
	args string
	says string // part of the answer, or of the refusal
	code string // what the question ends with, "" for an answer
}

// publics are chosen to be small, to need neither a key nor a network, and to
// be of many makers. One is refused its key, and one finds no browser.
var publics = []public{
	{pack: "@modelcontextprotocol/server-filesystem", run: "mcp-server-filesystem $WORK", tool: "read_text_file", args: `{"path":"$WORK/policy.md"}`, says: "400 days"},
	{pack: "@modelcontextprotocol/server-everything", run: "mcp-server-everything", tool: "get-sum", args: `{"a":2,"b":40}`, says: "is 42"},
	{pack: "@modelcontextprotocol/server-memory", run: "mcp-server-memory", env: map[string]string{"MEMORY_FILE_PATH": "$WORK/graph.jsonl"}, tool: "search_nodes", args: `{"query":"Ada"}`, says: "wrote a program"},
	{pack: "@modelcontextprotocol/server-sequential-thinking", run: "mcp-server-sequential-thinking", tool: "sequentialthinking", args: `{"thought":"One step.","nextThoughtNeeded":false,"thoughtNumber":1,"totalThoughts":1}`, says: "thoughtHistoryLength"},
	{pack: "@modelcontextprotocol/server-budget-allocator", run: "mcp-budget-allocator-server --stdio", tool: "get-budget-data", args: `{}`, says: "Engineering"},
	{pack: "@playwright/mcp", run: "playwright-mcp --headless --executable-path /nowhere", tool: "browser_navigate", args: `{"url":"$PAGE/policy"}`, says: "executable doesn't exist at /nowhere", code: "output.error"},
	{pack: "@notionhq/notion-mcp-server", run: "notion-mcp-server", env: map[string]string{"NOTION_TOKEN": "ntn_wrong", "BASE_URL": "$PAGE"}, tool: "API-get-self", args: `{}`, says: "API token is invalid"},
	{pack: "@itseasy21/mcp-knowledge-graph", run: "mcp-knowledge-graph --memory-path $WORK/graph.jsonl", tool: "search_nodes", args: `{"query":"Ada"}`, says: "wrote a program"},
	{pack: "@allpepper/memory-bank-mcp", run: "mcp-server-memory-bank", env: map[string]string{"MEMORY_BANK_ROOT": "$WORK/bank"}, tool: "memory_bank_read", args: `{"projectName":"rules","fileName":"policy.md"}`, says: "400 days"},
	{pack: "mcp-obsidian", run: "mcp-obsidian $WORK", tool: "read_notes", args: `{"paths":["policy.md"]}`, says: "400 days"},
	{pack: "mcp-server-code-runner", run: "mcp-server-code-runner", tool: "run-code", args: `{"code":"console.log(6 * 7)","languageId":"javascript"}`, says: "42"},
	{pack: "mcp-server-commands", run: "mcp-server-commands", tool: "run_command", args: `{"command":"cat $WORK/policy.md"}`, says: "400 days"},
	{pack: "time-mcp", run: "time-mcp", tool: "days_in_month", args: `{"date":"2028-02-01"}`, says: "29"},

	{pack: "mcp-server-git", run: "mcp-server-git --repository $WORK/repo", tool: "git_log", args: `{"repo_path":"$WORK/repo"}`, says: "first commit"},
	{pack: "mcp-server-time", run: "mcp-server-time", tool: "convert_time", args: `{"source_timezone":"Europe/Lisbon","time":"10:00","target_timezone":"Asia/Tokyo"}`, says: "time_difference"},
	{pack: "mcp-server-fetch", run: "mcp-server-fetch --ignore-robots-txt --allow-private-ips", tool: "fetch", args: `{"url":"$PAGE/policy"}`, says: "400 days"},
	{pack: "mcp-server-sqlite", run: "mcp-server-sqlite --db-path $WORK/new.db", tool: "read_query", args: `{"query":"SELECT 6 * 7 AS answer"}`, says: "42"},
	{pack: "mcp-server-calculator", run: "mcp-server-calculator", tool: "calculate", args: `{"expression":"6 * 7"}`, says: "42"},
}
