import type { Broadcast, Transfer, TransactionFate } from "@agent-marketplace/core/chain/Chain"
import { Chain, ChainUnavailable, PayoutRefused } from "@agent-marketplace/core/chain/Chain"
import {
  depositAction,
  followSimulated,
  SimulatedChain,
  simulatedCost,
  simulatedResources
} from "@agent-marketplace/core/chain/SimulatedChain"
import { usdtContract } from "@agent-marketplace/core/chain/usdtContract"
import { TronAddress } from "@agent-marketplace/core/chain/TronAddress"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Timestamp as Time } from "@agent-marketplace/core/clock/Timestamp"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { WithdrawalTransaction } from "@agent-marketplace/core/wallets/Withdrawal"
import { Context, Effect, Layer } from "effect"
import { Digest } from "effect/crypto"
import type { MarketTables } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import type { ChainMethod, ChainScript } from "./ChainScript.ts"
import { SimulatedBlocks } from "./SimulatedBlocks.ts"

const network = "simulated"

/** How long after it was built a transaction can be included. */
const transactionLifetime = Time.minute

/** The content of a transaction's bytes. */
interface Payout {
  readonly withdrawal: string
  readonly attempt: number
  readonly to: string
  readonly amount: string
  readonly expiresAt: Timestamp
}

interface Faults {
  readonly failing: Map<ChainMethod, number>
  dropped: number
  hidden: number
  readonly reverted: Set<string>
  readonly refused: Set<string>
}

interface World {
  readonly blocks: SimulatedBlocks
  readonly faults: Faults
  readonly actions: MarketTables["actions"]
  readonly counts: MarketTables["chain"]
  readonly now: Effect.Effect<Timestamp>
  readonly sha256: (text: string) => Effect.Effect<Uint8Array>
  readonly hash: (text: string) => Effect.Effect<string>
  readonly addressOf: (text: string) => Effect.Effect<string>
  readonly isAddress: (address: string) => Effect.Effect<boolean>
  /** The service's own wallet, which pays withdrawals. */
  readonly treasury: string
}

const makeWorld = Effect.fnUntraced(function* () {
  const digest = yield* Digest.Digest
  const clock = yield* MarketClock
  // The in-memory clock never fails.
  const now = Effect.orDie(clock.now)
  const { tables } = yield* MemoryMarket
  const text = new TextEncoder()
  const sha256 = (of: string) => digest.digest(Digest.sha256, text.encode(of))
  const addressOf = (of: string) =>
    Effect.flatMap(sha256(of), (bytes) =>
      Effect.provideService(TronAddress.fromPayload(bytes.subarray(0, 20)), Digest.Digest, digest)
    )
  const world: World = {
    blocks: new SimulatedBlocks(tables, yield* now),
    faults: { failing: new Map(), dropped: 0, hidden: 0, reverted: new Set(), refused: new Set() },
    actions: tables.actions,
    counts: tables.chain,
    now,
    sha256,
    hash: (of) => digest.digestHex(Digest.sha256, text.encode(of)),
    addressOf,
    isAddress: (address) => Effect.provideService(TronAddress.isValid(address), Digest.Digest, digest),
    treasury: yield* addressOf(`${network}:treasury`)
  }
  return world
})

/** The method, unless the script makes it fail. */
const unlessFailing = <A>(
  { failing }: Faults,
  method: ChainMethod,
  effect: Effect.Effect<A>
): Effect.Effect<A, ChainUnavailable> =>
  Effect.suspend((): Effect.Effect<A, ChainUnavailable> => {
    const times = failing.get(method) ?? 0
    if (times <= 0) return effect
    failing.set(method, times - 1)
    return Effect.fail(new ChainUnavailable({ reason: `${method} was scripted to fail` }))
  })

/** Includes the transaction in the next block, once, unless it has expired. */
const include = (world: World, { raw, txid }: WithdrawalTransaction, now: Timestamp): boolean => {
  const { blocks, faults, treasury } = world
  if (blocks.find(txid) !== undefined) return true
  const payout = JSON.parse(raw) as Payout
  const { at, block } = blocks.next(now)
  if (at > payout.expiresAt) return false
  const amount = Usdt.of(BigInt(payout.amount))
  const transfer: Transfer = { txid, logIndex: 0, from: treasury, to: payout.to, amount, block, at }
  blocks.include({ transfer, reverted: faults.reverted.has(payout.withdrawal) })
  return true
}

const broadcast = (world: World, transaction: WithdrawalTransaction): Effect.Effect<Broadcast> =>
  Effect.map(world.now, (now) => {
    const { faults } = world
    if (faults.dropped > 0) {
      faults.dropped--
      return { _tag: "Accepted" }
    }
    if (!include(world, transaction, now)) return { _tag: "Unknown", reason: "the transaction has expired" }
    if (faults.hidden === 0) return { _tag: "Accepted" }
    faults.hidden--
    return { _tag: "Unknown", reason: "the answer was scripted to be lost" }
  })

const fate = ({ blocks, now }: World, transaction: WithdrawalTransaction): Effect.Effect<TransactionFate> =>
  Effect.map(now, (time) => {
    const final = blocks.finalHead(time)
    const included = blocks.find(transaction.txid)
    if (included === undefined) return final.at > transaction.expiresAt ? { _tag: "Dead" } : { _tag: "Waiting" }
    if (included.transfer.block > final.block) return { _tag: "Waiting" }
    return included.reverted ? { _tag: "Reverted", reason: "REVERT" } : { _tag: "Confirmed" }
  })

const prepare = (
  { hash, now }: World,
  payout: { readonly withdrawal: string; readonly attempt: number; readonly to: string; readonly amount: Usdt }
): Effect.Effect<WithdrawalTransaction> =>
  Effect.flatMap(now, (time) => {
    const { amount, attempt, to, withdrawal } = payout
    const expiresAt = time + transactionLifetime
    const raw = JSON.stringify({ withdrawal, attempt, to, amount: amount.toString(), expiresAt } satisfies Payout)
    return Effect.map(hash(`${network}:transaction:${raw}`), (txid) => ({ txid, raw, expiresAt }))
  })

const refusalOf = ({ refused }: Faults, address: string): string | null =>
  refused.has(address) ? "the token was scripted to refuse this address" : null

/** Answers for final blocks only, because other blocks may still change. */
const finalTransfers = ({ blocks, faults, now }: World, from: number, to: number) =>
  Effect.flatMap(now, (time) => {
    const final = blocks.finalHead(time).block
    return to <= final
      ? unlessFailing(faults, "transfers", Effect.succeed(blocks.transfers(from, to)))
      : Effect.fail(new ChainUnavailable({ reason: `block ${to} is not final, ${final} is` }))
  })

const makeChain = (world: World): Chain["Service"] => {
  const { blocks, faults, now } = world
  return {
    network: Effect.succeed(network),
    name: "TRON",
    token: usdtContract,
    hotWallet: world.treasury,
    depositAddress: (index) => unlessFailing(faults, "depositAddress", world.addressOf(`${network}:${index}`)),
    isAddress: world.isAddress,
    forbidden: new Set([world.treasury, usdtContract]),
    wallet: Effect.succeed(null),
    balanceOf: () => Effect.succeed(null),
    resources: () => Effect.succeed(simulatedResources),
    start: 0,
    // However far a test moves the clock, one run is enough to catch up.
    span: Number.MAX_SAFE_INTEGER,
    finalHead: unlessFailing(
      faults,
      "finalHead",
      Effect.map(now, (time) => blocks.finalHead(time))
    ),
    follow: followSimulated,
    transfers: (from, to) => finalTransfers(world, from, to),
    resumeAt: () => Effect.void,
    preview: null,
    conditions: Effect.succeed([]),
    pendingTransfers: (above) =>
      unlessFailing(
        faults,
        "pendingTransfers",
        Effect.map(now, (time) => blocks.transfers(above + 1, blocks.head(time).block))
      ),
    payoutCost: (payout) =>
      unlessFailing(
        faults,
        "payoutCost",
        Effect.map(now, (time) => {
          const all = blocks.transfers(0, blocks.next(time).block)
          return simulatedCost(payout === null || !all.some(({ to }) => to === payout.to))
        })
      ),
    refusal: (address) =>
      unlessFailing(
        faults,
        "refusal",
        Effect.sync(() => refusalOf(faults, address))
      ),
    hasHistory: (address) =>
      unlessFailing(
        faults,
        "hasHistory",
        Effect.map(now, (time) => blocks.transfers(0, blocks.head(time).block).some(({ to }) => to === address))
      ),
    transfersIn: (txid) =>
      unlessFailing(
        faults,
        "transfersIn",
        Effect.map(now, (time) => {
          const found = blocks.find(txid)
          return found === undefined || found.reverted || found.transfer.block > blocks.finalHead(time).block
            ? []
            : [found.transfer]
        })
      ),
    prepare: (payout) =>
      Effect.suspend((): Effect.Effect<WithdrawalTransaction, ChainUnavailable | PayoutRefused> => {
        const reason = refusalOf(faults, payout.to)
        return reason === null
          ? unlessFailing(faults, "prepare", prepare(world, payout))
          : Effect.fail(new PayoutRefused({ reason }))
      }),
    broadcast: (transaction) => unlessFailing(faults, "broadcast", broadcast(world, transaction)),
    fate: (transaction) => unlessFailing(faults, "fate", fate(world, transaction))
  }
}

const makeHand = ({ actions, addressOf, blocks, counts, hash, now }: World): SimulatedChain["Service"] => {
  return {
    deposit: Effect.fn("ScriptedChain.deposit")(function* (to, amount, action) {
      const number = ++counts.deposits
      const from = yield* addressOf(`${network}:outside:${number}`)
      const txid = yield* hash(`${network}:deposit:${number}`)
      return yield* Effect.map(now, (time) => {
        const { at, block } = blocks.next(time)
        const transfer: Transfer = { txid, logIndex: 0, from, to, amount, block, at }
        blocks.include({ transfer, reverted: false })
        if (action !== undefined) actions.push(depositAction(action, transfer))
        return transfer
      })
    })
  }
}

const makeScript = ({ blocks, counts, faults, hash, now }: World): ChainScript => {
  return {
    failNext: (method, times = 1) =>
      Effect.sync(() => void faults.failing.set(method, (faults.failing.get(method) ?? 0) + times)),
    dropBroadcast: (times = 1) => Effect.sync(() => void (faults.dropped += times)),
    hideBroadcast: (times = 1) => Effect.sync(() => void (faults.hidden += times)),
    revert: (withdrawal) => Effect.sync(() => void faults.reverted.add(withdrawal)),
    refuse: (address) => Effect.sync(() => void faults.refused.add(address)),
    accept: (address) => Effect.sync(() => void faults.refused.delete(address)),
    transfer: (from, to, amount) =>
      Effect.gen(function* () {
        const time = yield* now
        const txid = yield* hash(`${network}:outside:${from}:${to}:${amount}:${time}:${++counts.outside}`)
        const transfer: Transfer = { txid, logIndex: 0, from, to, amount, ...blocks.next(time) }
        blocks.include({ transfer, reverted: false })
        return transfer
      }),
    stall: Effect.map(now, (time) => blocks.stall(time)),
    resume: Effect.sync(() => blocks.resume()),
    forget: (txid) => Effect.map(now, (time) => blocks.forget(txid, time))
  }
}

/**
 * A blockchain in memory, behind the same ports as a real one: one block for each second of the market's time, final after two
 * more; with a script of faults.
 */
export class ScriptedChain extends Context.Service<ScriptedChain, { readonly script: ChainScript }>()(
  "@agent-marketplace/memory/chain/ScriptedChain"
) {
  static readonly layer: Layer.Layer<
    Chain | SimulatedChain | ScriptedChain,
    never,
    Digest.Digest | MarketClock | MemoryMarket
  > = Layer.effectContext(
    Effect.map(makeWorld(), (world) =>
      Context.make(Chain, makeChain(world)).pipe(
        Context.add(SimulatedChain, makeHand(world)),
        Context.add(ScriptedChain, { script: makeScript(world) })
      )
    )
  )
}
