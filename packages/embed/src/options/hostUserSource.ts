import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { HostUserSource } from "@agent-marketplace/core/identity/HostUsers"
import { Effect } from "effect"
import type { RecogniseUser } from "./MarketplaceOptions.ts"

/** The port over the host's function. A function that throws makes the user unavailable. */
export const hostUserSource = (recognise: RecogniseUser): HostUserSource => ({
  recognise: (presented) =>
    Effect.tryPromise({
      try: async () => (await recognise(presented)) ?? null,
      catch: (cause) => new StoreUnavailable({ cause })
    })
})
