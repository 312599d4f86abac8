import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { WithdrawalId } from "@agent-marketplace/core/ids/Ids"
import type { Condition } from "@agent-marketplace/core/health/Condition"
import { Usdt, UsdtInput } from "@agent-marketplace/core/money/Usdt"
import type { Deposit } from "@agent-marketplace/core/wallets/Deposit"
import type { TransferMatch, TreasuryOverview, UnknownTransfer } from "@agent-marketplace/core/wallets/TreasuryControl"
import type { TreasuryLimits } from "@agent-marketplace/core/wallets/TreasuryStore"
import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { enveloped } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { clearable, idOf, optional } from "../wire/Input.ts"
import { ResponseField } from "../wire/ResponseField.ts"
import { reasonText } from "./Reason.ts"
import { TreasuryEnergy } from "./TreasuryEnergy.ts"

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
  ceiling: ResponseField.moneyOrNull(
    "At this balance of the hot wallet or above it, sweeps go to the cold wallet; null: never.",
    "5000.00"
  ),
  topUpBelow: ResponseField.moneyOrNull("Below this balance the hot wallet must be topped up.", "1000.00"),
  hotBalance: ResponseField.moneyOrNull(
    "The final USDT balance of the hot wallet; null if the chain does not answer, or is simulated.",
    "2417.50"
  ),
  coldBalance: ResponseField.moneyOrNull("The final USDT balance of the cold wallet; null if there is none.", null),
  needed: ResponseField.money("The sum of the withdrawals that wait to be paid.", "120.00"),
  conditions: field(
    Schema.Array(
      Schema.Struct({
        kind: ResponseField.text("`hot_wallet_low`, `hot_wallet_full` or `energy_low`.", "hot_wallet_low"),
        detail: ResponseField.textOrNull(
          "A description of the condition.",
          "…holds less than its top-up level of 1000.00 USDT"
        ),
        since: ResponseField.time("Since when.")
      })
    ),
    "The conditions that concern the hot wallet, oldest first.",
    []
  ),
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

const limit = clearable(
  UsdtInput.check(Schema.makeFilter((units: bigint) => (units > 0n ? undefined : "must be above 0"), {}))
)

const TreasuryLimitsInput = Schema.Struct({
  ceiling: field(
    limit,
    "At this USDT balance of the hot wallet or above it, sweeps go to the cold wallet; null removes the ceiling.",
    "5000.00"
  ),
  topUpBelow: field(
    limit,
    "Below this USDT balance the hot wallet must be topped up; at most the ceiling; null removes it.",
    "1000.00"
  ),
  reason: field(reasonText, "1 to 1,000 characters, required.", "More withdrawals are expected.")
})
  .annotate({
    identifier: "TreasuryLimitsInput",
    description: "The limits of the hot wallet's balance: one of them, or both. An absent limit does not change."
  })
  .check(
    Schema.makeFilter(
      ({ ceiling, topUpBelow }) =>
        ceiling === undefined && topUpBelow === undefined ? "must have ceiling or topUpBelow" : undefined,
      {}
    )
  )

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
}).annotate({
  identifier: "FoundDeposit",
  description: "A deposit of a final transaction; it is credited now, or held."
})

const toUnknownTransfer = (transfer: UnknownTransfer): typeof UnknownTransfer.Type => ({
  txHash: transfer.txid,
  to: transfer.to,
  amount: Usdt.format(transfer.amount),
  block: transfer.block,
  at: Timestamp.toIso(transfer.at),
  candidates: transfer.candidates
})

const moneyOrNull = (units: bigint | null): string | null => (units === null ? null : Usdt.format(units))

const toCondition = ({ detail, kind, since }: Condition) => ({ kind, detail, since: Timestamp.toIso(since) })

export const toTreasury = (found: TreasuryOverview): typeof Treasury.Type => ({
  token: found.token,
  hot: found.hot,
  cold: found.cold,
  ceiling: moneyOrNull(found.hotCeiling),
  topUpBelow: moneyOrNull(found.topUpBelow),
  hotBalance: moneyOrNull(found.held.hot),
  coldBalance: moneyOrNull(found.held.cold),
  needed: Usdt.format(found.needed),
  conditions: found.conditions.map(toCondition),
  unknownTransfers: found.unknownTransfers.map(toUnknownTransfer)
})

/** An absent limit does not change. */
export const toLimits = ({ ceiling, topUpBelow }: typeof TreasuryLimitsInput.Type): TreasuryLimits => ({
  ...(ceiling === undefined ? {} : { hotCeiling: ceiling }),
  ...(topUpBelow === undefined ? {} : { topUpBelow })
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

const setLimits = endpoint.post("setLimits", "/api/v1/admin/treasury/limits", {
  ...facts(
    "Set the ceiling and the top-up level of the hot wallet",
    "Above the ceiling sweeps go to the cold wallet. Below the top-up level, and above the ceiling, the service is degraded."
  ),
  payload: TreasuryLimitsInput,
  success: enveloped(Treasury)
})

const energy = endpoint.get("energy", "/api/v1/admin/treasury/energy", {
  ...facts(
    "Show the cost of payouts",
    "Energy and bandwidth of the hot wallet, the cost of a payment now and of a day with as many payments as the last 24 hours, and the TRX that would have to be staked to cover it."
  ),
  success: enveloped(TreasuryEnergy),
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
  .add(treasury, setWallet, setLimits, energy, resume, recheck)
  .annotateMerge(OpenApi.annotations({ title: "Operator: treasury", description: "With the operator's token." }))
