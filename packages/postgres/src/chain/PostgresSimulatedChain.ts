import type { Broadcast, Head, TransactionFate, Transfer } from "@agent-marketplace/core/chain/Chain"
import { Chain, ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { usdtContract } from "@agent-marketplace/core/chain/usdtContract"
import {
  depositAction,
  followSimulated,
  SimulatedChain,
  simulatedCost,
  simulatedId,
  simulatedResources
} from "@agent-marketplace/core/chain/SimulatedChain"
import { TronAddress } from "@agent-marketplace/core/chain/TronAddress"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Timestamp as Time } from "@agent-marketplace/core/clock/Timestamp"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { WithdrawalTransaction } from "@agent-marketplace/core/wallets/Withdrawal"
import { Context, Effect, Layer } from "effect"
import { Digest } from "effect/crypto"
import type { SqlError } from "effect/sql/SqlError"
import { advisoryLocks } from "../AdvisoryLocks.ts"
import { appendActions } from "../admin/appendActions.ts"
import { marketMillis } from "../clock/PostgresMarketClock.ts"
import { Database } from "../Database.ts"
import { amount } from "../Row.ts"

/** A block is final once this many later ones have ended. */
const confirmations = 2

/** Blocks come each second of the market's time and are numbered by it (CHAIN-2). */
const SimulatedBlocks: {
  readonly final: (now: Timestamp) => Head
  /** The block that includes what happens at `now`. */
  readonly next: (now: Timestamp) => Head
  readonly timeOf: (block: number) => Timestamp
} = {
  final: (now) => headAt(Math.floor(now / Time.second) - confirmations),
  next: (now) => headAt(Math.floor(now / Time.second) + 1),
  timeOf: (block) => block * Time.second
}

const headAt = (block: number): Head => ({
  block,
  id: simulatedId(block),
  at: block * Time.second
})

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

interface TransferRow {
  readonly txid: string
  readonly log_index: number
  readonly block: bigint
  readonly sender: string
  readonly recipient: string
  readonly amount: bigint
}

const transferOf = (row: TransferRow): Transfer => ({
  txid: row.txid,
  logIndex: row.log_index,
  from: row.sender,
  to: row.recipient,
  amount: amount(row.amount),
  block: Number(row.block),
  at: SimulatedBlocks.timeOf(Number(row.block))
})

const hashing = (digest: Digest.Digest["Service"]) => {
  const text = new TextEncoder()
  const provide = Effect.provideService(Digest.Digest, digest)
  return {
    hash: (of: string) => digest.digestHex(Digest.sha256, text.encode(of)),
    addressOf: (of: string) =>
      Effect.flatMap(digest.digest(Digest.sha256, text.encode(of)), (bytes) =>
        provide(TronAddress.fromPayload(bytes.subarray(0, 20)))
      ),
    isAddress: (address: string) => provide(TronAddress.isValid(address))
  }
}

type Hashing = ReturnType<typeof hashing>

/**
 * Transactions on the chain's table. Including a transfer shares a lock; drawing a conclusion from the final blocks waits until the lock
 * is free. So a transfer that is committed late never lands in a block that was already final.
 */
const makeLedger = ({ sql, transaction }: Database["Service"]) => {
  const now = Effect.map(sql.unsafe<{ readonly now: bigint }>(`SELECT ${marketMillis} AS now`), ([row]): Timestamp =>
    Number(row?.now)
  )
  const locked =
    (lockFunction: "pg_advisory_xact_lock" | "pg_advisory_xact_lock_shared") =>
    <A, E>(body: (now: Timestamp) => Effect.Effect<A, E | SqlError>) =>
      transaction(
        Effect.andThen(sql.unsafe(`SELECT ${lockFunction}(${advisoryLocks.simulatedChain})`), Effect.flatMap(now, body))
      ) as Effect.Effect<A, Exclude<E, SqlError> | StoreUnavailable>
  return {
    including: locked("pg_advisory_xact_lock_shared"),
    concluding: locked("pg_advisory_xact_lock"),
    include: ({ amount: paid, block, from, logIndex, to, txid }: Transfer) => sql`
      INSERT INTO simulated_transfers (txid, log_index, block, sender, recipient, amount)
      VALUES (${txid}, ${logIndex}, ${block}, ${from}, ${to}, ${paid})
      ON CONFLICT (txid, log_index) DO NOTHING`,
    between: (from: number, to: number) =>
      Effect.map(
        sql<TransferRow>`
          SELECT * FROM simulated_transfers WHERE block >= ${from}::bigint AND block <= ${to}::bigint
          ORDER BY block, txid, log_index`,
        (rows) => rows.map(transferOf)
      ),
    of: (txid: string, final: number) =>
      Effect.map(
        sql<TransferRow>`
          SELECT * FROM simulated_transfers WHERE txid = ${txid} AND block <= ${final}::bigint ORDER BY log_index`,
        (rows) => rows.map(transferOf)
      ),
    hasPaid: (address: string) =>
      Effect.map(
        sql<{ readonly known: boolean }>`
          SELECT EXISTS (SELECT FROM simulated_transfers WHERE recipient = ${address}) AS known`,
        ([row]) => row?.known === true
      ),
    blockOf: (txid: string) =>
      Effect.map(
        sql<{ readonly block: bigint }>`SELECT block FROM simulated_transfers WHERE txid = ${txid}`,
        ([row]) => (row === undefined ? undefined : Number(row.block))
      )
  }
}

type Ledger = ReturnType<typeof makeLedger>

const asChainUnavailable = <A, E>(effect: Effect.Effect<A, E | StoreUnavailable>): Effect.Effect<A, ChainUnavailable> =>
  Effect.mapError(effect, (error) =>
    error instanceof ChainUnavailable ? error : new ChainUnavailable({ reason: "the database is unavailable" })
  )

type Payouts = Pick<Chain["Service"], "prepare" | "broadcast" | "fate">

const makePayouts = (ledger: Ledger, { hash }: Hashing, treasury: string): Payouts => ({
  prepare: ({ amount: paid, attempt, to, withdrawal }) =>
    asChainUnavailable(ledger.including((now) => Effect.succeed(now + transactionLifetime))).pipe(
      Effect.flatMap((expiresAt) => {
        const raw = JSON.stringify({ withdrawal, attempt, to, amount: String(paid), expiresAt } satisfies Payout)
        return Effect.map(hash(`${network}:transaction:${raw}`), (txid) => ({ txid, raw, expiresAt }))
      })
    ),
  broadcast: ({ raw, txid }) =>
    asChainUnavailable(
      ledger.including((now): Effect.Effect<Broadcast, SqlError> => {
        const payout = JSON.parse(raw) as Payout
        const { at, block } = SimulatedBlocks.next(now)
        const transfer: Transfer = {
          txid,
          logIndex: 0,
          from: treasury,
          to: payout.to,
          amount: Usdt.of(BigInt(payout.amount)),
          block,
          at
        }
        return Effect.flatMap(ledger.blockOf(txid), (included) =>
          included === undefined && at > payout.expiresAt
            ? Effect.succeed<Broadcast>({ _tag: "Unknown", reason: "the transaction has expired" })
            : Effect.as(ledger.include(transfer), { _tag: "Accepted" } as const)
        )
      })
    ),
  fate: ({ expiresAt, txid }: WithdrawalTransaction) =>
    asChainUnavailable(
      ledger.concluding((now) =>
        Effect.map(ledger.blockOf(txid), (block): TransactionFate => {
          const final = SimulatedBlocks.final(now)
          if (block === undefined) return final.at > expiresAt ? { _tag: "Dead" } : { _tag: "Waiting" }
          return block <= final.block ? { _tag: "Confirmed" } : { _tag: "Waiting" }
        })
      )
    )
})

type Blocks = Pick<
  Chain["Service"],
  | "finalHead"
  | "follow"
  | "resumeAt"
  | "transfers"
  | "preview"
  | "conditions"
  | "pendingTransfers"
  | "payoutCost"
  | "refusal"
  | "hasHistory"
  | "transfersIn"
>

const makeBlocks = (ledger: Ledger): Blocks => ({
  finalHead: asChainUnavailable(ledger.concluding((now) => Effect.succeed(SimulatedBlocks.final(now)))),
  transfers: (from, to) =>
    asChainUnavailable(
      ledger.concluding((now): Effect.Effect<ReadonlyArray<Transfer>, ChainUnavailable | SqlError> => {
        const final = SimulatedBlocks.final(now).block
        return to <= final
          ? ledger.between(from, to)
          : Effect.fail(new ChainUnavailable({ reason: `block ${to} is not final, ${final} is` }))
      })
    ),
  refusal: () => Effect.succeed(null),
  hasHistory: (address) => asChainUnavailable(ledger.including(() => ledger.hasPaid(address))),
  transfersIn: (txid) =>
    asChainUnavailable(ledger.concluding((now) => ledger.of(txid, SimulatedBlocks.final(now).block))),
  follow: followSimulated,
  resumeAt: () => Effect.void,
  preview: null,
  conditions: Effect.succeed([]),
  payoutCost: (payout) =>
    payout === null
      ? Effect.succeed(simulatedCost(true))
      : Effect.map(asChainUnavailable(ledger.including(() => ledger.hasPaid(payout.to))), (known) =>
          simulatedCost(!known)
        ),
  pendingTransfers: (above) =>
    asChainUnavailable(ledger.including(() => ledger.between(above + 1, Number.MAX_SAFE_INTEGER)))
})

const makeHand = (
  ledger: Ledger,
  { addressOf, hash }: Hashing,
  sql: Database["Service"]["sql"]
): SimulatedChain["Service"] => ({
  deposit: Effect.fn("PostgresSimulatedChain.deposit")(function* (to, paid, action) {
    return yield* ledger.including((now) =>
      Effect.gen(function* () {
        const { at, block } = SimulatedBlocks.next(now)
        const [random] = yield* sql<{ readonly id: string }>`SELECT gen_random_uuid()::text AS id`
        const id = random?.id ?? ""
        const transfer: Transfer = {
          txid: yield* hash(`${network}:deposit:${id}`),
          logIndex: 0,
          from: yield* addressOf(`${network}:outside:${id}`),
          to,
          amount: paid,
          block,
          at
        }
        yield* ledger.include(transfer)
        if (action !== undefined) yield* appendActions(sql, [depositAction(action, transfer)])
        return transfer
      })
    )
  })
})

/** A chain in the market's database: a broadcast transaction survives the process that sent it and pays once. */
export const PostgresSimulatedChain: {
  readonly layer: Layer.Layer<Chain | SimulatedChain, never, Database | Digest.Digest>
} = {
  layer: Layer.effectContext(
    Effect.gen(function* () {
      const database = yield* Database
      const tools = hashing(yield* Digest.Digest)
      const ledger = makeLedger(database)
      const treasury = yield* tools.addressOf(`${network}:treasury`)
      const chain: Chain["Service"] = {
        network: Effect.succeed(network),
        name: "TRON",
        token: usdtContract,
        hotWallet: treasury,
        depositAddress: (index) => tools.addressOf(`${network}:${index}`),
        isAddress: tools.isAddress,
        forbidden: new Set([treasury, usdtContract]),
        wallet: Effect.succeed(null),
        balanceOf: () => Effect.succeed(null),
        resources: () => Effect.succeed(simulatedResources),
        start: 0,
        // However far a test moves the clock, one run is enough to catch up.
        span: Number.MAX_SAFE_INTEGER,
        ...makeBlocks(ledger),
        ...makePayouts(ledger, tools, treasury)
      }
      return Context.make(Chain, chain).pipe(Context.add(SimulatedChain, makeHand(ledger, tools, database.sql)))
    })
  )
}
