import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { CommandResult } from "@agent-marketplace/core/settlement/CommandResult"
import { resultKey } from "@agent-marketplace/core/settlement/MarketState"
import type { Command } from "@agent-marketplace/core/settlement/Command"
import { idempotencyOf } from "@agent-marketplace/core/settlement/Command"
import type { Outcome } from "@agent-marketplace/core/settlement/Outcome"
import { assert } from "@effect/vitest"
import { Result } from "effect"

interface First {
  readonly fingerprint: string
  readonly result: CommandResult
  readonly at: number
}

/** Watches from outside that one Idempotency-Key has one answer for 24 hours, and that refusals are not kept (IDEMPOTENCY-2, IDEMPOTENCY-6). */
export class IdempotencyWatch {
  private readonly first = new Map<string, First>()
  /** How many orders were answered again. */
  replays = 0

  check(commands: ReadonlyArray<Command>, outcomes: ReadonlyArray<Outcome>, now: number): void {
    assert.strictEqual(outcomes.length, commands.length, "each order has an outcome")
    commands.forEach((command, i) => {
      const outcome = outcomes[i]
      if (outcome === undefined) return
      const idempotency = idempotencyOf(command)
      const key = idempotency === undefined ? "" : resultKey(idempotency.accountId, idempotency.key)
      const before = this.first.get(key)
      if (idempotency === undefined || before === undefined || now - before.at >= Timestamp.day) {
        assert.isFalse(
          Result.isSuccess(outcome) && outcome.success.replayed,
          "nothing is replayed that was not answered"
        )
        if (idempotency !== undefined && Result.isSuccess(outcome)) {
          this.first.set(key, { fingerprint: idempotency.fingerprint, result: outcome.success.result, at: now })
        }
      } else if (before.fingerprint === idempotency.fingerprint) {
        this.replays += 1
        assert.deepStrictEqual(
          outcome,
          Result.succeed({ result: before.result, replayed: true }),
          "the first answer again"
        )
      } else {
        assert.strictEqual(Result.isFailure(outcome) ? outcome.failure._tag : "accepted", "IdempotencyKeyReused")
      }
    })
  }
}
