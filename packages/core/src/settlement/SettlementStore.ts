import { Context } from "effect"
import type { Command } from "./Command.ts"
import type { Outcome } from "./Outcome.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/**
 * The store through which all money moves.
 *
 * Contract: `settle` is ONE transaction. It locks the wallets of `readSetOf(commands)` in the order of their ids, loads the records of that read
 * set at the store's time, applies `settleBatch`, and writes all of its changes or none. Outcomes are in the order of the commands. The number
 * of round trips does not depend on the number of commands. Concurrent processes never overdraw a wallet, exceed a limit, sell one item twice to
 * one buyer or return two results for one Idempotency-Key (BUY-10, BUY-14, IDEMPOTENCY-3). Credits are appended, so that concurrent sales of
 * one seller do not wait for each other. The store itself refuses a negative balance, a second `(network, txid, logIndex)`, a second
 * entitlement, a second license key and a second result for one Idempotency-Key within 24 hours. It deletes older results.
 */
export class SettlementStore extends Context.Service<
  SettlementStore,
  {
    readonly settle: (commands: ReadonlyArray<Command>) => StoreEffect<ReadonlyArray<Outcome>>
    /** Returns when every settlement that was in progress at the time of the call, on any process, has committed or failed. */
    readonly underWayDone: StoreEffect<void>
  }
>()("@agent-marketplace/core/settlement/SettlementStore") {}
