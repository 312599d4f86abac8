import { Context, Effect, Layer } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import { NotFound } from "../errors/MarketError.ts"
import type { AccountId, ItemId } from "../ids/Ids.ts"
import { ListingStore } from "../listings/ListingStore.ts"
import type { CreatorAccount, CreatorCounts, ItemFacts } from "../listings/ListingStore.ts"
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
  readonly verified: boolean
  readonly joinedAt: Timestamp
}

const isPublic = ({ listings, seller, souls }: CreatorAccount): boolean => seller || souls > 0 || listings > 0

const noAccount = new NotFound({ resource: "ACCOUNT" })

/** Categories and creators, which souls and listings share. */
export class Catalogue extends Context.Service<
  Catalogue,
  {
    readonly categories: StoreEffect<ReadonlyArray<CountedCategory>>
    /** Returns an account that sells or has public items; any other account is not disclosed. */
    readonly creator: (id: AccountId) => StoreEffect<Creator, NotFound>
    /** The profiles of those accounts that sell or have public items, by id. One statement. */
    readonly creators: (ids: ReadonlyArray<AccountId>) => StoreEffect<ReadonlyMap<AccountId, Creator>>
    /** The creators and statistics of items, by id: for items that the caller has been shown. One statement. */
    readonly itemFacts: (ids: ReadonlyArray<ItemId>) => StoreEffect<ReadonlyMap<ItemId, ItemFacts>>
  }
>()("@agent-marketplace/core/catalogue/Catalogue") {
  static readonly layer = Layer.effect(
    Catalogue,
    Effect.gen(function* () {
      const store = yield* ListingStore
      const slugs = categories.map(({ slug }) => slug)
      const creators = Effect.fn("Catalogue.creators")(function* (ids: ReadonlyArray<AccountId>) {
        const found = yield* store.creators(ids)
        return new Map(
          found
            .filter(isPublic)
            .map(({ createdAt, seller: _, ...creator }): [AccountId, Creator] => [
              creator.id,
              { ...creator, joinedAt: createdAt }
            ])
        )
      })
      return {
        categories: Effect.map(store.categoryCounts(slugs), (counts) =>
          categories.map((category) => ({ ...category, count: counts.get(category.slug) ?? 0 }))
        ),
        creator: Effect.fn("Catalogue.creator")(function* (id) {
          const creator = (yield* creators([id])).get(id)
          return creator ?? (yield* noAccount)
        }),
        creators,
        itemFacts: Effect.fn("Catalogue.itemFacts")(function* (ids) {
          return new Map((yield* store.itemFacts(ids)).map((facts) => [facts.id, facts]))
        })
      }
    })
  )
}
