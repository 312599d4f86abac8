import { assembleMarket } from "@agent-marketplace/assembly/assembleMarket"
import { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import { TronAddress } from "@agent-marketplace/core/chain/TronAddress"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { MarketConfig } from "@agent-marketplace/core/config/MarketConfig"
import { Jobs } from "@agent-marketplace/core/jobs/Jobs"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { configuredRateLimits } from "@agent-marketplace/http/limits/ConfiguredRateLimits"
import { MarketHttp } from "@agent-marketplace/http/MarketHttp"
import { HttpOptions } from "@agent-marketplace/http/options/HttpOptions"
import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import { NodeCrypto, NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import type { Server } from "node:http"
import { createServer } from "node:http"
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
  listingReview: options.listingReview ?? "auto",
  soulContent: "open",
  baseUrl,
  secret: Redacted.make("harness-feed-secret-00000000000000000000")
})

const httpOptions = Layer.succeed(HttpOptions, {
  signup: "open",
  adminToken: Redacted.make(harnessAdminToken),
  metricsToken: null,
  testClock: true,
  trustedProxies: [],
  requestLog: "none",
  logFormat: "json"
})

const layer = (options: HarnessOptions, baseUrl: string, server: Server) => {
  const market = assembleMarket({
    config: config(options, baseUrl),
    stores: MemoryStores.layer,
    secretKeys: [Redacted.make("harness-webhook-secret-000000000000000000")],
    // The receivers are servers of the test suite.
    allowPrivateReceivers: true,
    crypto: Layer.mergeAll(
      NodeCrypto.layerDigest,
      NodeCrypto.layerMac,
      NodeCrypto.layerAead,
      SeededRandom.layer(options.seed ?? 1)
    )
  })
  return MarketHttp.serve.pipe(
    Layer.provide(
      NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1", gracefulShutdownTimeout: "1 second" })
    ),
    Layer.provide([configuredRateLimits(options.rateLimits ?? "off", undefined), httpOptions]),
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
  /** Whole seconds. Everything that has become due is done when it resolves. */
  readonly advance: (seconds: number) => Promise<number>
  /** Credited when it resolves; false where the address is not valid. */
  readonly deposit: (address: string, amount: Usdt) => Promise<boolean>
  readonly end: () => Promise<void>
}

export const openMarket = async (options: HarnessOptions, baseUrl: string): Promise<HarnessMarket> => {
  const server = createServer()
  const runtime = ManagedRuntime.make(layer(options, baseUrl, server))
  const seeded = await runtime.runPromise(seedMarket)
  return {
    server,
    seeded,
    now: () => runtime.runPromise(Effect.flatMap(MarketClock, ({ now }) => now)),
    advance: (seconds) => runtime.runPromise(advance(seconds)),
    deposit: (address, amount) => runtime.runPromise(deposit(address, amount)),
    end: () => runtime.dispose()
  }
}
