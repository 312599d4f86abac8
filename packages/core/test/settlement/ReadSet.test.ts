import { modelOf, plainWorld } from "@agent-marketplace/testkit/settlement/HistoryWorld"
import { marketHistory } from "@agent-marketplace/testkit/settlement/MarketHistory"
import { playHistory } from "@agent-marketplace/testkit/settlement/playHistory"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { Command } from "../../src/settlement/Command.ts"
import { readSetOf } from "../../src/settlement/ReadSet.ts"

const batches = fc.gen().map((draw) => {
  const world = plainWorld()
  const model = modelOf(world, 1_700_000_000_000)
  const found: Array<ReadonlyArray<Command>> = []
  for (const action of playHistory(
    model,
    world,
    draw(() => marketHistory(80)),
    "run"
  )) {
    if (action._tag === "Settle") found.push(action.commands)
  }
  return found
})

describe("readsOf", () => {
  it("names everything once and in one order, whatever the order of the orders: stores lock without deadlock", () => {
    fc.assert(
      fc.property(batches, (found) => {
        for (const commands of found) {
          const reads = readSetOf(commands)
          assert.deepStrictEqual(readSetOf([...commands, ...commands].toReversed()), reads)
          for (const list of Object.values(reads) as ReadonlyArray<ReadonlyArray<unknown>>) {
            const keys = list.map((key) => (typeof key === "string" ? key : (key as ReadonlyArray<unknown>).join(" ")))
            assert.deepStrictEqual(keys, [...new Set(keys)].sort())
          }
        }
      }),
      { numRuns: 30 }
    )
  })
})
