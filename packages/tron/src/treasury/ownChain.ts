import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { ownNetwork } from "@agent-marketplace/core/wallets/ownNetwork"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { Effect, Option, Schedule } from "effect"
import type { TronConnection } from "../chain/TronConnection.ts"

/** How often a chain that is not there yet is asked again: another node may have told the scanner of a block more. */
const patience = 4

/**
 * The network of the connection, and its final block. Refused where deposits come from another one, or were scanned beyond that
 * block: what a chain behind says of balances is old.
 */
export const ownChain = Effect.fnUntraced(function* ({ finalHead, network: asked, pace }: TronConnection) {
  const network = yield* ownNetwork(asked)
  const scanned = Option.getOrElse(yield* (yield* WalletStore).cursor(network), () => 0)
  const reached = Effect.filterOrFail(
    finalHead,
    ({ block }) => block >= scanned,
    ({ block }) => new ChainUnavailable({ reason: `the final block ${block} is below ${scanned}, which was scanned` })
  )
  const { block } = yield* Effect.retry(reached, { schedule: Schedule.spaced(pace.fresh), times: patience })
  return { network, block }
})
