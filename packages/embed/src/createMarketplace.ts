import { operation } from "@agent-marketplace/client/operations/operation"
import { isEventCursor } from "@agent-marketplace/core/events/EventLog"
import { Jobs } from "@agent-marketplace/core/jobs/Jobs"
import { MountedMarket } from "@agent-marketplace/http/mount/MountedMarket"
import { Context, Effect, ManagedRuntime, Stream } from "effect"
import { callsWithin } from "./calls/callsWithin.ts"
import { closedError, guarded } from "./calls/guarded.ts"
import { failureOf, startFailure } from "./calls/failureOf.ts"
import { makeGate } from "./calls/makeGate.ts"
import { simulationCalls } from "./calls/simulationCalls.ts"
import type { EmbeddedMarket } from "./EmbeddedMarket.ts"
import { marketEvents, untilAborted } from "./events/marketEvents.ts"
import { marketLayer } from "./marketLayer.ts"
import { operatorCalls } from "./operator/operatorCalls.ts"
import type { MarketplaceOptions } from "./options/MarketplaceOptions.ts"
import { invalidOptions } from "./options/optionChecks.ts"
import type { Settings } from "./options/readOptions.ts"
import { readOptions } from "./options/readOptions.ts"

const noCursor = [{ path: "after", message: "must be the cursor of an event" }]

const started = async (settings: Settings) => {
  const runtime = ManagedRuntime.make(marketLayer(settings))
  try {
    return { runtime, services: await runtime.context() }
  } catch (cause) {
    await runtime.dispose()
    throw startFailure(cause)
  }
}

/**
 * A market inside your program: the features of the server, without a server (EMBED-1).
 *
 * ```ts
 * const market = await createMarketplace({ storage: memoryStorage() })
 * const alice = market.as({ id: "alice", name: "Alice" })
 * await alice.souls.create({ name: "Patient Tutor", description: "Explains in small steps.", content: "# SOUL" })
 * ```
 *
 * Rejects with a `MarketplaceError`: `VALIDATION_ERROR` names every invalid or missing option, `INTERNAL_ERROR` means that the storage
 * cannot be reached.
 */
export const createMarketplace = async (options: MarketplaceOptions): Promise<EmbeddedMarket> => {
  const settings = readOptions(options)
  const { runtime, services } = await started(settings)
  const mounted = Context.get(services, MountedMarket)
  const { runDue } = Context.get(services, Jobs)
  const gate = makeGate()
  const { fetch, node, upgrade, work } = guarded(gate)
  const { as, sendAsOperator } = callsWithin(
    (request, insider) => fetch((admitted) => mounted.fetch(admitted, undefined, insider), request),
    settings.pathStripped ? new URL(settings.baseUrl).origin : settings.baseUrl
  )
  const operator = sendAsOperator()
  const ending = new AbortController()
  let closing: Promise<void> | undefined
  const end = async () => {
    ending.abort()
    const emptied = gate.close()
    // Streams would otherwise stay open until their clients leave.
    await Effect.runPromise(mounted.endStreams)
    await emptied
    await runtime.dispose()
  }
  return {
    as,
    createAccount: operation("POST /api/v1/accounts", { input: true })(operator),
    registerAgent: operation("POST /api/v1/agents/register", { input: true })(operator),
    operator: operatorCalls(sendAsOperator),
    events: ({ after, signal } = {}) => {
      if (ending.signal.aborted) throw closedError()
      if (after !== undefined && !isEventCursor(after)) throw invalidOptions("events", noCursor)
      const ended = untilAborted(ending.signal, signal)
      return Stream.toAsyncIterableWith(Stream.interruptWhen(marketEvents(after), ended), services)
    },
    simulation: simulationCalls(operator, () =>
      work(() => Effect.runPromiseWith(services)(Effect.mapError(runDue, failureOf)))
    ),
    fetch: (request, address) => fetch((admitted) => mounted.fetch(admitted, address), request),
    node: node(mounted.node),
    upgrade: upgrade(mounted.upgrade),
    close: () => (closing ??= end())
  }
}
