import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { HeldDepositId, WithdrawalId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { HeldDeposit, HeldDepositState } from "./HeldDeposit.ts"

/** A deposit that screening has to decide, and how often that failed. */
export interface UnscreenedDeposit {
  readonly deposit: HeldDeposit
  readonly failures: number
}

/** The deposits and withdrawals of the whole market that wait because of screening. */
export interface ScreeningStanding {
  /** Deposits that wait for the operator. */
  readonly held: number
  /** The one that waits longest. */
  readonly oldestHeld: HeldDepositId | null
  /** Deposits and queued withdrawals that screening failed to decide. */
  readonly unscreened: number
  /** The failure of one of them. */
  readonly failure: string | null
}

/**
 * Deposits that are held, and what waits until screening answers (SCREENING-3, SCREENING-4). Their money moves only through the SettlementStore,
 * which writes them.
 */
export class ScreeningStore extends Context.Service<
  ScreeningStore,
  {
    readonly find: (id: HeldDepositId) => Effect.Effect<Option.Option<HeldDeposit>, StoreUnavailable>
    /** Newest first, in one of the states if they are given. */
    readonly list: (
      filter: { readonly states?: ReadonlyArray<HeldDepositState> | undefined },
      page: PageRequest
    ) => Effect.Effect<Page<HeldDeposit>, StoreUnavailable>
    /** Deposits in state `screening` that are not deferred beyond `now`, oldest first. */
    readonly unscreened: (
      now: Timestamp,
      limit: number
    ) => Effect.Effect<ReadonlyArray<UnscreenedDeposit>, StoreUnavailable>
    /** Makes a deposit that screening failed to decide wait until that time. */
    readonly deferDeposit: (
      id: HeldDepositId,
      until: Timestamp,
      failure: string
    ) => Effect.Effect<void, StoreUnavailable>
    /** Makes a queued withdrawal that screening failed to decide wait until that time. */
    readonly deferWithdrawal: (
      id: WithdrawalId,
      until: Timestamp,
      failure: string
    ) => Effect.Effect<void, StoreUnavailable>
    /** Screening decided these withdrawals: they no longer count as failed. */
    readonly withdrawalsScreened: (ids: ReadonlyArray<WithdrawalId>) => Effect.Effect<void, StoreUnavailable>
    readonly standing: Effect.Effect<ScreeningStanding, StoreUnavailable>
  }
>()("@agent-marketplace/core/screening/ScreeningStore") {}
