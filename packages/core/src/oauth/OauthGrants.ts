import { Context, Effect, Layer, Option } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import type { AgentNotClaimed } from "../errors/MarketError.ts"
import { NotFound } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Caller.ts"
import type { GrantId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { LiveGrant } from "./OauthGrant.ts"
import { OauthEnds } from "./OauthEnds.ts"
import { OauthStore } from "./OauthStore.ts"

/** The grants of an owner to applications (OAUTH-14, OAUTH-18). */
export class OauthGrants extends Context.Service<
  OauthGrants,
  {
    readonly list: (caller: Caller, page: PageRequest) => StoreEffect<Page<LiveGrant>, AgentNotClaimed>
    /** When this returns, no process accepts a token of the grant. */
    readonly end: (caller: Caller, id: GrantId) => StoreEffect<void, AgentNotClaimed | NotFound>
  }
>()("@agent-marketplace/core/oauth/OauthGrants") {
  static readonly layer = Layer.effect(
    OauthGrants,
    Effect.gen(function* () {
      const store = yield* OauthStore
      const clock = yield* MarketClock
      const ends = yield* OauthEnds
      return {
        list: Effect.fn("OauthGrants.list")(function* (caller, page) {
          return yield* store.listGrants(yield* ownerOf(caller), page)
        }),
        end: Effect.fn("OauthGrants.end")(function* (caller, id) {
          const ended = yield* store.endGrant(id, yield* ownerOf(caller), yield* clock.now)
          if (Option.isNone(ended)) return yield* new NotFound({ resource: "GRANT" })
          yield* ends.after(ended.value)
        })
      }
    })
  )
}
