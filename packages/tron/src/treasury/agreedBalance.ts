import { Effect, Schedule } from "effect"
import { reached } from "../chain/FinalHeads.ts"
import { tokenBalanceOn } from "../chain/TokenCalls.ts"
import type { TronConnection } from "../chain/TronConnection.ts"
import { retriesUntilStill } from "./ownChain.ts"

/**
 * A final balance as of block `since` or later, as all voting nodes report it alike. Their views may differ for a moment, and for a minute while one of
 * them stands still, until that one loses its vote.
 */
export const agreedBalance = (
  { contract, timings, votes }: Pick<TronConnection, "contract" | "timings" | "votes">,
  address: string,
  since: number
) => {
  const subject = `the balance of ${address}`
  const read = Effect.flatMap(
    votes.ask(subject, (node) => Effect.andThen(reached(node, since), tokenBalanceOn(node, contract, address))),
    (all) => votes.compare(subject, all, String, (one, other) => one === other)
  )
  return Effect.retry(
    Effect.tapError(read, () => Effect.ignore(votes.head)),
    {
      schedule: Schedule.spaced(timings.fresh),
      times: retriesUntilStill(timings)
    }
  )
}
