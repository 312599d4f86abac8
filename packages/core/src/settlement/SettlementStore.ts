import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { Command } from "./Command.ts"
import type { Outcome } from "./Outcome.ts"

/**
 * Where money moves.
 *
 * Contract: `settle` is ONE transaction. It locks the wallets of `readSetOf(commands)` in the order of their ids, loads what that read set names at
 * the store's time, applies `settleBatch` and writes everything that it gives, or nothing. Outcomes are in the order of the commands. The number
 * of round trips is fixed, however many commands there are. Two processes that settle at once never overdraw a wallet, pass a limit, sell one
 * item twice to one buyer or return two results for one Idempotency-Key (BUY-10, BUY-14, IDEMPOTENCY-3). Credits are appended, so that a busy seller is no hot row. The store
 * itself refuses a negative balance, a second `(network, txid, logIndex)`, a second entitlement, a second license key and a second result for one
 * Idempotency-Key within 24 hours; older results are deleted.
 */
export class SettlementStore extends Context.Service<
  SettlementStore,
  {
    readonly settle: (commands: ReadonlyArray<Command>) => Effect.Effect<ReadonlyArray<Outcome>, StoreUnavailable>
    /** Returns when every settlement that was under way when it was called, on any process, has committed or failed. */
    readonly underWayDone: Effect.Effect<void, StoreUnavailable>
  }
>()("@agent-marketplace/core/settlement/SettlementStore") {}
