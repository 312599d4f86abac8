import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { ownNetwork } from "@agent-marketplace/core/wallets/ownNetwork"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { Effect, Option, Schedule } from "effect"
import type { TronConnection } from "../chain/TronConnection.ts"
import type { TronTimings } from "../TronSettings.ts"

/** The number of retries, at intervals of `fresh`, after which a node that stands still has lost its vote. */
export const retriesUntilStill = ({ fresh, still }: TronTimings): number => 4 + Math.ceil(still / Math.max(fresh, 1000))

/**
 * The network of the connection, and its final block. Refused if the market's deposits come from another network, or were scanned beyond that
 * block: a chain that is behind reports old balances.
 */
export const ownChain = Effect.fnUntraced(function* ({
  finalHead,
  network: connected,
  timings,
  votes
}: TronConnection) {
  const network = yield* ownNetwork(connected)
  const scanned = Option.getOrElse(yield* (yield* WalletStore).cursor(network), () => 0)
  yield* votes.resumeAt(scanned)
  const reached = Effect.filterOrFail(
    finalHead,
    ({ block }) => block >= scanned,
    ({ block }) => new ChainUnavailable({ reason: `the final block ${block} is below the scan position ${scanned}` })
  )
  const { block } = yield* Effect.retry(reached, {
    schedule: Schedule.spaced(timings.fresh),
    times: retriesUntilStill(timings)
  })
  return { network, block }
})
