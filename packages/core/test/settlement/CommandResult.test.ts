import { modelOf, plainWorld } from "@agent-marketplace/testkit/settlement/HistoryWorld"
import { marketHistory } from "@agent-marketplace/testkit/settlement/MarketHistory"
import { playHistory } from "@agent-marketplace/testkit/settlement/playHistory"
import { Result } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { CommandResultText } from "../../src/settlement/CommandResult.ts"

describe("AnswerText", () => {
  it("restores every result of a market exactly, including amounts (IDEMPOTENCY-1)", () => {
    fc.assert(
      fc.property(marketHistory(150), (history) => {
        const world = plainWorld()
        const model = modelOf(world, 1_700_000_000_000)
        for (const action of playHistory(model, world, history, "run")) {
          if (action._tag !== "Settle") continue
          for (const outcome of action.outcomes) {
            if (Result.isFailure(outcome)) continue
            const { result } = outcome.success
            assert.deepStrictEqual(CommandResultText.decode(CommandResultText.encode(result)), result)
          }
        }
      }),
      { numRuns: 40 }
    )
  })
})
