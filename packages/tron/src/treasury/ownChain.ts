import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { ownNetwork } from "@agent-marketplace/core/wallets/ownNetwork"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { Effect, Option, Schedule } from "effect"
import type { TronConnection } from "../chain/TronConnection.ts"

/** How often a final head below the scan position is requested again: the scanner may have used a node that is one block ahead. */
const retries = 4

/**
 * The network of the connection, and its final block. Refused if the market's deposits come from another network, or were scanned beyond that
 * block: a chain that is behind reports old balances.
 */
export const ownChain = Effect.fnUntraced(function* ({ finalHead, network: connected, timings }: TronConnection) {
  const network = yield* ownNetwork(connected)
  const scanned = Option.getOrElse(yield* (yield* WalletStore).cursor(network), () => 0)
  const reached = Effect.filterOrFail(
    finalHead,
    ({ block }) => block >= scanned,
    ({ block }) => new ChainUnavailable({ reason: `the final block ${block} is below the scan position ${scanned}` })
  )
  const { block } = yield* Effect.retry(reached, { schedule: Schedule.spaced(timings.fresh), times: retries })
  return { network, block }
})
