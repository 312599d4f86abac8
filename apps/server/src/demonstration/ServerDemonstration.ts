import { Demonstration } from "@agent-marketplace/console/demonstration/Demonstration"
import { AdminStore } from "@agent-marketplace/core/admin/AdminStore"
import { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import { Conflict, InvalidApiKey } from "@agent-marketplace/core/errors/MarketError"
import { LeaseStore } from "@agent-marketplace/core/jobs/LeaseStore"
import { Clock, Context, Effect, Fiber, Layer, Option, Schedule, Semaphore } from "effect"
import type { FirstRunLink } from "./FirstRunLink.ts"
import { makeFirstRunLink } from "./FirstRunLink.ts"
import type { makeShop } from "./makeShop.ts"
import { findPerson, person } from "./people.ts"
import type { removeShop } from "./removeShop.ts"

const job = "demonstration"

/** After a kill, another attempt can start when the lease has expired. */
const leaseSeconds = 5
const renewEvery = "1 second"

/** Waits at most this long for another process that makes or removes the shop. */
const patience = 90_000

const invalid = new InvalidApiKey({ reason: "invalid" })

/** Runs alone among all processes of the market (CONSOLE-57). */
const makeAlone = Effect.gen(function* () {
  const leases = yield* LeaseStore
  const permits = yield* Semaphore.make(1)
  const holder = crypto.randomUUID()
  const acquire = Effect.gen(function* () {
    const end = (yield* Clock.currentTimeMillis) + patience
    while (!(yield* leases.acquire(job, holder, leaseSeconds))) {
      if ((yield* Clock.currentTimeMillis) > end)
        return yield* new Conflict({ state: "demonstration_busy", reason: "another process changes the demonstration" })
      yield* Effect.sleep("200 millis")
    }
  })
  const renewing = Effect.repeat(Effect.ignore(leases.acquire(job, holder, leaseSeconds)), Schedule.spaced(renewEvery))
  return <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      yield* acquire
      const renewal = yield* Effect.forkChild(renewing)
      return yield* work.pipe(
        Effect.ensuring(Effect.andThen(Fiber.interrupt(renewal), Effect.ignore(leases.release(job, holder))))
      )
    }).pipe(permits.withPermit)
})

/** The secret of the link to print, and why; null if there is none (CONSOLE-53). */
export class FirstRun extends Context.Reference<{ readonly secret: string; readonly made: boolean } | null>(
  "@agent-marketplace/server/demonstration/FirstRun",
  { defaultValue: () => null }
) {}

type Services =
  Effect.Services<typeof makeShop> | Effect.Services<typeof removeShop> | Effect.Services<ReturnType<typeof findPerson>>

const makeControl = Effect.fnUntraced(function* (link: FirstRunLink, chain: SimulatedChain["Service"]) {
  const alone = yield* makeAlone
  const found = Context.add(yield* Effect.context<Exclude<Services, SimulatedChain>>(), SimulatedChain, chain)
  const [owner, forget] = yield* Effect.cachedInvalidateWithTTL(
    Effect.map(Effect.provide(findPerson("owner"), found), (caller) => caller?.accountId ?? null),
    "2 seconds"
  )

  const open = Effect.fn("Demonstration.open")(function* (secret: string) {
    if (!link.matches(secret)) return yield* invalid
    const making = yield* Effect.promise(() => import("./makeShop.ts"))
    const known = yield* findPerson("owner")
    if (known === null || !making.isComplete(known)) yield* making.makeShop
    yield* forget
    return link.spend(secret) ? yield* person("owner") : yield* invalid
  })

  const remove = Effect.gen(function* () {
    const removing = yield* Effect.promise(() => import("./removeShop.ts"))
    yield* removing.removeShop
    yield* forget
  }).pipe(Effect.withSpan("Demonstration.remove"))

  return {
    owner,
    open: (secret: string) => Effect.provide(alone(open(secret)), found),
    remove: Effect.provide(alone(remove), found)
  }
})

/**
 * The demonstration shop of this server (CONSOLE-53 to CONSOLE-60). Nothing is made before the printed link is opened, so the market of a
 * server that nobody opens in a browser stays empty. `ownAccounts`: how many accounts the server itself has made.
 */
export const ServerDemonstration = {
  layer: (ownAccounts: number) =>
    Layer.effectContext(
      Effect.gen(function* () {
        const link = makeFirstRunLink()
        const chain = yield* Effect.serviceOption(SimulatedChain)
        if (Option.isNone(chain)) return Context.empty()
        const control = yield* makeControl(link, chain.value)
        const made = (yield* findPerson("owner")) !== null
        const { total } = yield* (yield* AdminStore).accounts({}, { page: 1, limit: 1 })
        const offered = made || total <= ownAccounts
        return Context.make(Demonstration, control).pipe(
          Context.add(FirstRun, offered ? { secret: link.secret, made } : null)
        )
      })
    )
}
