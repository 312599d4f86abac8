import { TreasuryStore } from "@agent-marketplace/core/wallets/TreasuryStore"
import { Data, Effect } from "effect"

/** The destination of a sweep is not a wallet of the market. Nothing was moved. */
export class ForeignDestination extends Data.TaggedError("ForeignDestination")<{ readonly reason: string }> {}

/** Which wallet of the market the destination is. Refused if the database does not know it (TREASURY-2). */
export const ownDestination = Effect.fnUntraced(function* (address: string) {
  const { cold, hot } = yield* (yield* TreasuryStore).treasury
  if (address === hot) return "hot" as const
  if (address === cold) return "cold" as const
  const reason =
    hot === null
      ? `the market does not know its hot wallet: run "operator treasury set hot --from none --to ${address}" if this is it`
      : `${address} is not a wallet of this market: its hot wallet is ${hot}; see "operator treasury set"`
  return yield* new ForeignDestination({ reason })
})
