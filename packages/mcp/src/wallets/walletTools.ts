import type { Marketplace } from "@agent-marketplace/client"
import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import type { CallOptions } from "@agent-marketplace/client/requests/Send"
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

const spendingWindow = (description: string) =>
  Schema.NullOr(Schema.Struct({ limit: Finite, spent: Finite, remaining: Finite })).annotate({
    description: `${description} Null: no limit.`
  })

/** The policy of the agent whose key is used; undefined for a key of an owner. */
const agentPolicy = (market: Marketplace, options: CallOptions) =>
  market.agents.policy.get("me", options).catch((error: unknown) => {
    if (error instanceof MarketplaceError && error.code === "AGENT_NOT_FOUND") return undefined
    throw error
  })

type Names = ReadonlyArray<string> | null

/** The names that both lists allow; null allows all. */
const inBoth = (one: Names, other: Names): Names =>
  one === null ? other : other === null ? one : one.filter((name) => other.includes(name))

const spendingPolicy = marketTool({
  name: "spending_policy",
  title: "Spending policy",
  description:
    "The spending rules in effect for this key, in USDT: of the owner's and the agent's, the stricter one, with what is left of each limit. A price above autoApproveThreshold waits for the owner's approval. Only the owner can change the rules.",
  effects: "reads",
  openWorld: false,
  input: {},
  output: {
    autoApproveThreshold: limit("A price above it waits for the owner. 0: every paid purchase waits."),
    perTransactionLimit: limit("The most that one purchase may cost."),
    daily: spendingWindow("Any 24 hours."),
    weekly: spendingWindow("Any 7 days."),
    monthly: spendingWindow("Any 30 days."),
    allowedCategories: Schema.NullOr(Schema.Array(Text)).annotate({
      description: "The categories that may be bought. Null: all."
    }),
    blockedSellers: Schema.NullOr(Schema.Array(Text)).annotate({
      description: "The accounts that nothing may be bought from. Null: none."
    })
  },
  call: async (market, _, options) => {
    const [budget, policy, own] = await Promise.all([
      market.wallet.budget(options),
      market.wallet.policy.get(options),
      agentPolicy(market, options)
    ])
    const { autoApproveThreshold, daily, monthly, perTransaction: perTransactionLimit, weekly } = budget
    const allowedCategories = inBoth(policy.allowedCategories, own?.allowedCategories ?? null)
    const blocked = new Set([...(policy.blockedSellers ?? []), ...(own?.blockedSellers ?? [])])
    const blockedSellers = blocked.size === 0 ? null : [...blocked]
    return { autoApproveThreshold, perTransactionLimit, daily, weekly, monthly, allowedCategories, blockedSellers }
  }
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
