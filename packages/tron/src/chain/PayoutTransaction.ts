import type { Head } from "@agent-marketplace/core/chain/Chain"
import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { WithdrawalTransaction } from "@agent-marketplace/core/wallets/Withdrawal"
import { Effect, Result, Schema } from "effect"
import { hash } from "node:crypto"

const selector = "transfer(address,uint256)"
const dataPattern = /^a9059cbb[0-9a-f]{24}([0-9a-f]{40})([0-9a-f]{64})$/

const Call = Schema.Struct({
  parameter: Schema.Struct({
    value: Schema.Struct({
      data: Schema.String.check(Schema.isPattern(dataPattern)),
      owner_address: Schema.String,
      contract_address: Schema.String
    }),
    type_url: Schema.String
  }),
  type: Schema.Literal("TriggerSmartContract"),
  Permission_id: Schema.optionalKey(Schema.Int)
})

const TrxTransfer = Schema.Struct({
  parameter: Schema.Struct({
    value: Schema.Struct({ owner_address: Schema.String, to_address: Schema.String, amount: Schema.Int }),
    type_url: Schema.String
  }),
  type: Schema.Literal("TransferContract"),
  Permission_id: Schema.optionalKey(Schema.Int)
})

const Trc10Transfer = Schema.Struct({
  parameter: Schema.Struct({
    value: Schema.Struct({
      owner_address: Schema.String,
      to_address: Schema.String,
      asset_name: Schema.String,
      amount: Schema.Int
    }),
    type_url: Schema.String
  }),
  type: Schema.Literal("TransferAssetContract")
})

/** The stored form: the transaction as nodes accept it, and the block that it refers to. */
const Stored = Schema.fromJsonString(
  Schema.Struct({
    block: Schema.Int,
    transaction: Schema.Struct({
      visible: Schema.Literal(false),
      txID: Schema.String,
      raw_data_hex: Schema.String,
      raw_data: Schema.Struct({
        contract: Schema.Tuple([Schema.Union([Call, TrxTransfer, Trc10Transfer])]),
        ref_block_bytes: Schema.String,
        ref_block_hash: Schema.String,
        expiration: Schema.Int,
        timestamp: Schema.Int,
        fee_limit: Schema.optionalKey(Schema.Int)
      })
    })
  })
)

type Stored = typeof Stored.Type

/** The content of a stored transaction. */
export interface Payout {
  readonly transaction: Stored["transaction"]
  /** The final block that the transaction refers to. */
  readonly block: number
  /** Owner and receiver, as 20 bytes in hexadecimal. */
  readonly owner: string
  /** The token's contract; undefined for a transfer of TRX or of a TRC-10 token. */
  readonly contract: string | undefined
  readonly to: string
  /** In the smallest unit: 10⁻⁶ USDT or, for TRX, sun. */
  readonly amount: bigint
}

interface Draft {
  readonly from: string
  readonly to: string
  readonly head: Head
  readonly timestamp: number
  readonly expiration: number
  /** The permission of the sender whose keys sign; undefined for its owner permission. */
  readonly permission?: number | undefined
}

export interface TokenDraft extends Draft {
  readonly amount: bigint
  readonly contract: string
  /** In sun. */
  readonly feeLimit: number
}

export interface TrxDraft extends Draft {
  readonly sun: number
}

export interface Trc10Draft extends Draft {
  /** The number of the token. */
  readonly asset: string
  readonly amount: number
}

/** Loaded lazily: a process that pays nothing never loads it. */
const builder = Effect.runSync(
  Effect.cached(
    Effect.map(
      Effect.promise(() => import("tronweb")),
      // No method that is called here connects to a node.
      ({ TronWeb }) => new TronWeb({ fullHost: "http://127.0.0.1:1" }).transactionBuilder
    )
  )
)

const headerOf = ({ expiration, head, timestamp }: Draft) => ({
  ref_block_bytes: (head.block & 0xffff).toString(16).padStart(4, "0"),
  ref_block_hash: head.id.slice(16, 32),
  expiration,
  timestamp
})

const permissionOf = ({ permission }: Draft) => (permission === undefined ? {} : { permissionId: permission })

const stored = ({ expiration, head }: Draft, transaction: { readonly txID: string }): WithdrawalTransaction => ({
  txid: transaction.txID,
  raw: JSON.stringify({ block: head.block, transaction }),
  expiresAt: expiration
})

/** A transfer of the token, built without a request to any node. The same draft gives the same bytes (CHAIN-12). */
export const build = Effect.fnUntraced(function* (draft: TokenDraft) {
  const { amount, contract, feeLimit, from, to } = draft
  const transactions = yield* builder
  const { transaction } = yield* Effect.promise(() =>
    transactions.triggerSmartContract(
      contract,
      selector,
      {
        feeLimit,
        txLocal: true,
        ...permissionOf(draft),
        blockHeader: headerOf(draft)
      },
      [
        { type: "address", value: to },
        { type: "uint256", value: amount.toString() }
      ],
      from
    )
  )
  return stored(draft, transaction)
})

/** A transfer of TRX, built in the same way. */
export const buildTrx = Effect.fnUntraced(function* (draft: TrxDraft) {
  const { from, sun, to } = draft
  const transactions = yield* builder
  const options = { ...permissionOf(draft), blockHeader: headerOf(draft) }
  const transaction = yield* Effect.promise(() => transactions.sendTrx(to, sun, from, options))
  return stored(draft, transaction)
})

/** A transfer of a TRC-10 token, built in the same way. */
export const buildTrc10 = Effect.fnUntraced(function* (draft: Trc10Draft) {
  const { amount, asset, from, to } = draft
  const transactions = yield* builder
  const options = { blockHeader: headerOf(draft) }
  const transaction = yield* Effect.promise(() => transactions.sendToken(to, amount, asset, from, options))
  return stored(draft, transaction)
})

const invalid = (reason: string) => new ChainUnavailable({ reason: `the stored transaction ${reason}` })

type Content = Stored["transaction"]["raw_data"]["contract"][0]["parameter"]["value"]

const contentOf = (value: Content): Pick<Payout, "owner" | "contract" | "to" | "amount"> => {
  const owner = value.owner_address.slice(-40)
  if (!("data" in value))
    return { owner, contract: undefined, to: value.to_address.slice(-40), amount: BigInt(value.amount) }
  const [, to = "", amount = "0"] = dataPattern.exec(value.data) ?? []
  return { owner, contract: value.contract_address.slice(-40), to, amount: BigInt(`0x${amount}`) }
}

/** Parses stored bytes. Bytes that do not match their transaction id are refused, so they are never sent. */
export const payoutOf = ({ raw, txid }: WithdrawalTransaction): Effect.Effect<Payout, ChainUnavailable> =>
  Effect.suspend(() => {
    const decoded = Schema.decodeResult(Stored)(raw)
    if (Result.isFailure(decoded)) return Effect.fail(invalid("is not a TRON transaction"))
    const { block, transaction } = decoded.success
    if (hash("sha256", Buffer.from(transaction.raw_data_hex, "hex")) !== txid || transaction.txID !== txid)
      return Effect.fail(invalid("does not match its id"))
    return Effect.succeed({ transaction, block, ...contentOf(transaction.raw_data.contract[0].parameter.value) })
  })
