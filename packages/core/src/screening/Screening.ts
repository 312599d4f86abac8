import { Context, Data, Effect, Layer } from "effect"
import type { Usdt } from "../money/Usdt.ts"
import type { ScreeningEvidence } from "./ScreeningEvidence.ts"

/** Screening did not answer, or its answer is not valid. The address is then neither flagged nor cleared. */
export class ScreeningUnavailable extends Data.TaggedError("ScreeningUnavailable")<{ readonly reason: string }> {
  /** The reason, as logs show it. */
  override get message(): string {
    return this.reason
  }
}

/** A transfer of the token before the market acts on it (SCREENING-1). */
export interface ScreenedTransfer {
  readonly kind: "deposit" | "withdrawal"
  /** The sender of a deposit, or the destination of a withdrawal. */
  readonly address: string
  readonly amount: Usdt
  /** The chain's name, such as `TRON`. */
  readonly chain: string
  /** The transaction and position of a deposit; the id of a withdrawal, or null if it is only requested. */
  readonly reference: string | null
}

/**
 * Decides whether money may come from, or go to, an address (SCREENING-1).
 *
 * Contract: `screen` returns why the address is flagged, or null if it is not. It changes nothing and may be called any number of times for one
 * transfer. If it cannot decide, it fails with `ScreeningUnavailable` and never returns null.
 */
export class Screening extends Context.Service<
  Screening,
  {
    readonly screen: (transfer: ScreenedTransfer) => Effect.Effect<ScreeningEvidence | null, ScreeningUnavailable>
  }
>()("@agent-marketplace/core/screening/Screening") {
  /** Flags nothing, for a market without screening. */
  static readonly none: Layer.Layer<Screening> = Layer.succeed(Screening, { screen: () => Effect.succeed(null) })
}
