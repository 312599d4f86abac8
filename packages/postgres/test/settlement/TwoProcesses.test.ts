import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import type { Outcome } from "@agent-marketplace/core/settlement/Outcome"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { listingOnSale } from "@agent-marketplace/testkit/fixtures/listingOnSale"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { Commands } from "@agent-marketplace/testkit/fixtures/Commands"
import { fund } from "@agent-marketplace/testkit/fixtures/settle"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { walletOf } from "@agent-marketplace/testkit/fixtures/walletOf"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Result } from "effect"
import { PostgresStores } from "../../src/PostgresStores.ts"

const storesAt = (url: string) =>
  PostgresStores.layer({ url: Redacted.make(url) }).pipe(Layer.provide(NodeCrypto.layer))

const processOn = (url: string) => Layer.build(Layer.fresh(storesAt(url)))

const range = (n: number): ReadonlyArray<number> => Array.from({ length: n }, (_, i) => i)

const succeeded = (outcomes: ReadonlyArray<Outcome>): number => outcomes.filter(Result.isSuccess).length

describe("two processes on one database", () => {
  it.live("settle concurrently without overdrawing a wallet, selling twice or losing a line (BUY-14)", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => createDatabase())
      const processes = [yield* processOn(url), yield* processOn(url)]
      const first = processes[0] ?? assert.fail("there is a first process")
      const { buyers, items } = yield* Effect.gen(function* () {
        const sellers = yield* Effect.forEach(range(3), () => openAccount())
        // Sellers buy too, so each wallet is both credited and locked.
        const buyers = [...sellers, ...(yield* Effect.forEach(range(3), () => openAccount()))]
        const items = yield* Effect.forEach(range(12), (i) =>
          listingOnSale(sellers[i % 3] ?? assert.fail("there are three sellers"), { price: usdt(1) })
        )
        yield* Effect.forEach(buyers, (buyer) => fund(buyer, usdt(5)))
        return { buyers, items }
      }).pipe(Effect.provideContext(first))

      const batches = range(40).map((i) => ({
        process: processes[i % 2] ?? assert.fail("there are two processes"),
        commands: buyers.flatMap((buyer, b) =>
          items.slice((i + b) % 9, ((i + b) % 9) + 3).map((item) => Commands.buy(buyer, item))
        )
      }))
      const outcomes = yield* Effect.forEach(
        batches,
        ({ commands, process }) =>
          Effect.provideContext(
            Effect.flatMap(SettlementStore, ({ settle }) => settle(commands)),
            process
          ),
        { concurrency: "unbounded" }
      )

      yield* Effect.gen(function* () {
        const bought = succeeded(outcomes.flat())
        const wallets = yield* Effect.forEach(buyers, walletOf)
        const sum = (of: (wallet: (typeof wallets)[number]) => bigint) =>
          wallets.reduce((all, each) => all + of(each), 0n)
        assert.isAbove(bought, 0)
        assert.strictEqual(
          sum(({ totalSpent }) => totalSpent),
          BigInt(bought) * usdt(1)
        )
        assert.strictEqual(
          sum(({ totalEarned }) => totalEarned),
          BigInt(bought) * usdt(0.95)
        )
        for (const { available } of wallets) assert.isTrue(available >= 0n)
        const audit = yield* Effect.flatMap(WalletStore, (store) => store.audit)
        assert.deepStrictEqual(audit.differences, [])
      }).pipe(Effect.provideContext(first))
    }).pipe(Effect.scoped)
  )
})
