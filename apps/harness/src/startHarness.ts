import { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { MarketConfig } from "@agent-marketplace/core/config/MarketConfig"
import { Jobs } from "@agent-marketplace/core/jobs/Jobs"
import { Market } from "@agent-marketplace/core/Market"
import { ExchangeRates } from "@agent-marketplace/core/money/ExchangeRates"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { SecretBox } from "@agent-marketplace/core/webhooks/SecretBox"
import { MarketHttp } from "@agent-marketplace/http/MarketHttp"
import { MemoryRateLimits } from "@agent-marketplace/http/limits/MemoryRateLimits"
import { HttpOptions } from "@agent-marketplace/http/options/HttpOptions"
import { NodeUrlGuard } from "@agent-marketplace/http/webhooks/NodeUrlGuard"
import { NodeWebhookTransport } from "@agent-marketplace/http/webhooks/NodeWebhookTransport"
import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import { NodeCrypto, NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { makeMarketServer } from "@agent-marketplace/http/server/MarketServer"
import { once } from "node:events"
import { createServer } from "node:http"
import type { Server } from "node:http"
import { SeededRandom } from "./SeededRandom.ts"
import type { Seeded } from "./seedMarket.ts"
import { seedMarket } from "./seedMarket.ts"

/** The operator's token of every harness. */
export const harnessAdminToken = "harness-operator-token-0000000000000000"

export interface HarnessOptions {
  /** 0 (the default) takes a free port. */
  readonly port?: number
  /** The same seed gives the same keys; 1 by default. */
  readonly seed?: number
  /** Whether listings wait for the operator; `auto` by default. */
  readonly listingReview?: "manual" | "auto"
  /** Off by default. */
  readonly rateLimits?: "on" | "off"
}

/** A whole market in memory, behind the same HTTP API, for tests. */
export interface Harness {
  readonly baseUrl: string
  readonly keys: { readonly admin: string; readonly seller: string; readonly buyer: string }
  /** What is for sale from the start. */
  readonly items: Pick<Seeded, "soul" | "skills">
  readonly clock: {
    readonly now: () => Promise<Date>
    /** Moves the market's time forward and does all that has become due: renewals, expiries, deposits, withdrawals. */
    readonly advance: (seconds: number) => Promise<Date>
  }
  readonly chain: {
    /** A transfer of a decimal amount of USDT to a deposit address, made final and credited. */
    readonly deposit: (address: string, amount: string) => Promise<void>
  }
  /** Back to the seeded beginning, on the same address. */
  readonly reset: () => Promise<void>
  readonly stop: () => Promise<void>
}

const config = (options: HarnessOptions, baseUrl: string) =>
  Layer.succeed(MarketConfig, {
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

const secretBox = SecretBox.layer([Redacted.make("harness-webhook-secret-000000000000000000")])

/** A harness' webhooks go to the test suite beside it. */
const receivers = Layer.merge(
  NodeUrlGuard.layer({ allowPrivate: true }),
  NodeWebhookTransport.layer({ allowPrivate: true })
)

const market = (options: HarnessOptions, baseUrl: string, inner: Server) => {
  const crypto = Layer.mergeAll(
    NodeCrypto.layerDigest,
    NodeCrypto.layerMac,
    NodeCrypto.layerAead,
    SeededRandom.layer(options.seed ?? 1)
  )
  const core = Layer.mergeAll(Jobs.layer).pipe(
    Layer.provideMerge(Market.layer),
    Layer.provideMerge(MemoryStores.layer),
    Layer.provide([config(options, baseUrl), ExchangeRates.layer, secretBox, receivers]),
    Layer.provideMerge(crypto)
  )
  return MarketHttp.serve.pipe(
    Layer.provide(
      NodeHttpServer.layer(() => inner, { port: 0, host: "127.0.0.1", gracefulShutdownTimeout: "1 second" })
    ),
    Layer.provide([options.rateLimits === "on" ? MemoryRateLimits.layer : MemoryRateLimits.layerOff, httpOptions]),
    Layer.provideMerge(Jobs.background.pipe(Layer.provideMerge(core))),
    Layer.provide(Logger.layer([]))
  )
}

const open = async (options: HarnessOptions, baseUrl: string) => {
  const inner = createServer()
  const runtime = ManagedRuntime.make(market(options, baseUrl, inner))
  const seeded = await runtime.runPromise(seedMarket)
  return { inner, runtime, seeded }
}

/** Keeps the address and the clients' connections while the market behind it is exchanged. */
const listen = async (port: number, current: () => Server): Promise<Server> => {
  const front = makeMarketServer()
  front.on("request", (request, response) => current().emit("request", request, response))
  front.listen(port, "127.0.0.1")
  await once(front, "listening")
  return front
}

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

const advance = (seconds: number) =>
  Effect.gen(function* () {
    const now = yield* (yield* MarketClock).advance(seconds)
    yield* (yield* Jobs).runDue
    return now
  })

const deposit = (address: string, amount: string) =>
  Effect.gen(function* () {
    const units = yield* Effect.fromResult(Usdt.parse(amount))
    yield* (yield* SimulatedChain).deposit(address, units)
    yield* advance(4)
  })

/**
 * Starts a market for tests: seeded, its time under control.
 *
 * ```ts
 * const market = await startHarness()
 * const response = await fetch(`${market.baseUrl}/api/souls`, { headers: { authorization: `Bearer ${market.keys.buyer}` } })
 * await market.stop()
 * ```
 */
export const startHarness = async (options: HarnessOptions = {}): Promise<Harness> => {
  const front = await listen(options.port ?? 0, () => current.inner)
  const baseUrl = `http://127.0.0.1:${portOf(front)}`
  let current = await open(options, baseUrl)
  return {
    baseUrl,
    get keys() {
      return { admin: harnessAdminToken, seller: current.seeded.seller, buyer: current.seeded.buyer }
    },
    get items() {
      return { soul: current.seeded.soul, skills: current.seeded.skills }
    },
    clock: {
      now: async () => new Date(await current.runtime.runPromise(Effect.flatMap(MarketClock, ({ now }) => now))),
      advance: async (seconds) => new Date(await current.runtime.runPromise(advance(seconds)))
    },
    chain: { deposit: (address, amount) => current.runtime.runPromise(deposit(address, amount)) },
    reset: async () => {
      await current.runtime.dispose()
      current = await open(options, baseUrl)
    },
    stop: async () => {
      front.closeAllConnections()
      front.close()
      await current.runtime.dispose()
    }
  }
}
