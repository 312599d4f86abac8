import { assembleMarket } from "@agent-marketplace/assembly/assembleMarket"
import { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import { TronAddress } from "@agent-marketplace/core/chain/TronAddress"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { MarketConfig } from "@agent-marketplace/core/config/MarketConfig"
import { Jobs } from "@agent-marketplace/core/jobs/Jobs"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { NodeWebhookTransport } from "@agent-marketplace/delivery/NodeWebhookTransport"
import { configuredRateLimits } from "@agent-marketplace/http/limits/ConfiguredRateLimits"
import { GraphqlRoute } from "@agent-marketplace/graphql/GraphqlRoute"
import { MarketHttp } from "@agent-marketplace/http/MarketHttp"
import { McpRoute } from "@agent-marketplace/http/mcp/McpRoute"
import { HttpOptions } from "@agent-marketplace/http/options/HttpOptions"
import { ScriptedChain } from "@agent-marketplace/memory/chain/ScriptedChain"
import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import { derivedSigningSeed } from "@agent-marketplace/settings/SigningSeed"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import type { Server } from "node:http"
import { createServer } from "node:http"
import type { Faults } from "./Faults.ts"
import type { HarnessOptions } from "./Harness.ts"
import { SeededRandom } from "./SeededRandom.ts"
import { seedMarket } from "./seedMarket.ts"
import type { Seeded } from "./seedMarket.ts"

/** The operator's token of every harness. */
export const harnessAdminToken = "harness-operator-token-0000000000000000"

const config = (options: HarnessOptions, baseUrl: string): MarketConfig["Service"] => ({
  platformFeeBps: 500,
  withdrawalFee: Usdt.of(1_000_000n),
  withdrawalMinimum: Usdt.of(5_000_000n),
  withdrawalReviewAbove: null,
  coinRate: null,
  proceedsHoldDays: 7,
  refundCoverLimit: Usdt.of(1_000_000_000n),
  listingReview: options.listingReview ?? "auto",
  soulContent: "open",
  baseUrl,
  secret: Redacted.make("harness-feed-secret-00000000000000000000")
})

const httpOptions = (baseUrl: string) =>
  Layer.succeed(HttpOptions, {
    signup: "open",
    adminToken: Redacted.make(harnessAdminToken),
    metricsToken: null,
    testClock: true,
    trustedProxies: [],
    baseUrl,
    // Tests of others decide themselves what fails (LOAD-7).
    shedsLoad: false,
    requestLog: "none",
    logFormat: "json"
  })

const layer = (options: HarnessOptions, baseUrl: string, faults: Faults, server: Server) => {
  const market = assembleMarket({
    config: config(options, baseUrl),
    stores: MemoryStores.layer,
    secretKeys: [Redacted.make("harness-webhook-secret-000000000000000000")],
    signingKey: derivedSigningSeed(Redacted.make(`harness-signing-key-${options.seed ?? 1}`)),
    // The receivers are servers of the test suite, on this machine.
    receivers: "any",
    transport: faults.transport.pipe(Layer.provide(NodeWebhookTransport.layer({ access: "any" }))),
    crypto: Layer.mergeAll(
      NodeCrypto.layerDigest,
      NodeCrypto.layerMac,
      NodeCrypto.layerAead,
      NodeCrypto.layerSignature,
      SeededRandom.layer(options.seed ?? 1)
    )
  })
  // HARNESS-5
  return MarketHttp.serveWith(
    Layer.merge(
      McpRoute.layer(baseUrl, () => import("@agent-marketplace/mcp/openMcp")),
      GraphqlRoute.layer
    ),
    [...McpRoute.routes, ...GraphqlRoute.routes]
  ).pipe(
    Layer.provide(
      NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1", gracefulShutdownTimeout: "1 second" })
    ),
    Layer.provide([configuredRateLimits(options.rateLimits ?? "off", undefined), httpOptions(baseUrl)]),
    Layer.provideMerge(Jobs.background.pipe(Layer.provideMerge(market))),
    Layer.provide(Logger.layer([]))
  )
}

const advance = Effect.fnUntraced(function* (seconds: number) {
  const now = yield* (yield* MarketClock).advance(seconds)
  yield* (yield* Jobs).runDue
  return now
})

const deposit = Effect.fnUntraced(function* (address: string, amount: Usdt) {
  if (!(yield* TronAddress.isValid(address))) return false
  yield* (yield* SimulatedChain).deposit(address, amount)
  yield* advance(4)
  return true
})

/** One market of a harness, from its seeded start to its end. */
export interface HarnessMarket {
  /** Serves the requests that are emitted on it. */
  readonly server: Server
  readonly seeded: Seeded
  readonly now: () => Promise<number>
  readonly nowSync: () => number
  /** Whole seconds. All due work is done when it resolves. */
  readonly advance: (seconds: number) => Promise<number>
  /** Credited when it resolves, unless the chain is stalled; false if the address is not valid. */
  readonly deposit: (address: string, amount: Usdt) => Promise<boolean>
  readonly stallChain: () => Promise<void>
  readonly resumeChain: () => Promise<void>
  readonly end: () => Promise<void>
}

const stallChain = Effect.flatMap(ScriptedChain, ({ script }) => script.stall)

const resumeChain = Effect.gen(function* () {
  yield* (yield* ScriptedChain).script.resume
  yield* advance(4)
})

export const openMarket = async (options: HarnessOptions, baseUrl: string, faults: Faults): Promise<HarnessMarket> => {
  const server = createServer()
  const runtime = ManagedRuntime.make(layer(options, baseUrl, faults, server))
  const seeded = await runtime.runPromise(seedMarket)
  return {
    server,
    seeded,
    now: () => runtime.runPromise(Effect.flatMap(MarketClock, ({ now }) => now)),
    nowSync: () => runtime.runSync(Effect.flatMap(MarketClock, ({ now }) => now)),
    stallChain: () => runtime.runPromise(stallChain),
    resumeChain: () => runtime.runPromise(resumeChain),
    advance: (seconds) => runtime.runPromise(advance(seconds)),
    deposit: (address, amount) => runtime.runPromise(deposit(address, amount)),
    end: () => runtime.dispose()
  }
}
