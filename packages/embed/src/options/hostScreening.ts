import { configuredScreening } from "@agent-marketplace/assembly/screening/configuredScreening"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { Screening } from "@agent-marketplace/core/screening/Screening"
import { ScreeningUnavailable } from "@agent-marketplace/core/screening/Screening"
import { Effect, Redacted, Schema } from "effect"
import type { ScreeningOptions, ScreenTransfer } from "./MarketplaceOptions.ts"

const Finding = Schema.NullOr(Schema.Struct({ source: Schema.String, reference: Schema.String }))

/** Screening by the host's function. A result that is neither a finding nor null is `ScreeningUnavailable` (SCREENING-11). */
const functionScreening = (screen: ScreenTransfer): Screening["Service"] => ({
  screen: ({ amount, ...transfer }) =>
    Effect.tryPromise({
      try: async () => screen({ ...transfer, amount: Usdt.format(amount) }),
      catch: () => new ScreeningUnavailable({ reason: "the screening of the embedding program failed" })
    }).pipe(
      Effect.flatMap(Schema.decodeUnknownEffect(Finding)),
      Effect.catchTag("SchemaError", () =>
        Effect.fail(
          new ScreeningUnavailable({ reason: "the screening of the embedding program returned no valid finding" })
        )
      )
    )
})

export const hostScreening = ({ denyLists = [], screen, service }: ScreeningOptions) =>
  configuredScreening(
    {
      denyLists,
      service:
        service === undefined
          ? undefined
          : { url: service.url, token: Redacted.make(service.token), authority: service.authority }
    },
    screen === undefined ? [] : [functionScreening(screen)]
  )
