import { Context, Effect } from "effect"
import type { Chain, PayoutCost } from "./Chain.ts"
import { ChainUnavailable } from "./Chain.ts"
import type { ActionDraft, OperatorAction } from "../admin/OperatorAction.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Transfer } from "./Chain.ts"
import type { WalletResources } from "./WalletResources.ts"
import { coinsOnly } from "./WalletResources.ts"

/** Controls a simulated chain. It makes a block every second of the market's time, which is final after two more (CHAIN-2, CHAIN-3). */
export class SimulatedChain extends Context.Service<
  SimulatedChain,
  {
    /** An external transfer to any valid address, in the next block. The operator's action is logged in the same transaction (OPERATOR-14). */
    readonly deposit: (address: string, amount: Usdt, action?: ActionDraft) => Effect.Effect<Transfer, StoreUnavailable>
  }
>()("@agent-marketplace/core/chain/SimulatedChain") {}

/** The id of a block of a simulated chain. */
export const simulatedId = (block: number): string => `simulated ${block}`

/** The id of block `to`, after a check of the parent of block `from`. */
export const followSimulated: Chain["Service"]["follow"] = (parent, from, to) =>
  parent === null || parent === simulatedId(from - 1)
    ? Effect.succeed(simulatedId(to))
    : Effect.fail(new ChainUnavailable({ reason: `block ${from} does not follow ${parent}` }))

/** What a payout costs on the simulated chain: three coins to an address that it does not know, half of that to others. */
export const simulatedCost = (activatesAddress: boolean): PayoutCost => ({
  coin: activatesAddress ? 3_000_000n : 1_500_000n,
  activatesAddress
})

/** The simulated chain counts no balances, and has neither energy nor bandwidth. */
export const simulatedResources: WalletResources = coinsOnly(
  { usual: simulatedCost(false).coin, most: simulatedCost(true).coin },
  true
)

/** The log's entry of a deposit. */
export const depositAction = (action: ActionDraft, { amount, txid }: Transfer): OperatorAction => ({
  ...action,
  before: null,
  after: { amount: Usdt.format(amount), txHash: txid }
})
