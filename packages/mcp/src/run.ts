import { Marketplace } from "@agent-marketplace/client"
import { keyFilePlace, readKeyFile } from "@agent-marketplace/client/node/login/KeyFile"
import { KeyFileError } from "@agent-marketplace/client/node/login/KeyFileError"
import { loginFetch } from "@agent-marketplace/client/node/login/loginFetch"
import { isMarketUrl } from "@agent-marketplace/client/requests/isMarketUrl"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import { Effect, Logger } from "effect"
import { parseArgs } from "node:util"
import { runStdio } from "./runStdio.ts"
import { version } from "./version.ts"

const help = `The market as an MCP server over stdio: an MCP host starts it and talks to it.

  agent-marketplace-mcp [--help] [--version]

Environment:
  MARKETPLACE_URL      the market's address, for example http://localhost:3000
  MARKETPLACE_API_KEY  the key of the account or agent that this server acts for
  Without a key, the server uses the one that \`agent-marketplace login\` stored for MARKETPLACE_URL or, without that, for the market of
  the last login.

Configuration of a host, for example claude_desktop_config.json:
  { "mcpServers": { "agent-marketplace": {
      "command": "npx", "args": ["-y", "@agent-marketplace/mcp"],
      "env": { "MARKETPLACE_API_KEY": "amk_…", "MARKETPLACE_URL": "http://localhost:3000" } } } }
`

/** `EX_CONFIG` and `EX_USAGE` of sysexits: hosts do not start the server again. */
const exitCodes = { configuration: 78, usage: 64 } as const

const stop = (exitCode: number, message: string): void => {
  process.stderr.write(message)
  process.exitCode = exitCode
}

/** Where the server connects to, or what is missing for that. */
type Configured =
  { readonly market: Marketplace; readonly baseUrl: string } | { readonly faults: ReadonlyArray<string> }

/** Retrying is the model's decision: it receives the error. */
const connect = (baseUrl: string, apiKey: string, fetch?: typeof globalThis.fetch): Configured => ({
  market: new Marketplace({ apiKey, baseUrl, fetch, maxRetries: 0 }),
  baseUrl
})

/** The variables take precedence over the key file, which `agent-marketplace login` writes (MCP-13). */
const configuration = async (env: NodeJS.ProcessEnv): Promise<Configured> => {
  const apiKey = env["MARKETPLACE_API_KEY"]?.trim() ?? ""
  const named = env["MARKETPLACE_URL"]?.trim() ?? ""
  const urlFaults = isMarketUrl(named)
    ? []
    : ["MARKETPLACE_URL must be the market's address, for example http://localhost:3000"]
  if (apiKey !== "") {
    const keyFaults = /^[!-~]+$/.test(apiKey) ? [] : ["MARKETPLACE_API_KEY must be the API key of an account or agent"]
    const faults = [...keyFaults, ...urlFaults]
    return faults.length > 0 ? { faults } : connect(named, apiKey)
  }
  const file = keyFilePlace(env)
  const { current, markets } = await readKeyFile(file)
  const baseUrl = named === "" ? current : named.replace(/\/+$/, "")
  const stored = baseUrl === undefined ? undefined : markets[baseUrl]
  if (baseUrl === undefined || stored === undefined) {
    const missing =
      "MARKETPLACE_API_KEY must be set, or `agent-marketplace login` must have stored a key for this market"
    return { faults: [missing, ...urlFaults] }
  }
  if ("apiKey" in stored) return connect(baseUrl, stored.apiKey)
  return connect(baseUrl, stored.accessToken, loginFetch(file, baseUrl))
}

const faultsOf = (cause: unknown): Configured => {
  if (cause instanceof KeyFileError) return { faults: [cause.message, cause.hint] }
  return { faults: [cause instanceof Error ? cause.message : String(cause)] }
}

const serve = async (): Promise<void> => {
  const found = await configuration(process.env).catch(faultsOf)
  if ("faults" in found)
    return stop(
      exitCodes.configuration,
      `The MCP server cannot start:\n${found.faults.map((fault) => `  ${fault}\n`).join("")}\`agent-marketplace-mcp --help\` describes its configuration.\n`
    )
  NodeRuntime.runMain(
    runStdio(found.market, found.baseUrl).pipe(
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
  else void serve()
} catch (cause) {
  stop(exitCodes.usage, `${cause instanceof Error ? cause.message : String(cause)}\n\n${help}`)
}
