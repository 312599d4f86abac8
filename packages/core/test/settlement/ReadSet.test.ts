import { modelOf, plainWorld } from "@agent-marketplace/testkit/settlement/HistoryWorld"
import { marketHistory } from "@agent-marketplace/testkit/settlement/MarketHistory"
import { playHistory } from "@agent-marketplace/testkit/settlement/playHistory"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { Command } from "../../src/settlement/Command.ts"
import type { EscrowRead } from "../../src/settlement/ReadSet.ts"
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

/** What an entry of a read set stands for, as one text. */
const keyOf = (entry: string | ReadonlyArray<unknown> | EscrowRead): string =>
  typeof entry === "string" ? entry : "account" in entry ? entry.account : entry.join(" ")

describe("readSetOf", () => {
  it("lists each entry once and sorted, whatever the order of the commands, so that stores lock without deadlock", () => {
    fc.assert(
      fc.property(batches, (found) => {
        for (const commands of found) {
          const reads = readSetOf(commands)
          assert.deepStrictEqual(readSetOf([...commands, ...commands].toReversed()), reads)
          const { payouts: _, ...lists } = reads
          for (const list of Object.values(lists) as ReadonlyArray<ReadonlyArray<Parameters<typeof keyOf>[0]>>) {
            const keys = list.map(keyOf)
            assert.deepStrictEqual(keys, [...new Set(keys)].sort())
          }
        }
      }),
      { numRuns: 30 }
    )
  })
})
