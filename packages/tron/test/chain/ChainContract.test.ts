import type { Transfer } from "@agent-marketplace/core/chain/Chain"
import { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { chainContract } from "@agent-marketplace/testkit/chain/ChainContract"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { Effect, Layer } from "effect"
import { hotWallet } from "../fixtures/keys.ts"
import { startNetwork, tronChain } from "../fixtures/tronMarket.ts"

/** A block every second, final after two more. The market's time is the network's. */
const chains = Layer.unwrap(
  Effect.gen(function* () {
    const { network, url } = yield* startNetwork({ blockTime: 1000, solidLag: 2 })
    network.fund(hotWallet, 1_000_000_000n)
    // Other addresses have no account before they receive something.
    network.plenty = 0
    network.sun.set(bare(hotWallet), 1_000_000_000_000)
    const now = Effect.sync(() => network.head.timestamp)
    const clock = Layer.succeed(MarketClock, {
      now,
      lastKnown: now,
      advance: (seconds) =>
        Effect.andThen(
          Effect.sync(() => network.mine(seconds)),
          now
        )
    })
    let made = 0
    const hand = Layer.succeed(SimulatedChain, {
      deposit: (to, amount) =>
        Effect.sync((): Transfer => {
          const from = TronEncoding.nobody(`giver ${made++}`)
          const txid = network.deposit(to, amount, from)
          const { number, timestamp } = network.head
          return { txid, logIndex: 0, from, to, amount, block: number + 1, at: timestamp + network.blockTime }
        })
    })
    return Layer.mergeAll(tronChain([url]), clock, hand)
  })
)

chainContract("TRON", chains)
