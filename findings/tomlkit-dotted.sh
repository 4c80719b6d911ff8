#!/usr/bin/env bash
# A server added with tomlkit takes the lines below it into its own table, where the file uses dotted keys.
#
# Guess:   tomlkit keeps what it does not change: the file that it writes holds what the document held in memory.
# Happens: The new table is written as a header in the place of the dotted keys. Everything after it in the file, up to
#          the next header, now belongs to that table: a setting of the root becomes one of the server.
# Package: PyPI tomlkit 0.15.2
# Other:   tomlkit 0.15.1
# Seen:    2026-11-27
# Meets:   Installers that add an MCP server to a config.toml that a person wrote with dotted keys.

. "$(dirname "$0")/lib/finding.bash"
pip_install tomlkit==0.15.2

cat >finding.py <<'END'
import tomlkit

document = tomlkit.parse('mcp_servers.a.command = "a"\nmodel = "large"\n')
document["mcp_servers"]["b"] = {"command": "b"}
print("in memory:", document.unwrap())
print("in the file:", tomlkit.parse(tomlkit.dumps(document)).unwrap())
END
venv/bin/python finding.py >>seen

expect <<'END'
tomlkit 0.15.2
in memory: {'mcp_servers': {'a': {'command': 'a'}, 'b': {'command': 'b'}}, 'model': 'large'}
in the file: {'mcp_servers': {'a': {'command': 'a'}, 'b': {'command': 'b', 'model': 'large'}}}
END
