import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { Command } from "./Command.ts"
import type { Outcome } from "./Outcome.ts"

/**
 * Where money moves.
 *
 * Contract: `settle` is ONE transaction. It locks the wallets of `readsOf(orders)` in id order, loads what those reads name at the
 * store's time, applies `settleBatch` and writes everything it gives — or nothing. Outcomes stand in the order of the
 * orders. A fixed number of round trips, however many orders. Two processes that settle at once never overdraw a wallet, pass a
 * limit, sell one item twice to one buyer or answer one Idempotency-Key twice (BUY-10, BUY-14, IDEMPOTENCY-3). Credits are appended, so that a busy seller is no hot row.
 * The store itself refuses a negative balance, a second `(network, txid, logIndex)`, a second holding, a second license
 * key and a second answer to one Idempotency-Key within 24 hours (older answers are forgotten).
 */
export class SettlementStore extends Context.Service<
  SettlementStore,
  {
    readonly settle: (commands: ReadonlyArray<Command>) => Effect.Effect<ReadonlyArray<Outcome>, StoreUnavailable>
    /** Returns when every settlement that was under way when it was called, on any process, has committed or failed. */
    readonly underWayDone: Effect.Effect<void, StoreUnavailable>
  }
>()("@agent-marketplace/core/settlement/SettlementStore") {}
