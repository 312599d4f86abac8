import { Context, Effect, Layer, Option } from "effect"
import { NotFound } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { Caller } from "../identity/Caller.ts"
import type { AccountId, ItemId } from "../ids/Ids.ts"
import { Listings } from "../listings/Listings.ts"
import { SoulStore } from "../souls/SoulStore.ts"

const noSoul = new NotFound({ resource: "SOUL" })

/** Listings and SOULs that a caller can see. */
export class SeenItems extends Context.Service<
  SeenItems,
  {
    /** Fails for an item that the caller cannot see. */
    readonly creatorOf: (caller: Caller, id: ItemId) => StoreEffect<AccountId, NotFound>
  }
>()("@agent-marketplace/core/moderation/SeenItems") {
  static readonly layer = Layer.effect(
    SeenItems,
    Effect.gen(function* () {
      const listings = yield* Listings
      const souls = yield* SoulStore
      return {
        creatorOf: Effect.fnUntraced(function* (caller: Caller, id: ItemId) {
          if (!id.startsWith("soul_")) return (yield* listings.detail(caller, id)).listing.creatorId
          const found = yield* souls.detail(id, caller.accountId)
          if (Option.isNone(found)) return yield* noSoul
          const { licensed, listed, soul } = found.value
          const own = soul.authorId === caller.accountId && !soul.deleted
          if (!listed && !licensed && !own) return yield* noSoul
          return soul.authorId
        })
      }
    })
  )
}
