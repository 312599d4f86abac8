import type { HotBalance } from "@agent-marketplace/core/wallets/SweepStore"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import { Effect } from "effect"
import type { TronConnection } from "../chain/TronConnection.ts"
import { agreedBalance } from "./agreedBalance.ts"

/** The present and the expected balance of the hot wallet (TREASURY-4). */
export interface HotShare extends HotBalance {
  /** The balance and everything that is on its way to the wallet. */
  readonly expected: bigint
}

/**
 * The balance of the hot wallet, as all voting nodes report it, and the sweeps on their way to it. The balance is read once and then reused: a sweep that ends
 * later continues to count, so that none is missed between two readings. A sweep that is both in the balance and on its way counts twice, so that rather
 * too little than too much goes to the hot wallet.
 */
export const hotShares = (connection: TronConnection, hotWallet: string, since: number) => {
  const counted = new Map<string, bigint>()
  let held: bigint | undefined
  return Effect.gen(function* () {
    const open = yield* (yield* SweepStore).open
    for (const { amount, destination, kind, transaction } of open)
      if (kind === "sweep" && (destination ?? hotWallet) === hotWallet) counted.set(transaction.txid, amount)
    // Read after the transfers: otherwise one that ends between the two readings would be in neither.
    held ??= yield* agreedBalance(connection, hotWallet, since)
    let expected = held
    for (const amount of counted.values()) expected += amount
    return { held, counted: new Set(counted.keys()), expected } satisfies HotShare
  })
}
