import { Context, Effect, Layer, Option } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import type { AccountFrozen, AgentNotClaimed, Conflict } from "../errors/MarketError.ts"
import { NotFound } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Caller.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Domain } from "./Domain.ts"
import { checked } from "./Domain.ts"
import { DomainProofs } from "./DomainProofs.ts"
import { DomainStore } from "./DomainStore.ts"

const notFound = new NotFound({ resource: "DOMAIN" })

/** How many domains one run of the job checks. */
const batch = 20

/** How many domains are checked at once. */
const concurrency = 5

/** The domains whose ownership creators prove (DOMAIN-1 to DOMAIN-8). */
export class Domains extends Context.Service<
  Domains,
  {
    /** The account's record of the domain; a new one if there was none. `domain` is lower-case ASCII. */
    readonly add: (caller: Caller, domain: string) => StoreEffect<Domain, AccountFrozen | AgentNotClaimed | Conflict>
    readonly list: (caller: Caller, page: PageRequest) => StoreEffect<Page<Domain>, AgentNotClaimed>
    /** Looks for the token now. If it is not found, this still succeeds, and the record's `problem` says why (DOMAIN-4). */
    readonly verify: (caller: Caller, domain: string) => StoreEffect<Domain, AgentNotClaimed | NotFound>
    readonly remove: (caller: Caller, domain: string) => StoreEffect<void, AgentNotClaimed | NotFound>
    /** Checks some verified domains that are due. True if more may be due. */
    readonly checkDue: StoreEffect<boolean>
  }
>()("@agent-marketplace/core/domains/Domains") {
  static readonly layer = Layer.effect(
    Domains,
    Effect.gen(function* () {
      const store = yield* DomainStore
      const proofs = yield* DomainProofs
      const clock = yield* MarketClock
      const ids = yield* idGenerator

      const check = Effect.fnUntraced(function* ({ accountId, domain, token }: Domain) {
        const found = yield* proofs.check(domain, token)
        const now = yield* clock.now
        return yield* store.settle(accountId, domain, (before) => checked(before, found, now))
      })

      return {
        add: Effect.fn("Domains.add")(function* (caller, domain) {
          const accountId = yield* ownerOf(caller)
          const createdAt = yield* clock.now
          const token = `amv_${yield* ids.random(32)}`
          const fresh = { status: "pending", checkedAt: null, problem: null, failures: 0, dueAt: null } as const
          return yield* store.add({ ...fresh, accountId, domain, token, createdAt })
        }),
        list: Effect.fn("Domains.list")(function* (caller, page) {
          return yield* store.list(yield* ownerOf(caller), page)
        }),
        verify: Effect.fn("Domains.verify")(function* (caller, domain) {
          const found = yield* store.find(yield* ownerOf(caller), domain)
          if (Option.isNone(found)) return yield* notFound
          const settled = yield* check(found.value)
          return Option.isSome(settled) ? settled.value : yield* notFound
        }),
        remove: Effect.fn("Domains.remove")(function* (caller, domain) {
          if (!(yield* store.remove(yield* ownerOf(caller), domain))) return yield* notFound
        }),
        checkDue: Effect.gen(function* () {
          const due = yield* store.due(yield* clock.now, batch)
          yield* Effect.forEach(due, check, { concurrency, discard: true })
          return due.length === batch
        }).pipe(Effect.withSpan("Domains.checkDue"))
      }
    })
  )
}
