import { Schema } from "effect"
import { UsdtInput } from "@agent-marketplace/core/money/Usdt"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { Pagination } from "../wire/Envelope.ts"
import { optional } from "../wire/Input.ts"
import { ResponseField } from "../wire/ResponseField.ts"
import { withBodyRule } from "../wire/BodyRule.ts"
import { field } from "../wire/Field.ts"

const address = "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE"
const destination = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"
const currency = ResponseField.choice(["USDT"], "Always `USDT`.", "USDT")

/** Proceeds that are released on one day (ESCROW-3). */
const EscrowDay = Schema.Struct({
  amount: ResponseField.number("The amount released on that day, in USDT.", 11.875),
  releasedAt: ResponseField.time("When the last of it is released.", "2025-01-22T12:00:00.000Z")
}).annotate({ identifier: "EscrowDay", description: "Proceeds that are released on one UTC day." })

/** The balance of a wallet (WALLET-1). */
export const WalletBalance = Schema.Struct({
  balance: ResponseField.number("The sum of what is available and what is locked.", 120.5),
  pendingBalance: ResponseField.number("Deposits that are not final yet; not part of the balance.", 0),
  lockedBalance: ResponseField.number(
    "Held for purchases and withdrawals that are under way, and proceeds in escrow.",
    20
  ),
  availableBalance: ResponseField.number("What can be spent.", 100.5),
  currency,
  depositAddress: ResponseField.textOrNull(
    "The TRC-20 address; null until GET /api/v1/wallet/deposit is called.",
    address
  ),
  depositChain: ResponseField.choice(["TRON"], "Always `TRON`.", "TRON"),
  totalDeposits: ResponseField.number("The sum of all deposits.", 200),
  totalWithdrawals: ResponseField.number("The sum of all completed withdrawals, including fees.", 51),
  totalSpent: ResponseField.number("The sum of all spending, net of refunds.", 60),
  totalEarned: ResponseField.number("The sum of all earnings, net of refunds and the platform's fee.", 31.5),
  debt: ResponseField.number("The amount owed for refunds that the platform covered; repaid from later earnings.", 0),
  escrow: Schema.Array(EscrowDay).annotate({
    description: "Proceeds that are locked, one entry for each UTC day on which some are released, earliest first."
  })
}).annotate({ identifier: "WalletBalance", description: "What a wallet holds; amounts in USDT." })

/** Where to deposit (DEPOSIT-1). */
export const DepositInfo = Schema.Struct({
  address: ResponseField.text("Send only USDT on TRON (TRC-20) here.", address),
  chain: ResponseField.choice(["TRON"], "Always `TRON`.", "TRON"),
  currency,
  balance: ResponseField.money("The wallet's balance, in USDT.", "120.50"),
  qrCode: ResponseField.text(
    "The URL of an image of the address; needs no key.",
    `https://market.example.com/api/v1/wallet/deposit/${address}/qr.png`
  ),
  hasAddress: ResponseField.flag("Always true: the first call creates the address.", true),
  supportedChains: ResponseField.texts("The chains that deposits may come from.", ["TRON"])
}).annotate({ identifier: "DepositInfo", description: "Where to send deposits. There is no minimum." })

export const withdrawalStatuses = ["pending", "completed", "failed", "cancelled"] as const

/** A withdrawal (WITHDRAWAL-2). */
export const Withdrawal = Schema.Struct({
  id: ResponseField.text("Prefix `wdr_`.", "wdr_01j9zq5k2f8h3m6n7p0r4s"),
  amount: ResponseField.number("The amount that arrives, in USDT.", 50),
  fee: ResponseField.number("The network fee, in USDT.", 1),
  totalAmount: ResponseField.number("Amount and fee together.", 51),
  currency,
  network: ResponseField.text("The chain of the payment.", "TRON"),
  destinationAddress: ResponseField.text("The address that is paid.", destination),
  status: ResponseField.choice(
    withdrawalStatuses,
    "`pending`: not final on the chain yet. `failed` and `cancelled`: the money is back.",
    "completed"
  ),
  txHash: ResponseField.textOrNull(
    "The id of the transaction; set when the withdrawal is completed.",
    "853793d552635f533aa982b92b35b00e63a1c14e526154563f3c4e4a3d3c2b1a"
  ),
  createdAt: ResponseField.time("When it was requested."),
  completedAt: ResponseField.timeOrNull("When it became final on the chain.", "2025-01-15T12:03:00.000Z")
}).annotate({ identifier: "Withdrawal", description: "A payment out of the wallet." })

/** A fee that is guaranteed for 15 minutes (WITHDRAWAL-12). */
export const WithdrawalQuote = Schema.Struct({
  id: ResponseField.text(
    "Send it as `quote` with the withdrawal. It works once.",
    "quo_01j9zq5k2f8h3m6n7p0r4s5t6_1000000_1736942400000_853793d552635f533aa982b92b35b00e853793d552635f533aa982b92b35b00e"
  ),
  fee: ResponseField.number("The fee, in USDT.", 1),
  total: ResponseField.number("The amount that the wallet pays, including the fee.", 51),
  receives: ResponseField.number("The amount that arrives, in USDT.", 50),
  expiresAt: ResponseField.time("Until when the fee is guaranteed."),
  activatesAddress: ResponseField.flag(
    "Whether the address is new on the chain, so that this payment activates it.",
    false
  )
}).annotate({ identifier: "WithdrawalQuote", description: "The cost of a withdrawal." })

export const WithdrawalList = Schema.Struct({
  withdrawals: Schema.Array(Withdrawal).annotate({ description: "The withdrawals of the page, newest first." }),
  pagination: Pagination
}).annotate({ identifier: "WithdrawalList", description: "A page of withdrawals." })

const transactionTypes = ["deposit", "withdrawal", "purchase", "sale", "fee", "refund", "hold", "release"] as const

/** A transaction of a wallet (LEDGER-1, LEDGER-2). */
export const Transaction = Schema.Struct({
  id: ResponseField.text("Unique among the wallet's transactions.", "txn_42"),
  type: ResponseField.choice(transactionTypes, "The reason for the transaction.", "purchase"),
  amount: ResponseField.money("The signed change of the available balance, in USDT.", "-12.50"),
  balanceAfter: ResponseField.money("The available balance after it, in USDT.", "88.00"),
  agentId: ResponseField.textOrNull("The agent that bought, if one did.", null),
  reference: ResponseField.text("The purchase, withdrawal or deposit that caused it.", "pur_01j9zq5k2f8h3m6n7p0r4s"),
  createdAt: ResponseField.time("When it happened.")
}).annotate({ identifier: "Transaction", description: "A line of the wallet's ledger." })

/** The body of a withdrawal (WITHDRAWAL-1); the market itself checks the minimum and the address. */
export const WithdrawalInput = Schema.Struct({
  amount: field(UsdtInput, "The amount that should arrive, in USDT. The fee is added to it.", "50.00"),
  destinationAddress: field(
    boundedText({ min: 1, max: 100 }),
    "A valid TRON address, other than the token's contract and the service's own addresses.",
    destination
  ),
  quote: field(
    optional(boundedText({ min: 1, max: 200 })),
    "The id of a quote for this amount and address, whose fee is charged.",
    "quo_01j9zq5k2f8h3m6n7p0r4s5t6_1000000_1736942400000_853793d552635f533aa982b92b35b00e853793d552635f533aa982b92b35b00e"
  )
})
  .annotate({ identifier: "WithdrawalInput", description: "A withdrawal to request." })
  .pipe(withBodyRule("withdrawal"))
