import type { PayingWallet } from "@agent-marketplace/core/chain/Chain"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Effect, Metric } from "effect"
import type { Nodes } from "../nodes/Nodes.ts"
import type { Means, Prices } from "./Fees.ts"
import { feesOf, leastEnergy, meansOf } from "./Fees.ts"

const usdtHeld = Metric.gauge("tron_hot_wallet_usdt", { description: "Final USDT balance of the hot wallet." })
const trxHeld = Metric.gauge("tron_hot_wallet_trx", { description: "TRX balance of the hot wallet, used for fees." })

/** The hot wallet's balances, which are also exported as metrics. */
export const hotWalletMeans = (nodes: Nodes, contract: string, address: string, since = 0) =>
  Effect.tap(meansOf(nodes, contract, address, since), ({ sun, usdt }) =>
    Effect.andThen(Metric.update(usdtHeld, Usdt.toNumber(usdt)), Metric.update(trxHeld, sun / 1e6))
  )

/** What the hot wallet can pay with so many signatures. The number of withdrawals assumes the most expensive ones. */
export const payingWallet = (means: Means, prices: Prices, signatures: number): PayingWallet => ({
  usdt: Usdt.of(means.usdt),
  transfers: Math.floor(
    (means.sun + means.energy * prices.energy) / feesOf(1, leastEnergy, { energy: 0 }, prices, signatures)
  )
})
