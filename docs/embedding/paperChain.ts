// A chain on paper: every transfer is a line of a file. The smallest adapter that fulfils the contract of the `Chain` port.
import { Chain, ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { Head, Transfer } from "@agent-marketplace/core/chain/Chain"
import { coinsOnly } from "@agent-marketplace/core/chain/WalletResources"
import { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Context, Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { appendFileSync, existsSync, readFileSync } from "node:fs"

/** One block for each second, final after two more. */
const blockTime = 1000
const confirmations = 2

/** How long after it was built a payout may be written, in milliseconds. */
const lifetime = 60_000

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

/** `Paper-`, 20 digits, and a checksum of 8 digits. */
const addressOf = (text: string) => {
  const name = `Paper-${sha256(text).slice(0, 20)}`
  return name + sha256(name).slice(0, 8)
}
const isAddress = (text: string) =>
  /^Paper-[0-9a-f]{28}$/.test(text) && text.endsWith(sha256(text.slice(0, 26)).slice(0, 8))

const headAt = (block: number): Head => ({
  block,
  at: block * blockTime,
  id: `page ${block}`
})

/** The file: lines are only appended, each to a block that has not ended yet, so that final blocks never change. */
const openBook = (file: string) => {
  const all = (): ReadonlyArray<Transfer> =>
    (existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : []).map((line) => {
      const transfer = JSON.parse(line)
      return { ...transfer, amount: Usdt.of(BigInt(transfer.amount)) }
    })
  return {
    between: (from: number, to: number) => all().filter(({ block }) => block >= from && block <= to),
    find: (txid: string) => all().find((transfer) => transfer.txid === txid),
    write: (transfer: Transfer) =>
      appendFileSync(file, `${JSON.stringify({ ...transfer, amount: String(transfer.amount) })}\n`)
  }
}

/** The port, and the service with which a test writes deposits. */
const paperChain = Effect.fnUntraced(function* (file: string) {
  const book = openBook(file)
  const clock = yield* MarketClock
  const now = Effect.mapError(clock.now, () => new ChainUnavailable({ reason: "the time is not known" }))
  const treasury = addressOf("treasury")
  const head = Effect.map(now, (at) => headAt(Math.floor(at / blockTime)))
  const finalHead = Effect.map(head, ({ block }) => headAt(block - confirmations))
  const start = book.between(0, Infinity)[0]?.block ?? (yield* finalHead).block
  const next = Effect.map(head, ({ block }) => headAt(block + 1))

  const chain: Chain["Service"] = {
    network: Effect.succeed("paper"),
    name: "PAPER",
    token: "paper",
    hotWallet: treasury,
    depositAddress: (index) => Effect.succeed(addressOf(`deposit ${index}`)),
    isAddress: (address) => Effect.succeed(isAddress(address)),
    forbidden: new Set([treasury]),
    wallet: Effect.succeed(null),
    balanceOf: () => Effect.succeed(null),
    resources: () => Effect.succeed(coinsOnly({ usual: 0n, most: 0n }, true)),
    start,
    span: 1_000_000,
    finalHead,
    // There is one file, so nothing else could contradict it.
    follow: (parent, from, to) =>
      parent === null || parent === headAt(from - 1).id
        ? Effect.succeed(headAt(to).id)
        : Effect.fail(new ChainUnavailable({ reason: `block ${from} does not follow ${parent}` })),
    resumeAt: () => Effect.void,
    preview: null,
    conditions: Effect.succeed([]),
    transfers: (from, to) =>
      Effect.flatMap(finalHead, ({ block }) =>
        to <= block
          ? Effect.sync(() => book.between(from, to))
          : Effect.fail(new ChainUnavailable({ reason: `block ${to} is not final, ${block} is` }))
      ),
    pendingTransfers: (above) => Effect.map(head, ({ block }) => book.between(above + 1, block)),
    refusal: () => Effect.succeed(null),
    hasHistory: (address) => Effect.sync(() => book.between(0, Infinity).some(({ to }) => to === address)),
    transfersIn: (txid) =>
      Effect.map(finalHead, ({ block }) => book.between(0, block).filter((transfer) => transfer.txid === txid)),
    // Writing a line costs nothing.
    payoutCost: (payout) =>
      Effect.sync(() => ({
        coin: 0n,
        activatesAddress: !book.between(0, Infinity).some(({ to }) => to === payout?.to)
      })),
    prepare: ({ amount, ...payout }) =>
      Effect.map(now, (at) => {
        const expiresAt = at + lifetime
        const raw = JSON.stringify({ ...payout, amount: String(amount), expiresAt })
        return { txid: sha256(raw), raw, expiresAt }
      }),
    broadcast: ({ expiresAt, raw, txid }) =>
      Effect.map(next, ({ at, block }) => {
        if (book.find(txid) !== undefined) return { _tag: "Accepted" }
        if (at > expiresAt) return { _tag: "Unknown", reason: "it has expired" }
        const { amount, to } = JSON.parse(raw)
        book.write({ txid, logIndex: 0, from: treasury, to, amount: Usdt.of(BigInt(amount)), block, at })
        return { _tag: "Accepted" }
      }),
    fate: ({ expiresAt, txid }) =>
      Effect.map(finalHead, ({ at, block }) => {
        const written = book.find(txid)
        if (written === undefined) return { _tag: at > expiresAt ? "Dead" : "Waiting" }
        return { _tag: written.block <= block ? "Confirmed" : "Waiting" }
      })
  }
  const hand: SimulatedChain["Service"] = {
    // Only tests deposit by hand, so an unknown time ends the test.
    deposit: (to, amount) =>
      Effect.map(Effect.orDie(next), ({ at, block }) => {
        const txid = sha256(`${to} ${at} ${book.between(0, Infinity).length}`)
        const transfer: Transfer = { txid, logIndex: 0, from: addressOf("outside"), to, amount, block, at }
        book.write(transfer)
        return transfer
      })
  }
  return Context.make(Chain, chain).pipe(Context.add(SimulatedChain, hand))
})

export const PaperChain = {
  /** Stores the transfers in this file. */
  layer: (file: string) => Layer.effectContext(paperChain(file))
}
