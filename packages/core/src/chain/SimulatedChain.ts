import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { Transfer } from "./Chain.ts"

/** The hand that feeds a simulated chain: a block each second of the market's time, final after two more (CHAIN-2, CHAIN-3). */
export class SimulatedChain extends Context.Service<
  SimulatedChain,
  {
    /** A transfer from outside to any valid address, in the next block. */
    readonly deposit: (address: string, amount: Usdt) => Effect.Effect<Transfer, StoreUnavailable>
  }
>()("@agent-marketplace/core/chain/SimulatedChain") {}
