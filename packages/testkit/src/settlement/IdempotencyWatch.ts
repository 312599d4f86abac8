import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Answer } from "@agent-marketplace/core/settlement/Answer"
import { answerKey } from "@agent-marketplace/core/settlement/MarketState"
import type { Order } from "@agent-marketplace/core/settlement/Order"
import { idempotencyOf } from "@agent-marketplace/core/settlement/Order"
import type { Outcome } from "@agent-marketplace/core/settlement/Outcome"
import { assert } from "@effect/vitest"
import { Result } from "effect"

interface First {
  readonly fingerprint: string
  readonly answer: Answer
  readonly at: number
}

/** Watches from outside that one Idempotency-Key has one answer for 24 hours, and that refusals are not kept (contract 4). */
export class IdempotencyWatch {
  private readonly first = new Map<string, First>()
  /** How many orders were answered again. */
  replays = 0

  check(orders: ReadonlyArray<Order>, outcomes: ReadonlyArray<Outcome>, now: number): void {
    assert.strictEqual(outcomes.length, orders.length, "each order has an outcome")
    orders.forEach((order, i) => {
      const outcome = outcomes[i]
      if (outcome === undefined) return
      const idempotency = idempotencyOf(order)
      const key = idempotency === undefined ? "" : answerKey(idempotency.accountId, idempotency.key)
      const before = this.first.get(key)
      if (idempotency === undefined || before === undefined || now - before.at >= Timestamp.day) {
        assert.isFalse(
          Result.isSuccess(outcome) && outcome.success.replayed,
          "nothing is replayed that was not answered"
        )
        if (idempotency !== undefined && Result.isSuccess(outcome)) {
          this.first.set(key, { fingerprint: idempotency.fingerprint, answer: outcome.success.answer, at: now })
        }
      } else if (before.fingerprint === idempotency.fingerprint) {
        this.replays += 1
        assert.deepStrictEqual(
          outcome,
          Result.succeed({ answer: before.answer, replayed: true }),
          "the first answer again"
        )
      } else {
        assert.strictEqual(Result.isFailure(outcome) ? outcome.failure._tag : "accepted", "IdempotencyKeyReused")
      }
    })
  }
}
