import { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import type { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Wallets } from "@agent-marketplace/core/wallets/Wallets"
import { Effect } from "effect"
import { eventually } from "./eventually.ts"

/** Pays into the account over the simulated chain, as any deposit, and waits until the money is there. */
export const deposit = Effect.fnUntraced(function* (caller: Caller, amount: Usdt) {
  const wallets = yield* Wallets
  const before = (yield* wallets.balance(caller)).available
  const { address } = yield* wallets.deposit(caller)
  yield* (yield* SimulatedChain).deposit(address, amount)
  yield* eventually(
    "a deposit",
    Effect.map(wallets.balance(caller), ({ available }) => (available > before ? true : undefined))
  )
})
