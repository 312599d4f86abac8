import type { Chain } from "@agent-marketplace/core/chain/Chain"
import { Effect } from "effect"
import { hexOf } from "../nodes/Base58Check.ts"
import { Account } from "../nodes/NodeAnswers.ts"
import { feesOf, leastEnergy } from "./Fees.ts"
import { askSince } from "./FinalHeads.ts"
import { transferEnergy } from "./TokenCalls.ts"
import type { TronConnection } from "./TronConnection.ts"

/** Everything is burnt: the wallet's own energy may be used up when the withdrawal is paid. */
const nothingStaked = { energy: 0 }

/**
 * The cost of a transfer at current prices (WITHDRAWAL-11). It covers at least a transfer to an address without USDT, because the receiver may
 * spend its last USDT before it is paid, and more if a simulation uses more energy.
 */
export const payoutCost = (
  { contract, nodes, pricesNow }: Pick<TronConnection, "contract" | "nodes" | "pricesNow">,
  wallet: string | undefined,
  signatures: number
): Chain["Service"]["payoutCost"] =>
  Effect.fnUntraced(function* (payout) {
    const price = yield* pricesNow
    const energy =
      payout === null || wallet === undefined
        ? leastEnergy
        : yield* transferEnergy(nodes, contract, wallet, payout.to, payout.amount).pipe(
            Effect.map((simulated) => Math.max(simulated, leastEnergy)),
            Effect.catchTag("TokenRefusal", () => Effect.succeed(leastEnergy))
          )
    const coin = BigInt(Math.ceil(feesOf(1, energy, nothingStaked, price, signatures)))
    if (payout === null) return { coin, activatesAddress: true }
    const account = yield* askSince(nodes, "walletsolidity", 0, "getaccount", { address: hexOf(payout.to) }, Account)
    return { coin, activatesAddress: account.address === undefined }
  })
