// `ask clients wrap opencode --hooks` wrote this file, and `ask clients unwrap opencode` removes it.
// It reports messages and calls to `ask hook opencode`, and decides nothing.
import { spawn } from "node:child_process"

const command = $COMMAND
const environment = $ENVIRONMENT

const report = (row) =>
  new Promise((done) => {
    try {
      const hook = spawn(command, ["hook", "opencode"], {
        env: { ...process.env, ...environment },
        stdio: ["pipe", "ignore", "ignore"],
        timeout: 2000,
      })
      hook.on("error", done)
      hook.on("close", done)
      hook.stdin.on("error", done)
      hook.stdin.end(JSON.stringify(row))
    } catch {
      done()
    }
  })

export const Onestep = async ({ client }) => {
  const commands = new Set()
  const parents = new Map()
  // The first message of a subagent's session is its parent's model's.
  const isSubagent = async (id) => {
    if (!parents.has(id)) {
      const session = await client.session.get({ path: { id } }).catch(() => undefined)
      parents.set(id, !session?.data || Boolean(session.data.parentID))
    }
    return parents.get(id)
  }
  return {
    "command.execute.before": async ({ sessionID }) => void commands.add(sessionID),
    "chat.message": async ({ sessionID }, { parts }) => {
      const command = commands.delete(sessionID)
      const how = (await isSubagent(sessionID)) ? "subagent" : command ? "command" : "typed"
      for (const part of parts) {
        if (part.type === "text" && part.text) {
          await report({ session_id: sessionID, prompt: part.text, how: part.synthetic ? "file" : how })
        }
      }
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) =>
      void (await report({ session_id: sessionID, tool_name: tool, tool_use_id: callID, tool_input: args })),
  }
}
