import { ConditionStore } from "@agent-marketplace/core/health/ConditionStore"
import type { Withdrawal } from "@agent-marketplace/core/wallets/Withdrawal"
import { Commands } from "@agent-marketplace/testkit/fixtures/Commands"
import { freshId } from "@agent-marketplace/testkit/fixtures/freshId"
import { settle } from "@agent-marketplace/testkit/fixtures/settle"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inMarket, withdraw, withdrawalOf } from "../fixtures/market.ts"
import type { Behaviour, SigningMarket } from "../fixtures/signing.ts"
import { assertPaidOnce, honest, remote, signingMarket, startSigner, untilEnded } from "../fixtures/signing.ts"

const refuses: Behaviour = () => ({
  status: 403,
  body: { error: { code: "AMOUNT_CEILING", message: "too much\u0007 for \u202eone day" } }
})

/** What the operator reads of it: without control characters. */
const refused = /refused: AMOUNT_CEILING: too much for one day$/

/** The open conditions, and their details. */
const conditions = Effect.map(
  Effect.flatMap(ConditionStore, ({ open }) => open),
  (open) => Object.fromEntries(open.map(({ detail, kind }) => [kind, detail ?? ""]))
)

/** Runs the worker until the transaction can never be included. */
const untilExpired = Effect.fnUntraced(function* ({ network, worker }: SigningMarket, withdrawal: Withdrawal) {
  const { transaction } = yield* withdrawalOf(withdrawal)
  if (transaction === null) return assert.fail("nothing was stored")
  while (network.solid.timestamp < transaction.expiresAt) {
    const now = yield* withdrawalOf(withdrawal)
    assert.deepStrictEqual([now.state, now.transaction?.txid], ["broadcasting", transaction.txid])
    yield* worker.process
    network.mine(4)
  }
  return transaction
})

const approval = (id: string) => ({
  to: "approved" as const,
  action: {
    id: freshId("act"),
    at: 0,
    actor: "grace",
    action: "withdrawal.approve",
    subject: id,
    reason: null,
    requestId: "request"
  }
})

describe("a signer that refuses (SIGNER-6)", () => {
  it.live("the operator sees why, and decides once the transaction can never be included; it is paid once", () =>
    Effect.gen(function* () {
      const signer = yield* startSigner(refuses)
      const market = yield* signingMarket(remote(signer.url))
      const withdrawal = yield* withdraw(20)
      yield* market.worker.process
      const waiting = yield* withdrawalOf(withdrawal)
      assert.strictEqual(waiting.state, "broadcasting")
      assert.match(waiting.failure ?? "", refused)
      const degraded = yield* conditions
      assert.deepStrictEqual(Object.keys(degraded), ["signer_refused"])
      assert.match(degraded["signer_refused"] ?? "", refused)
      const first = yield* untilExpired(market, withdrawal)
      const ended = yield* untilEnded(market, withdrawal)
      assert.deepInclude(ended, { state: "in_review", transaction: null, attempts: 1, failure: waiting.failure })
      // The signer would agree now, but nobody has decided.
      signer.behave = honest()
      for (let i = 0; i < 3; i++) yield* market.worker.process
      assert.lengthOf(market.network.pool, 0)
      assert.deepStrictEqual(yield* conditions, {})
      yield* settle(Commands.move(ended, approval(ended.id)))
      const paid = yield* assertPaidOnce(market, withdrawal, 2)
      assert.notStrictEqual(paid.transaction?.txid, first.txid)
    }).pipe(inMarket, Effect.scoped)
  )

  it.live("and then agrees while the transaction is valid: the same bytes are paid", () =>
    Effect.gen(function* () {
      const signer = yield* startSigner(refuses)
      const market = yield* signingMarket(remote(signer.url))
      const withdrawal = yield* withdraw(20)
      yield* market.worker.process
      const { transaction } = yield* withdrawalOf(withdrawal)
      signer.behave = honest()
      const paid = yield* assertPaidOnce(market, withdrawal)
      assert.strictEqual(paid.transaction?.txid, transaction?.txid)
      yield* market.worker.process
      assert.deepStrictEqual(yield* conditions, {})
    }).pipe(inMarket, Effect.scoped)
  )
})

describe("a signer that is unavailable", () => {
  it.live("degrades the service, and no further payouts are started until it signs (SIGNER-4)", () =>
    Effect.gen(function* () {
      const signer = yield* startSigner(() => ({ status: 503, body: "" }))
      const market = yield* signingMarket(remote(signer.url))
      const withdrawals = [yield* withdraw(20), yield* withdraw(20), yield* withdraw(20)]
      for (let i = 0; i < 3; i++) yield* market.worker.process
      const states = yield* Effect.forEach(withdrawals, (each) => Effect.map(withdrawalOf(each), ({ state }) => state))
      assert.deepStrictEqual(states.toSorted(), ["broadcasting", "queued", "queued"])
      assert.match((yield* conditions)["signer_unavailable"] ?? "", /status 503/)
      signer.behave = honest()
      for (const withdrawal of withdrawals)
        assert.deepInclude(yield* untilEnded(market, withdrawal), { state: "completed", attempts: 1 })
      yield* market.worker.process
      assert.deepStrictEqual(yield* conditions, {})
    }).pipe(inMarket, Effect.scoped)
  )
})
