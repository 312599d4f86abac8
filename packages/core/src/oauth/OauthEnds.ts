import { Context, Effect, Layer } from "effect"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { Settlement } from "../settlement/Settlement.ts"
import type { OauthGrant } from "./OauthGrant.ts"

/** The consequences of the end of a grant. */
export class OauthEnds extends Context.Service<
  OauthEnds,
  {
    /** Rejects the purchases of its agent that wait for the owner, as retiring an agent does. */
    readonly after: (grant: OauthGrant) => Effect.Effect<void, StoreUnavailable>
  }
>()("@agent-marketplace/core/oauth/OauthEnds") {
  static readonly layer = Layer.effect(
    OauthEnds,
    Effect.map(Settlement, (settlement) => ({
      after: ({ accountId, agentId }: OauthGrant) =>
        Effect.asVoid(settlement.submitAll([{ _tag: "RejectWaiting", accountId, agentId, reason: "rejected" }]))
    }))
  )
}
