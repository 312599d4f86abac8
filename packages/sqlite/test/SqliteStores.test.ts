import { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import { Chain } from "@agent-marketplace/core/chain/Chain"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { UnsuitableStore } from "@agent-marketplace/core/errors/UnsuitableStore"
import { EventLog } from "@agent-marketplace/core/events/EventLog"
import { StoreHealth } from "@agent-marketplace/core/health/StoreHealth"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { LeaseStore } from "@agent-marketplace/core/jobs/LeaseStore"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { ConstraintViolated } from "@agent-marketplace/memory/ConstraintViolated"
import { MemoryMarket } from "@agent-marketplace/memory/MemoryMarket"
import { Commands } from "@agent-marketplace/testkit/fixtures/Commands"
import { listingOnSale } from "@agent-marketplace/testkit/fixtures/listingOnSale"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { fund, resultOf, settle } from "@agent-marketplace/testkit/fixtures/settle"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Option } from "effect"
import { copyFileSync, existsSync, linkSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { MarketFile } from "../src/MarketFile.ts"
import { storesOn, temporaryFile } from "./testStores.ts"

const refusalOf = (exit: Exit.Exit<unknown, unknown>): string => {
  const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
  return error instanceof StoreUnavailable && error.cause instanceof UnsuitableStore ? error.cause.message : ""
}

const start = (file: string) => Effect.exit(Effect.provide(Effect.void, storesOn(file)))

/** Copies the file and its journal while the market runs, which is the state after a crash at this moment. */
const crashed = (file: string): string => {
  const copy = join(dirname(file), "crashed.sqlite")
  for (const suffix of ["", "-wal"]) if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix)
  return copy
}

const trade = Effect.gen(function* () {
  const [seller, buyer] = [yield* openAccount(), yield* openAccount()]
  yield* fund(buyer, usdt(100))
  for (let i = 0; i < 5; i++)
    resultOf(
      yield* settle(Commands.buy(buyer, yield* listingOnSale(seller, { name: "One name", price: usdt(3) }))),
      "Bought"
    )
  return { buyer, seller }
})

/** Without collections that are empty: absent ones mean the same. */
const contentOf = (value: unknown): unknown => {
  if (value instanceof Map) {
    const entries = [...value].map(([key, each]): [unknown, unknown] => [key, contentOf(each)])
    return entries.filter(([, each]) => !(Array.isArray(each) && each.length === 0 && value.size > 0))
  }
  if (value instanceof Set) return [...value]
  return Array.isArray(value) ? [...value] : value
}

const tablesNow = Effect.map(MemoryMarket, ({ tables }) =>
  Object.fromEntries(
    Object.entries(tables)
      .filter(([name]) => name !== "spending" && name !== "soulSlugs" && name !== "listingSlugs")
      .map(([name, table]) => [name, contentOf(table)])
  )
)

describe("SqliteStores", () => {
  it.live(
    "a crash after an answer loses nothing: the file gives the same tables, and the audit balances (SQLITE-1)",
    () =>
      Effect.gen(function* () {
        const file = yield* temporaryFile
        const { before, buyer, copy, last } = yield* Effect.gen(function* () {
          const { buyer } = yield* trade
          yield* Effect.flatMap(LeaseStore, (leases) => leases.acquire("scan", "one", 60))
          const log = yield* EventLog
          return { before: yield* tablesNow, buyer, copy: crashed(file), last: yield* log.read(undefined, 1000) }
        }).pipe(Effect.provide(storesOn(file)))
        for (const again of [copy, file]) {
          yield* Effect.gen(function* () {
            assert.deepStrictEqual(yield* tablesNow, before)
            assert.isTrue((yield* Effect.flatMap(WalletStore, ({ audit }) => audit)).balanced)
            const log = yield* EventLog
            assert.deepStrictEqual(yield* log.read(undefined, 1000), last)
            const seller = yield* openAccount()
            resultOf(yield* settle(Commands.buy(buyer, yield* listingOnSale(seller, { name: "One name" }))), "Bought")
            const events = yield* log.read(String(last.length), 1000)
            assert.isAbove(events.length, 0)
            assert.isTrue(events.every(({ id }) => id.slice(0, 16) === last[0]?.id.slice(0, 16)))
          }).pipe(Effect.provide(storesOn(again)))
        }
      }).pipe(Effect.scoped)
  )

  it.live("the simulated chain continues with its blocks (SQLITE-1)", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const deposit = Effect.gen(function* () {
        const chain = yield* Chain
        const address = yield* chain.depositAddress(0)
        const { deposit } = yield* SimulatedChain
        const { txid } = yield* deposit(address, usdt(1))
        return { address, txid }
      })
      const first = yield* Effect.provide(deposit, storesOn(file))
      const second = yield* Effect.provide(deposit, storesOn(file))
      assert.strictEqual(second.address, first.address)
      assert.notStrictEqual(second.txid, first.txid)
      const database = new DatabaseSync(file)
      assert.strictEqual(database.prepare("SELECT count(*) AS n FROM blocks").get()?.["n"], 2)
      database.close()
    }).pipe(Effect.scoped)
  )

  it.live("a file that is in use is refused with its name, and can be opened once it is free (SQLITE-2)", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      yield* Effect.gen(function* () {
        const refusal = refusalOf(yield* start(file))
        assert.include(refusal, file)
        assert.include(refusal, "in use by another process")
      }).pipe(Effect.provide(storesOn(file)))
      assert.isTrue(Exit.isSuccess(yield* start(file)))
    }).pipe(Effect.scoped)
  )

  it.live("a symbolic link and its target share one lock, even if the first start creates the file (SQLITE-2)", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const link = `${file}-link`
      symlinkSync(file, link)
      yield* Effect.gen(function* () {
        assert.include(refusalOf(yield* start(file)), "in use by another process")
      }).pipe(Effect.provide(storesOn(link)))
    }).pipe(Effect.scoped)
  )

  it.live("a hard link to a file that is in use is refused, and so is every file with two names (SQLITE-2)", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const link = join(dirname(file), "other.sqlite")
      yield* Effect.gen(function* () {
        linkSync(file, link)
        const refusal = refusalOf(yield* start(link))
        assert.include(refusal, link)
        assert.include(refusal, "has 2 names (hard links)")
      }).pipe(Effect.provide(storesOn(file)))
      assert.include(refusalOf(yield* start(file)), "has 2 names (hard links)")
      rmSync(link)
      assert.isTrue(Exit.isSuccess(yield* start(file)))
    }).pipe(Effect.scoped)
  )

  it.live("new files, with their journals, can be read by this user only (SQLITE-5)", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      yield* Effect.gen(function* () {
        yield* openAccount()
        for (const suffix of ["", "-wal", "-shm", "-lock"])
          assert.strictEqual(statSync(file + suffix).mode & 0o077, 0, `${file}${suffix}`)
      }).pipe(Effect.provide(storesOn(file)))
    }).pipe(Effect.scoped)
  )

  it.live("files of other programs and of later formats are refused and left as they are (SQLITE-3)", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const foreign = join(dirname(file), "foreign.sqlite")
      const database = new DatabaseSync(foreign)
      database.exec("CREATE TABLE notes (text)")
      database.close()
      assert.include(refusalOf(yield* start(foreign)), "belongs to another program")
      const text = join(dirname(file), "text.sqlite")
      writeFileSync(text, "not a database, and longer than the header of one\n".repeat(40))
      assert.include(refusalOf(yield* start(text)), "is not a SQLite database")
      assert.isTrue(Exit.isSuccess(yield* start(file)))
      const later = new DatabaseSync(file)
      later.exec("PRAGMA user_version = 2")
      later.close()
      assert.include(refusalOf(yield* start(file)), "has format 2")
      assert.include(refusalOf(yield* start(join(dirname(file), "missing", "market.sqlite"))), "does not exist")
    }).pipe(Effect.scoped)
  )

  it.live("after a commit that failed nothing is answered; a restart continues with what was stored (SQLITE-4)", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const known = yield* Effect.gen(function* () {
        const { buyer } = yield* trade
        const { database } = yield* MarketFile
        const pages = Number(database.prepare("PRAGMA page_count").get()?.["page_count"])
        database.exec(`PRAGMA max_page_count = ${pages}`)
        const identity = yield* IdentityStore
        let refused: Exit.Exit<unknown, unknown> = Exit.void
        for (let i = 0; i < 500 && Exit.isSuccess(refused); i++) refused = yield* Effect.exit(openAccount())
        assert.instanceOf(Exit.isFailure(refused) ? Cause.squash(refused.cause) : undefined, StoreUnavailable)
        assert.instanceOf(yield* Effect.flip(identity.findAccount(buyer.id)), StoreUnavailable)
        const { writable } = yield* StoreHealth
        assert.instanceOf(yield* Effect.flip(writable), StoreUnavailable)
        return buyer
      }).pipe(Effect.provide(storesOn(file)))
      yield* Effect.gen(function* () {
        const identity = yield* IdentityStore
        assert.isTrue(Option.isSome(yield* identity.findAccount(known.id)))
        assert.isTrue((yield* Effect.flatMap(WalletStore, ({ audit }) => audit)).balanced)
      }).pipe(Effect.provide(storesOn(file)))
    }).pipe(Effect.scoped)
  )

  it.live("another program's change of the file stops the market before it overwrites that change (SQLITE-4)", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      yield* Effect.gen(function* () {
        yield* openAccount()
        const other = new DatabaseSync(file)
        other.exec("DELETE FROM leases")
        other.exec("INSERT INTO leases (key, member, value) VALUES ('a', '', 'null')")
        other.close()
        const exit = yield* Effect.exit(openAccount())
        assert.instanceOf(Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined, StoreUnavailable)
      }).pipe(Effect.provide(storesOn(file)))
    }).pipe(Effect.scoped)
  )

  it.live("a step that is refused by a constraint has written nothing and does not stop the market (SQLITE-4)", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      yield* Effect.gen(function* () {
        const { buyer, seller } = yield* trade
        const [first, second] = [yield* listingOnSale(seller), yield* listingOnSale(seller)]
        const command = Commands.buy(buyer, first)
        resultOf(yield* settle(command), "Bought")
        const exit = yield* Effect.exit(settle({ ...Commands.buy(buyer, second), licenseKey: command.licenseKey }))
        assert.instanceOf(Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined, ConstraintViolated)
        yield* openAccount()
      }).pipe(Effect.provide(storesOn(file)))
    }).pipe(Effect.scoped)
  )
})
