import { Context, Effect, Layer, Option } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import { NotFound } from "../errors/MarketError.ts"
import { IdentityStore } from "../identity/IdentityStore.ts"
import type { AccountId } from "../ids/Ids.ts"
import { ListingStore } from "../listings/ListingStore.ts"
import type { CreatorCounts } from "../listings/ListingStore.ts"
import type { Category } from "./Categories.ts"
import { categories } from "./Categories.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/** A category and the number of public items in it. */
export interface CountedCategory extends Category {
  readonly count: number
}

/** The public profile of a creator (CREATOR-1). */
export interface Creator extends CreatorCounts {
  readonly id: AccountId
  readonly name: string
  readonly joinedAt: Timestamp
}

const noAccount = new NotFound({ resource: "ACCOUNT" })

/** Categories and creators, which souls and listings share. */
export class Catalogue extends Context.Service<
  Catalogue,
  {
    readonly categories: StoreEffect<ReadonlyArray<CountedCategory>>
    /** Returns an account that sells or has public items; any other account is not disclosed. */
    readonly creator: (id: AccountId) => StoreEffect<Creator, NotFound>
  }
>()("@agent-marketplace/core/catalogue/Catalogue") {
  static readonly layer = Layer.effect(
    Catalogue,
    Effect.gen(function* () {
      const store = yield* ListingStore
      const identity = yield* IdentityStore
      const slugs = categories.map(({ slug }) => slug)
      return {
        categories: Effect.map(store.categoryCounts(slugs), (counts) =>
          categories.map((category) => ({ ...category, count: counts.get(category.slug) ?? 0 }))
        ),
        creator: Effect.fn("Catalogue.creator")(function* (id) {
          const account = yield* identity.findAccount(id)
          if (Option.isNone(account)) return yield* noAccount
          const counts = yield* store.creatorCounts(id)
          const { createdAt, name, seller } = account.value
          if (!seller && counts.souls === 0 && counts.listings === 0) return yield* noAccount
          return { id, name, joinedAt: createdAt, ...counts }
        })
      }
    })
  )
}
