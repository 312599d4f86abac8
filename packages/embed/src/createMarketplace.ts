import { Marketplace } from "@agent-marketplace/client"
import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { makeSend } from "@agent-marketplace/client/requests/makeSend"
import type { NewAccount } from "@agent-marketplace/client/wire/Endpoints"
import type { HostUser } from "@agent-marketplace/core/identity/HostUsers"
import { Jobs } from "@agent-marketplace/core/jobs/Jobs"
import type { Insider } from "@agent-marketplace/http/edge/InProcess"
import { MountedMarket } from "@agent-marketplace/http/mount/MountedMarket"
import { Context, Effect, ManagedRuntime, Stream } from "effect"
import { failureOf } from "./calls/failureOf.ts"
import { guarded } from "./calls/guarded.ts"
import { makeGate } from "./calls/makeGate.ts"
import { operatorCalls } from "./calls/OperatorCalls.ts"
import type { EmbeddedMarket, Simulation } from "./EmbeddedMarket.ts"
import { happenings } from "./events/happenings.ts"
import { marketLayer } from "./marketLayer.ts"
import { invalidOptions } from "./options/invalidOptions.ts"
import type { MarketplaceOptions } from "./options/MarketplaceOptions.ts"
import { readOptions } from "./options/readOptions.ts"
import type { Settings } from "./options/readOptions.ts"
import { startFailure } from "./startFailure.ts"

/** Stands where a key would be: who calls is known without one. */
const noKey = "none"

/** One attempt: what fails here would fail again at once. */
const direct = { maxRetries: 0, timeout: 120_000 } as const

const started = async (settings: Settings) => {
  const runtime = ManagedRuntime.make(marketLayer(settings))
  try {
    return { runtime, services: await runtime.context() }
  } catch (cause) {
    await runtime.dispose()
    throw startFailure(cause)
  }
}

const closedError = () =>
  new MarketplaceError({ message: "The market is closed", code: "INTERNAL_ERROR", statusCode: 503 })

/** Over once one of the signals is aborted. */
const aborted = (signals: ReadonlyArray<AbortSignal>) =>
  Effect.callback<void>((resume) => {
    const stop = () => resume(Effect.void)
    if (signals.some((signal) => signal.aborted)) return stop()
    for (const signal of signals) signal.addEventListener("abort", stop)
    return Effect.sync(() => {
      for (const signal of signals) signal.removeEventListener("abort", stop)
    })
  })

/**
 * A market in your program: everything that the server has, without one.
 *
 * ```ts
 * const market = await createMarketplace({ storage: memoryStorage() })
 * const alice = market.as({ id: "alice", name: "Alice" })
 * await alice.souls.create({ name: "Patient Tutor", description: "Explains in small steps.", content: "# SOUL" })
 * ```
 *
 * Rejects with a `MarketplaceError`: `VALIDATION_ERROR` names every option that is wrong or missing, `INTERNAL_ERROR` is a storage that
 * cannot be reached.
 */
export const createMarketplace = async (options: MarketplaceOptions): Promise<EmbeddedMarket> => {
  const settings = readOptions(options)
  const { runtime, services } = await started(settings)
  const mounted = Context.get(services, MountedMarket)
  const gate = makeGate()
  const { fetch, node } = guarded(gate)

  const baseUrl = settings.pathStripped ? new URL(settings.baseUrl).origin : settings.baseUrl
  const fetchAs = (insider: Insider) => async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init)
    const response = await fetch((admitted) => mounted.fetch(admitted, undefined, insider), request)
    request.signal.throwIfAborted()
    return response
  }
  const operator = makeSend({
    ...direct,
    apiKey: noKey,
    agentId: undefined,
    baseUrl,
    fetch: fetchAs({ _tag: "Operator" })
  })
  const post = (path: string, body: unknown) => operator({ method: "POST", path, body, options: {} })

  const as = (caller: string | HostUser): Marketplace => {
    if (typeof caller === "string" && caller !== "")
      return new Marketplace({ ...direct, apiKey: caller, baseUrl, fetch: fetchAs({ _tag: "Key" }) })
    if (typeof caller !== "object" || caller === null)
      throw invalidOptions("as", [{ path: "caller", message: "must be an API key or a user of the host's" }])
    return new Marketplace({ ...direct, apiKey: noKey, baseUrl, fetch: fetchAs({ _tag: "User", user: caller }) })
  }

  const simulation: Simulation = {
    deposit: async (address, amount) => {
      await post("/api/v1/admin/simulated-chain/deposits", { address, amount })
    },
    advance: async (seconds) => {
      const { now } = (await post("/api/v1/admin/clock", { advanceSeconds: seconds })) as { readonly now: string }
      await Effect.runPromiseWith(services)(Effect.mapError(Context.get(services, Jobs).runDue, failureOf))
      return new Date(now)
    }
  }

  const ending = new AbortController()
  let closing: Promise<void> | undefined
  const end = async () => {
    ending.abort()
    await gate.close()
    await runtime.dispose()
  }
  return {
    as,
    createAccount: async (wish) => (await post("/api/v1/accounts", wish)) as NewAccount,
    operator: operatorCalls(operator),
    events: ({ after, signal } = {}) => {
      if (!gate.isOpen()) throw closedError()
      const signals = signal === undefined ? [ending.signal] : [ending.signal, signal]
      return Stream.toAsyncIterableWith(Stream.interruptWhen(happenings(after), aborted(signals)), services)
    },
    simulation,
    fetch: (request, address) => fetch((admitted) => mounted.fetch(admitted, address), request),
    node: node(mounted.node),
    close: () => (closing ??= end())
  }
}
