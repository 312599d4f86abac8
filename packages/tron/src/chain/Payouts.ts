import type { Broadcast, Chain, TransactionFate } from "@agent-marketplace/core/chain/Chain"
import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { Signer } from "@agent-marketplace/core/chain/Signer"
import type { WithdrawalTransaction } from "@agent-marketplace/core/wallets/Withdrawal"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Clock, Effect, Semaphore } from "effect"
import { hash } from "node:crypto"
import { hexOf } from "../nodes/Base58Check.ts"
import { BroadcastAnswer } from "../nodes/NodeAnswers.ts"
import type { Nodes } from "../nodes/Nodes.ts"
import type { TransactionInfo } from "../nodes/TransactionInfo.ts"
import { FoundInfo, succeeded } from "../nodes/TransactionInfo.ts"
import { blocksAtOnce, finalInfos } from "./Blocks.ts"
import type { FinalHead } from "./FinalHeads.ts"
import { headOf } from "./FinalHeads.ts"
import type { Means } from "./Fees.ts"
import { feeLimit, feesOf } from "./Fees.ts"
import { hotWalletMeans } from "./HotWallet.ts"
import type { Payout } from "./PayoutTransaction.ts"
import { build, payoutOf } from "./PayoutTransaction.ts"
import type { TronConnection } from "./TronConnection.ts"
import { transferEnergy } from "./TokenCalls.ts"
import { movedBy } from "./TransferLog.ts"

export interface Payer extends Pick<TronConnection, "nodes" | "pace" | "contract" | "prices" | "finalHead"> {
  readonly signer: Signer["Service"] | undefined
}

const away = (reason: string) => new ChainUnavailable({ reason })

/** How many are remembered. */
const mostRefused = 1000

const keyless = away("this process has not the key of the hot wallet")

/** A transaction that is neither final nor proven dead: what it pays is promised. */
interface Promised {
  readonly amount: bigint
  readonly expiresAt: number
  /** What the nodes said to its bytes, and until when that will do. */
  sent: { readonly answer: Broadcast; readonly until: number } | undefined
  /** The final block as of which it was looked up. */
  lookedUpAt: number
  /** No final block up to this one holds it. */
  absentTo: number
  /** The final block that holds it. */
  includedIn: number
}

interface Book {
  readonly promised: Map<string, Promised>
  /** What the wallet had as of a final block; forgotten whenever a promise ends. */
  means: { readonly of: Means; readonly block: number } | undefined
  /** What is promised no more stands in this final block, or before it: a balance must know of it. */
  since: number | undefined
  /** Why a withdrawal could not be begun, and until when that will do: many may wait for long, and each is looked at all the time. */
  readonly refused: Map<string, { readonly reason: string; readonly until: number }>
  lastTimestamp: number
}

const promise = (book: Book, { expiresAt, txid }: WithdrawalTransaction, amount: bigint): Promised => {
  const made = book.promised.get(txid) ?? {
    amount,
    expiresAt,
    sent: undefined,
    lookedUpAt: -1,
    absentTo: -1,
    includedIn: -1
  }
  book.promised.set(txid, made)
  return made
}

const ended = (book: Book, txid: string, since: number): void => {
  book.means = undefined
  book.since = Math.max(book.since ?? 0, since)
  book.promised.delete(txid)
}

/** After its expiration a transaction is either in a final block or can never be included. */
const promised = (book: Book, head: FinalHead): bigint => {
  let sum = 0n
  for (const [txid, { amount, expiresAt }] of book.promised) {
    if (expiresAt < head.at) ended(book, txid, head.block)
    else sum += amount
  }
  return sum
}

const meansNow = Effect.fnUntraced(function* ({ contract, nodes }: Payer, book: Book, from: string, head: FinalHead) {
  if (book.means?.block !== head.block) {
    book.since ??= head.block
    const of = yield* hotWalletMeans(nodes, contract, from, book.since)
    book.means = { of, block: head.block }
  }
  return book.means.of
})

/** Milliseconds that tell apart what is alike otherwise, in processes that do not know of each other. */
const spreadOf = (withdrawal: string, attempt: number): number =>
  hash("sha256", `${withdrawal} ${attempt}`, "buffer").readUInt16BE(0) % 2000

/**
 * What can be paid is decided on final money alone: the balance as of the final block, less what is promised (CHAIN-17). A wallet that has too
 * little, is frozen or cannot pay the fees lets withdrawals wait; it never fails them.
 */
const prepare = (payer: Payer, book: Book): Chain["Service"]["prepare"] =>
  Effect.fnUntraced(function* ({ amount, attempt, to, withdrawal }) {
    const { contract, nodes, pace, prices, signer } = payer
    if (signer === undefined) return yield* keyless
    const now = yield* Clock.currentTimeMillis
    const before = book.refused.get(withdrawal)
    if (before !== undefined && now < before.until) return yield* away(before.reason)
    const refuse = (reason: string) => {
      if (book.refused.size > mostRefused) book.refused.clear()
      book.refused.set(withdrawal, { reason, until: now + pace.resend })
      return away(reason)
    }
    const head = yield* payer.finalHead
    const taken = promised(book, head)
    const means = yield* meansNow(payer, book, signer.address, head)
    const free = means.usdt - taken
    if (free < amount) return yield* away(`the hot wallet has ${Usdt.format(free)} USDT that are not promised`)
    const energy = yield* transferEnergy(nodes, contract, signer.address, to, amount).pipe(
      Effect.catchTag("TokenRefusal", ({ reason }) => Effect.fail(refuse(reason)))
    )
    const price = yield* prices
    const limit = feeLimit(energy, price)
    if (limit > price.mostFee) return yield* refuse("a transfer costs more than the chain lets a transaction cost")
    const fees = feesOf(book.promised.size + 1, limit / price.energy, means, price)
    if (means.sun < fees) return yield* refuse(`the hot wallet has ${means.sun / 1e6} TRX, fees may take ${fees / 1e6}`)
    book.lastTimestamp = Math.max(book.lastTimestamp + 1, now)
    const transaction = yield* build({
      from: signer.address,
      to,
      amount,
      contract,
      head,
      timestamp: book.lastTimestamp,
      expiration: head.at + pace.lifetime + spreadOf(withdrawal, attempt),
      feeLimit: limit
    })
    promise(book, transaction, amount)
    return transaction
  })

/** What a node says to the bytes; only one of these answers means that it has them. */
const outcomeOf = (answer: typeof BroadcastAnswer.Type): string =>
  answer.result === true && (answer.code === undefined || answer.code === "SUCCESS")
    ? "SUCCESS"
    : (answer.code ?? "OTHER_ERROR")

/**
 * The same bytes to one node after the other until one takes them. Any other answer leaves open whether they will be included: even
 * "expired" is one node's opinion.
 */
const send = Effect.fnUntraced(function* (nodes: Nodes, body: object) {
  let isKnown = false
  const answer = yield* nodes
    .using("wallet", (node) =>
      Effect.flatMap(node.ask("broadcasttransaction", body, BroadcastAnswer), (answer) => {
        const heard = outcomeOf(answer)
        isKnown ||= heard === "SUCCESS" || heard === "DUP_TRANSACTION_ERROR"
        return heard === "SUCCESS"
          ? Effect.succeed<Broadcast>({ _tag: "Accepted" })
          : Effect.fail(away(`${node.name}: ${heard}`))
      })
    )
    .pipe(Effect.catch(({ reason }) => Effect.succeed<Broadcast>({ _tag: "Unknown", reason })))
  return { answer, isKnown }
})

const broadcast = (payer: Payer, book: Book): Chain["Service"]["broadcast"] =>
  Effect.fnUntraced(function* (stored) {
    const { nodes, pace, signer } = payer
    if (signer === undefined) return yield* keyless
    const { amount, owner, transaction } = yield* payoutOf(stored)
    if (owner !== hexOf(signer.address).slice(2)) return yield* away("the transaction is another wallet's")
    const known = promise(book, stored, amount)
    const now = yield* Clock.currentTimeMillis
    if (known.sent !== undefined && now < known.sent.until) return known.sent.answer
    const signature = yield* signer
      .sign(Buffer.from(stored.txid, "hex"))
      .pipe(Effect.mapError(({ reason }) => away(reason)))
    const { answer, isKnown } = yield* send(nodes, {
      ...transaction,
      signature: [Buffer.from(signature).toString("hex")]
    })
    known.sent = { answer, until: now + (isKnown ? pace.resend : pace.fresh) }
    return answer
  })

const reasonOf = ({ receipt, resMessage }: TransactionInfo): string =>
  [receipt?.result ?? "FAILED", Buffer.from(resMessage ?? "", "hex").toString("utf8")]
    .filter((part) => part !== "")
    .join(": ")

/** With the log of the transfer where it is one of the token. */
const paidBy = (info: TransactionInfo, { amount, contract, owner, to }: Payout): boolean =>
  succeeded(info) &&
  (contract === undefined ||
    (info.log ?? []).some((log) => {
      const moved = movedBy(log, contract)
      return moved?.from === owner && moved.to === to && moved.amount === amount
    }))

/** Whether a transaction is final and has paid. */
export const hasPaid = Effect.fnUntraced(function* (nodes: Nodes, stored: WithdrawalTransaction) {
  const payout = yield* payoutOf(stored)
  const info = yield* nodes.ask(
    "walletsolidity",
    "gettransactioninfobyid",
    { value: stored.txid },
    FoundInfo(stored.txid)
  )
  return info.id !== undefined && paidBy(info, payout)
})

/** A final receipt decides; a call that succeeds without its transfer is for a person to look at. */
const decided = (info: TransactionInfo, payout: Payout): Effect.Effect<TransactionFate, ChainUnavailable> => {
  if (!succeeded(info)) return Effect.succeed({ _tag: "Reverted", reason: reasonOf(info) })
  return paidBy(info, payout)
    ? Effect.succeed({ _tag: "Confirmed" })
    : Effect.fail(away(`transaction ${info.id} succeeded without the transfer: an operator must look`))
}

/**
 * Reads every final block in which the transaction could stand, from the one it refers to up to the first that is too late for it.
 * It holds whichever nodes answer: a block is read whole or not at all. Where a node fails it goes on from there the next time.
 */
const absent = Effect.fnUntraced(function* (
  nodes: Nodes,
  known: Promised,
  block: number,
  { expiresAt, txid }: WithdrawalTransaction
) {
  for (let from = Math.max(known.absentTo, block) + 1; ; from += blocksAtOnce) {
    const range = Array.from({ length: blocksAtOnce }, (_, i) => from + i)
    const blocks = yield* Effect.forEach(range, (each) => Effect.result(finalInfos(nodes, each)), {
      concurrency: blocksAtOnce
    })
    for (const [i, read] of blocks.entries()) {
      const { at, infos } = yield* Effect.fromResult(read)
      if (infos.some(({ id }) => id === txid)) return false
      if (at >= expiresAt) return true
      known.absentTo = from + i
    }
  }
})

/**
 * Dead is proven in two ways that must agree: a node whose final block is later than the end of the transaction has none of it,
 * and no final block up to there holds it.
 */
const look = Effect.fnUntraced(function* (
  payer: Payer,
  known: Promised,
  stored: WithdrawalTransaction,
  payout: Payout
) {
  const { nodes } = payer
  const seen = yield* nodes.using("walletsolidity", (node) =>
    Effect.gen(function* () {
      const head = yield* headOf(node)
      const info = yield* node.ask("gettransactioninfobyid", { value: stored.txid }, FoundInfo(stored.txid))
      return { head, info }
    })
  )
  if (seen.info.id !== undefined) {
    known.includedIn = seen.info.blockNumber
    return yield* decided(seen.info, payout)
  }
  if (seen.head.at < stored.expiresAt) return { _tag: "Waiting" } satisfies TransactionFate
  const dead = yield* absent(nodes, known, payout.block, stored)
  return (dead ? { _tag: "Dead" } : { _tag: "Waiting" }) satisfies TransactionFate
})

/** A transaction is looked up once for each final block. */
const fate = (payer: Payer, book: Book): Chain["Service"]["fate"] =>
  Effect.fnUntraced(function* (stored) {
    const payout = yield* payoutOf(stored)
    const known = promise(book, stored, payout.amount)
    const { block } = yield* payer.finalHead
    if (known.lookedUpAt === block) return { _tag: "Waiting" }
    const found = yield* look(payer, known, stored, payout)
    if (found._tag === "Waiting") known.lookedUpAt = block
    else ended(book, stored.txid, known.includedIn)
    return found
  })

/** Paying withdrawals out, each once: a transaction's bytes are stored before they are signed, and only they are ever sent (CHAIN-16). */
export const payouts = (payer: Payer): Pick<Chain["Service"], "prepare" | "broadcast" | "fate"> => {
  const book: Book = { promised: new Map(), means: undefined, since: undefined, refused: new Map(), lastTimestamp: 0 }
  const oneAtATime = Semaphore.makeUnsafe(1)
  const prepared = prepare(payer, book)
  return {
    prepare: (payout) => oneAtATime.withPermit(prepared(payout)),
    broadcast: broadcast(payer, book),
    fate: fate(payer, book)
  }
}
