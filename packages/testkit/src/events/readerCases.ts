import type { EventReader, LoggedEvent } from "@agent-marketplace/core/events/EventLog"
import { EventLog } from "@agent-marketplace/core/events/EventLog"
import { eventTypes } from "@agent-marketplace/core/events/MarketEvent"
import type { Account } from "@agent-marketplace/core/identity/Account"
import type { AgentId } from "@agent-marketplace/core/ids/Ids"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { assert } from "@effect/vitest"
import { Effect, Result } from "effect"
import { claimedAgent } from "../fixtures/claimedAgent.ts"
import { Commands } from "../fixtures/Commands.ts"
import { freshId } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { market } from "../fixtures/market.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { publishedSoul, soulEvent } from "../fixtures/publishedSoul.ts"
import { fund, resultOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"

const all = new Set(eventTypes)

const readerOf = ({ id }: Account, fields: Partial<EventReader> = {}): EventReader => ({
  accountId: id,
  agentId: null,
  types: all,
  ...fields
})

/** Everything that the reader gets after the cursor, read in pages of `limit`. */
const readOwn = Effect.fnUntraced(function* (reader: EventReader, after: string, limit = 100) {
  const log = yield* EventLog
  const found: Array<LoggedEvent> = []
  for (let cursor = after; ;) {
    const page = yield* log.readFor(reader, cursor, limit)
    assert.isAtMost(page.events.length, limit)
    found.push(...page.events)
    if (page.cursor === cursor) return found
    cursor = page.cursor
  }
})

const subjects = (events: ReadonlyArray<LoggedEvent>) => events.map(({ subject, type }) => `${type} ${subject}`)

/** The cases of `end`, `readFor` and `usersOf`. */
export const readerCases = (it: StoreIt): void => {
  it.effect("a reader gets the events of its account alone, of its types, in order, for every page size (LIVE-4)", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const [account, other] = [yield* openAccount(), yield* openAccount()]
      const start = yield* log.end
      for (let n = 1; n <= 5; n++) {
        yield* fund(account, usdt(n))
        yield* fund(other, usdt(n))
      }
      const own = yield* readOwn(readerOf(account), start)
      assert.deepStrictEqual(
        own.map(({ data }) => data.amount),
        ["1.00", "2.00", "3.00", "4.00", "5.00"]
      )
      for (const limit of [1, 2, 5]) assert.deepStrictEqual(yield* readOwn(readerOf(account), start, limit), own)
      const third = own[2]
      assert.isDefined(third)
      assert.deepStrictEqual(yield* readOwn(readerOf(account), third.cursor), own.slice(3))
      const types = new Set(["soul.created"] as const)
      assert.deepStrictEqual(yield* readOwn(readerOf(account, { types }), start), [])
    })
  )

  it.effect("nothing is after the end of the log until an event is appended", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const account = yield* openAccount()
      yield* fund(account, usdt(1))
      const end = yield* log.end
      assert.deepStrictEqual(yield* log.readFor(readerOf(account), end, 10), { events: [], cursor: end })
      yield* fund(account, usdt(2))
      assert.lengthOf(yield* readOwn(readerOf(account), end), 1)
    })
  )

  it.effect("an agent gets only what it did (LIVE-1)", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const { buyer, item } = yield* market(usdt(100))
      const second = yield* listingOnSale(yield* openAccount(), { price: usdt(1) })
      const agent = yield* claimedAgent(buyer.id)
      const start = yield* log.end
      resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      const { purchase } = resultOf(yield* settle(Commands.buy(buyer, second, { agentId: agent.id })), "Bought")
      assert.lengthOf(yield* readOwn(readerOf(buyer), start), 2)
      const own = yield* readOwn(readerOf(buyer, { agentId: agent.id }), start)
      assert.deepStrictEqual(subjects(own), [`purchase.completed ${purchase.id}`])
      assert.deepStrictEqual(yield* readOwn(readerOf(buyer, { agentId: freshId("agt") as AgentId }), start), [])
    })
  )

  it.effect("a new soul is for everyone, a changed one for its author and its users (EVENT-4, EVENT-5)", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const souls = yield* SoulStore
      const { buyer, seller } = yield* market(usdt(100))
      const [reader, refunded, stranger] = [yield* openAccount(), yield* openAccount(), yield* openAccount()]
      yield* fund(refunded, usdt(10))
      const start = yield* log.end
      const soul = yield* publishedSoul(seller, { price: usdt(5) }, { audience: "everyone" })
      resultOf(yield* settle(Commands.buy(buyer, soul)), "Bought")
      const { purchase } = resultOf(yield* settle(Commands.buy(refunded, soul)), "Bought")
      resultOf(yield* settle(Commands.refund(purchase)), "Refunded")
      yield* souls.download(soul, reader.id, (current) => soulEvent("soul.downloaded", current))
      yield* souls.modify(soul.slug, (before) =>
        Result.succeed({
          soul: { ...before, version: 2, content: "# SOUL\n\nNew." },
          events: [{ ...soulEvent("soul.updated", before), audience: "users" as const }]
        })
      )
      const types = new Set(["soul.created", "soul.updated"] as const)
      for (const account of [seller, buyer, reader]) {
        assert.deepStrictEqual(subjects(yield* readOwn(readerOf(account, { types }), start)), [
          `soul.created ${soul.id}`,
          `soul.updated ${soul.id}`
        ])
      }
      for (const account of [refunded, stranger]) {
        const events = yield* readOwn(readerOf(account, { types }), start)
        assert.deepStrictEqual(subjects(events), [`soul.created ${soul.id}`])
      }
      const accounts = [buyer, reader, refunded, stranger].map(({ id }) => id)
      const users = yield* log.usersOf([soul.id, freshId("soul")], accounts)
      assert.sameDeepMembers(
        [...users],
        [
          [soul.id, buyer.id],
          [soul.id, reader.id]
        ]
      )
      assert.deepStrictEqual(yield* log.usersOf([], accounts), [])
      assert.deepStrictEqual(yield* log.usersOf([soul.id], []), [])
    })
  )
}
