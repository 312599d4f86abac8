import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Effect } from "effect"
import { usageFailure } from "../errors/usageFailure.ts"

/** An amount of USDT as it was typed, in its one form: `12.5` and `12.50` are the same. */
export const amountOf = (name: string, text: string) =>
  Effect.fromResult(Usdt.parse(text)).pipe(
    Effect.map(Usdt.format),
    Effect.mapError((rule) => usageFailure(`${name}: ${rule}`))
  )
