import { Marketplace } from "@agent-marketplace/client"
import { isMarketUrl } from "@agent-marketplace/client/requests/isMarketUrl"
import { NodeRuntime, NodeStdio } from "@effect/platform-node"
import { Effect, Logger } from "effect"
import { parseArgs } from "node:util"
import { runStdio } from "./runStdio.ts"
import { version } from "./version.ts"

const help = `The market as an MCP server over stdio: an MCP host starts it and talks to it.

  agent-marketplace-mcp [--help] [--version]

Environment:
  MARKETPLACE_URL      required: the market's address, for example http://127.0.0.1:3000
  MARKETPLACE_API_KEY  required: the key of the account or agent that this server acts for

Configuration of a host, for example claude_desktop_config.json:
  { "mcpServers": { "agent-marketplace": {
      "command": "npx", "args": ["-y", "@agent-marketplace/mcp"],
      "env": { "MARKETPLACE_API_KEY": "amk_…", "MARKETPLACE_URL": "http://127.0.0.1:3000" } } } }
`

/** `EX_CONFIG` and `EX_USAGE` of sysexits: hosts do not start the server again. */
const exitCodes = { configuration: 78, usage: 64 } as const

const stop = (exitCode: number, message: string): void => {
  process.stderr.write(message)
  process.exitCode = exitCode
}

const serve = (): void => {
  const apiKey = process.env["MARKETPLACE_API_KEY"]?.trim() ?? ""
  const baseUrl = process.env["MARKETPLACE_URL"]?.trim() ?? ""
  const faults = [
    ...(/^[!-~]+$/.test(apiKey)
      ? []
      : ["MARKETPLACE_API_KEY must be the API key of the account or agent that this server acts for"]),
    ...(isMarketUrl(baseUrl) ? [] : ["MARKETPLACE_URL must be the market's address, for example http://127.0.0.1:3000"])
  ]
  if (faults.length > 0)
    return stop(
      exitCodes.configuration,
      `The MCP server cannot start:\n${faults.map((fault) => `  ${fault}\n`).join("")}\`agent-marketplace-mcp --help\` describes its configuration.\n`
    )
  // Retrying is the model's decision: it receives the error.
  const market = new Marketplace({ apiKey, baseUrl, maxRetries: 0 })
  NodeRuntime.runMain(
    runStdio(market, baseUrl).pipe(
      Effect.provide(NodeStdio.layer),
      // Standard output belongs to the protocol.
      Effect.provideService(Logger.LogToStderr, true)
    )
  )
}

try {
  const { values } = parseArgs({
    options: { help: { type: "boolean", short: "h" }, version: { type: "boolean", short: "v" } }
  })
  if (values.help === true) process.stdout.write(help)
  else if (values.version === true) process.stdout.write(`${version}\n`)
  else serve()
} catch (cause) {
  stop(exitCodes.usage, `${cause instanceof Error ? cause.message : String(cause)}\n\n${help}`)
}
