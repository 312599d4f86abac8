import { Schema } from "effect"
import { Pagination } from "../wire/Envelope.ts"
import { Told } from "../wire/Told.ts"

const address = "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE"
const destination = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"
const currency = Told.choice(["USDT"], "Always `USDT`.", "USDT")

/** Specification 2.9. */
export const WalletBalance = Schema.Struct({
  balance: Told.number("What is available and what is locked, together.", 120.5),
  pendingBalance: Told.number("Deposits that are seen but not final; not part of the balance.", 0),
  lockedBalance: Told.number("Held for purchases and withdrawals that are under way.", 20),
  availableBalance: Told.number("What can be spent.", 100.5),
  currency,
  depositAddress: Told.textOrNull("The TRC-20 address; null until GET /api/v1/wallet/deposit is called.", address),
  depositChain: Told.choice(["TRON"], "Always `TRON`.", "TRON"),
  totalDeposits: Told.number("All that ever came in.", 200),
  totalWithdrawals: Told.number("All completed withdrawals, with their fees.", 51),
  totalSpent: Told.number("All that was spent, net of refunds.", 60),
  totalEarned: Told.number("All that was earned, net of refunds and the platform's fee.", 31.5)
}).annotate({ identifier: "WalletBalance", description: "What a wallet holds; amounts in USDT." })

/** Specification 2.10. */
export const DepositInfo = Schema.Struct({
  address: Told.text("Send only USDT on TRON (TRC-20) here.", address),
  chain: Told.choice(["TRON"], "Always `TRON`.", "TRON"),
  currency,
  balance: Told.money("The wallet's balance, in USDT.", "120.50"),
  qrCode: Told.text(
    "The URL of an image of the address; needs no key.",
    `https://market.example.com/api/v1/wallet/deposit/${address}/qr.png`
  ),
  hasAddress: Told.flag("Always true: the first call makes the address.", true),
  supportedChains: Told.texts("Where deposits may come from.", ["TRON"])
}).annotate({ identifier: "DepositInfo", description: "Where the wallet is filled. There is no minimum." })

/** Specification 2.11. */
export const Withdrawal = Schema.Struct({
  id: Told.text("Prefix `wdr_`.", "wdr_01j9zq5k2f8h3m6n7p0r4s"),
  amount: Told.number("What arrives, in USDT.", 50),
  fee: Told.number("The network fee, in USDT.", 1),
  totalAmount: Told.number("Amount and fee together.", 51),
  currency,
  network: Told.text("Where it is paid out.", "TRON"),
  destinationAddress: Told.text("Who is paid.", destination),
  status: Told.choice(
    ["pending", "completed", "failed", "cancelled"],
    "`pending`: not final on the chain yet. `failed` and `cancelled`: the money is back.",
    "completed"
  ),
  txHash: Told.textOrNull(
    "The transaction; set when completed.",
    "853793d552635f533aa982b92b35b00e63a1c14e526154563f3c4e4a3d3c2b1a"
  ),
  createdAt: Told.time("When it was asked for."),
  completedAt: Told.timeOrNull("When it was final on the chain.", "2025-01-15T12:03:00.000Z")
}).annotate({ identifier: "Withdrawal", description: "A payment out of the wallet." })

export const WithdrawalList = Schema.Struct({
  withdrawals: Schema.Array(Withdrawal).annotate({ description: "The withdrawals of the page, newest first." }),
  pagination: Pagination
}).annotate({ identifier: "WithdrawalList", description: "A page of withdrawals." })

export const transactionTypes = [
  "deposit",
  "withdrawal",
  "purchase",
  "sale",
  "fee",
  "refund",
  "hold",
  "release"
] as const

/** Contract 5. */
export const Transaction = Schema.Struct({
  id: Told.text("Unique among the wallet's transactions.", "txn_42"),
  type: Told.choice(transactionTypes, "Why money moved.", "purchase"),
  amount: Told.money("Signed: what it added to what can be spent, in USDT.", "-12.50"),
  balanceAfter: Told.money("What could be spent after it, in USDT.", "88.00"),
  reference: Told.text("The purchase, withdrawal or deposit behind it.", "pur_01j9zq5k2f8h3m6n7p0r4s"),
  createdAt: Told.time("When it happened.")
}).annotate({ identifier: "Transaction", description: "A line of the wallet's ledger." })
