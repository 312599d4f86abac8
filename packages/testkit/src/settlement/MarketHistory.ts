import type { SpendingPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { WithdrawalRulesPatch } from "@agent-marketplace/core/wallets/WithdrawalRules"
import * as fc from "fast-check"
import { categories } from "./HistoryWorld.ts"

/** An index into the records that exist at that step, modulo their number. */
type Pick = number

/**
 * One step of a history, for any market: the approval, purchase or item it refers to is chosen when the step is executed.
 * `key` chooses one of few Idempotency-Keys of the account, so that keys are repeated, with the same and with other requests.
 */
export type Step =
  | {
      readonly kind: "buy"
      readonly buyer: Pick
      readonly agent: Pick | null
      readonly item: Pick
      readonly key: Key
      /** The price and the model that the buyer states. */
      readonly agreed: "nothing" | "as it is" | "a lower price" | "another model"
      readonly holdDays: number
    }
  | { readonly kind: "decide"; readonly approval: Pick; readonly decision: "approve" | "reject"; readonly key: Key }
  | { readonly kind: "expire"; readonly approval: Pick }
  | { readonly kind: "expireDue" }
  | { readonly kind: "refund"; readonly purchase: Pick; readonly by: By; readonly key: Key }
  | { readonly kind: "refundRenewal"; readonly renewal: Pick; readonly by: By }
  | { readonly kind: "release"; readonly sale: Pick }
  | { readonly kind: "releaseDue" }
  | { readonly kind: "freeze"; readonly subject: Pick; readonly frozen: boolean; readonly stop: boolean }
  | { readonly kind: "renew"; readonly subscription: Pick }
  | { readonly kind: "renewDue" }
  | { readonly kind: "cancel"; readonly subscription: Pick; readonly stranger: boolean }
  | { readonly kind: "resume"; readonly subscription: Pick }
  | { readonly kind: "deposit"; readonly account: Pick; readonly amount: Usdt }
  | { readonly kind: "holdDeposit"; readonly account: Pick; readonly amount: Usdt; readonly flagged: boolean }
  | { readonly kind: "decideDeposit"; readonly deposit: Pick; readonly to: Pick }
  | { readonly kind: "depositAgain"; readonly deposit: Pick }
  | { readonly kind: "cursor"; readonly block: number; readonly agreed: number }
  /** Null means the whole balance. */
  | {
      readonly kind: "withdraw"
      readonly account: Pick
      readonly amount: Usdt | null
      readonly key: Key
      /** An index into a few addresses. */
      readonly to: Pick
      readonly quote: Quote
    }
  | { readonly kind: "withdrawalRules"; readonly account: Pick; readonly patch: WithdrawalRulesPatch }
  | { readonly kind: "saveAddress"; readonly account: Pick; readonly to: Pick }
  | { readonly kind: "removeAddress"; readonly address: Pick }
  | { readonly kind: "payouts"; readonly paused: boolean }
  | { readonly kind: "move"; readonly withdrawal: Pick; readonly to: Pick }
  /** The next step of a withdrawal that ends with its payment. */
  | { readonly kind: "pay"; readonly withdrawal: Pick }
  | { readonly kind: "repeat"; readonly command: Pick }
  | { readonly kind: "policy"; readonly spender: Pick; readonly policy: PolicyDraft }
  | { readonly kind: "item"; readonly item: Pick; readonly price: Usdt; readonly onSale: boolean }
  /** The operator's decision on the changes that wait beside a listing. */
  | { readonly kind: "review"; readonly item: Pick; readonly approve: boolean }
  | { readonly kind: "jump"; readonly hours: number }

type Key = Pick | null

/** Whether a withdrawal uses a quote, and which: one that still holds, one that has expired, or one that another withdrawal used. */
export type Quote = "none" | "held" | "expired" | "used"

/** The operator may force a refund that the seller cannot pay, however much the seller then owes. */
type By = "seller" | "admin" | "admin, forced"

/** A policy whose blocked sellers are given by index. */
export type PolicyDraft = Omit<SpendingPolicy, "blockedSellers"> & {
  readonly blockedSellers: ReadonlyArray<Pick> | null
}

export interface MarketHistory {
  readonly steps: ReadonlyArray<Step>
  /** The numbers of commands in consecutive transactions, repeated from the first. */
  readonly batchSizes: ReadonlyArray<number>
}

const pick = fc.nat({ max: 1_000_000 })

/** A value, or null with the given weight. */
const orNull = <A>(some: fc.Arbitrary<A>, weight: number): fc.Arbitrary<A | null> =>
  fc.oneof({ weight: 1, arbitrary: some }, { weight, arbitrary: fc.constant(null) })

const key: fc.Arbitrary<Key> = orNull(fc.nat({ max: 30 }), 2)

/** From a millionth to tens of USDT, round and odd amounts, sometimes zero. */
const amount = fc
  .oneof(
    { weight: 6, arbitrary: fc.bigInt({ min: 1n, max: 60n }).map((n) => n * 500_000n) },
    { weight: 3, arbitrary: fc.bigInt({ min: 1n, max: 25_000_000n }) },
    { weight: 1, arbitrary: fc.constantFrom(0n, 1n, 10n, 19n) }
  )
  .map(Usdt.of)

/** The services refuse a withdrawal of zero. */
const paid = amount.map((one) => (one > 0n ? one : Usdt.of(1n)))

const limits = fc
  .array(fc.option(fc.bigInt({ min: 1n, max: 160n }), { freq: 2, nil: null }), { minLength: 4, maxLength: 4 })
  .map((drafts) => {
    const rising = drafts.filter((request) => request !== null).sort((a, b) => Number(a - b))
    return drafts.map((request) => (request === null ? null : Usdt.of((rising.shift() ?? 0n) * 500_000n)))
  })

const policy: fc.Arbitrary<PolicyDraft> = fc
  .tuple(
    limits,
    fc.boolean(),
    orNull(
      amount.map((one) => Usdt.of(one / 4n)),
      1
    ),
    orNull(fc.subarray([...categories], { minLength: 1 }), 3),
    orNull(fc.array(pick, { maxLength: 2 }), 3)
  )
  .map(([[perTransaction, daily, weekly, monthly], never, threshold, allowed, blocked]) => ({
    autoApprove: !never || threshold === null,
    autoApproveThreshold: threshold,
    perTransactionLimit: perTransaction ?? null,
    dailyLimit: daily ?? null,
    weeklyLimit: weekly ?? null,
    monthlyLimit: monthly ?? null,
    allowedCategories: allowed,
    blockedSellers: blocked
  }))

type StepOf<K extends Step["kind"]> = Extract<Step, { readonly kind: K }>
type Fields<K extends Step["kind"]> = { [F in Exclude<keyof StepOf<K>, "kind">]: fc.Arbitrary<StepOf<K>[F]> }

const kind = <K extends Step["kind"]>(name: K, fields: Fields<K>): fc.Arbitrary<StepOf<K>> =>
  fc
    .record(fields as Record<string, fc.Arbitrary<unknown>>)
    .map((values) => ({ kind: name, ...values }) as unknown as StepOf<K>)

const by = fc.constantFrom<By>("seller", "seller", "admin", "admin", "admin, forced")

const agreed = fc.constantFrom("nothing", "nothing", "as it is", "as it is", "a lower price", "another model")

/** Rules that allow most withdrawals. */
const patch: fc.Arbitrary<WithdrawalRulesPatch> = fc.record(
  {
    allowListOnly: fc.constantFrom(true, false, false),
    newAddressDelayHours: fc.constantFrom(0, 0, 1, 24),
    dailyLimit: fc.constantFrom(null, null, Usdt.of(8_000_000n), Usdt.of(60_000_000n))
  },
  { requiredKeys: [] }
)

const quote = fc.constantFrom<Quote>("none", "none", "held", "expired", "used")

const holdDays = fc.constantFrom(0, 0, 1, 7, 7)

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 40,
    arbitrary: kind("buy", { buyer: pick, agent: orNull(pick, 2), item: pick, key, agreed, holdDays })
  },
  { weight: 12, arbitrary: kind("deposit", { account: pick, amount: amount.map((one) => Usdt.of(one * 2n)) }) },
  { weight: 3, arbitrary: kind("depositAgain", { deposit: pick }) },
  { weight: 4, arbitrary: kind("holdDeposit", { account: pick, amount, flagged: fc.boolean() }) },
  { weight: 5, arbitrary: kind("decideDeposit", { deposit: pick, to: pick }) },
  { weight: 1, arbitrary: kind("cursor", { block: fc.nat({ max: 500 }), agreed: fc.nat({ max: 500 }) }) },
  {
    weight: 7,
    arbitrary: kind("decide", { approval: pick, decision: fc.constantFrom("approve", "approve", "reject"), key })
  },
  { weight: 2, arbitrary: kind("expire", { approval: pick }) },
  { weight: 1, arbitrary: kind("expireDue", {}) },
  { weight: 9, arbitrary: kind("refund", { purchase: pick, by, key }) },
  { weight: 2, arbitrary: kind("refundRenewal", { renewal: pick, by }) },
  { weight: 2, arbitrary: kind("release", { sale: pick }) },
  { weight: 3, arbitrary: kind("releaseDue", {}) },
  {
    weight: 2,
    arbitrary: kind("freeze", { subject: pick, frozen: fc.constantFrom(true, false, false), stop: fc.boolean() })
  },
  { weight: 2, arbitrary: kind("renew", { subscription: pick }) },
  { weight: 3, arbitrary: kind("renewDue", {}) },
  { weight: 1, arbitrary: kind("cancel", { subscription: pick, stranger: fc.boolean() }) },
  { weight: 1, arbitrary: kind("resume", { subscription: pick }) },
  { weight: 8, arbitrary: kind("withdraw", { account: pick, amount: orNull(paid, 2), key, to: pick, quote }) },
  { weight: 2, arbitrary: kind("withdrawalRules", { account: pick, patch }) },
  { weight: 2, arbitrary: kind("saveAddress", { account: pick, to: pick }) },
  { weight: 1, arbitrary: kind("removeAddress", { address: pick }) },
  { weight: 1, arbitrary: kind("payouts", { paused: fc.constantFrom(true, false, false) }) },
  { weight: 9, arbitrary: kind("move", { withdrawal: pick, to: pick }) },
  { weight: 2, arbitrary: kind("pay", { withdrawal: pick }) },
  { weight: 6, arbitrary: kind("repeat", { command: pick }) },
  { weight: 3, arbitrary: kind("policy", { spender: pick, policy }) },
  {
    weight: 3,
    arbitrary: kind("item", { item: pick, price: amount, onSale: fc.constantFrom(true, true, true, true, true, false) })
  },
  { weight: 2, arbitrary: kind("review", { item: pick, approve: fc.constantFrom(true, true, false) }) },
  {
    weight: 4,
    arbitrary: kind("jump", {
      hours: fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: 1, max: 12 }) },
        { weight: 3, arbitrary: fc.constantFrom(24, 48, 7 * 24) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 31 * 24 }) }
      )
    })
  }
)

const few = fc.nat({ max: 3 })

/** The steps of colluding accounts that sell to each other, withdraw, and have their sales refunded by the operator. */
const ringStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: kind("buy", {
      buyer: few,
      agent: fc.constant(null),
      item: pick,
      key: fc.constant(null),
      agreed,
      holdDays
    })
  },
  { weight: 2, arbitrary: kind("deposit", { account: few, amount: amount.map((one) => Usdt.of(one * 2n)) }) },
  { weight: 8, arbitrary: kind("refund", { purchase: pick, by, key: fc.constant(null) }) },
  { weight: 2, arbitrary: kind("refundRenewal", { renewal: pick, by }) },
  { weight: 2, arbitrary: kind("renewDue", {}) },
  {
    weight: 6,
    arbitrary: kind("withdraw", { account: few, amount: orNull(paid, 3), key: fc.constant(null), to: pick, quote })
  },
  { weight: 1, arbitrary: kind("withdrawalRules", { account: few, patch }) },
  { weight: 3, arbitrary: kind("move", { withdrawal: pick, to: pick }) },
  { weight: 14, arbitrary: kind("pay", { withdrawal: pick }) },
  { weight: 4, arbitrary: kind("releaseDue", {}) },
  {
    weight: 1,
    arbitrary: kind("freeze", { subject: few, frozen: fc.constantFrom(true, false, false), stop: fc.boolean() })
  },
  { weight: 3, arbitrary: kind("jump", { hours: fc.constantFrom(1, 24, 7 * 24, 30 * 24) }) }
)

const historyOf = (step: fc.Arbitrary<Step>, most: number, least: number): fc.Arbitrary<MarketHistory> =>
  fc.record({
    steps: fc.noBias(fc.array(step, { minLength: least, maxLength: most, size: "max" })),
    batchSizes: fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }) },
        { weight: 2, arbitrary: fc.integer({ min: 5, max: 64 }) }
      ),
      { minLength: 1, maxLength: 20, size: "max" }
    )
  })

/** Random histories of `least` to `most` steps, in batches of 1 to 64 commands. */
export const marketHistory = (most: number, least = 1): fc.Arbitrary<MarketHistory> => historyOf(step, most, least)

/** The same for colluding accounts. */
export const ringHistory = (most: number, least = 1): fc.Arbitrary<MarketHistory> => historyOf(ringStep, most, least)
