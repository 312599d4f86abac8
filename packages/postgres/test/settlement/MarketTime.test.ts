import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import { Commands } from "@agent-marketplace/testkit/fixtures/Commands"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { walletOf } from "@agent-marketplace/testkit/fixtures/walletOf"
import { assert, layer } from "@effect/vitest"
import type { SqlClient } from "effect/sql/SqlClient"
import { Cause, Effect, Exit } from "effect"
import { Database } from "../../src/Database.ts"
import { loadState } from "../../src/settlement/loadState.ts"
import { testStores } from "../testStores.ts"

const noReads = {
  wallets: [],
  agents: [],
  items: [],
  entitlements: [],
  results: [],
  purchases: [],
  approvals: [],
  approvalsOf: [],
  renewals: [],
  escrow: [],
  escrowOf: [],
  subscriptions: [],
  subscriptionsOf: [],
  withdrawals: [],
  standings: [],
  payouts: "no" as const,
  transactions: [],
  deposits: [],
  heldDeposits: [],
  cursors: []
}

const isFault = (exit: Exit.Exit<unknown, unknown>): boolean => Exit.isFailure(exit) && Cause.hasDies(exit.cause)

layer(testStores, { excludeTestServices: true, timeout: "5 minutes" })("the market's time", (it) => {
  it.effect("never defaults to 1970: if the database returns no time, that is a fault and no money moves", () =>
    Effect.gen(function* () {
      const silent = { unsafe: () => Effect.succeed([]) } as unknown as SqlClient
      assert.isTrue(isFault(yield* Effect.exit(loadState(silent, noReads))))

      const { sql } = yield* Database
      const store = yield* SettlementStore
      const account = yield* openAccount()
      const [function_] = yield* sql.unsafe<{ readonly text: string }>(
        "SELECT pg_get_functiondef('market_now'::regproc) AS text"
      )
      yield* sql.unsafe(
        "CREATE OR REPLACE FUNCTION market_now() RETURNS timestamptz LANGUAGE sql AS 'SELECT NULL::timestamptz'"
      )
      const settled = yield* Effect.exit(store.settle([Commands.deposit(account, usdt(5))]))
      yield* sql.unsafe(function_?.text ?? "")
      assert.isTrue(isFault(settled))
      assert.strictEqual((yield* walletOf(account)).available, 0n)
    })
  )
})
