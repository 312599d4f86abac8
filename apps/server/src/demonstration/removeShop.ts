import { Approvals } from "@agent-marketplace/core/approvals/Approvals"
import { TronAddress } from "@agent-marketplace/core/chain/TronAddress"
import { MarketConfig } from "@agent-marketplace/core/config/MarketConfig"
import { Conflict, StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Purchases } from "@agent-marketplace/core/purchases/Purchases"
import { Payouts } from "@agent-marketplace/core/wallets/Payouts"
import { Wallets } from "@agent-marketplace/core/wallets/Wallets"
import { Effect } from "effect"
import { deposit } from "./deposit.ts"
import { eventually } from "./eventually.ts"
import { findPerson, roles } from "./people.ts"
import { demonstrationOperator } from "./publish.ts"
import { usdt } from "./shopItems.ts"

const most = 100

const reason = "The demonstration data was removed."

/** Sales may arrive while the shop is removed; each round takes them into account. */
const rounds = 5

/** Returns the money of every sale and renewal, to buyers outside of the demonstration too. */
const refundSales = Effect.fnUntraced(function* (seller: Caller) {
  const purchases = yield* Purchases
  for (let page = 1; ; page++) {
    const { items, total } = yield* purchases.sales(seller, { page, limit: most })
    for (const { amount, id, status } of items)
      if (status === "completed" && amount > 0n)
        yield* Effect.catchTag(
          purchases.refund("admin", id, { reason, force: true }),
          "Conflict",
          // Refunded meanwhile, or too old to be refunded: the money is then paid out with the rest.
          () => Effect.void
        )
    if (page * most >= total) return
  }
})

/** Returns what is held for purchases that wait. */
const rejectWaiting = Effect.fnUntraced(function* (owner: Caller) {
  const approvals = yield* Approvals
  const { items } = yield* approvals.list(owner, "pending", { page: 1, limit: most })
  for (const { id } of items)
    yield* Effect.catchTag(approvals.decide(owner, id, "reject"), "Conflict", () => Effect.void)
})

/** Withdraws the balance to an address of the simulated chain to which nobody has a key, and waits until it is paid. */
const empty = Effect.fnUntraced(function* (caller: Caller) {
  const wallets = yield* Wallets
  const payouts = yield* Payouts
  const { withdrawalMinimum } = yield* MarketConfig
  const destinationAddress = yield* TronAddress.fromPayload(new Uint8Array(20).fill(0xde))
  const { available } = yield* wallets.balance(caller)
  if (available > 0n) {
    // Too little to be withdrawn: more simulated money makes it enough.
    if (available < 2n * withdrawalMinimum + usdt(20)) yield* deposit(caller, Usdt.of(withdrawalMinimum + usdt(20)))
    const balance = (yield* wallets.balance(caller)).available
    const { fee } = yield* wallets.quote(caller, { amount: Usdt.of(balance / 2n), destinationAddress })
    const amount = Usdt.of(balance - fee)
    const { value } = yield* wallets.withdraw(caller, { amount, destinationAddress })
    if (value.state === "in_review")
      yield* Effect.catchTag(payouts.approve(demonstrationOperator, value.id), "Conflict", () => Effect.void)
  }
  yield* eventually(
    "a withdrawal",
    Effect.map(wallets.withdrawals(caller, { page: 1, limit: 10 }), ({ items }) =>
      items.every(({ state }) => state === "completed" || state === "failed" || state === "cancelled")
        ? true
        : undefined
    )
  )
})

const round = Effect.gen(function* () {
  const identity = yield* Identity
  const found = yield* Effect.forEach(roles, findPerson)
  const accounts = found.filter((caller) => caller !== null)
  yield* Effect.forEach(accounts, refundSales)
  yield* Effect.forEach(accounts, rejectWaiting)
  yield* Effect.forEach(accounts, empty, { concurrency: accounts.length })
  yield* Effect.forEach(accounts, identity.eraseAccount)
})

/**
 * Ends the demonstration by the market's own rules: its sales are refunded, its balances are withdrawn, and its accounts are erased (CONSOLE-58).
 * The ledger stays, as after every erasure. An interrupted removal is continued by the next one.
 */
export const removeShop = round.pipe(
  Effect.retry({ times: rounds - 1, while: ({ _tag }) => _tag === "Conflict" }),
  Effect.catch((error) => {
    if (error instanceof StoreUnavailable || error instanceof Conflict) return Effect.fail(error)
    switch (error._tag) {
      case "ChainUnavailable":
        return Effect.fail(new StoreUnavailable({ cause: error }))
      case "AccountFrozen":
        return Effect.fail(new Conflict({ state: "frozen", reason: "an account of the demonstration is frozen" }))
      case "WithdrawalRefused":
        return Effect.fail(
          new Conflict({
            state: "withdrawal_rules",
            reason: "the withdrawal rules of a demonstration account refuse it"
          })
        )
      default:
        return Effect.die(new Error(`the demonstration could not be removed: ${error._tag}`, { cause: error }))
    }
  })
)
