import type { WithdrawalId } from "@agent-marketplace/core/ids/Ids"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
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

const balance = endpoint.get("balance", "/api/v1/wallet/balance", {
  summary: "Read the balance",
  description: "The balance of the owner's wallet, and its totals.",
  access: access.any,
  success: enveloped(WalletBalance)
})

const deposit = endpoint.get("deposit", "/api/v1/wallet/deposit", {
  summary: "Where to deposit",
  description: "The wallet's own address, created by the first call. Deposits typically confirm within 1-2 minutes.",
  priority: "money",
  access: access.any,
  success: enveloped(DepositInfo)
})

const depositQr = endpoint.get("depositQr", "/api/v1/wallet/deposit/:address/qr.png", {
  summary: "An address as a QR code",
  description: "An image of one of the service's deposit addresses.",
  access: access.public,
  unmetered: true,
  params: { address: field(idOf<string>(), "A deposit address of the service.", "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE") },
  success: Schema.Uint8Array.annotate({ description: "The picture." }).pipe(
    HttpApiSchema.asUint8Array({ contentType: "image/png" })
  ),
  errors: ["VALIDATION_ERROR", "NOT_FOUND"]
})

const withdrawals = endpoint.get("withdrawals", "/api/v1/wallet/withdrawals", {
  summary: "List withdrawals",
  description: "The wallet's withdrawals, newest first.",
  priority: "money",
  access: access.any,
  query: pageQuery,
  success: pageOf(WithdrawalList)
})

const withdrawal = endpoint.get("withdrawal", "/api/v1/wallet/withdrawals/:id", {
  summary: "Read a withdrawal",
  description: "One of the wallet's withdrawals.",
  priority: "money",
  access: access.any,
  params: { id: field(idOf<WithdrawalId>(), "The withdrawal's id.", "wdr_01j9zq5k2f8h3m6n7p0r4s") },
  success: enveloped(Withdrawal),
  errors: ["WITHDRAWAL_NOT_FOUND"]
})

const quote = endpoint.get("quote", "/api/v1/wallet/withdrawals/quote", {
  summary: "Quote a withdrawal",
  description: "The current fee, guaranteed for 15 minutes to one withdrawal that names the quote.",
  priority: "money",
  access: access.any,
  query: {
    amount: Query.required.money("The amount that should arrive, in USDT.", "50.00"),
    destinationAddress: Query.required.text(100, "The address to pay.", "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf")
  },
  success: enveloped(WithdrawalQuote)
})

const withdraw = endpoint.post("withdraw", "/api/v1/wallet/withdrawals", {
  summary: "Withdraw",
  description:
    "Amount and fee are held until the payment is final on the chain. WITHDRAWAL_REFUSED names the owner's rule that forbids it. At most " +
    "10 may be open: one more is CONFLICT `open_withdrawals`.",
  priority: "money",
  access: access.owner,
  stepUp: true,
  headers: idempotencyHeaders,
  payload: WithdrawalInput,
  success: enveloped(Withdrawal).pipe(HttpApiSchema.status(201)),
  errors: ["INSUFFICIENT_BALANCE", "WITHDRAWAL_REFUSED", "CONFLICT", "IDEMPOTENCY_KEY_REUSED"]
})

const cancelWithdrawal = endpoint.post("cancelWithdrawal", "/api/v1/wallet/withdrawals/:id/cancel", {
  summary: "Cancel a withdrawal",
  description: "Only before the transaction was sent. The money returns at once.",
  priority: "money",
  access: access.owner,
  params: { id: field(idOf<WithdrawalId>(), "The withdrawal's id.", "wdr_01j9zq5k2f8h3m6n7p0r4s") },
  headers: idempotencyHeaders,
  success: enveloped(Withdrawal),
  errors: ["WITHDRAWAL_NOT_FOUND", "CONFLICT", "ACCOUNT_FROZEN", "IDEMPOTENCY_KEY_REUSED"]
})

const transactions = endpoint.get("transactions", "/api/v1/wallet/transactions", {
  summary: "List transactions",
  description: "The wallet's ledger lines, newest first.",
  access: access.any,
  query: {
    ...pageQuery,
    format: Query.choice(
      ["json", "csv"],
      "`csv`: all transactions as one file; `page` and `limit` are ignored.",
      "json"
    )
  },
  success: [
    pageOf(Schema.Array(Transaction).annotate({ description: "The transactions of the page, newest first." })),
    field(Schema.String, "A line of column names, then one line for each transaction.", TransactionCsv.header).pipe(
      HttpApiSchema.asText({ contentType: "text/csv" })
    )
  ]
})

/** Routes for wallets (WALLET-1, DEPOSIT-1, LEDGER-1, WITHDRAWAL-1, WITHDRAWAL-3, WITHDRAWAL-6). */
export const WalletsGroup = HttpApiGroup.make("wallets")
  .add(balance, deposit, depositQr, withdrawals, quote, withdrawal, withdraw, cancelWithdrawal, transactions)
  .annotateMerge(OpenApi.annotations({ title: "Wallet", description: "USDT on TRON: balance, deposits, withdrawals." }))
