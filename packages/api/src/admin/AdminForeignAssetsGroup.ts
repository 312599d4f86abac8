import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { ForeignAssetId } from "@agent-marketplace/core/ids/Ids"
import type { ForeignAsset as CoreForeignAsset } from "@agent-marketplace/core/wallets/ForeignAsset"
import { foreignAssetKinds, foreignAssetStates } from "@agent-marketplace/core/wallets/ForeignAsset"
import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { enveloped, leftOutPageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf, optional } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import { ResponseField } from "../wire/ResponseField.ts"
import { transactionId } from "./AdminTreasuryGroup.ts"
import { reasonText } from "./Reason.ts"

const id = "fas_01j9zq5k2f8h3m6n7p0r4s"
const txid = "7c2d4206c03a883dd9066d620335dc1be272a8dc733cfa3f6d10308faa37facc"
const [address, stranger] = ["TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH", "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"]

const wholeNumber = Schema.String.check(
  Schema.makeFilter<unknown>(() => true, { toJsonSchema: () => ({ pattern: "^[1-9]\\d*$" }) })
)

const ForeignAsset = Schema.Struct({
  id: ResponseField.text("The record.", id),
  kind: ResponseField.choice(foreignAssetKinds, "TRX, a TRC-10 token or a TRC-20 token.", "trx"),
  asset: ResponseField.text("`TRX`, the number of a TRC-10 token, or the contract of a TRC-20 token.", "TRX"),
  unverifiedSymbol: ResponseField.textOrNull(
    "The name that the token gives itself, at most 24 characters. Anybody can name a token USDT. Null if it was not read.",
    "TRX"
  ),
  amount: field(
    wholeNumber,
    "In the smallest unit of the asset (10⁻⁶ TRX), as a whole number. For a token, the amount that its contract reports.",
    "25000000"
  ),
  accountId: ResponseField.text("The account that owns the address.", "usr_01j9zq5k2f8h3m6n7p0r4s"),
  address: ResponseField.text("The deposit address.", address),
  sender: ResponseField.text("The address that sent it.", stranger),
  txHash: ResponseField.text("The transaction.", txid),
  block: ResponseField.count("The block that contains it.", 66_987_565),
  at: ResponseField.time("The time of the block."),
  state: ResponseField.choice(
    foreignAssetStates,
    "`failed`: the transaction of the return took no effect, so decide again.",
    "received"
  ),
  destination: ResponseField.textOrNull("Where it is returned.", null),
  returnTxHash: ResponseField.textOrNull("The last transaction that returns it.", null),
  returnedAmount: field(
    Schema.NullOr(wholeNumber),
    "The amount that this transaction sends: at most `amount`, and at most the balance of the address.",
    null
  ),
  failure: ResponseField.textOrNull("Why that transaction took no effect.", null)
}).annotate({
  identifier: "ForeignAsset",
  description: "Money that reached a deposit address as another asset than USDT. It is not credited."
})

const ForeignAssetReturn = Schema.Struct({
  destination: field(
    optional(Schema.String.annotate({ message: "must be a string" })),
    "The destination; by default the sender. Exchanges often send from addresses at which they credit nothing, so ask the owner of the account.",
    stranger
  ),
  reason: field(reasonText, "1 to 1,000 characters, required.", "Sent by mistake.")
}).annotate({ identifier: "ForeignAssetReturn", description: "The return of an asset." })

const ForeignAssetRecheck = Schema.Struct({
  txid: field(transactionId, "The transaction.", txid)
}).annotate({ identifier: "ForeignAssetRecheck", description: "A transaction that sent another asset." })

export const toForeignAsset = (found: CoreForeignAsset): typeof ForeignAsset.Type => ({
  id: found.id,
  kind: found.kind,
  asset: found.asset,
  unverifiedSymbol: found.unverifiedSymbol,
  amount: String(found.amount),
  accountId: found.accountId,
  address: found.address,
  sender: found.sender,
  txHash: found.txid,
  block: found.block,
  at: Timestamp.toIso(found.at),
  state: found.state,
  destination: found.destination,
  returnTxHash: found.transaction?.txid ?? null,
  returnedAmount: found.transaction === null ? null : String(found.transaction.amount),
  failure: found.failure
})

const facts = (summary: string, description: string) => ({ summary, description, access: access.admin })

const list = endpoint.get("list", "/api/v1/admin/foreign-assets", {
  ...facts(
    "List assets that are not USDT",
    "Tokens that the scan found at deposit addresses, and TRX and TRC-10 tokens of transactions that were rechecked; newest first. " +
      "The scan records at most 20 undecided transfers for each address and 1,000 a day; `meta.leftOut` counts the others."
  ),
  query: {
    state: Query.choice(foreignAssetStates, "Only those in this state.", "received"),
    ...pageQuery
  },
  success: leftOutPageOf(Schema.Array(ForeignAsset).annotate({ description: "The assets of the page, newest first." }))
})

const recheck = endpoint.post("recheck", "/api/v1/admin/foreign-assets/recheck", {
  ...facts(
    "Look for assets in a transaction",
    "Records the transfers of TRX and of other tokens that a final transaction made to deposit addresses, each once and without limits. " +
      "The scan cannot see TRX and TRC-10 tokens, because nodes list them only in the transaction itself."
  ),
  payload: ForeignAssetRecheck,
  success: enveloped(Schema.Array(ForeignAsset).annotate({ description: "The records of the transaction." }))
})

const requestReturn = endpoint.post("return", "/api/v1/admin/foreign-assets/:id/return", {
  ...facts(
    "Return an asset",
    "Decides where it goes. Repeating the same request changes nothing. Another destination replaces the first one until a transaction is sent. " +
      "`operator foreign-assets send` signs and sends it, because the service does not have the keys of the deposit addresses."
  ),
  params: { id: field(idOf<ForeignAssetId>(), "The record's id.", id) },
  payload: ForeignAssetReturn,
  success: enveloped(ForeignAsset),
  errors: ["FOREIGN_ASSET_NOT_FOUND", "CONFLICT"]
})

/** The operator's routes for assets that the ledger does not count (CHAIN-29, CHAIN-31). */
export const AdminForeignAssetsGroup = HttpApiGroup.make("adminForeignAssets")
  .add(list, recheck, requestReturn)
  .annotateMerge(OpenApi.annotations({ title: "Operator: foreign assets", description: "With the operator's token." }))
