import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { EmptyProject } from "./EmptyProject.ts"

/** Acts as an MCP host: the official SDK starts the command, lists the tools, and calls one. */
const host = `
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"

const { MARKETPLACE_API_KEY = "", MARKETPLACE_URL = "" } = process.env
const client = new Client({ name: "check", version: "1.0.0" })
await client.connect(
  new StdioClientTransport({ command: "node_modules/.bin/agent-marketplace-mcp", env: { ...process.env, MARKETPLACE_API_KEY, MARKETPLACE_URL } })
)
const { tools } = await client.listTools()
const balance = tools.find(({ name }) => name.includes("balance"))
const answer = await client.callTool({ name: balance.name, arguments: {} })
await client.close()
if (!JSON.stringify(answer.content).includes("1000")) throw new Error(JSON.stringify(answer))
console.log(tools.length + " tools, " + balance.name + " answered")
`

/** Runs the installed MCP server with the installed harness. */
export const runMcp = async ({ folder, run }: EmptyProject): Promise<string> => {
  const file = join(folder, "mcp.mjs")
  writeFileSync(file, host)
  const harness = spawn(
    process.execPath,
    [join(folder, "node_modules/.bin/agent-marketplace-harness"), "--port", "0"],
    {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"]
    }
  )
  const ended = once(harness, "exit")
  try {
    const [line] = (await once(createInterface(harness.stdout), "line")) as [string]
    const { baseUrl, keys } = JSON.parse(line) as {
      readonly baseUrl: string
      readonly keys: { readonly buyer: string }
    }
    const env = { MARKETPLACE_API_KEY: keys.buyer, MARKETPLACE_URL: baseUrl }
    return (await run(process.execPath, [file], { env })).trim()
  } finally {
    harness.kill("SIGTERM")
    await ended
  }
}
