import { Marketplace } from "@agent-marketplace/client"
import { isMarketUrl } from "@agent-marketplace/client/requests/isMarketUrl"
import { NodeRuntime, NodeStdio } from "@effect/platform-node"
import { Effect, Logger } from "effect"
import { runStdio } from "./runStdio.ts"

const apiKey = process.env["MARKETPLACE_API_KEY"]?.trim() ?? ""
const baseUrl = process.env["MARKETPLACE_URL"]?.trim() || undefined

const faults = [
  ...(/^[!-~]+$/.test(apiKey)
    ? []
    : ["MARKETPLACE_API_KEY must be the API key of the account or agent that this server acts for"]),
  ...(baseUrl === undefined || isMarketUrl(baseUrl)
    ? []
    : ["MARKETPLACE_URL must be the market's address, http://127.0.0.1:3000 for instance"])
]

if (faults.length > 0) {
  process.stderr.write(`The MCP server cannot start:\n${faults.map((fault) => `  ${fault}\n`).join("")}`)
  process.exitCode = 78
} else {
  // Whether to try again, and when, is for the model: it knows what it wants and is told what happened.
  const market = new Marketplace({ apiKey, baseUrl, maxRetries: 0 })
  NodeRuntime.runMain(
    runStdio(market).pipe(
      Effect.provide(NodeStdio.layer),
      // Standard output belongs to the protocol.
      Effect.provideService(Logger.LogToStderr, true)
    )
  )
}
