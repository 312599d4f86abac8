import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Effect } from "effect"
import { usageFailure } from "../errors/CommandFailure.ts"

/** A time for display, in UTC: `2025-01-15 10:30`. */
export const when = (instant: string | null | undefined): string => instant?.slice(0, 16).replace("T", " ") ?? ""

/** An amount of USDT for display: with two decimals, or up to six if needed. */
export const usdt = (amount: number): string => `${amount.toFixed(6).replace(/0{1,4}$/, "")} USDT`

/** A typed amount of USDT in its canonical form, so that `12.5` and `12.50` are the same. */
export const amountOf = (name: string, text: string) =>
  Effect.fromResult(Usdt.parse(text)).pipe(
    Effect.map(Usdt.format),
    Effect.mapError((rule) => usageFailure(`${name}: ${rule}`))
  )
