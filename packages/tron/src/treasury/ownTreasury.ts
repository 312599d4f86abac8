import type { Treasury } from "@agent-marketplace/core/wallets/TreasuryStore"
import { TreasuryStore } from "@agent-marketplace/core/wallets/TreasuryStore"
import { Data, Effect } from "effect"

/** The configured hot wallet is not the one that the market knows. Nothing was moved. */
export class ForeignDestination extends Data.TaggedError("ForeignDestination")<{ readonly reason: string }> {}

/** The market's wallets, between which sweeps are divided. */
export interface OwnTreasury extends Treasury {
  readonly hot: string
}

/** The market's wallets. Refused if its hot wallet is not the configured one (TREASURY-2). */
export const ownTreasury = Effect.fnUntraced(function* (hotWallet: string) {
  const treasury = yield* (yield* TreasuryStore).treasury
  const { hot } = treasury
  if (hot === hotWallet) return { ...treasury, hot } satisfies OwnTreasury
  const reason =
    hot === null
      ? `the market does not know its hot wallet: run "operator treasury set hot --from none --to ${hotWallet}" if this is it`
      : `${hotWallet} is not the hot wallet of this market, which is ${hot}; see "operator treasury set"`
  return yield* new ForeignDestination({ reason })
})
