import { Schema } from "effect"
import { marketTool } from "../tools/MarketTool.ts"

const { String: Text, Finite } = Schema
const limit = (description: string) => Schema.NullOr(Finite).annotate({ description: `${description} Null: no limit.` })

const walletBalance = marketTool({
  name: "wallet_balance",
  title: "Wallet balance",
  description: "The balances of the account's wallet, in USDT. Only availableBalance can be spent.",
  effects: "reads",
  openWorld: false,
  input: {},
  output: {
    availableBalance: Finite.annotate({ description: "The amount that can be spent." }),
    lockedBalance: Finite.annotate({
      description: "Reserved for pending purchases and withdrawals, and sales in escrow."
    }),
    pendingBalance: Finite.annotate({ description: "Deposits that are detected but not final." }),
    balance: Finite.annotate({ description: "The sum of available and locked." }),
    currency: Text,
    totalDeposits: Finite,
    totalWithdrawals: Finite,
    totalSpent: Finite,
    totalEarned: Finite
  },
  call: (market, _, options) => market.wallet.balance(options)
})

const spendingPolicy = marketTool({
  name: "spending_policy",
  title: "Spending policy",
  description:
    "What the owner lets this account spend, in USDT, and above which price a purchase waits for approval. Only the owner can change it.",
  effects: "reads",
  openWorld: false,
  input: {},
  output: {
    autoApprove: Schema.Boolean.annotate({ description: "False: every paid purchase waits for the owner." }),
    autoApproveThreshold: limit("A price above it waits for the owner."),
    perTransactionLimit: limit("The most that one purchase may cost."),
    dailyLimit: limit("The most in any 24 hours."),
    weeklyLimit: limit("The most in any 7 days."),
    monthlyLimit: limit("The most in any 30 days."),
    allowedCategories: Schema.NullOr(Schema.Array(Text)).annotate({ description: "Null: all." }),
    blockedSellers: Schema.NullOr(Schema.Array(Text)).annotate({ description: "Null: none." })
  },
  call: (market, _, options) => market.wallet.policy.get(options)
})

const depositAddress = marketTool({
  name: "deposit_address",
  title: "Deposit address",
  description:
    "The address on TRON for deposits of USDT. Only USDT on TRON (TRC-20) may be sent to it. Give it to the owner exactly as it is.",
  effects: "reads",
  openWorld: false,
  input: {},
  output: {
    address: Text,
    chain: Text,
    currency: Text,
    qrCode: Text.annotate({ description: "The URL of an image of the address." })
  },
  call: (market, _, options) => market.wallet.deposit(options)
})

/** Wallet tools: balance, spending rules, deposits. */
export const walletTools = [walletBalance, spendingPolicy, depositAddress]
