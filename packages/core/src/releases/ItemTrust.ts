import { Context, Effect, Layer, Option } from "effect"
import { DomainStore } from "../domains/DomainStore.ts"
import { NotFound } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { Caller } from "../identity/Caller.ts"
import type { AccountId, ItemId, ListingId, SoulId } from "../ids/Ids.ts"
import { Listings } from "../listings/Listings.ts"
import { ReportStore } from "../moderation/ReportStore.ts"
import { SoulStore } from "../souls/SoulStore.ts"
import { namesakeFindings } from "./ItemFindings.ts"
import type { Release } from "./Release.ts"
import { ReleaseStore } from "./ReleaseStore.ts"
import type { Finding, Verdict } from "./Verdict.ts"

/** How far an item can be trusted, and why. */
export interface Trust {
  /** Of the release on sale, otherwise of the newest scanned one; null if no release was scanned. */
  readonly verdict: Verdict | null
  /** Of the item's name, if no release was scanned; otherwise the verdict has them. */
  readonly nameFindings: ReadonlyArray<Finding>
  readonly domains: ReadonlyArray<string>
  readonly releases: number
  /** Without the dismissed ones. */
  readonly reports: number
}

/** An item that the caller sees. */
interface Seen {
  readonly id: ItemId
  readonly creatorId: AccountId
  readonly releaseVersion: string | null
}

const notFound = new NotFound({ resource: "LISTING" })

/** Verdicts on items (RELEASE-23). */
export class ItemTrust extends Context.Service<
  ItemTrust,
  { readonly read: (caller: Caller, id: ItemId) => StoreEffect<Trust, NotFound> }
>()("@agent-marketplace/core/releases/ItemTrust") {
  static readonly layer = Layer.effect(
    ItemTrust,
    Effect.gen(function* () {
      const listings = yield* Listings
      const souls = yield* SoulStore
      const store = yield* ReleaseStore
      const domains = yield* DomainStore
      const reports = yield* ReportStore

      const seenSoul = Effect.fnUntraced(function* (caller: Caller, id: SoulId) {
        const found = yield* souls.detail(id, caller.accountId)
        if (Option.isNone(found) || found.value.soul.id !== id) return yield* notFound
        const { licensed, listed, soul } = found.value
        const own = soul.authorId === caller.accountId && !soul.deleted
        if (!listed && !licensed && !own) return yield* notFound
        return { id, creatorId: soul.authorId, releaseVersion: soul.releaseVersion }
      })

      const seenListing = Effect.fnUntraced(function* (caller: Caller, id: ListingId) {
        const { listing } = yield* listings.detail(caller, id)
        if (listing.id !== id) return yield* notFound
        return { id, creatorId: listing.creatorId, releaseVersion: listing.releaseVersion }
      })

      const seen = (caller: Caller, id: ItemId): StoreEffect<Seen, NotFound> =>
        id.startsWith("soul_") ? seenSoul(caller, id as SoulId) : seenListing(caller, id as ListingId)

      const described = Effect.fnUntraced(function* ({ id, releaseVersion }: Seen, newest: ReadonlyArray<Release>) {
        const onSale = releaseVersion === null ? Option.none() : yield* store.find(id, releaseVersion)
        return Option.getOrUndefined(onSale) ?? newest.find(({ verdict }) => verdict !== null)
      })

      return {
        read: Effect.fn("ItemTrust.read")(function* (caller, id) {
          const item = yield* seen(caller, id)
          const { items, total } = yield* store.list(id, { page: 1, limit: 20 })
          const verdict = (yield* described(item, items))?.verdict ?? null
          const named = { itemId: id, creatorId: item.creatorId, name: null }
          return {
            verdict,
            nameFindings: verdict === null ? namesakeFindings(yield* store.namesakes(named)) : [],
            domains: yield* domains.verified(item.creatorId),
            releases: total,
            reports: yield* reports.count(item.id)
          }
        })
      }
    })
  )
}
