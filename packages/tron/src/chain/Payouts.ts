import type { Broadcast, Chain, TransactionFate } from "@agent-marketplace/core/chain/Chain"
import { ChainUnavailable, PayoutRefused } from "@agent-marketplace/core/chain/Chain"
import type { SignerFailure } from "@agent-marketplace/core/chain/Signer"
import type { WithdrawalTransaction } from "@agent-marketplace/core/wallets/Withdrawal"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Cache, Clock, Effect, Option, Result, Semaphore } from "effect"
import { hash } from "node:crypto"
import { hexOf } from "../nodes/Base58Check.ts"
import type { AccountSigner } from "../signing/AccountSigner.ts"
import { BroadcastAnswer } from "../nodes/NodeAnswers.ts"
import type { Node } from "../nodes/Node.ts"
import type { Nodes } from "../nodes/Nodes.ts"
import type { BlockReading } from "./BlockReading.ts"
import { blocksAtOnce } from "./Blocks.ts"
import type { FinalHead } from "./FinalHeads.ts"
import type { Means } from "./Fees.ts"
import { feeLimit, feesOf } from "./Fees.ts"
import { hotWalletMeans } from "./HotWallet.ts"
import type { Payout } from "./PayoutTransaction.ts"
import { build, payoutOf } from "./PayoutTransaction.ts"
import type { TronConnection } from "./TronConnection.ts"
import { transferEnergy, transferRefusal } from "./TokenCalls.ts"

export interface Payer extends Pick<
  TronConnection,
  "nodes" | "votes" | "blocks" | "timings" | "contract" | "pricesNow" | "finalHead"
> {
  readonly signer: AccountSigner | undefined
}

const unavailable = (reason: string) => new ChainUnavailable({ reason })

/** The maximum number of refusals that are remembered; the least recently used one is evicted. */
const mostRefused = 1000

const keyless = unavailable(
  "this process has no signer of payouts: set TRON_HOT_WALLET_KEY, TRON_SIGNER_URL or TRON_KMS_KEY_ID in the worker"
)

/** A transaction that is neither final nor proven dead. Its amount is reserved. */
interface Reservation {
  readonly amount: bigint
  readonly expiresAt: number
  /** The nodes' answer to the broadcast, and until when it is reused. */
  sent: { readonly answer: Broadcast; readonly until: number } | undefined
  /** The final block as of which the transaction was last looked up. */
  lookedUpAt: number
  /** No final block up to this one contains the transaction. */
  absentTo: number
  /** The final block that contains the transaction. */
  includedIn: number
}

interface Book {
  readonly reserved: Map<string, Reservation>
  /** The wallet's balances as of a final block; dropped whenever a reservation ends. */
  means: { readonly of: Means; readonly block: number } | undefined
  /** Ended reservations are included in this final block or an earlier one: balances must be read as of this block or later. */
  since: number | undefined
  /** Why a withdrawal could not be started. The reason is reused for a while: many withdrawals may wait, and each is checked often. */
  readonly refused: Cache.Cache<string, string>
  lastTimestamp: number
}

const reserve = (book: Book, { expiresAt, txid }: WithdrawalTransaction, amount: bigint): Reservation => {
  const reservation = book.reserved.get(txid) ?? {
    amount,
    expiresAt,
    sent: undefined,
    lookedUpAt: -1,
    absentTo: -1,
    includedIn: -1
  }
  book.reserved.set(txid, reservation)
  return reservation
}

const ended = (book: Book, txid: string, since: number): void => {
  book.means = undefined
  book.since = Math.max(book.since ?? 0, since)
  book.reserved.delete(txid)
}

/** The sum of the reservations. After its expiration a transaction is either in a final block or can never be included. */
const reserved = (book: Book, head: FinalHead): bigint => {
  let sum = 0n
  for (const [txid, { amount, expiresAt }] of book.reserved) {
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

/** Milliseconds that make otherwise identical transactions of independent processes differ. */
const spreadOf = (withdrawal: string, attempt: number): number =>
  hash("sha256", `${withdrawal} ${attempt}`, "buffer").readUInt16BE(0) % 2000

/**
 * Only final money counts: the final balance less what is reserved (CHAIN-17). If the wallet has too little, is frozen or cannot pay
 * the fees, withdrawals wait; they never fail for that reason.
 */
const prepare = (payer: Payer, book: Book): Chain["Service"]["prepare"] =>
  Effect.fnUntraced(function* ({ amount, attempt, to, withdrawal }) {
    const { contract, nodes, timings, pricesNow, signer } = payer
    if (signer === undefined) return yield* keyless
    const now = yield* Clock.currentTimeMillis
    const before = yield* Cache.getSuccess(book.refused, withdrawal)
    if (Option.isSome(before)) return yield* unavailable(before.value)
    const refuse = (reason: string) =>
      Effect.andThen(Cache.set(book.refused, withdrawal, reason), Effect.fail(unavailable(reason)))
    const head = yield* payer.finalHead
    const taken = reserved(book, head)
    const means = yield* meansNow(payer, book, signer.address, head)
    const free = means.usdt - taken
    if (free < amount)
      return yield* unavailable(
        `the hot wallet has ${Usdt.format(free)} USDT available, ${Usdt.format(amount)} are needed`
      )
    const energy = yield* transferEnergy(nodes, contract, signer.address, to, amount).pipe(
      Effect.catchTag("TokenRefusal", ({ reason }) =>
        // If the token refuses a payment to the wallet itself too, the receiver is not the reason.
        Effect.flatMap(
          transferRefusal(nodes, contract, signer.address, signer.address),
          (general): Effect.Effect<never, ChainUnavailable | PayoutRefused> =>
            general === null ? Effect.fail(new PayoutRefused({ reason })) : refuse(general)
        )
      )
    )
    const price = yield* pricesNow
    const limit = feeLimit(energy, price)
    if (limit > price.mostFee)
      return yield* new PayoutRefused({ reason: "the transfer would cost more than the chain's maximum fee" })
    const fees = feesOf(book.reserved.size + 1, limit / price.energy, means, price, signer.keys)
    if (means.sun < fees) return yield* refuse(`the hot wallet has ${means.sun / 1e6} TRX, fees may need ${fees / 1e6}`)
    book.lastTimestamp = Math.max(book.lastTimestamp + 1, now)
    const transaction = yield* build({
      from: signer.address,
      to,
      amount,
      contract,
      head,
      timestamp: book.lastTimestamp,
      expiration: head.at + timings.lifetime + spreadOf(withdrawal, attempt),
      permission: signer.permission,
      feeLimit: limit
    })
    reserve(book, transaction, amount)
    return transaction
  })

/** The result code of a broadcast; only SUCCESS and DUP_TRANSACTION_ERROR mean that the node has the bytes. */
const outcomeOf = (answer: typeof BroadcastAnswer.Type): string =>
  answer.result === true && (answer.code === undefined || answer.code === "SUCCESS")
    ? "SUCCESS"
    : (answer.code ?? "OTHER_ERROR")

/**
 * Sends the same bytes to one node after the other until one accepts them, and to all of them if they were accepted before and are still not included: a
 * node may not pass them on. Any other result leaves open whether they will be included:
 * even "expired" is only one node's opinion.
 */
const send = Effect.fnUntraced(function* (nodes: Nodes, body: object, toAll: boolean) {
  let nodeHasIt = false
  const offer = (node: Node) =>
    Effect.flatMap(node.ask("broadcasttransaction", body, BroadcastAnswer), (answer) => {
      const outcome = outcomeOf(answer)
      nodeHasIt ||= outcome === "SUCCESS" || outcome === "DUP_TRANSACTION_ERROR"
      return outcome === "SUCCESS"
        ? Effect.succeed<Broadcast>({ _tag: "Accepted" })
        : Effect.fail(unavailable(`${node.name}: ${outcome}`))
    })
  const offered = toAll
    ? Effect.firstSuccessOf(
        // Every node gets it, whatever the others answer.
        yield* Effect.forEach(
          nodes.members("wallet"),
          (member) => Effect.map(Effect.result(member.use(offer)), Effect.fromResult),
          { concurrency: "unbounded" }
        )
      )
    : nodes.using("wallet", offer)
  const answer = yield* Effect.catch(offered, ({ reason }) => Effect.succeed<Broadcast>({ _tag: "Unknown", reason }))
  return { answer, nodeHasIt }
})

const becauseOf = {
  SignaturePending: "pending",
  SignerRefused: "refused",
  SignerUnavailable: "unavailable"
} as const

/** Nothing is sent without all signatures; the stored bytes stay what they are (SIGNER-5). */
const unsigned = ({ _tag, reason }: SignerFailure): Broadcast => ({
  _tag: "Unsigned",
  because: becauseOf[_tag],
  reason
})

const broadcast = (payer: Payer, book: Book): Chain["Service"]["broadcast"] =>
  Effect.fnUntraced(function* (stored) {
    const { nodes, timings, signer } = payer
    if (signer === undefined) return yield* keyless
    const { amount, owner, transaction } = yield* payoutOf(stored)
    if (owner !== hexOf(signer.address).slice(2))
      return yield* unavailable("the transaction was built for another hot wallet")
    const known = reserve(book, stored, amount)
    const now = yield* Clock.currentTimeMillis
    if (known.sent !== undefined && now < known.sent.until) return known.sent.answer
    const signed = yield* Effect.result(
      signer.sign({ hash: Buffer.from(stored.txid, "hex"), transaction: Buffer.from(transaction.raw_data_hex, "hex") })
    )
    if (Result.isFailure(signed)) {
      const answer = unsigned(signed.failure)
      const { fresh, resend } = timings
      known.sent = { answer, until: now + (signed.failure._tag === "SignerUnavailable" ? fresh : resend) }
      return answer
    }
    const signature = signed.success.map((each) => Buffer.from(each).toString("hex"))
    const { answer, nodeHasIt } = yield* send(nodes, { ...transaction, signature }, known.sent !== undefined)
    known.sent = { answer, until: now + (nodeHasIt ? timings.resend : timings.fresh) }
    return answer
  })

/**
 * What the token took from the payment: 0 if the receiver got the amount. The token may deduct a fee from each transfer and send it to its owner; it
 * is that fee if the transfers of the transaction from the sender add up to the amount. Undefined if the transaction did not pay (WITHDRAWAL-23).
 */
const feeOf = (reading: BlockReading, txid: string, { amount, contract, owner, to }: Payout): bigint | undefined => {
  if (reading.outcomes.get(txid)?.succeeded !== true) return undefined
  if (contract === undefined) return 0n
  let [received, sent] = [0n, 0n]
  for (const transfer of reading.transfers) {
    if (transfer.txid !== txid || hexOf(transfer.from).slice(2) !== owner) continue
    sent += transfer.amount
    if (hexOf(transfer.to).slice(2) === to) received += transfer.amount
  }
  return received > 0n && sent === amount ? sent - received : undefined
}

/** Whether another token's contract reported the requested transfer, of any amount. */
const isReported = ({ foreign }: BlockReading, id: string, { contract, owner, to }: Payout): boolean =>
  foreign.some((move) => move.txid === id && move.contract === contract && move.from === owner && move.to === to)

/**
 * The result of a transaction in the block that contains it. A call of the market's token (20 bytes) that succeeded without its transfer needs an operator;
 * one of another token has failed.
 */
const decided = (
  reading: BlockReading,
  txid: string,
  payout: Payout,
  token: string
): Effect.Effect<TransactionFate, ChainUnavailable> => {
  const outcome = reading.outcomes.get(txid)
  if (outcome?.succeeded === false) return Effect.succeed({ _tag: "Reverted", reason: outcome.reason })
  if (payout.contract !== undefined && payout.contract !== token)
    return Effect.succeed(
      isReported(reading, txid, payout)
        ? { _tag: "Confirmed" }
        : { _tag: "Reverted", reason: "the token's contract reported no transfer" }
    )
  const fee = feeOf(reading, txid, payout)
  if (fee === 0n) return Effect.succeed({ _tag: "Confirmed" })
  return fee !== undefined
    ? Effect.succeed({ _tag: "Confirmed", tokenFee: Usdt.of(fee) })
    : Effect.fail(unavailable(`transaction ${txid} succeeded without the transfer: an operator must examine it`))
}

/** How far the blocks that can contain a transaction were read. */
interface Search {
  /** No final block up to this one contains the transaction. */
  absentTo: number
  /** The final block that contains the transaction. */
  includedIn: number
}

/**
 * Reads the final blocks that can contain the transaction, from the one that it refers to up to the first block after its expiration: TRON compares
 * the expiration with the time of a block's parent. Success, failure and absence are all proven by the content of these blocks, as all voting nodes
 * report it (CHAIN-25); nothing that a node says about a single transaction counts. After a failure the next call continues at the failed block.
 */
const search = Effect.fnUntraced(function* (
  { blocks, votes }: Pick<TronConnection, "blocks" | "votes">,
  known: Search,
  final: number,
  { expiresAt, txid }: WithdrawalTransaction,
  payout: Payout
): Effect.fn.Return<BlockReading | "absent" | "waiting", ChainUnavailable> {
  for (let from = Math.max(known.absentTo, payout.block) + 1; from <= final; from += blocksAtOnce) {
    const range = Array.from({ length: Math.min(blocksAtOnce, final - from + 1) }, (_, i) => from + i)
    const found = yield* Effect.forEach(range, (block) => Effect.result(blocks.find(block, txid)), {
      concurrency: blocksAtOnce
    })
    for (const [i, one] of found.entries()) {
      const { at, reading } = yield* Effect.fromResult(one)
      if (reading !== undefined) {
        known.includedIn = from + i
        return reading
      }
      // The list of an empty block does not contain its time, so the header decides.
      if (at >= expiresAt && (yield* votes.header(from + i)).at >= expiresAt) return "absent"
      known.absentTo = from + i
    }
  }
  return "waiting"
})

/** Whether a transaction is final and has paid. */
export const hasPaid = Effect.fnUntraced(function* (connection: TronConnection, stored: WithdrawalTransaction) {
  const payout = yield* payoutOf(stored)
  const { block } = yield* connection.finalHead
  const found = yield* search(connection, { absentTo: -1, includedIn: -1 }, block, stored, payout)
  return typeof found === "object" && feeOf(found, stored.txid, payout) !== undefined
})

/** A transaction is looked up at most once for each final block. */
const fate = (payer: Payer, book: Book): Chain["Service"]["fate"] =>
  Effect.fnUntraced(function* (stored) {
    const payout = yield* payoutOf(stored)
    const known = reserve(book, stored, payout.amount)
    const { block } = yield* payer.finalHead
    if (known.lookedUpAt === block) return { _tag: "Waiting" }
    const found = yield* search(payer, known, block, stored, payout)
    if (found === "waiting") {
      known.lookedUpAt = block
      return { _tag: "Waiting" }
    }
    const token = hexOf(payer.contract).slice(2)
    const result: TransactionFate =
      found === "absent" ? { _tag: "Dead" } : yield* decided(found, stored.txid, payout, token)
    ended(book, stored.txid, known.includedIn)
    return result
  })

/** Pays each withdrawal once: a transaction's bytes are stored before they are signed, and only the stored bytes are sent (CHAIN-16). */
export const payouts = Effect.fnUntraced(function* (
  payer: Payer
): Effect.fn.Return<Pick<Chain["Service"], "prepare" | "broadcast" | "fate">> {
  const refused = yield* Cache.make({
    capacity: mostRefused,
    timeToLive: payer.timings.resend,
    lookup: (_: string): Effect.Effect<string> => Effect.die(new Error("refusals are set, not looked up"))
  })
  const book: Book = { reserved: new Map(), means: undefined, since: undefined, refused, lastTimestamp: 0 }
  const mutex = yield* Semaphore.make(1)
  const prepared = prepare(payer, book)
  return {
    prepare: (payout) => mutex.withPermit(prepared(payout)),
    broadcast: broadcast(payer, book),
    fate: fate(payer, book)
  }
})
