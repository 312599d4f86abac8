import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { CatalogueFilter } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import type { AccountId, SoulId } from "@agent-marketplace/core/ids/Ids"
import type { PageRequest } from "@agent-marketplace/core/paging/Page"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { isListed } from "@agent-marketplace/core/souls/Soul"
import { SoulJson } from "@agent-marketplace/core/souls/SoulJson"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { Effect, Layer, Option, Result } from "effect"
import { ConstraintViolated } from "../ConstraintViolated.ts"
import { admitRecord } from "../identity/admitRecord.ts"
import { Index } from "../Index.ts"
import type { MarketTables, StoredSoul } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"
import { hasLiveLicense } from "../purchases/hasLiveLicense.ts"
import { searchItems } from "../catalogue/searchItems.ts"
import { statsOf } from "../catalogue/statsOf.ts"
import { storeSoul } from "./storeSoul.ts"

const bySlug = (tables: MarketTables, slug: string): StoredSoul | undefined => {
  const id = tables.soulsBySlug.get(slug)
  return id === undefined ? undefined : tables.souls.get(id)
}

const byIdOrSlug = (tables: MarketTables, idOrSlug: string): StoredSoul | undefined =>
  tables.souls.get(idOrSlug as SoulId) ?? bySlug(tables, idOrSlug)

const list = (tables: MarketTables, filter: CatalogueFilter) => {
  const { page, total } = searchItems(tables, tables.souls.values(), filter)
  const json = page.map(({ item: { itemHead, soul } }) =>
    SoulJson.close(filter.own === true ? itemHead + SoulJson.ownFields(soul) : itemHead, soul.downloads)
  )
  return { json: `[${json.join(",")}]`, total }
}

const versionsOf = (tables: MarketTables, slug: string) => {
  const stored = bySlug(tables, slug)
  return stored === undefined ? [] : (tables.soulVersions.get(stored.soul.id) ?? [])
}

const queue = (tables: MarketTables, suspended: boolean | undefined, page: PageRequest) => {
  const souls = Array.from(tables.souls.values(), ({ soul }) => soul).filter(
    (soul) => !soul.deleted && (suspended === undefined || (soul.suspension !== null) === suspended)
  )
  return Timeline.page(
    Timeline.oldestFirst(souls, ({ createdAt }) => createdAt),
    page
  )
}

/** Whether it is the account's first download of the soul. */
const countDownload = (tables: MarketTables, { id }: Soul, account: AccountId): boolean => {
  const stored = tables.souls.get(id)
  if (stored === undefined) throw new ConstraintViolated("downloads_soul", id)
  if (tables.downloads.get(id)?.has(account) === true) return false
  Index.add(tables.downloads, id, account)
  tables.souls.set(id, { ...stored, soul: { ...stored.soul, downloads: stored.soul.downloads + 1 } })
  return true
}

const changes = ({ append, tables }: MemoryMarket["Service"]): Pick<SoulStore["Service"], "insert" | "modify"> => ({
  insert: (draft, request, events) =>
    Effect.suspend(() => {
      const admitted = admitRecord(tables, draft.authorId, "souls", draft.createdAt)
      if (Result.isFailure(admitted)) return Effect.fail(admitted.failure)
      if (tables.souls.has(draft.id)) throw new ConstraintViolated("souls_id", draft.id)
      const soul: Soul = { ...draft, slug: tables.soulSlugs.take(request) }
      const happened = events(soul)
      storeSoul(tables, soul)
      append(happened)
      return Effect.succeed(soul)
    }),
  modify: (slug, rule) =>
    Effect.sync(() => {
      const stored = bySlug(tables, slug)
      if (stored === undefined) return Option.none()
      const changed = rule(stored.soul)
      if (Result.isFailure(changed)) return Option.some(Result.fail(changed.failure))
      const { action, events, soul } = changed.success
      storeSoul(tables, soul)
      append(events)
      if (action !== undefined) tables.actions.push(action)
      return Option.some(Result.succeed(soul))
    })
})

export const MemorySoulStore: { readonly layer: Layer.Layer<SoulStore, never, MarketClock | MemoryMarket> } = {
  layer: Layer.effect(
    SoulStore,
    Effect.gen(function* () {
      const market = yield* MemoryMarket
      const clock = yield* MarketClock
      const { append, tables } = market
      return {
        ...changes(market),
        findBySlug: (slug) => Effect.sync(() => Option.fromUndefinedOr(bySlug(tables, slug)?.soul)),
        list: (filter) => Effect.sync(() => list(tables, filter)),
        detail: (idOrSlug, viewer) =>
          Effect.map(clock.now, (now) => {
            const soul = byIdOrSlug(tables, idOrSlug)?.soul
            if (soul === undefined) return Option.none()
            const licensed = viewer !== null && hasLiveLicense(tables, viewer, soul.id, now)
            const listed = isListed(soul)
            return Option.some({ soul, stats: statsOf(tables, soul.id), licensed, listed })
          }),
        detailJson: (slug) =>
          Effect.sync(() => {
            const stored = bySlug(tables, slug)
            return stored !== undefined && isListed(stored.soul)
              ? Option.some(
                  SoulJson.closeDetail(stored.detailHead, stored.soul.downloads, statsOf(tables, stored.soul.id))
                )
              : Option.none()
          }),
        download: (soul, account, event) =>
          Effect.sync(() => {
            const counted = countDownload(tables, soul, account)
            const author = tables.souls.get(soul.id)?.soul.author ?? soul.author
            if (counted) append([event({ ...soul, author })])
            return { counted }
          }),
        versions: (slug, page) => Effect.sync(() => Timeline.page(versionsOf(tables, slug).toReversed(), page)),
        findVersion: (slug, version) =>
          Effect.sync(() => Option.fromUndefinedOr(versionsOf(tables, slug).find((kept) => kept.version === version))),
        queue: (suspended, page) => Effect.sync(() => queue(tables, suspended, page)),
        // Data in memory was never written by an earlier version.
        renderStale: Effect.succeed(false)
      }
    })
  )
}
