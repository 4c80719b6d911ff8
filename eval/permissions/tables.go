package permissions

import "github.com/onestep-run/onestep/host/confine"

// The groups of permissions in the tables.
var (
	none    = []confine.Permission{} // a row that excludes a name from a larger group
	reads   = []confine.Permission{confine.FilesRead}
	writes  = []confine.Permission{confine.FilesWrite}
	both    = []confine.Permission{confine.FilesRead, confine.FilesWrite}
	deletes = []confine.Permission{confine.FilesDelete}
	client  = []confine.Permission{confine.NetworkClient}
	serves  = []confine.Permission{confine.NetworkServer}
	env     = []confine.Permission{confine.EnvRead}
	starts  = []confine.Permission{confine.Exec}
	opens   = []confine.Permission{byMode}
	browser = []confine.Permission{confine.Exec, confine.NetworkClient}
)

// rows adds the functions of a module that need one group: names "f" and "g" of "m"
// are m.f and m.g. Without names, the whole module "m" needs it.
func rows(into map[string][]confine.Permission, needs []confine.Permission, module string, names ...string) {
	if len(names) == 0 {
		into[module] = needs
	}
	for _, n := range names {
		into[module+"."+n] = needs
	}
}

// scriptTable is for JavaScript and TypeScript. Modules have no "node:" before their
// names, "fs/promises" is fs, and a default export is its module.
var scriptTable = func() map[string][]confine.Permission {
	t := map[string][]confine.Permission{}
	for _, fs := range []string{"fs", "fs-extra", "graceful-fs"} {
		rows(t, reads, fs, "readFile", "readFileSync", "readdir", "readdirSync", "createReadStream", "opendir", "opendirSync", "read", "readSync", "readv", "watch", "watchFile", "readJson", "readJSON", "readJsonSync", "glob", "globSync")
		rows(t, writes, fs, "writeFile", "writeFileSync", "appendFile", "appendFileSync", "createWriteStream", "mkdir", "mkdirSync", "mkdtemp", "mkdtempSync", "rename", "renameSync",
			"truncate", "truncateSync", "ftruncate", "symlink", "symlinkSync", "link", "linkSync", "chmod", "chmodSync", "utimes", "utimesSync", "write", "writeSync", "outputFile", "outputJson", "writeJson", "writeJSON", "ensureDir", "ensureFile", "mkdirp")
		rows(t, both, fs, "copyFile", "copyFileSync", "cp", "cpSync", "copy", "copySync", "move", "moveSync")
		rows(t, deletes, fs, "unlink", "unlinkSync", "rm", "rmSync", "rmdir", "rmdirSync", "remove", "removeSync", "emptyDir")
		rows(t, opens, fs, "open", "openSync")
	}
	for _, m := range []string{"glob", "fast-glob", "globby", "chokidar", "tinyglobby", "readdirp"} {
		rows(t, reads, m)
	}
	for _, m := range []string{"rimraf", "del", "trash"} {
		rows(t, deletes, m)
	}
	for _, m := range []string{"sqlite3", "better-sqlite3", "lowdb", "write-file-atomic"} {
		rows(t, both, m)
	}
	rows(t, starts, "child_process", "exec", "execSync", "execFile", "execFileSync", "spawn", "spawnSync", "fork")
	for _, m := range []string{"execa", "cross-spawn", "shelljs", "zx", "node-pty", "simple-git", "dockerode", "open"} {
		rows(t, starts, m)
	}
	for _, m := range []string{"puppeteer", "playwright", "playwright-core", "puppeteer-core", "selenium-webdriver"} {
		rows(t, browser, m)
	}
	rows(t, client, "http", "request", "get")
	rows(t, client, "https", "request", "get")
	rows(t, client, "net", "connect", "createConnection", "Socket")
	rows(t, client, "tls", "connect")
	rows(t, client, "http2", "connect")
	rows(t, client, "dgram", "createSocket")
	for _, m := range []string{"dns", "dns/promises"} {
		rows(t, client, m, "lookup", "resolve", "resolve4", "resolve6", "reverse")
	}
	for _, m := range []string{
		"fetch", "WebSocket", "EventSource", "XMLHttpRequest", "axios", "node-fetch", "node-fetch-native", "cross-fetch", "undici", "got", "ky", "superagent", "needle", "request",
		"ws", "socket.io-client", "openai", "@anthropic-ai/sdk", "@notionhq/client", "@octokit/rest", "octokit", "googleapis", "@slack/web-api", "pg", "mysql2", "mysql2/promise", "redis", "ioredis", "mongodb", "mongoose", "nodemailer",
		"@google/genai", "@aws-sdk/client-s3", "firebase-admin", "stripe", "ssh2", "basic-ftp", "openapi-client-axios",
	} {
		rows(t, client, m)
	}
	rows(t, serves, "ws", "WebSocketServer", "Server")
	rows(t, serves, "http", "createServer")
	rows(t, serves, "https", "createServer")
	rows(t, serves, "http2", "createServer", "createSecureServer")
	rows(t, serves, "net", "createServer", "Server")
	rows(t, serves, "tls", "createServer")
	rows(t, serves, "express()", "listen")
	rows(t, serves, "fastify()", "listen")
	rows(t, serves, "koa()", "listen")
	rows(t, serves, "hapi", "server")
	rows(t, serves, "@hono/node-server", "serve")
	rows(t, env, "process.env")
	rows(t, []confine.Permission{confine.FilesRead, confine.EnvRead}, "dotenv")
	rows(t, []confine.Permission{confine.FilesRead, confine.EnvRead}, "dotenv/config")
	return t
}()

var pythonTable = func() map[string][]confine.Permission {
	t := map[string][]confine.Permission{}
	rows(t, opens, "open")
	rows(t, opens, "io", "open")
	rows(t, opens, "codecs", "open")
	rows(t, opens, "aiofiles", "open")
	rows(t, both, "os", "open")
	rows(t, reads, "os", "listdir", "scandir", "walk", "fwalk")
	rows(t, writes, "os", "mkdir", "makedirs", "rename", "replace", "link", "symlink", "truncate", "chmod", "utime", "mkfifo")
	rows(t, deletes, "os", "remove", "unlink", "rmdir", "removedirs")
	rows(t, starts, "os", "system", "popen", "execv", "execve", "execvp", "execl", "execlp", "spawnl", "spawnv", "fork", "posix_spawn", "startfile")
	rows(t, env, "os", "environ", "getenv", "environb")
	rows(t, both, "shutil", "copy", "copy2", "copyfile", "copytree", "move", "make_archive", "unpack_archive")
	rows(t, deletes, "shutil", "rmtree")
	for _, p := range []string{"pathlib.Path()", "pathlib.PosixPath()", "anyio.Path()"} {
		rows(t, reads, p, "read_text", "read_bytes", "iterdir", "glob", "rglob", "walk")
		rows(t, writes, p, "write_text", "write_bytes", "mkdir", "touch", "rename", "replace", "symlink_to", "hardlink_to", "chmod")
		rows(t, deletes, p, "unlink", "rmdir")
		rows(t, opens, p, "open")
	}
	rows(t, reads, "glob", "glob", "iglob")
	rows(t, reads, "fileinput", "input")
	rows(t, reads, "linecache")
	rows(t, both, "sqlite3", "connect")
	rows(t, both, "shelve", "open")
	rows(t, both, "aiosqlite", "connect")
	rows(t, both, "zipfile", "ZipFile")
	rows(t, both, "tarfile", "open")
	rows(t, reads, "pandas", "read_csv", "read_excel", "read_json", "read_parquet")
	rows(t, reads, "PIL.Image", "open")
	rows(t, starts, "subprocess", "run", "Popen", "call", "check_call", "check_output", "getoutput", "getstatusoutput")
	rows(t, starts, "asyncio", "create_subprocess_exec", "create_subprocess_shell")
	rows(t, starts, "anyio", "run_process", "open_process")
	rows(t, starts, "multiprocessing", "Process", "Pool")
	rows(t, starts, "concurrent.futures", "ProcessPoolExecutor")
	rows(t, starts, "pty", "spawn")
	rows(t, starts, "webbrowser")
	rows(t, starts, "git", "Repo", "Git")
	for _, m := range []string{"pexpect", "sh", "docker", "fabric"} {
		rows(t, starts, m)
	}
	for _, m := range []string{"playwright", "selenium", "pyppeteer"} {
		rows(t, browser, m)
	}
	rows(t, client, "socket", "create_connection", "getaddrinfo", "gethostbyname")
	rows(t, client, "socket.socket()", "connect", "connect_ex", "sendto")
	rows(t, serves, "socket.socket()", "bind", "listen", "accept")
	rows(t, serves, "socket", "create_server")
	rows(t, serves, "socketserver")
	rows(t, serves, "http.server", "HTTPServer", "ThreadingHTTPServer")
	rows(t, serves, "asyncio", "start_server")
	rows(t, client, "asyncio", "open_connection")
	rows(t, serves, "uvicorn", "run", "Server")
	rows(t, serves, "aiohttp.web", "run_app", "TCPSite")
	rows(t, serves, "flask.Flask()", "run")
	rows(t, client, "urllib.request", "urlopen", "urlretrieve", "build_opener", "OpenerDirector")
	rows(t, client, "http.client", "HTTPConnection", "HTTPSConnection")
	rows(t, client, "ssl", "create_connection")
	rows(t, none, "requests.exceptions")
	rows(t, none, "httpx", "HTTPError", "HTTPStatusError", "RequestError", "TimeoutException", "Timeout", "Response", "URL")
	for _, m := range []string{
		"requests", "httpx", "aiohttp", "urllib3", "ftplib", "smtplib", "imaplib", "poplib", "telnetlib", "xmlrpc.client", "websockets", "websocket", "paramiko", "boto3", "psycopg", "psycopg2", "asyncpg",
		"pymysql", "redis", "pymongo", "elasticsearch", "openai", "anthropic", "github", "slack_sdk", "googleapiclient", "google.cloud", "notion_client", "tweepy", "yfinance", "feedparser", "duckduckgo_search", "wikipedia", "arxiv",
	} {
		rows(t, client, m)
	}
	rows(t, []confine.Permission{confine.FilesRead, confine.EnvRead}, "dotenv", "load_dotenv", "dotenv_values")
	rows(t, env, "pydantic_settings", "BaseSettings")
	rows(t, env, "decouple", "config")
	return t
}()

// goTable has packages by their import paths.
var goTable = func() map[string][]confine.Permission {
	t := map[string][]confine.Permission{}
	rows(t, reads, "os", "ReadFile", "Open", "ReadDir", "DirFS", "OpenRoot", "OpenInRoot")
	rows(t, writes, "os", "WriteFile", "Create", "CreateTemp", "Mkdir", "MkdirAll", "MkdirTemp", "Rename", "Link", "Symlink", "Truncate", "Chmod", "Chtimes")
	rows(t, both, "os", "OpenFile", "CopyFS")
	rows(t, deletes, "os", "Remove", "RemoveAll")
	rows(t, env, "os", "Getenv", "LookupEnv", "Environ", "ExpandEnv")
	rows(t, starts, "os", "StartProcess")
	rows(t, starts, "os/exec", "Command", "CommandContext")
	rows(t, starts, "syscall", "Exec", "ForkExec", "StartProcess")
	rows(t, reads, "path/filepath", "Walk", "WalkDir", "Glob")
	rows(t, reads, "io/ioutil", "ReadFile", "ReadDir")
	rows(t, writes, "io/ioutil", "WriteFile", "TempFile", "TempDir")
	rows(t, client, "net/http", "Get", "Post", "PostForm", "Head", "NewRequest", "NewRequestWithContext", "DefaultClient", "Client", "Transport", "DefaultTransport")
	rows(t, serves, "net/http", "ListenAndServe", "ListenAndServeTLS", "Serve", "ServeTLS", "Server")
	rows(t, client, "net", "Dial", "DialTimeout", "DialTCP", "DialUDP", "Dialer", "LookupHost", "LookupIP", "LookupAddr", "Resolver", "DefaultResolver")
	rows(t, serves, "net", "Listen", "ListenTCP", "ListenUDP", "ListenPacket", "ListenConfig")
	rows(t, client, "crypto/tls", "Dial", "DialWithDialer", "Dialer")
	rows(t, serves, "crypto/tls", "Listen")
	rows(t, client, "net/smtp")
	rows(t, client, "net/rpc", "Dial", "DialHTTP")
	rows(t, both, "database/sql", "Open")
	return t
}()
