import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { WithdrawalId } from "@agent-marketplace/core/ids/Ids"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { Deposit } from "@agent-marketplace/core/wallets/Deposit"
import type { TransferMatch, TreasuryOverview, UnknownTransfer } from "@agent-marketplace/core/wallets/TreasuryControl"
import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { enveloped } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf, optional } from "../wire/Input.ts"
import { ResponseField } from "../wire/ResponseField.ts"
import { reasonText } from "./Reason.ts"

const address = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"
const txid = "7c2d4206c03a883dd9066d620335dc1be272a8dc733cfa3f6d10308faa37facc"

/** The id of a transaction, on TRON 64 hexadecimal digits. */
export const transactionId = Schema.String.annotate({ message: "must be a string" }).check(
  Schema.isPattern(/^[0-9a-f]{64}$/, { message: "must be the id of a transaction: 64 lower-case hexadecimal digits" })
)

const UnknownTransfer = Schema.Struct({
  txHash: ResponseField.text("The transaction.", txid),
  to: ResponseField.text("The receiver.", address),
  amount: ResponseField.money("USDT.", "20.00"),
  block: ResponseField.count("The block that contains it.", 66_987_565),
  at: ResponseField.time("The time of the block."),
  candidates: ResponseField.texts("Waiting withdrawals of this amount to this receiver.", [
    "wdr_01j9zq5k2f8h3m6n7p0r4s"
  ])
}).annotate({
  identifier: "UnknownTransfer",
  description: "A transfer from the hot wallet that is neither a withdrawal nor explained."
})

const Treasury = Schema.Struct({
  token: ResponseField.textOrNull(
    "The contract of the token that the books count.",
    "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
  ),
  hot: ResponseField.textOrNull("The wallet that pays withdrawals.", address),
  cold: ResponseField.textOrNull("The wallet for what the hot one does not need.", null),
  unknownTransfers: field(
    Schema.Array(UnknownTransfer),
    "Transfers from the hot wallet that stop all payouts, oldest first.",
    []
  )
}).annotate({ identifier: "Treasury", description: "The service's own wallets." })

const TreasuryWalletInput = Schema.Struct({
  wallet: field(Schema.Literals(["hot", "cold"]).annotate({ message: "must be hot or cold" }), "Which wallet.", "hot"),
  from: field(
    Schema.NullOr(Schema.String.annotate({ message: "must be a string" })),
    "The present wallet, which must be right; null if there is none.",
    address
  ),
  to: field(
    Schema.NullOr(Schema.String.annotate({ message: "must be a string" })),
    "The new wallet; null for no cold wallet.",
    "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"
  ),
  reason: field(reasonText, "1 to 1,000 characters, required.", "The key is rotated.")
}).annotate({ identifier: "TreasuryWalletInput", description: "Another hot or cold wallet." })

const MatchInput = Schema.Struct({
  txid: field(transactionId, "The transaction of the transfer.", txid),
  withdrawalId: field(optional(idOf<WithdrawalId>()), "The withdrawal that it paid.", "wdr_01j9zq5k2f8h3m6n7p0r4s"),
  explanation: field(optional(reasonText), "What it was, if it paid no withdrawal.", "Moved to the cold wallet.")
})
  .annotate({
    identifier: "TransferMatch",
    description: "What an unknown transfer was: a withdrawal, or an explanation."
  })
  .check(
    Schema.makeFilter(
      ({ explanation, withdrawalId }) =>
        (explanation === undefined) === (withdrawalId === undefined)
          ? "must have either withdrawalId or explanation"
          : undefined,
      {}
    )
  )

const ResumeInput = Schema.Struct({
  matches: field(
    Schema.Array(MatchInput).check(Schema.isMaxLength(100, { message: "must have at most 100 entries" })),
    "One for each transfer.",
    [{ txid, withdrawalId: "wdr_01j9zq5k2f8h3m6n7p0r4s" }]
  ),
  reason: field(reasonText, "1 to 1,000 characters, required.", "The database was restored.")
}).annotate({ identifier: "TreasuryResumeInput", description: "The matches of unknown transfers." })

const RecheckInput = Schema.Struct({
  txid: field(transactionId, "The transaction.", txid)
}).annotate({ identifier: "DepositRecheckInput", description: "A transaction whose deposits may be missing." })

const FoundDeposit = Schema.Struct({
  accountId: ResponseField.text("The account that owns the address.", "usr_01j9zq5k2f8h3m6n7p0r4s"),
  address: ResponseField.text("The deposit address.", address),
  amount: ResponseField.money("USDT.", "20.00"),
  txHash: ResponseField.text("The transaction.", txid),
  block: ResponseField.count("The block that contains it.", 66_987_565)
}).annotate({ identifier: "FoundDeposit", description: "A deposit of a final transaction; it is credited now." })

const toUnknownTransfer = (transfer: UnknownTransfer): typeof UnknownTransfer.Type => ({
  txHash: transfer.txid,
  to: transfer.to,
  amount: Usdt.format(transfer.amount),
  block: transfer.block,
  at: Timestamp.toIso(transfer.at),
  candidates: transfer.candidates
})

export const toTreasury = ({ cold, hot, token, unknownTransfers }: TreasuryOverview): typeof Treasury.Type => ({
  token,
  hot,
  cold,
  unknownTransfers: unknownTransfers.map(toUnknownTransfer)
})

export const toFoundDeposits = (deposits: ReadonlyArray<Deposit>): ReadonlyArray<typeof FoundDeposit.Type> =>
  deposits.map(({ accountId, address, amount, block, txid }) => ({
    accountId,
    address,
    amount: Usdt.format(amount),
    txHash: txid,
    block
  }))

/** A match has exactly one of the two, as its schema checks. */
export const toMatch = ({ explanation = "", txid, withdrawalId }: typeof MatchInput.Type): TransferMatch =>
  withdrawalId === undefined ? { txid, explanation } : { txid, withdrawalId }

const facts = (summary: string, description: string) => ({ summary, description, access: access.admin })

const treasury = endpoint.get("treasury", "/api/v1/admin/treasury", {
  ...facts("The service's own wallets", "And the transfers from the hot wallet that stop payouts."),
  success: enveloped(Treasury)
})

const setWallet = endpoint.post("setWallet", "/api/v1/admin/treasury/wallets", {
  ...facts("Change the hot or the cold wallet", "Only if `from` is the present one. Sweeps go to no other wallet."),
  payload: TreasuryWalletInput,
  success: enveloped(Treasury),
  errors: ["CONFLICT"]
})

const resume = endpoint.post("resume", "/api/v1/admin/treasury/resume", {
  ...facts(
    "Resolve unknown transfers",
    "Each is matched with the withdrawal that it paid, as proven on the chain, or explained. Payouts go on once none is unknown."
  ),
  payload: ResumeInput,
  success: enveloped(Treasury),
  errors: ["WITHDRAWAL_NOT_FOUND", "CONFLICT"]
})

const recheck = endpoint.post("recheck", "/api/v1/admin/deposits/recheck", {
  ...facts(
    "Recheck a transaction for deposits",
    "Credits the deposits of a final transaction that are missing, each once. Use it if a node left the transaction out of its block."
  ),
  payload: RecheckInput,
  success: enveloped(Schema.Array(FoundDeposit).annotate({ description: "All deposits of the transaction." }))
})

/** The operator's routes for the service's own wallets (OPERATOR-28, DEPOSIT-8). */
export const AdminTreasuryGroup = HttpApiGroup.make("adminTreasury")
  .add(treasury, setWallet, resume, recheck)
  .annotateMerge(OpenApi.annotations({ title: "Operator: treasury", description: "With the operator's token." }))
