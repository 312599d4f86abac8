import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { Chain } from "@agent-marketplace/core/chain/Chain"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import { ScriptedChain } from "@agent-marketplace/memory/chain/ScriptedChain"
import { Cause, Context, Effect, Exit, References, Stream } from "effect"
import type { Journal } from "./Journal.ts"

const portPrefix = "@agent-marketplace/core/"

type Failure = ChainUnavailable | StoreUnavailable
type Refusal = (error: StoreUnavailable) => Effect.Effect<never, Failure>

/** A method, an effect or a stream of a service. Every other value is left as it is. */
const awaiting = (journal: Journal, refusal: Refusal) => {
  const stored = Effect.catch(journal.stored, refusal)

  /** Runs a step without yielding, so that a commit never contains a part of it. */
  const step = (effect: Effect.Effect<unknown, Failure>) =>
    Effect.suspend(() => {
      const { changed, commits } = journal
      return Effect.flatMap(Effect.exit(effect), (exit) => {
        const isPartial = journal.changed !== changed && journal.commits === commits
        if (Exit.isFailure(exit) && Cause.hasDies(exit.cause) && isPartial)
          journal.stop("a change ended half-way with a fault, and was not stored")
        return Effect.flatMap(stored, () => exit)
      })
    }).pipe(Effect.provideService(References.PreventSchedulerYield, true))

  const wrapped = (value: unknown): unknown => {
    // The ports declare these failures; the check itself cannot know them.
    const isEffect: (value: unknown) => value is Effect.Effect<unknown, Failure> = Effect.isEffect as never
    if (isEffect(value)) return step(value)
    if (Stream.isStream(value))
      return Stream.mapEffect(value as Stream.Stream<unknown, Failure>, (element) => Effect.as(stored, element))
    if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, wrapped(each)]))
  }

  const member = (value: unknown): unknown =>
    typeof value === "function"
      ? (...args: ReadonlyArray<unknown>) => wrapped((value as (...args: ReadonlyArray<unknown>) => unknown)(...args))
      : wrapped(value)

  return (service: object, except: ReadonlyArray<string> = []): object =>
    Object.fromEntries(
      Object.entries(service).map(([name, value]) => [name, except.includes(name) ? value : member(value)])
    )
}

/**
 * The same services, whose methods return only after every change that they could have seen is on the disk: nothing that was returned is lost in a
 * crash (SQLITE-1). `MarketClock.now` changes and reads no record.
 */
export const awaitStored = <Services>(
  journal: Journal,
  services: Context.Context<Services>
): Context.Context<Services> => {
  const ofStore = awaiting(journal, Effect.fail)
  const ofChain = awaiting(journal, () =>
    Effect.fail(new ChainUnavailable({ reason: "the market's file takes no changes" }))
  )
  const ofSimulation = awaiting(journal, Effect.die)
  const wrap = (key: string, service: object): object => {
    if (key === Chain.key) return ofChain(service)
    if (key === SimulatedChain.key) return ofSimulation(service)
    return ofStore(service, key === MarketClock.key ? ["now"] : [])
  }
  // A context also contains services of Effect, such as the layers that were built.
  const ports = [...services.mapUnsafe].filter(([key]) => key.startsWith(portPrefix))
  const others = [...services.mapUnsafe].filter(([key]) => key === ScriptedChain.key)
  return Context.makeUnsafe(
    new Map([...others, ...ports.map(([key, service]): [string, unknown] => [key, wrap(key, service as object)])])
  )
}
