import type { WithdrawalId } from "@agent-marketplace/core/ids/Ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { operation } from "../access/Operation.ts"
import { failures } from "../errors/Failures.ts"
import { enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idempotencyHeaders } from "../wire/RequestHeaders.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import { TransactionCsv } from "./TransactionCsv.ts"
import {
  DepositInfo,
  Transaction,
  WalletBalance,
  Withdrawal,
  WithdrawalInput,
  WithdrawalQuote,
  WithdrawalList
} from "./WalletSchemas.ts"

const balance = HttpApiEndpoint.get("balance", "/api/v1/wallet/balance", {
  success: enveloped(WalletBalance),
  error: failures.keyed()
}).annotateMerge(
  operation({
    summary: "Read the balance",
    description: "The balance of the owner's wallet, and its totals.",
    access: access.any
  })
)

const deposit = HttpApiEndpoint.get("deposit", "/api/v1/wallet/deposit", {
  success: enveloped(DepositInfo),
  error: failures.keyed()
}).annotateMerge(
  operation({
    summary: "Where to deposit",
    description: "The wallet's own address, created by the first call. Deposits typically confirm within 1-2 minutes.",
    access: access.any
  })
)

const depositQr = HttpApiEndpoint.get("depositQr", "/api/v1/wallet/deposit/:address/qr.png", {
  params: { address: field(idOf<string>(), "A deposit address of the service.", "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE") },
  success: Schema.Uint8Array.annotate({ description: "The picture." }).pipe(
    HttpApiSchema.asUint8Array({ contentType: "image/png" })
  ),
  error: failures.unmetered("VALIDATION_ERROR", "NOT_FOUND")
}).annotateMerge(
  operation({
    summary: "An address as a QR code",
    description: "An image of one of the service's deposit addresses.",
    access: access.public,
    unmetered: true
  })
)

const withdrawals = HttpApiEndpoint.get("withdrawals", "/api/v1/wallet/withdrawals", {
  query: pageQuery,
  success: pageOf(WithdrawalList),
  error: failures.keyed()
}).annotateMerge(
  operation({ summary: "List withdrawals", description: "The wallet's withdrawals, newest first.", access: access.any })
)

const withdrawal = HttpApiEndpoint.get("withdrawal", "/api/v1/wallet/withdrawals/:id", {
  params: { id: field(idOf<WithdrawalId>(), "The withdrawal's id.", "wdr_01j9zq5k2f8h3m6n7p0r4s") },
  success: enveloped(Withdrawal),
  error: failures.keyed("WITHDRAWAL_NOT_FOUND")
}).annotateMerge(
  operation({ summary: "Read a withdrawal", description: "One of the wallet's withdrawals.", access: access.any })
)

const quote = HttpApiEndpoint.get("quote", "/api/v1/wallet/withdrawals/quote", {
  query: {
    amount: Query.required.money({ description: "The amount that should arrive, in USDT.", example: "50.00" }),
    destinationAddress: Query.required.text(100, {
      description: "The address to pay.",
      example: "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"
    })
  },
  success: enveloped(WithdrawalQuote),
  error: failures.keyed()
}).annotateMerge(
  operation({
    summary: "Quote a withdrawal",
    description: "The current fee, guaranteed for 15 minutes to one withdrawal that names the quote.",
    access: access.any
  })
)

const withdraw = HttpApiEndpoint.post("withdraw", "/api/v1/wallet/withdrawals", {
  headers: idempotencyHeaders,
  payload: WithdrawalInput,
  success: enveloped(Withdrawal).pipe(HttpApiSchema.status(201)),
  error: failures.keyedBody(
    "INSUFFICIENT_BALANCE",
    "WITHDRAWAL_REFUSED",
    "CONFLICT",
    "ACCOUNT_FROZEN",
    "IDEMPOTENCY_KEY_REUSED"
  )
}).annotateMerge(
  operation({
    summary: "Withdraw",
    description:
      "Amount and fee are held until the payment is final on the chain. WITHDRAWAL_REFUSED names the owner's rule that forbids it. At most " +
      "10 may be open: one more is CONFLICT `open_withdrawals`.",
    access: access.owner
  })
)

const cancelWithdrawal = HttpApiEndpoint.post("cancelWithdrawal", "/api/v1/wallet/withdrawals/:id/cancel", {
  params: { id: field(idOf<WithdrawalId>(), "The withdrawal's id.", "wdr_01j9zq5k2f8h3m6n7p0r4s") },
  headers: idempotencyHeaders,
  success: enveloped(Withdrawal),
  error: failures.keyed("WITHDRAWAL_NOT_FOUND", "CONFLICT", "ACCOUNT_FROZEN", "IDEMPOTENCY_KEY_REUSED")
}).annotateMerge(
  operation({
    summary: "Cancel a withdrawal",
    description: "Only before the transaction was sent. The money returns at once.",
    access: access.owner
  })
)

const transactions = HttpApiEndpoint.get("transactions", "/api/v1/wallet/transactions", {
  query: {
    ...pageQuery,
    format: Query.choice(["json", "csv"], {
      description: "`csv`: all transactions as one file; `page` and `limit` are ignored.",
      example: "json"
    })
  },
  success: [
    pageOf(Schema.Array(Transaction).annotate({ description: "The transactions of the page, newest first." })),
    field(Schema.String, "A line of column names, then one line for each transaction.", TransactionCsv.header).pipe(
      HttpApiSchema.asText({ contentType: "text/csv" })
    )
  ],
  error: failures.keyed()
}).annotateMerge(
  operation({
    summary: "List transactions",
    description: "The wallet's ledger lines, newest first.",
    access: access.any
  })
)

/** Routes for wallets (WALLET-1, DEPOSIT-1, LEDGER-1, WITHDRAWAL-1, WITHDRAWAL-3, WITHDRAWAL-6). */
export const WalletsGroup = HttpApiGroup.make("wallets")
  .add(balance, deposit, depositQr, withdrawals, quote, withdrawal, withdraw, cancelWithdrawal, transactions)
  .annotateMerge(OpenApi.annotations({ title: "Wallet", description: "USDT on TRON: balance, deposits, withdrawals." }))
