import type { Head, Transfer } from "@agent-marketplace/core/chain/Chain"
import { simulatedId } from "@agent-marketplace/core/chain/SimulatedChain"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Included } from "./Included.ts"
import type { MarketTables } from "../MarketTables.ts"
import { Timestamp as Time } from "@agent-marketplace/core/clock/Timestamp"

/** A block is final once this many later ones have ended. */
const confirmations = 2

const blockTime = Time.second

/**
 * The blocks of a simulated chain: one for each second of the market's time, numbered so that block 0 is final when the
 * chain starts.
 */
export class SimulatedBlocks {
  private readonly genesis: Timestamp
  private readonly included: Array<Included>
  private readonly state: MarketTables["chain"]

  constructor({ blocks, chain }: Pick<MarketTables, "blocks" | "chain">, now: Timestamp) {
    this.genesis = chain.genesis ??= now
    this.included = blocks
    this.state = chain
  }

  /** The newest block at `now`. */
  head(now: Timestamp): Head {
    const elapsed = Math.max(0, (this.state.stalledAt ?? now) - this.genesis)
    return this.at(confirmations + Math.floor(elapsed / blockTime))
  }

  finalHead(now: Timestamp): Head {
    return this.at(this.head(now).block - confirmations)
  }

  /** The block that includes what happens at `now`. */
  next(now: Timestamp): Head {
    return this.at(this.head(now).block + 1)
  }

  include(entry: Included): void {
    this.included.push(entry)
  }

  find(txid: string): Included | undefined {
    return this.included.find(({ transfer }) => transfer.txid === txid)
  }

  /** Successful transfers in the blocks `from` to `to`, in order. */
  transfers(from: number, to: number): ReadonlyArray<Transfer> {
    const found: Array<Transfer> = []
    for (let i = this.firstFrom(from); i < this.included.length; i++) {
      const entry = this.included[i]
      if (entry === undefined || entry.transfer.block > to) break
      if (!entry.reverted) found.push(entry.transfer)
    }
    return found
  }

  /** A reorganisation removes the transfer from a block that is not final; false if there is none. */
  forget(txid: string, now: Timestamp): boolean {
    const final = this.finalHead(now).block
    const kept = this.included.filter(({ transfer }) => transfer.txid !== txid || transfer.block <= final)
    const removed = kept.length < this.included.length
    if (removed) this.included.splice(0, this.included.length, ...kept)
    return removed
  }

  stall(now: Timestamp): void {
    this.state.stalledAt ??= now
  }

  resume(): void {
    this.state.stalledAt = null
  }

  private at(block: number): Head {
    return { block, id: simulatedId(block), at: this.genesis + (block - confirmations) * blockTime }
  }

  /** Block numbers only increase, so the first entry from a given block is found by binary search. */
  private firstFrom(block: number): number {
    let low = 0
    let high = this.included.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.included[middle]?.transfer.block ?? Infinity) < block) low = middle + 1
      else high = middle
    }
    return low
  }
}
