import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { HeldDepositId, WithdrawalId } from "@agent-marketplace/core/ids/Ids"
import type { HeldDeposit } from "@agent-marketplace/core/screening/HeldDeposit"
import type { ScreeningStanding } from "@agent-marketplace/core/screening/ScreeningStore"
import { ScreeningStore } from "@agent-marketplace/core/screening/ScreeningStore"
import { Effect, Layer, Option } from "effect"
import type { MarketTables } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"

const heldAt = (deposit: HeldDeposit): Timestamp => deposit.heldAt

const defer = (
  { screeningFailures }: MarketTables,
  id: HeldDepositId | WithdrawalId,
  until: Timestamp,
  reason: string
): void => {
  const failures = (screeningFailures.get(id)?.failures ?? 0) + 1
  screeningFailures.set(id, { until, failures, reason })
}

/** The records that wait because screening failed for them. */
const failing = (tables: MarketTables) =>
  [...tables.screeningFailures].filter(
    ([id]) =>
      tables.heldDeposits.get(id as HeldDepositId)?.state === "screening" ||
      tables.withdrawals.get(id as WithdrawalId)?.state === "queued"
  )

const standing = (tables: MarketTables): ScreeningStanding => {
  const held = [...tables.heldDeposits.values()].filter(({ state }) => state === "held")
  const failed = failing(tables)
  return {
    held: held.length,
    oldestHeld: Timeline.oldestFirst(held, heldAt)[0]?.id ?? null,
    unscreened: failed.length,
    failure: failed[0]?.[1].reason ?? null
  }
}

export const MemoryScreeningStore: { readonly layer: Layer.Layer<ScreeningStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    ScreeningStore,
    Effect.map(MemoryMarket, ({ tables }) => ({
      find: (id) => Effect.sync(() => Option.fromUndefinedOr(tables.heldDeposits.get(id))),
      list: ({ states }, page) =>
        Effect.sync(() => {
          const wanted = [...tables.heldDeposits.values()].filter(({ state }) => states?.includes(state) ?? true)
          return Timeline.page(Timeline.newestFirst(wanted, heldAt), page)
        }),
      unscreened: (now, limit) =>
        Effect.sync(() =>
          Timeline.oldestFirst([...tables.heldDeposits.values()], heldAt)
            .filter(({ id, state }) => state === "screening" && (tables.screeningFailures.get(id)?.until ?? now) <= now)
            .slice(0, limit)
            .map((deposit) => ({ deposit, failures: tables.screeningFailures.get(deposit.id)?.failures ?? 0 }))
        ),
      deferDeposit: (id, until, failure) =>
        Effect.sync(() => {
          if (tables.heldDeposits.get(id)?.state === "screening") defer(tables, id, until, failure)
        }),
      deferWithdrawal: (id, until, failure) =>
        Effect.sync(() => {
          if (tables.withdrawals.get(id)?.state === "queued") defer(tables, id, until, failure)
        }),
      withdrawalsScreened: (ids) =>
        Effect.sync(() => {
          for (const id of ids) tables.screeningFailures.delete(id)
        }),
      standing: Effect.sync(() => standing(tables))
    }))
  )
}
