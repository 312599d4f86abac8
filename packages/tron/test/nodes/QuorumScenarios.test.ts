import { assert, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import { inMarket } from "../fixtures/market.ts"
import { quorumScenario } from "../fixtures/quorumScenario.ts"

/** The number of scenarios with at most one liar, and a third of it with two; `QUORUM_SCENARIOS` overrides it. */
const wanted = Number(process.env["QUORUM_SCENARIOS"] ?? 48)

const seed = Number(process.env["QUORUM_SEED"] ?? 1)

vi.setConfig({ testTimeout: 120_000 + wanted * 5_000 })

const run = Effect.fnUntraced(function* (count: number, liarsOf: (i: number) => 0 | 1 | 2) {
  let withdrawals = 0
  for (let i = 0; i < count; i++)
    withdrawals += (yield* quorumScenario(seed + i, liarsOf(i)).pipe(inMarket, Effect.scoped)).withdrawals
  return withdrawals
})

it.effect(
  `in ${wanted} random histories of three nodes with at most one liar, chain and ledger agree to the last unit (CHAIN-28, CHAIN-24, CHAIN-25)`,
  () =>
    Effect.map(
      run(wanted, (i) => (i % 8 === 7 ? 0 : 1)),
      (withdrawals) => assert.isTrue(withdrawals > wanted / 2)
    )
)

it.effect("with two liars that report the same, nothing is credited or paid wrongly", () =>
  run(Math.ceil(wanted / 3), () => 2)
)
