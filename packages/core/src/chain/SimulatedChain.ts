import type { Effect } from "effect"
import type { PayoutCost } from "./Chain.ts"
import { Context } from "effect"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { Transfer } from "./Chain.ts"

/** Controls a simulated chain. It makes a block every second of the market's time, which is final after two more (CHAIN-2, CHAIN-3). */
export class SimulatedChain extends Context.Service<
  SimulatedChain,
  {
    /** An external transfer to any valid address, in the next block. */
    readonly deposit: (address: string, amount: Usdt) => Effect.Effect<Transfer, StoreUnavailable>
  }
>()("@agent-marketplace/core/chain/SimulatedChain") {}

/** What a payout costs on the simulated chain: three coins to an address that it does not know, half of that to others. */
export const simulatedCost = (activatesAddress: boolean): PayoutCost => ({
  coin: activatesAddress ? 3_000_000n : 1_500_000n,
  activatesAddress
})
